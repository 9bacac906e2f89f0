"""Random expressions of a given type over the schema: what every type has in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Final

from oap_core.cel.types import BOOL, BYTES, DOUBLE, DURATION, INT, STRING, TIMESTAMP, UINT, ListType, MapType, Type
from tests.core.cel.differential import literals
from tests.core.cel.differential.paths import BY_TYPE, required, root_name, variable
from tests.core.cel.differential.phrase import (
    PRIMARY,
    PRODUCT,
    SUM,
    UNARY,
    Binder,
    Phrase,
    Slot,
    call,
    chosen,
    operator,
)
from tests.core.cel.differential.schema import ROW

INTS: Final = ListType(INT)
STRINGS: Final = ListType(STRING)
ROWS: Final = ListType(ROW)
COUNTS: Final = MapType(STRING, INT)
LABELS: Final = MapType(STRING, STRING)
SCALARS: Final = (INT, INT, STRING, STRING, STRING, DOUBLE, BOOL, TIMESTAMP, DURATION, UINT, BYTES)

_NAMES: Final = ("v", "w", "tool")
"""Names of loop variables: equal ones hide each other, and one hides a variable of the schema."""

Scope = tuple[tuple[Binder, Type], ...]
"""The loop variables in force, outermost first."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to make an expression of a type."""

    weight: int
    rule: Rule
    deep: bool = True
    """Whether it holds smaller expressions, so that it cannot stand at the bottom."""
    peer: bool = True
    """Whether cel-python gives such an expression the value that the specification asks for, or an error."""


@dataclass(frozen=True, slots=True)
class Grammar:
    """Makes expressions from tables of choices, one table a type."""

    random: Random
    tables: Mapping[Type, tuple[Choice, ...]]
    shared: bool = True
    """Only what cel-python gives the value that the specification asks for."""
    wrong: float = 0.0
    """How often an operand is of another type than it should be."""

    def condition(self, depth: int = 4) -> Phrase:
        """A boolean expression."""
        return self.of(BOOL, depth, ())

    def of(self, type_: Type, depth: int, scope: Scope) -> Phrase:
        """An expression of a type, or now and then of another."""
        if self.wrong and self.random.random() < self.wrong:
            other = self.right(self.random.choice((*SCALARS, INTS, STRINGS)), depth, scope)
            return other if other.construct == "field" else call("dyn()", "dyn", other)
        return self.right(type_, depth, scope)

    def right(self, type_: Type, depth: int, scope: Scope) -> Phrase:
        """An expression of a type."""
        near = [found for binder, inner in visible(scope) for found in _reach(variable(binder), inner, type_)]
        if near and self.random.random() < 0.6:
            return self.random.choice(near)
        choices = [
            choice
            for choice in self.tables[type_]
            if (depth > 0 or not choice.deep) and (choice.peer or not self.shared)
        ]
        (choice,) = self.random.choices(choices, [choice.weight for choice in choices])
        return choice.rule(self, depth - 1, scope)

    def path(self, type_: Type, scope: Scope) -> Phrase:
        """A read of the data; a literal where loop variables hide all of it."""
        paths = unhidden(BY_TYPE[str(type_)], scope)
        return self.random.choice(paths) if paths else literals.of(self.random, type_)

    def binder(self) -> Binder:
        """A loop variable for a new macro."""
        return Binder(self.random.choice(_NAMES))


Rule = Callable[[Grammar, int, Scope], Phrase]


def visible(scope: Scope) -> list[tuple[Binder, Type]]:
    """The loop variables that no inner one of the same name hides."""
    return list({binder.name: (binder, type_) for binder, type_ in scope}.values())


def unhidden(paths: list[Phrase], scope: Scope) -> list[Phrase]:
    """The paths that do not begin with a name that a loop variable has taken."""
    taken = {binder.name for binder, _ in scope}
    return [path for path in paths if root_name(path) not in taken] if taken else paths


def _reach(root: Phrase, type_: Type, wanted: Type) -> list[Phrase]:
    return [path for path, found in required(root, type_) if found == wanted]


def read(type_: Type) -> Rule:
    """A path to data of the type."""
    return lambda grammar, depth, scope: grammar.path(type_, scope)


def written(type_: Type) -> Rule:
    """A literal."""
    return lambda grammar, depth, scope: literals.of(grammar.random, type_)


def conditional(type_: Type) -> Rule:
    """`condition ? one : other`."""
    return lambda grammar, depth, scope: chosen(
        grammar.of(BOOL, depth, scope), grammar.of(type_, depth, scope), grammar.of(type_, depth, scope)
    )


def arithmetic(type_: Type, *signs: str) -> Rule:
    """An operator between two values of the type."""

    def rule(grammar: Grammar, depth: int, scope: Scope) -> Phrase:
        sign = grammar.random.choice(signs)
        left, right = grammar.of(type_, depth, scope), grammar.of(type_, depth, scope)
        return operator(f"{short(type_)} {sign}", left, sign, right, SUM if sign in "+-" else PRODUCT)

    return rule


def between(left: Type, sign: str, right: Type) -> Rule:
    """A sum or difference of values of two types."""
    return lambda grammar, depth, scope: operator(
        f"{short(left)} {sign} {short(right)}",
        grammar.of(left, depth, scope),
        sign,
        grammar.of(right, depth, scope),
        SUM,
    )


def negative(type_: Type) -> Rule:
    """`-value`."""
    return lambda grammar, depth, scope: Phrase("unary -", ("-", Slot(grammar.of(type_, depth, scope), PRIMARY)), UNARY)


def converted(name: str, source: Type) -> Rule:
    """A value of another type, converted by the function of that name."""
    return lambda grammar, depth, scope: call(f"{name}({short(source)})", name, grammar.of(source, depth, scope))


def item(type_: Type) -> Rule:
    """An element of a list, often at an index that the list does not have."""

    def rule(grammar: Grammar, depth: int, scope: Scope) -> Phrase:
        source = grammar.of(ListType(type_), depth, scope)
        index = literals.index(grammar.random) if grammar.shared else grammar.of(INT, 0, scope)
        return Phrase("list index", (Slot(source, PRIMARY), "[", Slot(index), "]"))

    return rule


def entry(type_: Type) -> Rule:
    """A value of a map, often under a key that the map does not have."""

    def rule(grammar: Grammar, depth: int, scope: Scope) -> Phrase:
        source = grammar.of(MapType(STRING, type_), depth, scope)
        if grammar.random.random() < 0.4:
            return Phrase("map key", (Slot(source, PRIMARY), grammar.random.choice((".a", ".b", ".env"))))
        return Phrase("map index", (Slot(source, PRIMARY), "[", Slot(literals.key(grammar.random)), "]"))

    return rule


def short(type_: Type) -> str:
    """The name of a type without its package."""
    return str(type_).rpartition(".")[2].lower()
