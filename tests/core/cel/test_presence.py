"""Optional fields: no read that may fail is missed, and no ordinary way to guard one is refused."""

from __future__ import annotations

from random import Random
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oap_core.cel import Code, Env, Function, Overload, Program, Registry, load
from oap_core.cel.types import INT, STRING, Field, ListType, ObjectType
from oap_core.errors import CelError
from tests.core.cel.casefile import Case, cases
from tests.core.cel.cases.declared import ENV
from tests.core.cel.optional_fields import ENV as OPTIONAL
from tests.core.cel.optional_fields import LOOSE_ENV, Conditions, activations
from tests.core.cel.statics import see

_DATA: Final = list(activations())
_ABSENT: Final = "CEL304"
_TYPING: Final = frozenset({Code.NO_SUCH_KEY, Code.NO_SUCH_OVERLOAD, Code.NOT_BOOLEAN, Code.INTERNAL})
"""Errors that a condition which passed the checker never ends in, on data that is as the schema says."""


@pytest.mark.parametrize("case", cases("presence.txt"), ids=str)
def test_what_is_said_about_optional_fields(case: Case) -> None:
    assert see(case.source, ENV).text == case.expected


def _codes(program: Program) -> set[Code]:
    outcomes = [program.decide(activation) for activation in _DATA]
    return {outcome.failure.code for outcome in outcomes if outcome.failure is not None}


def _loaded(source: str) -> Program | frozenset[str]:
    """The program, or the codes of what is wrong."""
    try:
        return load(source, OPTIONAL)
    except CelError as error:
        return frozenset(found.code for found in error.diagnostics)


@pytest.mark.guarantee("cel-presence")
@settings(max_examples=300)
@given(st.integers(0, 2**32 - 1), st.integers(1, 4))
def test_what_is_accepted_never_meets_an_absent_field(seed: int, depth: int) -> None:
    source = Conditions(Random(seed)).condition([], depth)
    program = _loaded(source)
    if isinstance(program, Program):
        assert not _codes(program) & _TYPING, source


def test_many_are_accepted_and_few_are_refused_without_need() -> None:
    random = Random(20261201)
    accepted = refused = needless = 0
    for _ in range(1000):
        source = Conditions(random).condition([], random.choice((1, 2, 3)))
        program = _loaded(source)
        if isinstance(program, Program):
            accepted += 1
            assert not _codes(program) & _TYPING, source
        elif program == {_ABSENT}:
            refused += 1
            needless += Code.NO_SUCH_KEY not in _codes(load(source, LOOSE_ENV))
    assert accepted > 200
    assert refused > 200
    # What is left are comparisons of a value with itself, of two literals, and the like.
    assert needless < refused / 8


@pytest.mark.parametrize(
    "source",
    [
        # Each guard relies on the field of the other, and both may be absent at once.
        "args.a > 1 && (args.b > 1 ? has(args.a) : has(args.a)) && (args.a > 1 ? has(args.b) : has(args.b))",
        # The guard may fail for a reason of its own.
        "args.a > 1 && (args.items[args.n].k > 1 ? has(args.a) : has(args.a))",
        "args.a > 1 && (1 / args.n > 0 ? has(args.a) : has(args.a))",
        # The guarded element is another one.
        "args.items.exists(i, args.items.exists(j, has(j.x) && i.x == j.x))",
        "args.items.exists(i, has(i.x)) && args.items.all(i, i.x > 0)",
        "has(args.items[0].x) && args.items[1].x > 0",
        "args.items.filter(i, i.k > 1).all(i, has(i.x)) && args.items.all(i, i.x > 0)",
        "args.items.all(i, has(i.x)) || args.items.all(i, i.x > 0)",
        "args.items.exists_one(i, has(i.x)) && args.items.exists(i, i.x > 0)",
        "args.items.filter(i, i.k == 1).all(i, has(i.x)) && args.items.all(i, i.x == 0)",
        "args.items.filter(i, i.k == 1).exists(i, !has(i.x)) || args.items.all(i, i.x == 0)",
        # The guard stands in a loop that may have no turns.
        "args.items.exists(i, !has(args.a)) || args.a > 1",
        "args.items.all(i, has(args.a)) && args.a > 1",
        # The guard is no guard.
        "has(args.a) || args.a > 1",
        "has(args.a) != true && args.a > 1",
        "has(args.o) && args.o.x > 1",
        "(has(args.a) ? 1 : 2) == 1 && args.a > 1",
        "[has(args.a)][0] && args.a > 1",
        "!has(args.a) && args.a > 1",
    ],
)
def test_what_looks_guarded_and_is_not(source: str) -> None:
    assert _loaded(source) == {_ABSENT}


@pytest.mark.parametrize(
    "source",
    [
        "has(args.a) && args.a > 1",
        "args.a > 1 && args.c && has(args.a)",
        "!(has(args.a) && args.a > 1) || args.c",
        "has(args.o) && has(args.o.x) && args.o.x > 1",
        "has(args.o) && (!has(args.o.x) || args.o.x > 1)",
        "has(args.a) ? args.a > 1 : args.n > 1",
        "(has(args.a) ? args.a : 0) + (has(args.b) ? args.b : 0) > 1",
        "args.items.all(i, !has(i.x) || i.x > 1)",
        "args.items.filter(i, has(i.x)).exists(i, i.x > 1)",
        "args.items.map(i, has(i.x), i.x).exists(x, x > 1)",
        "args.items.exists(i, has(i.s) && i.s.exists(s, has(s.x) && s.x == 1))",
        "has(args.items[args.n - 1].x) && args.items[args.n - 1].x > 1",
        "args.items.all(i, has(i.x)) && args.items.map(i, i.x)[0] > 0",
        "(!has(args.o) || has(args.o.x)) && has(args.o) && args.o.x > 1",
        "args.items.exists(i, has(args.a)) && args.a > 1",
        "args.items.all(i, !has(args.a)) || args.items.exists(i, args.a > 1)",
        "(args.n < 1 ? has(args.a) : has(args.a)) && args.a > 1",
        "has(args.a) == has(args.b) && has(args.a) && args.a > 1 && has(args.b) && args.b > 1",
    ],
)
def test_ordinary_guards(source: str) -> None:
    program = _loaded(source)
    assert isinstance(program, Program)
    assert not _codes(program) & _TYPING


_HOLDER: Final = ObjectType(fields={"x": Field(INT, required=False)})


def _hold(_text: str) -> dict[str, int]:
    return {}


def _load(source: str, *, reads_world: bool) -> frozenset[str]:
    functions = Registry.of((Function("hold", (Overload((STRING,), _HOLDER, _hold),), "", reads_world=reads_world),))
    env = Env({"s": STRING, "n": INT, "list": ListType(_HOLDER)}, functions=functions)
    return frozenset(found.code for found in see(source, env).diagnostics)


def test_the_result_of_a_function_is_one_place_unless_the_function_reads_the_world() -> None:
    source = "has(hold(s).x) && hold(s).x > 1"
    assert _load(source, reads_world=False) == set()
    assert _load(source, reads_world=True) == {_ABSENT}
    assert _load("has(hold(s).x) && hold('b').x > 1", reads_world=False) == {_ABSENT}
    assert _load("has(hold('b').x) && hold('b').x > 1", reads_world=False) == set()


def test_equal_expressions_are_one_place() -> None:
    first, second = "(s == '' ? list[0] : list[1]).x", "(s == '' ? list[1] : list[0]).x"
    assert _load(f"has({first}) && {first} > 1", reads_world=False) == set()
    assert _load(f"has({first}) && {second} > 1", reads_world=False) == {_ABSENT}
    assert _load("has(list[n - 1].x) && list[n - 1].x > 1", reads_world=False) == set()
    assert _load("has(list[n - 1].x) && list[n + 1].x > 1", reads_world=False) == {_ABSENT}
    assert _load("has(list[0 - 1].x) && list[-n].x > 1", reads_world=False) == {_ABSENT}
    assert _load("has([list[0]][0].x) && [list[0]][0].x > 1", reads_world=False) == set()
    assert _load("has(list.filter(i, has(i.x))[0].x) && list.filter(i, has(i.x))[0].x > 1", reads_world=False) == {
        _ABSENT
    }


def test_reads_in_every_kind_of_part() -> None:
    assert _load("list[0].x > 1 && has(list[0].x) && [1.5][0] > 1.0", reads_world=False) == set()
    assert _load("{'a': list[0].x}.a > 1", reads_world=False) == {_ABSENT}
    assert _load("-list[0].x > 1", reads_world=False) == {_ABSENT}


def test_many_reads_are_looked_at_in_bounded_time() -> None:
    fields = {f"f{number}": Field(INT, required=False) for number in range(400)}
    env = Env({"a": ObjectType(fields=fields), "b": ObjectType(fields=fields)})
    source = " || ".join(f"a.f{number} > 1" for number in range(400))
    assert see(source, env).diagnostics[-1].message == "350 more mistakes are not shown"
    guarded = " || ".join(f"has(a.f{number}) && a.f{number} > 1" for number in range(180))
    assert see(guarded, env).diagnostics == ()
