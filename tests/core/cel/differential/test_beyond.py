"""What cel-python gets wrong is compared with cel-expr-python alone: missing parents, mixed numbers, text functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache

from tests.core.cel.differential import peers
from tests.core.cel.differential.conditions import vocabulary
from tests.core.cel.differential.run import shares, shortest
from tests.core.cel.differential.sample import MISTAKES, Pair, Sample, pairs, rejections, sample, three

_SEED = 20260305
_SIZE = 6_000


@cache
def _run() -> tuple[Sample, list[tuple[str, ...]], list[Pair]]:
    made = sample(_SEED, _SIZE, shared=False)
    ours = made.ours()
    return made, ours, list(pairs(made, ours, peers.ask("cel-expr-python", made.questions(), made.activations)))


def test_equals_cel_expr_python_without_exception(report: Callable[[str], None]) -> None:
    _, ours, compared = _run()
    outcomes = Counter(pair.ours for pair in compared)
    report(f"beyond cel-python, cel-expr-python: {len(compared):,} compared: {shares(outcomes)}")
    different = [pair for pair in compared if pair.ours != three(pair.theirs)]
    assert different == [], shortest(different)
    assert min(outcomes.values()) >= len(compared) / 10
    assert set(rejections(ours)) <= MISTAKES
    assert rejections(ours).total() <= _SIZE / 25


def test_every_construct_occurs() -> None:
    made, _, _ = _run()
    found: Counter[str] = Counter()
    for case in made.cases:
        found.update(case.constructs)
    expected = vocabulary(shared=False) - vocabulary()
    assert len(expected) >= 15
    assert {name: found[name] for name in expected if found[name] < 5} == {}
