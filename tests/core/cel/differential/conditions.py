"""Choices for booleans, and the tables of all types together."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Final

from oap_core.cel.types import BOOL, BYTES, DOUBLE, DURATION, INT, STRING, TIMESTAMP, UINT, ListType, ObjectType, Type
from tests.core.cel.differential import containers, literals, scalars
from tests.core.cel.differential.grammar import (
    COUNTS,
    INTS,
    LABELS,
    ROWS,
    SCALARS,
    STRINGS,
    Choice,
    Grammar,
    Rule,
    Scope,
    conditional,
    item,
    read,
    unhidden,
    visible,
    written,
)
from tests.core.cel.differential.paths import (
    BY_TYPE,
    OBJECTS,
    OPTIONAL,
    Optional,
    has,
    optional,
    root_name,
    select,
    variable,
)
from tests.core.cel.differential.phrase import (
    RELATION,
    Phrase,
    both,
    call,
    chosen,
    either,
    loop,
    method,
    negated,
    operator,
)

_ORDERED: Final = (INT, INT, INT, DOUBLE, STRING, TIMESTAMP, DURATION, UINT, BYTES, BOOL)
_FIELDS: Final = ("name", "deep", "mode", "note", "extra", "cap", "nothing")


def _compare(grammar: Grammar, depth: int, scope: Scope) -> Phrase:
    type_ = grammar.random.choice(_ORDERED)
    sign = grammar.random.choice(("<", "<=", ">", ">="))
    return operator(sign, grammar.of(type_, depth, scope), sign, grammar.of(type_, depth, scope), RELATION)


def _equal(grammar: Grammar, depth: int, scope: Scope) -> Phrase:
    type_ = grammar.random.choice((*SCALARS, *SCALARS, INTS, STRINGS, COUNTS))
    sign = grammar.random.choice(("==", "!="))
    return operator(sign, grammar.of(type_, depth, scope), sign, grammar.of(type_, depth, scope), RELATION)


def _across(grammar: Grammar, depth: int, scope: Scope) -> Phrase:
    """Numbers of two types, which compare by what they are worth."""
    left, right = grammar.random.sample((INT, DOUBLE, UINT), 2)
    sign = grammar.random.choice(("==", "!=", "<", "<=", ">", ">="))
    return operator(f"mixed {sign}", grammar.of(left, depth, scope), sign, grammar.of(right, depth, scope), RELATION)


def _anything(grammar: Grammar, depth: int, scope: Scope) -> Phrase:
    """A value whose type is not declared, beside null or a value of any type."""
    whatever = unhidden(BY_TYPE["dyn"], scope)
    other = literals.null() if grammar.random.random() < 0.4 else grammar.of(grammar.random.choice(SCALARS), 0, scope)
    sign = grammar.random.choice(("==", "!="))
    return operator(f"dyn {sign}", whatever[0], sign, other, RELATION)


def _type(grammar: Grammar, depth: int, scope: Scope) -> Phrase:
    type_ = grammar.random.choice(SCALARS)
    # cel-python gives an error a type.
    value = literals.of(grammar.random, type_) if grammar.shared else grammar.of(type_, depth, scope)
    asked = call("type()", "type", value)
    named = Phrase("type name", (grammar.random.choice(("int", "string", "double", "bool", "bytes", "uint")),))
    return operator("==", asked, "==", named, RELATION)


def _member(grammar: Grammar, depth: int, scope: Scope) -> Phrase:
    type_ = grammar.random.choice((INT, STRING))
    group = grammar.of(ListType(type_), depth, scope)
    return operator("in list", grammar.of(type_, depth, scope), "in", group, RELATION)


def _key(grammar: Grammar, depth: int, scope: Scope) -> Phrase:
    target = grammar.of(grammar.random.choice((COUNTS, LABELS)), depth, scope)
    return operator("in map", grammar.of(STRING, depth, scope), "in", target, RELATION)


def _present(grammar: Grammar, depth: int, scope: Scope) -> Phrase:
    """Whether a field is there, where its parent should be; it may be missing all the same."""
    operand = grammar.random.choice(unhidden(list(OBJECTS), scope))
    declared = [found.field for found in OPTIONAL if found.operand == operand]
    return has(operand, grammar.random.choice((*declared, *_known_fields(operand))))


def _known_fields(operand: Phrase) -> list[str]:
    shown = f"{operand}."
    paths = [str(path) for found in BY_TYPE.values() for path in found]
    return [path.removeprefix(shown) for path in paths if path.startswith(shown) and "." not in path[len(shown) :]]


def _guarded(grammar: Grammar, depth: int, scope: Scope) -> Phrase:
    """A read of a field that may be absent, behind the question whether it is there."""
    nearby = [found for binder, type_ in visible(scope) for found in optional(variable(binder), type_)]
    taken = {binder.name for binder, _ in scope}
    found = grammar.random.choice([*nearby * 4, *(each for each in OPTIONAL if root_name(each.operand) not in taken)])
    there, reading = has(found.operand, found.field), _reading(grammar, found, depth, scope)
    shape = grammar.random.randrange(3)
    if shape == 0:
        return both(there, reading)
    return either(negated(there), reading) if shape == 1 else chosen(there, reading, grammar.of(BOOL, depth, scope))


def _reading(grammar: Grammar, found: Optional, depth: int, scope: Scope) -> Phrase:
    value = select(found.operand, found.field)
    if isinstance(found.type, ObjectType):
        name, inner = grammar.random.choice(list(found.type.fields.items()))
        reading = _reading(grammar, Optional(value, name, inner.type), depth, scope)
        return reading if inner.required else both(has(value, name), reading)
    sign = grammar.random.choice(("==", "!=", "<", ">="))
    return operator(sign, value, sign, grammar.of(found.type, depth, scope), RELATION)


def _not(grammar: Grammar, depth: int, scope: Scope) -> Phrase:
    return negated(grammar.of(BOOL, depth, scope))


def _and(grammar: Grammar, depth: int, scope: Scope) -> Phrase:
    return both(grammar.of(BOOL, depth, scope), grammar.of(BOOL, depth, scope))


def _or(grammar: Grammar, depth: int, scope: Scope) -> Phrase:
    return either(grammar.of(BOOL, depth, scope), grammar.of(BOOL, depth, scope))


def _question(name: str) -> Rule:
    """A question about text."""
    return lambda grammar, depth, scope: method(
        f".{name}()", grammar.of(STRING, depth, scope), name, grammar.of(STRING, depth, scope)
    )


def _matches(grammar: Grammar, depth: int, scope: Scope) -> Phrase:
    subject, pattern = grammar.of(STRING, depth, scope), literals.pattern(grammar.random)
    if grammar.random.random() < 0.2:
        return call("matches()", "matches", subject, pattern)
    return method(".matches()", subject, "matches", pattern)


def _quantified(name: str) -> Rule:
    """A macro over a list, or over the keys of a map, that gives a boolean."""

    def rule(grammar: Grammar, depth: int, scope: Scope) -> Phrase:
        binder = grammar.binder()
        shape = grammar.random.random()
        element: Type
        if shape < 0.35:
            target, element = grammar.path(ROWS, scope), ROWS.element
        elif shape < 0.5:
            target, element = grammar.of(COUNTS, depth, scope), STRING
        else:
            element = grammar.random.choice((INT, STRING))
            target = grammar.of(ListType(element), depth, scope)
        return loop(name, target, name, binder, grammar.of(BOOL, depth, (*scope, (binder, element))))

    return rule


_CHOICES: Final = (
    Choice(5, read(BOOL), deep=False),
    Choice(1, written(BOOL), deep=False),
    Choice(3, _present, deep=False),
    Choice(1, _anything, deep=False),
    Choice(10, _compare),
    Choice(10, _equal),
    Choice(3, _across, peer=False),
    Choice(1, _type),
    Choice(5, _member),
    Choice(2, _key),
    Choice(5, _guarded),
    Choice(4, _not),
    Choice(9, _and),
    Choice(9, _or),
    Choice(2, conditional(BOOL)),
    Choice(3, _question("startsWith")),
    Choice(3, _question("endsWith")),
    Choice(3, _question("contains")),
    Choice(4, _matches),
    Choice(5, _quantified("exists")),
    Choice(5, _quantified("all")),
    Choice(3, _quantified("exists_one")),
    Choice(1, item(BOOL)),
)

_FLAGS: Final = ListType(BOOL)

TABLES: Final[Mapping[Type, tuple[Choice, ...]]] = {
    BOOL: _CHOICES,
    _FLAGS: (Choice(1, read(_FLAGS), deep=False),),
    **scalars.CHOICES,
    **containers.CHOICES,
}
"""The choices for each type."""


def grammar(random: Random, shared: bool = True, wrong: float = 0.0) -> Grammar:
    """A grammar over the whole schema."""
    return Grammar(random, TABLES, shared=shared, wrong=wrong)


def vocabulary(shared: bool = True) -> set[str]:
    """Every construct that the choices make by themselves."""
    made = grammar(Random(0), shared=shared)
    return {
        choice.rule(made, 1, ()).construct
        for choices in TABLES.values()
        for choice in choices
        if choice.peer or not shared
        for _ in range(80)
    }
