"""What decisions cost: whole decisions, single conditions, and how many rules speak about a tool.

The time of a decision is that of `RuleSet.decide` on facts that are there already. A condition is timed on its own, so it
pays for all of the variables that it reads. Times are those of this machine at this moment; they prove nothing elsewhere.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from time import perf_counter_ns
from typing import Final

from oap_core.cel.activation import Activation
from oap_core.names import ToolId
from oap_core.policy.facts import Facts
from oap_core.policy.reach import known_tools
from oap_core.policy.rules import Rule, active
from oap_core.policy.ruleset import RuleSet
from oap_core.types import Stage, Subject, ToolCall

__all__ = ["ConditionTime", "DecisionTimes", "condition_times", "decision_times", "rules_by_tool"]

_EVALUATIONS: Final = 5
"""How often a condition is evaluated on one call; the shortest time counts, since only other work makes it longer."""


@dataclass(frozen=True, slots=True)
class DecisionTimes:
    """How long whole decisions took, in nanoseconds: half of them no longer than `p50`, and so on."""

    decisions: int
    """How many were timed."""
    p50: int
    """The time of the one in the middle."""
    p95: int
    """The time that 95 of 100 keep to."""
    p99: int
    """The time that 99 of 100 keep to."""


@dataclass(frozen=True, slots=True)
class ConditionTime:
    """How long the condition of one rule took, in nanoseconds an evaluation."""

    rule: Rule
    """The rule."""
    evaluations: int
    """On how many calls it was evaluated, each view of a call on its own."""
    mean: float
    """The mean over the calls."""
    worst: int
    """The time on the call that took longest."""


def decision_times(rules: RuleSet, calls: Sequence[Facts], rounds: int) -> DecisionTimes:
    """Decide every call in each of the rounds. A round before them is not timed, in which rules find their tools.

    Raises ValueError where there is no call or no round.
    """
    if not calls or rounds < 1:
        raise ValueError("there is nothing to time")
    for facts in calls:
        rules.decide(facts)
    times: list[int] = []
    with _undisturbed():
        for _ in range(rounds):
            for facts in calls:
                start = perf_counter_ns()
                rules.decide(facts)
                times.append(perf_counter_ns() - start)
    times.sort()
    return DecisionTimes(len(times), *(times[ceil(len(times) * percent / 100) - 1] for percent in (50, 95, 99)))


def condition_times(rules: RuleSet, calls: Iterable[Facts]) -> tuple[ConditionTime, ...]:
    """Every rule with a condition that speaks about one of the calls, the slowest first."""
    found: dict[Rule, list[int]] = {}
    with _undisturbed():
        for facts in calls:
            judged = rules.decide(facts)
            for planned in (*judged.plan.enforced, *judged.plan.shadow):
                rule = planned.rule
                if rule.when is None or planned.blind is not None or not active(rule, facts.now):
                    continue
                found.setdefault(rule, []).extend(
                    _evaluation(rule.when.decide, activation)
                    for _, activation in judged.activations
                    if activation.failure is None
                )
    times = [ConditionTime(rule, len(some), sum(some) / len(some), max(some)) for rule, some in found.items() if some]
    return tuple(sorted(times, key=lambda one: (-one.mean, one.rule.address)))


def _evaluation(decide: Callable[[Activation], object], activation: Activation) -> int:
    times: list[int] = []
    for _ in range(_EVALUATIONS):
        # A new one knows no variable yet.
        fresh = Activation(activation.roots)
        start = perf_counter_ns()
        decide(fresh)
        times.append(perf_counter_ns() - start)
    return min(times)


def rules_by_tool(rules: RuleSet, calls: Iterable[Facts], now: datetime) -> dict[ToolId, int]:
    """How many rules are asked about a call of each tool that is known or called, the most first."""
    called = {facts.call.tool for facts in calls if facts.call is not None}
    subject = Subject("bench")
    counts: dict[ToolId, int] = {}
    for tool in sorted(called.union(known_tools(rules))):
        plan = rules.plan(Facts(Stage.CALL, now, subject, call=ToolCall.of("bench", tool, {})))
        counts[tool] = len(plan.enforced) + len(plan.shadow)
    return dict(sorted(counts.items(), key=lambda one: -one[1]))


@contextmanager
def _undisturbed() -> Iterator[None]:
    """No garbage collection meanwhile."""
    enabled = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
