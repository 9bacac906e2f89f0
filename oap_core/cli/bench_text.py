"""What `oap bench` prints for a person."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

import click

from oap_core.diagnostic import printable
from oap_core.names import ToolId
from oap_core.policy.files import shown
from oap_core.policy.timing import ConditionTime, DecisionTimes
from oap_core.project import Project

__all__ = ["WORST", "Measured", "average", "name", "nothing", "written"]

WORST: Final = 10
"""How many of the slowest conditions are shown."""
_TOOLS: Final = 3


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured in one project."""

    project: Project = field(repr=False)
    """The project."""
    calls: int
    """How many calls were decided."""
    rounds: int
    """How often each of them was."""
    decisions: DecisionTimes
    """Times of whole decisions."""
    conditions: tuple[ConditionTime, ...]
    """Times of conditions, the slowest first."""
    tools: Mapping[ToolId, int]
    """Rules that speak about each tool, the most first."""


def nothing(*, with_file: bool) -> str:
    """What to say where there is no call."""
    if with_file:
        return "error  there is no call in the file, so nothing was measured"
    return "error  there is no test, so there is no call to decide; write tests, or name calls with `--calls FILE`"


def written(found: Iterable[Measured], loaded: int) -> str:
    """A paragraph for each project; `loaded` is how many nanoseconds they took to load."""
    return "\n\n".join("\n".join(_project(one)) for one in found) + f"\n\nloaded in {loaded / 1e6:,.0f} ms"


def name(measured: Measured) -> str:
    """The name of a project: its configuration, or else its folder."""
    return printable(shown(measured.project.config.file or measured.project.config.base))


def average(tools: Mapping[ToolId, int]) -> float:
    """How many rules speak about a tool on average; 0 where no tool is known."""
    return sum(tools.values()) / len(tools) if tools else 0.0


def _project(found: Measured) -> Iterator[str]:
    times = found.decisions
    yield click.style(name(found), bold=True)
    yield f"  a decision     p50 {_us(times.p50)}   p95 {_us(times.p95)}   p99 {_us(times.p99)}"
    yield f"                 {_count(found.calls, 'call')}, each decided {_count(found.rounds, 'time')}"
    yield from _tools(found.tools)
    slowest = found.conditions[:WORST]
    if not slowest:
        yield "  no rule with a condition speaks about these calls"
        return
    yield f"  {'a condition':<15}{'mean':>10}{'worst':>12}{'calls':>9}   rule"
    for one in slowest:
        rule, place = one.rule, one.rule.when_span or one.rule.span
        where = f"{printable(rule.policy.file or '')}:{place.line}:{place.column}"
        cells = f"{_us(one.mean):>10}{_us(one.worst):>12}{one.evaluations:>9,}"
        yield f"  {'':<15}{cells}   {rule.address}  {where}"


def _tools(tools: Mapping[ToolId, int]) -> Iterator[str]:
    if not tools:
        yield "  rules a tool   no tool is known by its name"
        return
    most = ", ".join(f"{tool} {count}" for tool, count in list(tools.items())[:_TOOLS])
    yield f"  rules a tool   {average(tools):.1f} on average of {_count(len(tools), 'tool')}; the most: {most}"


def _us(nanoseconds: float) -> str:
    return f"{nanoseconds / 1000:,.1f} us"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
