from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any, Final

import pytest

from oap_core.decision import Default, Verdict
from tests.core.policy.deciding import NOW, SETUP, call, catalog, exceptions, rules

UNTIL: Final = NOW + timedelta(days=3)
OBSERVING: Final = replace(SETUP, observe_until=UNTIL)


def verdict(text: str, facts: Any, *more: str) -> tuple[str, str, bool]:
    """What would be decided, what happens, and whether that is said to be an observation."""
    judged = rules(text, *more, setup=OBSERVING).decide(facts)
    return judged.decision.verdict.value, judged.verdict.value, judged.observing


@pytest.mark.guarantee("config-observation")
@pytest.mark.parametrize(
    ("text", "decided"),
    [
        ("- {id: other, effect: allow, match: {tools: [mail/*]}}", "deny"),
        ("- {id: wall, effect: deny, severity: high}", "deny"),
        ("- {id: open, effect: allow}\n- {id: ask, effect: ask, severity: critical}", "ask"),
        ("- {id: open, effect: allow}\n- {id: plan, effect: plan, severity: critical}", "plan"),
        ("- {id: open, effect: allow}\n- {id: pace, effect: limit, severity: critical}", "deny"),
        ("- {id: open, effect: allow}\n- {id: wall, effect: deny, when: args.n > 5}", "deny"),
    ],
)
def test_while_the_host_observes_the_rest_is_recorded_and_stops_nothing(text: str, decided: str) -> None:
    assert verdict(text, call()) == (decided, "allow", True)


@pytest.mark.guarantee("config-observation")
@pytest.mark.parametrize(
    ("text", "args"),
    [
        ("- {id: wall, effect: deny, severity: critical}", {}),
        ("- {id: wall, effect: deny, severity: critical, when: args.n > 5}", {"n": 6}),
        ("- {id: wall, effect: deny, severity: critical, when: args.n > 5}", {}),
        ("- {id: wall, effect: deny, severity: critical, when: args.n > 5}", {"n": 2**63}),
        ("- {id: open, effect: allow}\n- {id: look, effect: scan}", {}),
        ("- {id: wall, effect: deny, severity: critical, match: {tags: [x]}}", {}),
    ],
)
def test_critical_walls_and_scans_stop_all_the_same(text: str, args: dict[str, object]) -> None:
    assert verdict(text, call(args=args))[1:] == ("deny", True)


def test_a_critical_wall_in_the_original_view_stops_all_the_same() -> None:
    text = "- {id: open, effect: allow}\n- {id: wall, effect: deny, severity: critical, when: args.n > 5}"
    assert verdict(text, call(args={"n": 1}, original={"n": 6}))[1:] == ("deny", True)


def test_a_critical_wall_that_an_exception_lifts_stops_nothing() -> None:
    text = "- {id: wall, effect: deny, severity: critical, waivable: true}"
    lifting = exceptions("- {id: e, waives: [p/wall], reason: r, approved_by: b, expires: '2026-07-01T00:00:00Z'}")
    assert verdict(text, call(), lifting) == ("deny", "allow", True)


def test_data_that_cannot_be_represented_is_recorded_where_no_critical_wall_is_about_it() -> None:
    assert verdict("- {id: open, effect: allow}", call(args={"n": 2**63})) == ("deny", "allow", True)


def test_transforms_and_scans_of_results_stop_all_the_same() -> None:
    cut = "- {id: cut, effect: redact, stage: result, severity: low}"
    assert verdict(cut, call(result="x"))[1:] == ("deny", True)
    assert verdict("- {id: w, effect: deny, stage: result}", call(result="x")) == ("deny", "allow", True)


def test_a_tool_that_the_catalog_does_not_have_is_recorded() -> None:
    text = "- {id: open, effect: allow}"
    assert verdict(text, call("fs/write"), catalog("- {id: fs/read}")) == ("deny", "allow", True)


@pytest.mark.guarantee("config-observation")
def test_afterwards_everything_is_enforced() -> None:
    text = "- {id: other, effect: deny}"
    some = rules(text, setup=OBSERVING)
    last = some.decide(call(now=UNTIL - timedelta(microseconds=1)))
    assert (last.verdict, last.observing) == (Verdict.ALLOW, True)
    first = some.decide(call(now=UNTIL))
    assert (first.verdict, first.observing) == (Verdict.DENY, False)
    never = rules(text).decide(call())
    assert (never.verdict, never.observing) == (Verdict.DENY, False)


def test_an_observing_host_asks_nobody() -> None:
    setup = replace(OBSERVING, default=Default.ASK)
    assert rules("- {id: o, effect: observe}", setup=setup).decide(call()).verdict is Verdict.ALLOW


def test_the_decision_of_an_observing_host_is_that_of_an_enforcing_one() -> None:
    text = "- {id: open, effect: allow}\n- {id: wall, effect: deny, when: args.n > 5}\n- {id: ask, effect: ask}"
    for args in ({}, {"n": 1}, {"n": 6}, {"n": 2**63}):
        facts = call(args=args)
        assert rules(text, setup=OBSERVING).decide(facts).decision == rules(text).decide(facts).decision
