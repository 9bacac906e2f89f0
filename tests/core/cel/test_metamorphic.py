"""Rewritings that must not change what a condition means, on random conditions and random data."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from hypothesis import given, settings
from hypothesis import strategies as st

from oap_core.cel import Env, freeze, load
from oap_core.cel.types import DYN
from oap_core.errors import CelError
from tests.core.cel.differential import schema
from tests.core.cel.differential.conditions import grammar
from tests.core.cel.differential.phrase import (
    Binder,
    Phrase,
    Slot,
    Style,
    both,
    chosen,
    constructs,
    either,
    literal,
    negated,
    rewrite,
)
from tests.core.cel.differential.sample import ENV, LOOSE_ENV, shown

_ACTIVATIONS: Final = [schema.activation(Random(number), shared=False) for number in range(6)]
_FROZEN: Final = [freeze(data) for data in _ACTIVATIONS]
_TRUE: Final = literal("bool literal", "true", True)
_FALSE: Final = literal("bool literal", "false", False)
_GAPS: Final = ("", "", " ", "\n", "\t", "  \r\n", ' // a comment && \'with "quotes"\n')

_RANDOMS: Final = st.integers(0, 2**32 - 1).map(Random)
"""Generators are too deep for useful shrinking, so a failing example is a seed."""


@st.composite
def _conditions(draw: st.DrawFn) -> Phrase:
    """Conditions that read no optional field: whether those may be read depends on the order of the parts."""
    random = draw(_RANDOMS)
    made = grammar(random, shared=False)
    while True:
        phrase = made.condition(random.choice((2, 3)))
        if not {"has", "matches()", ".matches()"} & set(constructs(phrase)):
            return phrase


_CONDITIONS: Final = _conditions()
_MANY: Final = settings(max_examples=150)


def _outcomes(source: str, env: Env = ENV) -> list[str]:
    """The outcomes on all activations; one that fails at load fails on each."""
    try:
        program = load(source, env)
    except CelError:
        return ["error"] * len(_FROZEN)
    return [shown(program.decide(activation)) for activation in _FROZEN]


def _loads(*phrases: Phrase) -> bool:
    """Whether all load: what surely fails is rejected as a whole, though a part of it would not matter when it runs."""
    try:
        for phrase in phrases:
            load(str(phrase), ENV)
    except CelError:
        return False
    return True


def _mean_the_same(one: Phrase, other: Phrase) -> None:
    for env in (ENV, LOOSE_ENV):
        assert _outcomes(str(one), env) == _outcomes(str(other), env), f"{one}\n{other}"


def _commuted(phrase: Phrase) -> Phrase:
    if phrase.construct not in ("&&", "||"):
        return phrase
    left, right = (part.phrase for part in phrase.parts if isinstance(part, Slot))
    return both(right, left) if phrase.construct == "&&" else either(right, left)


@_MANY
@given(_CONDITIONS)
def test_both_sides_of_and_and_or_may_change_places(condition: Phrase) -> None:
    _mean_the_same(condition, rewrite(condition, _commuted))


@_MANY
@given(_CONDITIONS)
def test_two_negations_are_none(condition: Phrase) -> None:
    _mean_the_same(condition, negated(negated(condition)))


@_MANY
@given(_CONDITIONS, _CONDITIONS)
def test_negation_passes_through_and_and_or(left: Phrase, right: Phrase) -> None:
    _mean_the_same(negated(both(left, right)), either(negated(left), negated(right)))
    _mean_the_same(negated(either(left, right)), both(negated(left), negated(right)))


@_MANY
@given(_CONDITIONS)
def test_a_neutral_term_changes_nothing(condition: Phrase) -> None:
    for same in (
        both(condition, _TRUE),
        both(_TRUE, condition),
        either(condition, _FALSE),
        either(_FALSE, condition),
        both(condition, condition),
        either(condition, condition),
    ):
        _mean_the_same(condition, same)


@_MANY
@given(_CONDITIONS, _CONDITIONS, _CONDITIONS)
def test_and_and_or_distribute(one: Phrase, two: Phrase, three: Phrase) -> None:
    _mean_the_same(both(one, either(two, three)), either(both(one, two), both(one, three)))


@_MANY
@given(_CONDITIONS, _CONDITIONS, _CONDITIONS)
def test_a_ternary_is_logic_where_its_condition_has_a_value(condition: Phrase, then: Phrase, otherwise: Phrase) -> None:
    ternary = chosen(condition, then, otherwise)
    logic = either(both(condition, then), both(negated(condition), otherwise))
    if _loads(ternary, logic):
        for asked, one, other in zip(*map(_outcomes, map(str, (condition, ternary, logic))), strict=True):
            assert one == ("error" if asked == "error" else other), str(ternary)


@_MANY
@given(_CONDITIONS, _CONDITIONS)
def test_a_ternary_does_not_look_at_the_branch_that_is_not_chosen(then: Phrase, otherwise: Phrase) -> None:
    chosen_by_data = Phrase("field", ("args.flag",))
    for asked, one, yes, no in zip(
        *map(_outcomes, map(str, (chosen_by_data, chosen(chosen_by_data, then, otherwise), then, otherwise))),
        strict=True,
    ):
        if _loads(then, otherwise):
            assert one == {"true": yes, "false": no, "error": "error"}[asked]


@_MANY
@given(_CONDITIONS, _RANDOMS)
def test_white_space_comments_and_parentheses_mean_nothing(condition: Phrase, random: Random) -> None:
    style = Style(gap=lambda: random.choice(_GAPS), parentheses=lambda: random.random() < 0.3)
    assert _outcomes(style.write(condition)) == _outcomes(str(condition))


@_MANY
@given(_CONDITIONS)
def test_the_names_of_loop_variables_mean_nothing(condition: Phrase) -> None:
    names: dict[Binder, str] = {}
    style = Style(names=lambda binder: names.setdefault(binder, f"loop_{len(names)}"))
    assert _outcomes(style.write(condition)) == _outcomes(str(condition))


@_MANY
@given(_CONDITIONS)
def test_a_value_means_the_same_written_out_as_a_constant_and_as_a_variable(condition: Phrase) -> None:
    held: dict[str, Any] = {}

    def named(phrase: Phrase) -> Phrase:
        if phrase.construct not in ("int literal", "string literal", "double literal", "bool literal"):
            return phrase
        held[name := f"c{len(held)}"] = phrase.value
        return Phrase("field", (f"held.{name}",))

    changed = str(rewrite(condition, named))
    as_constants = Env(schema.declared(), {"held": dict(held)}, ENV.functions)
    as_variables = Env({**schema.declared(), "held": DYN}, functions=ENV.functions)
    data = [freeze({**activation, "held": held}) for activation in _ACTIVATIONS]
    constant = _decided(changed, as_constants, data)
    variable = _decided(changed, as_variables, data)
    written = _decided(str(condition), ENV, data)
    # Nothing may be found to fail before it runs only because less is known of it.
    assert constant in (None, variable)
    assert written in (None, variable)


def _decided(source: str, env: Env, data: list[Any]) -> list[str] | None:
    """The outcomes, or None where a part was found to fail whatever the data is."""
    try:
        program = load(source, env)
    except CelError:
        return None
    return [shown(program.decide(activation)) for activation in data]


_JSON: Final = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner),
    max_leaves=20,
)


@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), _JSON, max_size=4))
def test_freezing_twice_is_freezing_once(data: dict[str, Any]) -> None:
    once = freeze(data)
    assert once.failure is None
    variables = {name: value for name, value in once.roots.items() if name in data}
    twice = freeze(variables)
    assert {name: value for name, value in twice.roots.items() if name in data} == variables
    assert repr(variables) == repr({name: twice.roots[name] for name in variables})


@given(_JSON)
def test_a_frozen_value_equals_itself(value: Any) -> None:
    env = Env({"x": DYN, "y": DYN}, functions=ENV.functions)
    assert shown(load("x == y && !(x != y)", env).decide(freeze({"x": value, "y": value}))) == "true"


def test_the_conditions_are_not_all_of_one_kind() -> None:
    found: set[str] = set()
    random = Random(0)
    made = grammar(random, shared=False)
    for _ in range(200):
        found.update(_outcomes(str(made.condition(3))))
    assert found == {"true", "false", "error"}
