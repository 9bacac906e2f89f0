"""The two other engines: what they say about generated expressions, asked in processes of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from oap_core.cel.types import DURATION, TIMESTAMP
from tests.core.cel.differential.schema import VARIABLES

ROOT: Final = Path(__file__).parents[4]
_CHUNK: Final = 250
"""Expressions a process: few enough that the references that one engine loses never end it."""
_SECONDS: Final = 300
"""When a process that does not end is stopped; it is far above what any needs."""
_MICROSECOND: Final = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Question:
    """An expression, and the activations to evaluate it on."""

    source: str
    activations: tuple[int, ...]


def ask(
    engine: str, questions: Sequence[Question], activations: Sequence[dict[str, Any]], values: bool = False
) -> list[tuple[str, ...]]:
    """What the engine says about each question, in order, an outcome for each of its activations.

    An outcome is `true`, `false`, `error ...`, `raised ...`, `rejected ...`, or with `values` a type and a value.
    """
    chunks = [questions[start : start + _CHUNK] for start in range(0, len(questions), _CHUNK)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(lambda chunk: _ask(engine, chunk, activations, values), chunks)
        return [tuple(outcomes) for chunk in found for outcomes in chunk]


def _ask(
    engine: str, questions: Sequence[Question], activations: Sequence[dict[str, Any]], values: bool
) -> list[list[str]]:
    used = sorted({number for question in questions for number in question.activations})
    place = {number: index for index, number in enumerate(used)}
    request = {
        "engine": engine,
        "values": values,
        "types": {name: _NAMES.get(type_, "DYN") for name, type_ in VARIABLES.items()},
        "activations": [_in_transit(activations[number]) for number in used],
        "expressions": [[each.source, [place[number] for number in each.activations]] for each in questions],
    }
    done = subprocess.run(
        [sys.executable, "-m", "tests.core.cel.differential.worker"],
        input=json.dumps(request),
        capture_output=True,
        cwd=ROOT,
        timeout=_SECONDS,
        check=False,
        encoding="utf-8",
    )
    assert done.returncode == 0, f"{engine} ended with {done.returncode}: {done.stderr[-2000:]}"
    found: list[list[str]] = json.loads(done.stdout)
    return found


_NAMES: Final = {TIMESTAMP: "TIMESTAMP", DURATION: "DURATION"}


def _in_transit(activation: dict[str, Any]) -> dict[str, Any]:
    moments = {name: value for name, value in activation.items() if isinstance(value, datetime)}
    spans = {name: value for name, value in activation.items() if isinstance(value, timedelta)}
    return {
        "json": {name: value for name, value in activation.items() if name not in moments and name not in spans},
        "moments": {name: (value - _EPOCH) // _MICROSECOND for name, value in moments.items()},
        "spans": {name: value // _MICROSECOND for name, value in spans.items()},
    }


_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
