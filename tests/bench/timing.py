"""Timing of things beside each other, so that noise of the machine meets all of them alike."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import repeat
from statistics import median
from time import perf_counter_ns

Action = Callable[[], object]


@contextmanager
def undisturbed() -> Iterator[None]:
    """No garbage collection meanwhile."""
    enabled = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def once(action: Action, loops: int = 1) -> float:
    """Nanoseconds of one call, as the mean over `loops` calls."""
    start = perf_counter_ns()
    for _ in repeat(None, loops):
        action()
    return (perf_counter_ns() - start) / loops


def medians(actions: Mapping[str, Action], rounds: int, slice_ns: int) -> dict[str, float]:
    """Median nanoseconds of each action, all of them taking turns in each of the rounds.

    An action is called so often that one of its turns takes about `slice_ns`.
    """
    loops = {name: max(1, int(slice_ns / max(once(action, 3), 1))) for name, action in actions.items()}
    found: dict[str, list[float]] = {name: [] for name in actions}
    with undisturbed():
        for _ in range(rounds):
            for name, action in actions.items():
                found[name].append(once(action, loops[name]))
    return {name: median(each) for name, each in found.items()}
