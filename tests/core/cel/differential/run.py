"""The one run over well-typed conditions that several tests look at."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import Final

from tests.core.cel.differential import peers
from tests.core.cel.differential.sample import Pair, Sample, pairs, sample

_SEED: Final = 20260304
_SIZE: Final = 10_500


@dataclass(frozen=True, slots=True)
class Run:
    """Generated conditions, and what each engine says about them."""

    sample: Sample
    ours: list[tuple[str, ...]]
    google: list[Pair]
    """Compared with cel-expr-python."""
    peer: list[Pair]
    """Compared with cel-python's interpreter."""


@cache
def typed_run() -> Run:
    """Generate and ask; once a process."""
    made = sample(_SEED, _SIZE)
    ours = made.ours()
    google = peers.ask("cel-expr-python", made.questions(), made.activations)
    peer = peers.ask("cel-python", made.questions(), made.activations)
    return Run(made, ours, list(pairs(made, ours, google)), list(pairs(made, ours, peer)))


def shares(outcomes: Counter[str]) -> str:
    """Counts as text."""
    return ", ".join(f"{count:,} {outcome}" for outcome, count in sorted(outcomes.items()))


def shortest(found: list[Pair]) -> str:
    """The difference that is easiest to read."""
    return f"{len(found)} differ, such as {min(found, key=lambda pair: len(str(pair)), default='none')}"
