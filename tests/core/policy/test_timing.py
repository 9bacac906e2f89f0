"""Times of decisions and conditions are those of the engine; how long they are, is no test."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import count
from typing import Any

import pytest

from oap_core.cel.activation import Activation
from oap_core.kinds import Effect, Kind
from oap_core.policy import timing
from oap_core.policy.assemble import assemble
from oap_core.policy.facts import Facts
from oap_core.policy.load import read
from oap_core.policy.ruleset import RuleSet
from oap_core.policy.setup import Setup, core_effects
from oap_core.types import Stage, Subject, ToolCall

NOW = datetime(2026, 12, 1, tzinfo=UTC)
EFFECTS = {**core_effects(), "allow": Effect("allow", Kind.GRANT, "test"), "deny": Effect("deny", Kind.WALL, "test")}


def rules(text: str) -> RuleSet:
    head = "apiVersion: oap/v1\nkind: Policy\nmetadata: {name: p, owner: o}\n"
    found = assemble([read(head + text, "p.yaml")], Setup(EFFECTS)).rules
    assert found is not None
    return found


def call(tool: str, **arguments: object) -> Facts:
    return Facts(Stage.CALL, NOW, Subject("s"), call=ToolCall.of("c", tool, arguments))


def ticking(monkeypatch: pytest.MonkeyPatch, *steps: int) -> None:
    """A clock whose readings lie so far apart: every second step is a time that was taken."""
    readings = iter(reading for number in count() for reading in (1000 * number, 1000 * number + steps[number]))
    monkeypatch.setattr(timing, "perf_counter_ns", lambda: next(readings))


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        (range(1, 101), (50, 95, 99)),
        (range(100, 0, -1), (50, 95, 99)),
        ([7], (7, 7, 7)),
        ([1, 9], (1, 9, 9)),
        ([*[1] * 98, 8, 9], (1, 1, 8)),
    ],
)
def test_percentiles_are_times_that_were_taken(
    monkeypatch: pytest.MonkeyPatch, times: list[int], expected: tuple[int, int, int]
) -> None:
    ticking(monkeypatch, *times)
    found = timing.decision_times(rules("rules: [{id: open, effect: allow}]"), [call("a/b")], len(times))
    assert (found.decisions, found.p50, found.p95, found.p99) == (len(times), *expected)


def test_nothing_to_time_is_refused() -> None:
    some = rules("rules: [{id: open, effect: allow}]")
    with pytest.raises(ValueError, match="nothing to time"):
        timing.decision_times(some, [], 5)
    with pytest.raises(ValueError, match="nothing to time"):
        timing.decision_times(some, [call("a/b")], 0)


def test_the_shortest_time_of_a_condition_counts_and_the_slowest_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    some = rules(
        "match: {tools: [a/b, a/c]}\nrules:\n"
        "  - {id: one, match: {tools: [a/b]}, when: args.n > 1, effect: deny}\n"
        "  - {id: two, match: {tools: [a/b, a/c]}, when: args.n > 2, effect: deny}\n"
        "  - {id: ended, when: args.n > 2, effect: allow, expires: 2026-11-30T00:00:00Z}\n"
        "  - {id: bare, effect: allow}\n"
    )
    ticking(monkeypatch, *[9, 9, 4, 9, 9], *[9, 9, 9, 9, 6], *[20, 30, 40, 50, 60])
    found = timing.condition_times(some, [call("a/b", n=1), call("a/c", n=1)])
    assert [(one.rule.address, one.evaluations, one.mean, one.worst) for one in found] == [
        ("p/two", 2, 13.0, 20),
        ("p/one", 1, 4.0, 4),
    ]


def test_each_rule_pays_for_the_variables_that_it_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    some = rules(
        "variables: {large: args.n > 1}\nrules:\n"
        "  - {id: one, when: variables.large, effect: deny}\n"
        "  - {id: two, when: variables.large, effect: deny}\n"
    )
    used: list[Activation] = []

    def fresh(roots: dict[str, Any]) -> Activation:
        used.append(Activation(roots))
        return used[-1]

    monkeypatch.setattr(timing, "Activation", fresh)
    assert len(timing.condition_times(some, [call("a/b", n=1)])) == 2
    assert [len(one.answers) for one in used] == [1] * 10


def test_data_that_cannot_be_read_times_nothing() -> None:
    some = rules("rules: [{id: one, when: args.n > 1, effect: deny}]")
    assert timing.condition_times(some, [call("a/b", n=2**70)]) == ()


def test_tools_that_are_called_or_named_are_counted() -> None:
    some = rules("rules: [{id: one, match: {tools: [a/b]}, effect: deny}, {id: two, effect: allow}]")
    assert timing.rules_by_tool(some, [call("far/away"), call("a/b")], NOW) == {"a/b": 2, "far/away": 1}
