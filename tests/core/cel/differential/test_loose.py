"""Conditions on values of the wrong type mean the same here as in cel-expr-python: the types are not trusted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache

from oap_core.cel import freeze
from tests.core.cel.differential import peers
from tests.core.cel.differential.run import shares, shortest
from tests.core.cel.differential.sample import LOOSE_ENV, Pair, decisions, pairs, rejections, sample, three

_SEED = 20260308
_SIZE = 10_000


@cache
def _run() -> tuple[list[tuple[str, ...]], list[Pair]]:
    made = sample(_SEED, _SIZE, shared=False, wrong=0.12)
    ours = made.ours(LOOSE_ENV)
    return ours, list(pairs(made, ours, peers.ask("cel-expr-python", made.questions(), made.activations)))


def test_equals_cel_expr_python(report: Callable[[str], None]) -> None:
    ours, compared = _run()
    outcomes = Counter(pair.ours for pair in compared)
    report(f"loosely typed, cel-expr-python: {len(compared):,} compared: {shares(outcomes)}")
    report(f"loosely typed, rejected at load: {shares(rejections(ours))}")
    # It converts booleans to integers, which the specification does not have.
    different = [pair for pair in compared if pair.ours != three(pair.theirs) and not _converts_a_boolean(pair)]
    assert different == [], shortest(different)
    assert min(outcomes.values()) >= len(compared) / 10
    assert len(compared) >= 10_000


def _converts_a_boolean(pair: Pair) -> bool:
    return pair.ours == "error" and any(name.startswith("int(") for name in pair.case.constructs)


def test_a_boolean_is_no_integer() -> None:
    data = {"args": {"flag": True}}
    question = peers.Question("int(args.flag) == 1", (0,))
    assert peers.ask("cel-expr-python", [question], [data]) == [("true",)]
    assert decisions(question.source, [freeze(data)], LOOSE_ENV) == ("error",)
