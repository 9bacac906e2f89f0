"""Choices for lists and maps."""

from __future__ import annotations

from typing import Final

from oap_core.cel.types import BOOL, INT, STRING, ListType, MapType, Type
from tests.core.cel.differential import literals
from tests.core.cel.differential.grammar import (
    COUNTS,
    INTS,
    LABELS,
    ROWS,
    STRINGS,
    Choice,
    Grammar,
    Rule,
    Scope,
    arithmetic,
    conditional,
    read,
)
from tests.core.cel.differential.phrase import PRIMARY, Phrase, Slot, listing, loop, mapping, method


def _listed(type_: Type) -> Rule:
    return lambda grammar, depth, scope: listing(
        [grammar.of(type_, depth - 1, scope) for _ in range(grammar.random.randrange(4))]
    )


def _mapped_literal(type_: Type) -> Rule:
    """A map literal."""

    def rule(grammar: Grammar, depth: int, scope: Scope) -> Phrase:
        entries = [
            # cel-python keeps an error as the value of an entry.
            (
                literals.key(grammar.random),
                literals.of(grammar.random, type_) if grammar.shared else grammar.of(type_, depth - 1, scope),
            )
            for _ in range(grammar.random.randrange(3))
        ]
        return mapping(entries if len({str(key) for key, _ in entries}) == len(entries) else entries[:1])

    return rule


def _filter(type_: Type) -> Rule:
    def rule(grammar: Grammar, depth: int, scope: Scope) -> Phrase:
        binder = grammar.binder()
        body = grammar.of(BOOL, depth, (*scope, (binder, type_)))
        return loop("filter", grammar.of(ListType(type_), depth, scope), "filter", binder, body)

    return rule


def _map(type_: Type) -> Rule:
    def rule(grammar: Grammar, depth: int, scope: Scope) -> Phrase:
        binder = grammar.binder()
        source = grammar.random.choice((INT, STRING))
        inner = (*scope, (binder, source))
        bodies = [grammar.of(type_, depth, inner)]
        if grammar.random.random() < 0.3:
            bodies.insert(0, grammar.of(BOOL, depth, inner))
        name = "map" if len(bodies) == 1 else "map with a condition"
        return loop(name, grammar.of(ListType(source), depth, scope), "map", binder, *bodies)

    return rule


def _row(type_: Type) -> Rule:
    return lambda grammar, depth, scope: Phrase(
        "list index",
        (Slot(grammar.path(ListType(type_), scope), PRIMARY), "[", Slot(literals.index(grammar.random)), "]"),
    )


def _pieces(grammar: Grammar, depth: int, scope: Scope) -> Phrase:
    return method(".split()", grammar.of(STRING, depth, scope), "split", literals.separator(grammar.random))


def _list(type_: ListType) -> tuple[Choice, ...]:
    return (
        Choice(8, read(type_), deep=False),
        Choice(4, _listed(type_.element), deep=False),
        Choice(1, arithmetic(type_, "+")),
        Choice(2, _filter(type_.element)),
        Choice(2, _map(type_.element)),
        Choice(1, conditional(type_)),
    )


def _map_of(type_: MapType) -> tuple[Choice, ...]:
    return (
        Choice(6, read(type_), deep=False),
        Choice(1, _mapped_literal(type_.value), deep=False),
        Choice(1, conditional(type_)),
    )


CHOICES: Final = {
    INTS: (*_list(INTS), Choice(1, _row(INTS), deep=False)),
    STRINGS: (*_list(STRINGS), Choice(1, _pieces, peer=False)),
    ROWS: (Choice(1, read(ROWS), deep=False),),
    COUNTS: _map_of(COUNTS),
    LABELS: _map_of(LABELS),
}
"""The choices for each type."""
