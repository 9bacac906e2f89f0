"""Well-typed conditions mean the same here as in the two other engines that Python can install."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from oap_core.cel import Code, freeze, load
from oap_core.errors import CelError
from tests.core.cel.differential import peers, schema
from tests.core.cel.differential.conditions import vocabulary
from tests.core.cel.differential.phrase import Phrase, Slot
from tests.core.cel.differential.reasons import REASONS, Reason, excuse
from tests.core.cel.differential.run import Run, shares, shortest, typed_run
from tests.core.cel.differential.sample import ENV, LOOSE_ENV, MISTAKES, decisions, rejections, three

_MACROS = {"exists", "all", "exists_one", "filter", "map", "map with a condition"}


@pytest.fixture(scope="module")
def run() -> Run:
    return typed_run()


@pytest.mark.guarantee("cel-as-other-engines")
def test_equals_cel_expr_python_without_exception(run: Run, report: Callable[[str], None]) -> None:
    report(f"typed, cel-expr-python: {len(run.google):,} compared: {shares(Counter(pair.ours for pair in run.google))}")
    different = [pair for pair in run.google if pair.ours != three(pair.theirs)]
    assert different == [], shortest(different)


@pytest.mark.guarantee("cel-as-other-engines")
def test_equals_cel_python_or_it_raised_for_a_listed_reason(run: Run, report: Callable[[str], None]) -> None:
    report(f"typed, cel-python: {len(run.peer):,} compared: {shares(Counter(pair.ours for pair in run.peer))}")
    different = [pair for pair in run.peer if pair.ours != three(pair.theirs)]
    excuses = [(pair, excuse(pair.case.constructs, pair.theirs)) for pair in different]
    report(f"typed, cel-python raised: {shares(Counter(reason.name for _, reason in excuses if reason))}")
    unlisted = [pair for pair, reason in excuses if reason is None]
    assert unlisted == [], shortest(unlisted)
    assert len(different) < len(run.peer) / 20


@pytest.mark.parametrize("reason", REASONS, ids=lambda reason: reason.name)
def test_every_listed_reason_is_true(reason: Reason) -> None:
    data = schema.activation(Random(0))
    data["args"]["any"] = 1
    (said,) = peers.ask("cel-python", [peers.Question(reason.example, (0,))], [data])
    assert reason.excuses(reason.constructs, said[0])
    assert peers.ask("cel-expr-python", [peers.Question(reason.example, (0,))], [data]) == [("true",)]
    assert decisions(reason.example, [freeze(data)], LOOSE_ENV) == ("true",)


def test_enough_is_compared_and_every_outcome_is_common(run: Run) -> None:
    for compared in (run.google, run.peer):
        assert len({str(pair.case.phrase) for pair in compared}) >= 10_000
        outcomes = Counter(pair.ours for pair in compared)
        assert set(outcomes) == {"true", "false", "error"}
        assert min(outcomes.values()) >= len(compared) / 10


def test_every_construct_occurs(run: Run) -> None:
    found: Counter[str] = Counter()
    for case in run.sample.cases:
        found.update(case.constructs)
    expected = vocabulary()
    assert len(expected) > 80
    assert {name: found[name] for name in expected if found[name] < 5} == {}


def test_macros_nest_and_a_loop_variable_hides_a_variable(run: Run) -> None:
    assert sum(_nesting(case.phrase) >= 2 for case in run.sample.cases) >= 200
    assert sum("(tool, " in str(case.phrase) for case in run.sample.cases) >= 100


def _nesting(phrase: Phrase) -> int:
    inner = max((_nesting(part.phrase) for part in phrase.parts if isinstance(part, Slot)), default=0)
    return inner + (phrase.construct in _MACROS)


def test_nothing_but_an_evident_mistake_is_rejected(run: Run) -> None:
    found = rejections(run.ours)
    assert set(found) <= MISTAKES
    assert found.total() <= len(run.ours) / 25


def test_no_evaluation_ends_for_a_reason_of_our_own(run: Run) -> None:
    codes: Counter[Code] = Counter()
    for case in run.sample.cases[:2000]:
        try:
            program = load(str(case.phrase), ENV)
        except CelError:
            continue
        outcomes = [program.decide(run.sample.frozen[number]) for number in case.activations]
        codes.update(outcome.failure.code for outcome in outcomes if outcome.failure is not None)
    assert codes.total() >= 100
    assert not codes.keys() & {Code.INTERNAL, Code.BUDGET, Code.TOO_LARGE, Code.TOO_DEEP, Code.UNREPRESENTABLE}
