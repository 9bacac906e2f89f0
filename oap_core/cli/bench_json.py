"""What `oap bench` prints for a program: one JSON object in ASCII."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final

from oap_core.cli.bench_text import WORST, Measured, average, name
from oap_core.policy.timing import ConditionTime

__all__ = ["VERSION", "written"]

VERSION: Final = 1
"""Version of the form; it rises when a member goes away or changes its meaning, not when one is added."""


def written(found: Iterable[Measured], loaded: int) -> str:
    """Every project with its figures; times are microseconds, and `loaded` nanoseconds."""
    shown = {"version": VERSION, "load_ms": round(loaded / 1e6, 3), "projects": [_project(one) for one in found]}
    return json.dumps(shown, indent=2)


def _project(found: Measured) -> dict[str, Any]:
    times = found.decisions
    return {
        "project": name(found),
        "calls": found.calls,
        "rounds": found.rounds,
        "decision_us": {"p50": _us(times.p50), "p95": _us(times.p95), "p99": _us(times.p99)},
        "rules_a_tool": {
            "average": round(average(found.tools), 2),
            "most": max(found.tools.values(), default=0),
            "tools": dict(found.tools),
        },
        "slowest": [_condition(one) for one in found.conditions[:WORST]],
    }


def _condition(one: ConditionTime) -> dict[str, Any]:
    place = one.rule.when_span or one.rule.span
    return {
        "rule": one.rule.address,
        "file": one.rule.policy.file,
        "line": place.line,
        "column": place.column,
        "evaluations": one.evaluations,
        "mean_us": _us(one.mean),
        "worst_us": _us(one.worst),
    }


def _us(nanoseconds: float) -> float:
    return round(nanoseconds / 1000, 3)
