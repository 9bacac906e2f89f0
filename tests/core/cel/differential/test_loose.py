"""Conditions on values of the wrong type mean the same here as in cel-expr-python: the types are not trusted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Final

import pytest

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


@dataclass(frozen=True, slots=True)
class Extension:
    """Something that cel-expr-python takes, and the specification does not have."""

    name: str
    example: str
    """A true condition for it, and an error here."""
    occurs: Callable[[Pair], bool]
    """Whether it may be what two outcomes differ by."""


EXTENSIONS: Final = (
    Extension(
        "a boolean converts to an integer",
        "int(args.flag) == 1",
        lambda pair: any(name.startswith("int(") for name in pair.case.constructs),
    ),
    Extension(
        "two negations are none, whatever they negate",
        "!!args.count == args.count",
        lambda pair: "!!" in str(pair.case.phrase),
    ),
)


def _excused(pair: Pair) -> bool:
    return pair.ours == "error" and any(extension.occurs(pair) for extension in EXTENSIONS)


def test_equals_cel_expr_python_but_for_its_extensions(report: Callable[[str], None]) -> None:
    ours, compared = _run()
    outcomes = Counter(pair.ours for pair in compared)
    report(f"loosely typed, cel-expr-python: {len(compared):,} compared: {shares(outcomes)}")
    report(f"loosely typed, rejected at load: {shares(rejections(ours))}")
    different = [pair for pair in compared if pair.ours != three(pair.theirs)]
    unlisted = [pair for pair in different if not _excused(pair)]
    assert unlisted == [], shortest(unlisted)
    assert len(different) < len(compared) / 500
    assert min(outcomes.values()) >= len(compared) / 10
    assert len({str(pair.case.phrase) for pair in compared}) >= 9_000


@pytest.mark.parametrize("extension", EXTENSIONS, ids=lambda extension: extension.name)
def test_an_extension_is_none_here(extension: Extension) -> None:
    data = {"args": {"flag": True, "count": 2}}
    assert peers.ask("cel-expr-python", [peers.Question(extension.example, (0,))], [data]) == [("true",)]
    assert decisions(extension.example, [freeze(data)], LOOSE_ENV) == ("error",)
