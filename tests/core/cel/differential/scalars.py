"""Choices for numbers, text, bytes, moments and spans of time."""

from __future__ import annotations

from typing import Final

from oap_core.cel.types import BOOL, BYTES, DOUBLE, DURATION, INT, STRING, TIMESTAMP, UINT, Type
from tests.core.cel.differential import literals
from tests.core.cel.differential.grammar import (
    COUNTS,
    INTS,
    LABELS,
    STRINGS,
    Choice,
    Grammar,
    Rule,
    Scope,
    arithmetic,
    between,
    conditional,
    converted,
    entry,
    item,
    negative,
    read,
    unhidden,
    written,
)
from tests.core.cel.differential.paths import BY_TYPE
from tests.core.cel.differential.phrase import Phrase, call, method

_PARTS_OF_A_MOMENT: Final = (
    "getFullYear",
    "getMonth",
    "getDate",
    "getDayOfMonth",
    "getDayOfWeek",
    "getDayOfYear",
    "getHours",
    "getMinutes",
    "getSeconds",
    "getMilliseconds",
)
_PARTS_OF_A_SPAN: Final = ("getHours", "getMinutes", "getSeconds")


def _size(grammar: Grammar, depth: int, scope: Scope) -> Phrase:
    phrase = grammar.of(grammar.random.choice((STRING, STRING, STRINGS, INTS, BYTES, COUNTS, LABELS)), depth, scope)
    return call("size()", "size", phrase) if grammar.random.random() < 0.5 else method(".size()", phrase, "size")


def _of_digits(name: str) -> Rule:
    """A conversion of text that is a plain number, or nothing like one."""

    def rule(grammar: Grammar, depth: int, scope: Scope) -> Phrase:
        found = [path for path in unhidden(BY_TYPE["string"], scope) if str(path) == "args.digits"]
        return call(f"{name}(string)", name, *(found or [literals.text("12")]))

    return rule


def _part_of_a_moment(grammar: Grammar, depth: int, scope: Scope) -> Phrase:
    moment, name = grammar.of(TIMESTAMP, depth, scope), grammar.random.choice(_PARTS_OF_A_MOMENT)
    if grammar.random.random() < 0.5:
        return method(f".{name}()", moment, name)
    return method(f".{name}(zone)", moment, name, literals.zone(grammar.random))


def _part_of_a_span(grammar: Grammar, depth: int, scope: Scope) -> Phrase:
    name = grammar.random.choice(_PARTS_OF_A_SPAN)
    return method(f"span.{name}()", grammar.of(DURATION, depth, scope), name)


def _of_text(name: str, *arguments: Type) -> Rule:
    """A method of text from the string extension."""
    return lambda grammar, depth, scope: method(
        f".{name}()",
        grammar.of(STRING, depth, scope),
        name,
        *(literals.index(grammar.random) if type_ == INT else grammar.of(type_, depth, scope) for type_ in arguments),
    )


def _join(grammar: Grammar, depth: int, scope: Scope) -> Phrase:
    return method(".join()", grammar.of(STRINGS, depth, scope), "join", literals.of(grammar.random, STRING))


def _quote(grammar: Grammar, depth: int, scope: Scope) -> Phrase:
    return call("strings.quote()", "strings.quote", grammar.of(STRING, depth, scope))


CHOICES: Final = {
    INT: (
        Choice(8, read(INT), deep=False),
        Choice(6, written(INT), deep=False),
        Choice(7, arithmetic(INT, "+", "-", "*", "/", "%")),
        Choice(1, negative(INT)),
        Choice(4, _size),
        Choice(2, item(INT)),
        Choice(2, entry(INT)),
        Choice(1, conditional(INT)),
        Choice(1, converted("int", DOUBLE), peer=False),
        Choice(1, converted("int", TIMESTAMP)),
        Choice(1, converted("int", UINT)),
        Choice(1, _of_digits("int")),
        Choice(1, converted("int", STRING), peer=False),
        Choice(4, _part_of_a_moment),
        Choice(1, _part_of_a_span),
        Choice(1, _of_text("indexOf", STRING), peer=False),
        Choice(1, _of_text("lastIndexOf", STRING), peer=False),
    ),
    UINT: (
        Choice(3, written(UINT), deep=False),
        Choice(2, arithmetic(UINT, "+", "-", "*", "/", "%")),
        Choice(2, converted("uint", INT)),
        Choice(1, converted("uint", DOUBLE), peer=False),
        Choice(1, _of_digits("uint")),
        Choice(1, conditional(UINT)),
    ),
    DOUBLE: (
        Choice(5, read(DOUBLE), deep=False),
        Choice(4, written(DOUBLE), deep=False),
        Choice(4, arithmetic(DOUBLE, "+", "-", "*")),
        Choice(3, arithmetic(DOUBLE, "/"), peer=False),
        Choice(1, negative(DOUBLE)),
        Choice(1, converted("double", INT)),
        Choice(1, converted("double", UINT)),
        Choice(1, _of_digits("double")),
        Choice(1, conditional(DOUBLE)),
    ),
    STRING: (
        Choice(8, read(STRING), deep=False),
        Choice(5, written(STRING), deep=False),
        Choice(3, arithmetic(STRING, "+")),
        Choice(1, item(STRING)),
        Choice(2, entry(STRING)),
        Choice(1, conditional(STRING)),
        Choice(1, converted("string", INT)),
        Choice(1, converted("string", UINT)),
        Choice(1, converted("string", BYTES)),
        Choice(1, converted("string", BOOL), peer=False),
        Choice(1, converted("string", TIMESTAMP), peer=False),
        Choice(1, converted("string", DURATION), peer=False),
        Choice(1, _of_text("charAt", INT), peer=False),
        Choice(1, _of_text("lowerAscii"), peer=False),
        Choice(1, _of_text("upperAscii"), peer=False),
        Choice(1, _of_text("replace", STRING, STRING), peer=False),
        # With two arguments cel-expr-python takes the size of the text for an end outside of it.
        Choice(1, _of_text("substring", INT), peer=False),
        Choice(1, _of_text("trim"), peer=False),
        Choice(1, _of_text("reverse"), peer=False),
        Choice(1, _join, peer=False),
        Choice(1, _quote, peer=False),
    ),
    BYTES: (
        Choice(2, written(BYTES), deep=False),
        Choice(3, converted("bytes", STRING)),
        Choice(1, arithmetic(BYTES, "+")),
        Choice(1, conditional(BYTES)),
    ),
    TIMESTAMP: (
        Choice(6, read(TIMESTAMP), deep=False),
        Choice(3, written(TIMESTAMP), deep=False),
        Choice(1, lambda grammar, depth, scope: literals.limit(grammar.random), deep=False, peer=False),
        Choice(2, between(TIMESTAMP, "+", DURATION)),
        Choice(1, between(DURATION, "+", TIMESTAMP)),
        Choice(2, between(TIMESTAMP, "-", DURATION)),
        Choice(1, converted("timestamp", INT), peer=False),
        Choice(1, conditional(TIMESTAMP)),
    ),
    DURATION: (
        Choice(4, read(DURATION), deep=False),
        Choice(4, written(DURATION), deep=False),
        Choice(3, between(TIMESTAMP, "-", TIMESTAMP)),
        Choice(2, arithmetic(DURATION, "+", "-")),
        Choice(1, conditional(DURATION)),
    ),
}
"""The choices for each type."""
