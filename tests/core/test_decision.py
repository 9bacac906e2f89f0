from __future__ import annotations

from copy import deepcopy
from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest

from oap_core.combine import combine_call, combine_content
from oap_core.decision import (
    Cause,
    Decision,
    Default,
    Finding,
    Judgement,
    Mode,
    RuleRef,
    RuleSeverity,
    Verdict,
    Waived,
    Waiver,
)
from oap_core.kinds import Kind
from oap_core.names import RuleAddress
from oap_core.types import Stage, View
from tests.core.findings import EFFECTIVE, ORIGINAL, REFUSED, SATISFIED, UNJUDGED, finding, rule

ADDRESS = RuleAddress("p/r")
WALL = RuleRef(ADDRESS, "deny", Kind.WALL)


@pytest.mark.parametrize(
    ("words", "order"),
    [(Verdict, "allow ask plan deny"), (RuleSeverity, "low medium high critical")],
)
def test_verdicts_and_severities_are_ordered(words: Any, order: str) -> None:
    members = list(words)
    assert [member.value for member in members] == order.split()
    assert sorted(members, key=lambda member: member.rank) == members
    for place, low in enumerate(members):
        for high in members[place + 1 :]:
            assert low < high
            assert low <= high
            assert high > low
            assert high >= low
            assert not any((low > high, low >= high, high < low, high <= low))
        assert low <= low  # noqa: PLR0124  # the edge of the comparison
        assert low >= low  # noqa: PLR0124  # the edge of the comparison


@pytest.mark.parametrize("compare", ["__lt__", "__le__", "__gt__", "__ge__"])
@pytest.mark.parametrize("other", [RuleSeverity.LOW, "deny", 1, None])
def test_a_verdict_compares_with_verdicts_alone(compare: str, other: object) -> None:
    assert getattr(Verdict.ASK, compare)(other) is NotImplemented
    with pytest.raises(TypeError):
        sorted([Verdict.ASK, other])  # type: ignore[type-var]  # on purpose


def test_there_is_no_default_that_allows() -> None:
    assert [default.value for default in Default] == ["deny", "ask"]


@pytest.mark.parametrize(
    ("effect", "kind", "stage", "verdict"),
    [
        ("allow", Kind.GRANT, Stage.CALL, None),
        ("deny", Kind.WALL, Stage.CALL, Verdict.DENY),
        ("ask", Kind.GATE, Stage.CALL, Verdict.ASK),
        ("plan", Kind.GATE, Stage.CALL, Verdict.PLAN),
        ("scan", Kind.GATE, Stage.CALL, Verdict.DENY),
        ("redact", Kind.TRANSFORM, Stage.CALL, None),
        ("label", Kind.OBSERVE, Stage.CALL, None),
        ("deny", Kind.WALL, Stage.RESULT, Verdict.DENY),
        ("scan", Kind.GATE, Stage.PROMPT, Verdict.DENY),
        ("redact", Kind.TRANSFORM, Stage.RESULT, Verdict.DENY),
        ("label", Kind.OBSERVE, Stage.RESULT, None),
    ],
)
def test_what_a_finding_holds_a_call_to(effect: str, kind: Kind, stage: Stage, verdict: Verdict | None) -> None:
    of = RuleRef(ADDRESS, effect, kind, stage)
    assert of.holds is verdict
    assert finding(of, REFUSED).holds is verdict
    assert finding(of, UNJUDGED).holds is verdict
    assert finding(of, SATISFIED).holds is None


def test_a_rule_of_the_effective_view_holds_nothing_in_the_original() -> None:
    limit = rule("limit", "limit")
    assert finding(limit, REFUSED, ORIGINAL).holds is None
    assert finding(limit, REFUSED, EFFECTIVE).holds is Verdict.DENY


@pytest.mark.parametrize(
    "fields",
    [
        {"address": "p/r"},
        {"effect": None},
        {"kind": "wall"},
        {"stage": "call"},
        {"severity": "low"},
        {"severity": Verdict.ALLOW},
        {"mode": "enforce"},
    ],
    ids=str,
)
def test_a_rule_takes_checked_fields(fields: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        replace(WALL, **fields)


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"effect": "Deny"}, "the name of an effect"),
        ({"effect": "ask"}, "gate at stage"),
        ({"effect": "observe"}, "kind `observe`"),
        ({"kind": Kind.GRANT, "stage": Stage.RESULT}, "stage `call`"),
        ({"kind": Kind.GRANT, "waivable": True}, "waivable"),
        ({"kind": Kind.TRANSFORM, "waivable": True}, "waivable"),
        ({"judges_original": False}, "both views"),
        ({"address": RuleAddress("plugin:p"), "waivable": True}, "no exception lifts"),
        ({"address": RuleAddress("plugin:p"), "kind": Kind.GRANT}, "wall of a plugin"),
    ],
    ids=str,
)
def test_a_rule_asks_for_no_more_than_its_kind_may_do(fields: dict[str, Any], error: str) -> None:
    with pytest.raises(ValueError, match=error):
        replace(WALL, **fields)


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"author": ""}, TypeError),
        ({"author": None}, TypeError),
        ({"rule": ADDRESS}, TypeError),
        ({"state": "refused"}, TypeError),
        ({"view": "original"}, TypeError),
        ({"cause": "error"}, TypeError),
        ({"reason": None}, TypeError),
        ({"cause": Cause.ERROR}, ValueError),
        ({"state": UNJUDGED}, ValueError),
        ({"rule": rule("r", "deny", stage=Stage.RESULT), "view": ORIGINAL}, ValueError),
    ],
    ids=str,
)
def test_a_finding_fits_together(fields: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        replace(Finding("somebody", WALL, REFUSED), **fields)


@pytest.mark.parametrize("cause", Cause)
def test_an_unjudged_finding_says_why(cause: Cause) -> None:
    assert Finding("somebody", WALL, UNJUDGED, cause=cause).cause is cause


@pytest.mark.parametrize("fields", [("", ADDRESS), ("EX-1", "p/r", EFFECTIVE), ("EX-1", ADDRESS, "original")])
def test_a_waiver_is_checked(fields: tuple[Any, ...]) -> None:
    with pytest.raises((TypeError, ValueError)):
        Waiver(*fields)


OPENED = finding(rule("g", "allow"), SATISFIED)
DENIED, ASKED, PLANNED = (finding(rule(word, word), REFUSED) for word in ("deny", "ask", "plan"))
CAP = finding(rule("cap", "deny", waivable=True), REFUSED)
SHADOW = finding(rule("s", "deny", mode=Mode.SHADOW), REFUSED)
MISSING = combine_call([], rewritten=False).against
WITHHELD = finding(rule("w", "deny", stage=Stage.RESULT), REFUSED)
LIFTED = Waived(CAP, ("EX-1",))
ALLOWED = combine_call([OPENED], rewritten=False)
HELD = combine_call([OPENED, DENIED, ASKED], rewritten=False)
WAIVED = combine_call([OPENED, CAP], rewritten=False, waivers=[Waiver("EX-1", CAP.rule.address)])
RESULT = combine_content([WITHHELD], stage=Stage.RESULT)


@pytest.mark.parametrize(
    ("decision", "fields"),
    [
        # Another verdict than that of the strictest.
        (ALLOWED, {"verdict": Verdict.DENY}),
        (HELD, {"verdict": Verdict.ALLOW}),
        (HELD, {"verdict": Verdict.ASK}),
        (HELD, {"verdict": Verdict.PLAN}),
        (HELD, {"verdict": Verdict.ASK, "deciding": (ASKED,)}),
        (HELD, {"verdict": Verdict.ALLOW, "deciding": (OPENED,), "against": ()}),
        (HELD, {"verdict": Verdict.ASK, "deciding": (ASKED,), "against": (ASKED,)}),
        (RESULT, {"verdict": Verdict.ASK}),
        # Decided by what does not decide.
        (HELD, {"deciding": ()}),
        (HELD, {"deciding": (OPENED,)}),
        (HELD, {"deciding": (DENIED, ASKED)}),
        (HELD, {"deciding": (ASKED,)}),
        (HELD, {"deciding": (PLANNED,), "verdict": Verdict.PLAN}),
        (ALLOWED, {"deciding": ()}),
        (ALLOWED, {"deciding": (DENIED,)}),
        (ALLOWED, {"deciding": (OPENED, DENIED)}),
        (ALLOWED, {"deciding": (finding(OPENED.rule, REFUSED),), "findings": (finding(OPENED.rule, REFUSED),)}),
        (ALLOWED, {"deciding": (finding(WALL, SATISFIED),), "findings": (finding(WALL, SATISFIED),)}),
        (ALLOWED, {"deciding": (finding(ASKED.rule, SATISFIED),), "findings": (finding(ASKED.rule, SATISFIED),)}),
        (ALLOWED, {"findings": ()}),
        (ALLOWED, {"deciding": MISSING}),
        (RESULT, {"verdict": Verdict.ALLOW, "deciding": (OPENED,), "against": (), "findings": ()}),
        # One view has no key.
        (ALLOWED, {"findings": (OPENED, finding(OPENED.rule, REFUSED, ORIGINAL))}),
        (
            ALLOWED,
            {"deciding": (replace(OPENED, view=ORIGINAL),), "findings": (OPENED, replace(OPENED, view=ORIGINAL))},
        ),
        # Something is left out, or does not belong.
        (ALLOWED, {"findings": (OPENED, DENIED)}),
        (ALLOWED, {"findings": (OPENED, SHADOW)}),
        (ALLOWED, {"findings": (OPENED, WITHHELD)}),
        (ALLOWED, {"findings": (OPENED, *MISSING)}),
        (ALLOWED, {"waived": (LIFTED,)}),
        (WAIVED, {"waived": ()}),
        (HELD, {"against": (DENIED,)}),
        (HELD, {"against": (DENIED, ASKED, PLANNED)}),
        (HELD, {"against": (DENIED, ASKED, OPENED)}),
        (HELD, {"findings": (OPENED, DENIED)}),
        (HELD, {"findings": ()}),
        (HELD, {"stage": Stage.RESULT}),
        (RESULT, {"stage": Stage.CALL}),
        (RESULT, {"deciding": MISSING, "against": MISSING, "findings": ()}),
        (
            combine_call([OPENED, CAP], rewritten=False),
            {"waived": (LIFTED,)},
        ),
    ],
)
def test_a_decision_cannot_contradict_its_findings(decision: Decision, fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        replace(decision, **fields)


@pytest.mark.parametrize(
    "fields",
    [
        {"stage": "call"},
        {"verdict": "deny"},
        {"verdict": RuleSeverity.CRITICAL},
        {"deciding": [DENIED]},
        {"deciding": (WALL,)},
        {"against": [DENIED, ASKED]},
        {"against": None},
        {"waived": (CAP,)},
        {"findings": frozenset(HELD.findings)},
        {"findings": (*HELD.findings, None)},
    ],
    ids=str,
)
def test_a_decision_takes_checked_fields(fields: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        replace(HELD, **fields)


@pytest.mark.parametrize("decision", [ALLOWED, HELD, WAIVED, RESULT], ids=lambda decision: decision.verdict.value)
def test_a_record_makes_the_same_decision_again(decision: Decision) -> None:
    assert deepcopy(decision) == decision
    assert replace(decision) == decision


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"finding": CAP.rule}, TypeError),
        ({"exceptions": ["EX-1"]}, TypeError),
        ({"exceptions": ()}, ValueError),
        ({"exceptions": ("",)}, ValueError),
        ({"finding": DENIED}, ValueError),
        ({"finding": finding(CAP.rule, UNJUDGED)}, ValueError),
        ({"finding": finding(CAP.rule, SATISFIED)}, ValueError),
    ],
    ids=str,
)
def test_what_an_exception_lifts_is_checked(fields: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        replace(LIFTED, **fields)


def test_decisions_can_be_compared_and_kept_in_a_set() -> None:
    decisions = [combine_call([finding(WALL, REFUSED)], rewritten=False) for _ in range(2)]
    assert decisions[0] == decisions[1]
    assert len(set(decisions)) == 1
    with pytest.raises(FrozenInstanceError):
        decisions[0].verdict = Verdict.ALLOW  # type: ignore[misc]  # on purpose


def test_the_words_of_a_finding_are_closed() -> None:
    assert [state.value for state in Judgement] == ["satisfied", "refused", "unjudged"]
    assert [mode.value for mode in Mode] == ["enforce", "shadow"]
    assert [cause.value for cause in Cause] == ["error", "timeout", "invalid_answer"]
    assert Finding("somebody", WALL, REFUSED).view is View.EFFECTIVE
