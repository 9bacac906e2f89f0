"""Traces: the clauses that decided, with the values that met in them, and never another outcome than the engine's."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oap_core.cel import (
    BOOL,
    DYN,
    FUNCTIONS,
    STRING,
    Activation,
    Code,
    Env,
    Failure,
    Function,
    Overload,
    Program,
    freeze,
    freeze_value,
    load,
)
from oap_core.cel.limits import EVALUATION_UNITS
from oap_core.cel.trace import Clause, Trace, trace
from oap_core.cel.tree import Macro, walk
from oap_core.errors import CelError
from tests.core.cel.casefile import Case, cases
from tests.core.cel.definitions import RANDOMS, RECORDS, defined, split
from tests.core.cel.differential.conditions import grammar
from tests.core.cel.differential.sample import LOOSE_ENV

_ENV: Final = defined(
    {
        "variables.big": "args.amount > constants.max",
        "variables.programs": "args.programs",
        "variables.quiet": "variables.programs.all(p, p in constants.quiet)",
        "variables.bad": "args.gone == 1",
        "variables.own": "args.case == args.gone || variables.big",
        "variables.text": "args.currency",
        "variables.dear": "args.long.all(x, x >= 0)",
        "variables.spent": "args.n == 3 && variables.dear && variables.dear",
    },
    Env(
        {"tool": DYN, "args": DYN},
        {"constants": freeze_value({"max": 50, "quiet": ["ls", "cat"], "globs": ["**/.env*", "**/*.pem"]})},
    ),
)
_DATA: Final[dict[str, Any]] = {
    "args": {
        "amount": 50,
        "currency": "EUR",
        "programs": ["ls", "curl"],
        "path": "/w/.env",
        "flag": True,
        "n": 3,
        "labels": {"a": 1, "b": 2},
        "long": list(range(6000)),
        "case": "c-1",
        "content": "x" * 500,
        "control": "a\n\x1b[31m\u202eb",
    },
    "tool": {"id": "payments/refund"},
}


def _traced(source: str, data: dict[str, Any] = _DATA) -> Trace:
    return trace(load(source, _ENV), freeze(data))


def _line(clause: Clause) -> str:
    outcome = clause.outcome
    told = str(outcome).lower() if isinstance(outcome, bool) else f"{outcome.code}({outcome.line}:{outcome.column})"
    place = f"{clause.in_definition or ''}@{clause.line}:{clause.column}"
    parts = [f"{told} {place} {clause.text}", clause.values, clause.note and f"({clause.note})"]
    return "    " + "\n        ".join(filter(None, parts))


@pytest.mark.parametrize("case", cases("traces.txt"), ids=str)
def test_what_decided(case: Case) -> None:
    assert "\n".join(map(_line, _traced(case.source).clauses)) == case.expected


def test_a_trace_begins_with_the_outcome() -> None:
    program = load("args.n == 3 && variables.big", _ENV)
    found = trace(program, freeze(_DATA))
    assert found.outcome == program.decide(freeze(_DATA))
    assert not found.cut


def test_data_that_cannot_be_used_is_one_clause() -> None:
    found = _traced("args.n == 3 &&\n  variables.big", {"args": float("nan")})
    failure = Failure(Code.UNREPRESENTABLE, 0, 0)
    assert found.outcome.failure == failure
    assert found.clauses == (Clause("args.n == 3 && variables.big", 1, 1, failure),)


def test_long_values_and_texts_are_cut() -> None:
    (clause,) = _traced('args.content == "y"').clauses
    assert clause.values is not None
    assert len(clause.values) < 80
    text = " + ".join(['"long text"'] * 30)
    (clause,) = _traced(f"args.content == {text}").clauses
    assert len(clause.text) == 200
    assert clause.text.endswith("...")


def test_nothing_shown_moves_a_cursor() -> None:
    (clause,) = _traced("args.control == ''").clauses
    assert clause.values == '"a\\n\\x1b[31m\\u202eb" == ""'


def test_a_long_list_of_clauses_is_cut() -> None:
    found = _traced(" && ".join(f"args.n < {number}" for number in range(10, 22)))
    assert (len(found.clauses), found.cut) == (12, False)
    found = _traced(" && ".join(f"args.n < {number}" for number in range(10, 23)))
    assert (len(found.clauses), found.cut) == (12, True)


def test_names_that_double_at_every_level_are_explained_once() -> None:
    texts, name = {"v0": "args.n == 3"}, "v0"
    for number in range(1, 8):
        texts[f"v{number}"] = f"{name} && ({name} || false)"
        name = f"v{number}"
    found = trace(load(name, defined(texts)), freeze(_DATA))
    assert found.outcome.matched is True
    notes = [clause.note for clause in found.clauses]
    assert len(notes) == 12
    texts_behind = [clause.in_definition for clause in found.clauses if clause.text == "args.n == 3"]
    assert texts_behind == ["v0"]


def test_looking_again_is_bounded() -> None:
    rows = "args.rows.exists(a, args.rows.exists(b, a + b < 0))"
    source = f"args.rows.exists(c, {rows} && args.flag || c == 69)"
    program = load(source, Env({"args": DYN}))
    found = trace(program, freeze({"args": {"rows": list(range(70)), "flag": False}}))
    assert found.outcome.matched is True
    assert found.clauses == (Clause(source, 1, 1, outcome=True),)
    assert found.cut
    found = trace(program, freeze({"args": {"rows": list(range(40, 70)), "flag": False}}))
    assert not found.cut
    assert found.clauses[0].note == "element 30 of 30 is 69"


def _looking() -> tuple[Env, list[str]]:
    looks: list[str] = []

    def look(text: str) -> bool:
        looks.append(text)
        return text == "yes"

    function = Function("look", (Overload((STRING,), BOOL, look),), "Looks.", reads_world=True)
    return Env({"args": DYN}, functions=FUNCTIONS.extended([function])), looks


@pytest.mark.parametrize(
    ("source", "asked"),
    [
        ("look('no') && look('other')", ["no"]),
        ("look('yes') || look('other')", ["yes"]),
        ("look('yes') ? look('no') : look('other')", ["yes", "no"]),
        ("args.gone && look('no') && look('other')", ["no"]),
        ("['a', 'yes', 'b'].exists(e, look(e))", ["a", "yes"]),
        ("['yes', 'no', 'b'].all(e, look(e))", ["yes", "no"]),
        ("look('no') || args.gone || look('a')", ["no", "a"]),
        ("!(look('yes') && args.n == 3)", ["yes"]),
    ],
)
def test_looking_again_asks_the_world_nothing(source: str, asked: list[str]) -> None:
    env, looks = _looking()
    program, activation = load(source, env), freeze({"args": {"n": 3}})
    program.decide(activation)
    assert looks == asked
    before = dict(activation.world)
    assert trace(program, activation).clauses
    assert looks == asked
    assert activation.world == before


def test_a_function_that_breaks_its_promise_is_shown_without_its_words() -> None:
    def broken(_text: str) -> bool:
        raise ValueError("canary")

    function = Function("broken", (Overload((STRING,), BOOL, broken),), "Breaks.")
    env = Env({"args": DYN}, functions=FUNCTIONS.extended([function]))
    found = trace(load("args.n == 3 && broken(args.text)", env), freeze({"args": {"n": 3, "text": "a"}}))
    (clause,) = found.clauses
    assert clause == Clause("broken(args.text)", 1, 16, Failure(Code.INTERNAL, 1, 16), 'broken("a")')
    assert "canary" not in repr(found)


def test_a_host_with_hardly_any_stack_left_gets_a_trace_or_its_own_error() -> None:
    program, activation = load("!(!(args.n == 3 && variables.quiet))", _ENV), freeze(_DATA)
    found: list[Trace] = []

    def deepest_first() -> None:
        try:
            deepest_first()
        finally:
            found.append(trace(program, activation))

    before = sys.getrecursionlimit()
    sys.setrecursionlimit(400)
    try:
        with pytest.raises(RecursionError):
            deepest_first()
    finally:
        sys.setrecursionlimit(before)
    assert found[-1].outcome.matched is False
    assert all(each.outcome.matched is False or each.outcome.failure is not None for each in found)


def _programs(random: Random) -> Iterator[Program]:
    while True:
        source, texts = split(grammar(random, shared=False).condition(random.choice((2, 3))), random)
        try:
            yield load(source, defined(texts, LOOSE_ENV))
        except CelError:
            continue


@settings(max_examples=150)
@given(RANDOMS)
def test_a_trace_says_what_the_engine_says(random: Random) -> None:
    program = next(_programs(random))
    for data in RECORDS:
        activation = freeze(data)
        expected = program.decide(activation)
        found = trace(program, activation)
        assert found.outcome == expected
        assert found.clauses
        failures = [clause.outcome for clause in found.clauses if isinstance(clause.outcome, Failure)]
        if expected.failure is None:
            assert failures == []
        elif not found.cut:
            own = [clause.outcome for clause in found.clauses if clause.in_definition is None]
            assert failures
            assert expected.failure in own or Code.NO_SUCH_OVERLOAD in {failure.code for failure in failures}


@settings(max_examples=100)
@given(RANDOMS)
def test_every_clause_comes_to_what_is_said_of_it(random: Random) -> None:
    program = next(program for program in _programs(random) if not _shadows(program))
    texts = {name: one.source for name, one in program.definitions.items()}
    for data in RECORDS[:3]:
        activation = freeze(data)
        for clause in trace(program, activation).clauses:
            if clause.in_definition is None and isinstance(clause.outcome, bool):
                _check(clause, program, activation, texts)


def _shadows(program: Program) -> bool:
    """Whether a loop variable has the name of a variable, so that a clause alone would mean something else."""
    return any(isinstance(node, Macro) and node.variable in LOOSE_ENV.variables for node in walk(program.tree))


def _check(clause: Clause, program: Program, activation: Activation, texts: dict[str, str]) -> None:
    """Evaluate a clause alone, where it needs nothing around it."""
    env = Env(LOOSE_ENV.variables, LOOSE_ENV.constants, LOOSE_ENV.functions, definitions=program.definitions)
    try:
        alone = load(clause.text, env)
    except CelError:
        return
    if clause.note is None or "element" in clause.note:
        outcome = alone.decide(activation)
        assert outcome.matched is clause.outcome or outcome.failure is not None, (clause, texts)


@given(st.integers(1, 40))
def test_budgets_lead_to_the_part_that_ran_out(size: int) -> None:
    source = "args.long.all(a, a >= 0) && args.long.all(b, b >= 0)"
    found = _traced(source, {"args": {"long": [0] * (size * 300)}})
    spent = size * 600
    assert found.outcome.matched is (True if spent <= EVALUATION_UNITS else None)
    if spent > EVALUATION_UNITS:
        (clause,) = found.clauses
        part = "args.long.all(b, b >= 0)" if size * 300 <= EVALUATION_UNITS else "args.long.all(a, a >= 0)"
        assert clause.text == part
        assert clause.outcome == found.outcome.failure
