"""How findings become a decision, one sentence of the precedence rules at a time."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import pytest

from oap_core.combine import combine_call, combine_content
from oap_core.decision import Cause, Decision, Default, Finding, Judgement, Mode, RuleRef, RuleSeverity, Verdict
from oap_core.kinds import Kind
from oap_core.names import DEFAULT_RULE, RuleAddress
from oap_core.types import Stage, View
from tests.core.findings import (
    CONTENT,
    EFFECTIVE,
    ORIGINAL,
    REFUSED,
    SATISFIED,
    UNJUDGED,
    finding,
    rule,
    waiver,
)

GRANT = rule("grant", "allow")
WALL = rule("wall", "deny")
ASK = rule("ask", "ask")
PLAN = rule("plan", "plan")
SCAN = rule("scan", "scan")
LIMIT = rule("limit", "limit")


def decide(*findings: Finding, default: Default = Default.DENY) -> Decision:
    return combine_call(findings, rewritten=False, default=default)


def decide_rewritten(*findings: Finding) -> Decision:
    return combine_call(findings, rewritten=True)


# --- one key, no wall, every gate open


def test_a_call_that_a_grant_matches_runs() -> None:
    decision = decide(finding(GRANT, SATISFIED))
    assert decision.verdict is Verdict.ALLOW
    assert decision.rule == "p/grant"


@pytest.mark.guarantee("combine-key")
def test_a_call_that_nothing_matches_is_denied_by_the_default() -> None:
    decision = decide()
    assert decision.verdict is Verdict.DENY
    assert decision.rule == DEFAULT_RULE


@pytest.mark.guarantee("combine-unjudged")
@pytest.mark.parametrize("state", [REFUSED, UNJUDGED])
def test_a_grant_that_is_not_satisfied_does_not_match(state: Judgement) -> None:
    decision = decide(finding(GRANT, state))
    assert decision.verdict is Verdict.DENY
    assert decision.rule == DEFAULT_RULE


@pytest.mark.guarantee("combine-unjudged")
@pytest.mark.parametrize(
    ("effect", "verdict"),
    [("deny", "deny"), ("ask", "ask"), ("plan", "plan"), ("scan", "deny"), ("limit", "deny")],
)
@pytest.mark.parametrize("state", [REFUSED, UNJUDGED])
def test_a_wall_or_gate_that_is_not_satisfied_holds(effect: str, verdict: str, state: Judgement) -> None:
    decision = decide(finding(GRANT, SATISFIED), finding(rule("it", effect), state))
    assert decision.verdict is Verdict(verdict)
    assert decision.rule == "p/it"


@pytest.mark.guarantee("combine-key")
@pytest.mark.parametrize("effect", ["deny", "ask", "plan", "scan", "limit"])
def test_a_satisfied_wall_or_gate_neither_holds_nor_grants(effect: str) -> None:
    satisfied = finding(rule("it", effect), SATISFIED)
    assert decide(finding(GRANT, SATISFIED), satisfied).verdict is Verdict.ALLOW
    assert decide(satisfied).verdict is Verdict.DENY


def test_a_gate_of_a_third_party_denies_until_it_is_satisfied() -> None:
    gate = RuleRef(RuleAddress("p/two-keys"), "two-keys", Kind.GATE)
    assert decide(finding(GRANT, SATISFIED), finding(gate, REFUSED)).verdict is Verdict.DENY
    assert decide(finding(GRANT, SATISFIED), finding(gate, SATISFIED)).verdict is Verdict.ALLOW


@pytest.mark.parametrize("effect", ["redact", "label", "observe"])
@pytest.mark.parametrize("state", Judgement)
def test_transforms_and_marks_change_nothing(effect: str, state: Judgement) -> None:
    mark = finding(rule("it", effect), state)
    assert decide(finding(GRANT, SATISFIED), mark).verdict is Verdict.ALLOW
    assert decide(mark).verdict is Verdict.DENY


def test_the_wall_of_a_plugin_without_effects_denies() -> None:
    wall = RuleRef(RuleAddress("plugin:checker"), "deny", Kind.WALL)
    decision = decide(finding(GRANT, SATISFIED), finding(wall, REFUSED))
    assert decision.verdict is Verdict.DENY
    assert decision.rule == "plugin:checker"


# --- which rule is named


def test_the_strictest_is_named_before_the_most_severe() -> None:
    severe_ask = rule("a", "ask", severity=RuleSeverity.CRITICAL)
    mild_wall = rule("z", "deny", severity=RuleSeverity.LOW)
    decision = decide(finding(GRANT, SATISFIED), finding(severe_ask, REFUSED), finding(mild_wall, REFUSED))
    assert decision.rule == "p/z"
    assert [found.rule.address for found in decision.deciding] == ["p/z"]
    assert [found.rule.address for found in decision.against] == ["p/z", "p/a"]


def test_the_most_severe_is_named_before_the_lowest_address() -> None:
    names = {"a": RuleSeverity.LOW, "c": RuleSeverity.HIGH, "b": RuleSeverity.HIGH, "d": RuleSeverity.MEDIUM}
    walls = [finding(rule(name, "deny", severity=severity), REFUSED) for name, severity in names.items()]
    decision = decide(finding(GRANT, SATISFIED), *walls)
    assert [found.rule.address for found in decision.deciding] == ["p/b", "p/c", "p/d", "p/a"]


def test_plan_is_stricter_than_ask_and_both_stay_known() -> None:
    decision = decide(finding(GRANT, SATISFIED), finding(ASK, REFUSED), finding(PLAN, REFUSED))
    assert decision.verdict is Verdict.PLAN
    assert decision.rule == "p/plan"
    assert [found.rule.address for found in decision.against] == ["p/plan", "p/ask"]


def test_a_rule_is_named_before_the_default() -> None:
    lowest = rule("zz", "deny", severity=RuleSeverity.LOW)
    decision = decide(finding(lowest, REFUSED))
    assert [found.rule.address for found in decision.deciding] == ["p/zz", DEFAULT_RULE]


def test_all_grants_that_match_are_named() -> None:
    decision = decide(
        finding(rule("b", "allow"), SATISFIED), finding(rule("a", "allow"), SATISFIED), finding(GRANT, REFUSED)
    )
    assert [found.rule.address for found in decision.deciding] == ["p/a", "p/b"]


# --- the default


@pytest.mark.guarantee("combine-default")
def test_the_default_ask_asks_where_no_grant_matches() -> None:
    decision = decide(default=Default.ASK)
    assert decision.verdict is Verdict.ASK
    assert decision.rule == DEFAULT_RULE


def test_the_default_ask_leaves_a_granted_call_alone() -> None:
    assert decide(finding(GRANT, SATISFIED), default=Default.ASK).verdict is Verdict.ALLOW


def test_a_yes_to_the_default_replaces_the_missing_grant() -> None:
    decision = combine_call([], rewritten=False, default=Default.ASK, default_approved=True)
    assert decision.verdict is Verdict.ALLOW
    assert decision.rule == DEFAULT_RULE
    assert [found.state for found in decision.deciding] == [SATISFIED]


def test_a_yes_to_the_default_is_worth_nothing_where_the_default_is_to_deny() -> None:
    decision = combine_call([], rewritten=False, default=Default.DENY, default_approved=True)
    assert decision.verdict is Verdict.DENY


@pytest.mark.guarantee("combine-default")
@pytest.mark.parametrize("held", [WALL, LIMIT, PLAN, ASK])
def test_a_yes_to_the_default_satisfies_no_other_gate_and_no_wall(held: RuleRef) -> None:
    decision = combine_call([finding(held, REFUSED)], rewritten=False, default=Default.ASK, default_approved=True)
    assert decision.rule == held.address


@pytest.mark.guarantee("combine-default")
def test_a_yes_to_another_gate_does_not_replace_a_missing_grant() -> None:
    assert decide(finding(ASK, SATISFIED), default=Default.ASK).rule == DEFAULT_RULE


def test_a_default_that_is_none_denies() -> None:
    decision = combine_call([], rewritten=False, default="allow", default_approved=True)  # type: ignore[arg-type]  # on purpose
    assert decision.verdict is Verdict.DENY


def test_nothing_can_call_itself_the_default() -> None:
    forged = finding(RuleRef(DEFAULT_RULE, "allow", Kind.GRANT), SATISFIED)
    with pytest.raises(ValueError, match="core/default"):
        decide(forged)


# --- two views


@pytest.mark.guarantee("combine-two-views")
@pytest.mark.parametrize("granted", [ORIGINAL, EFFECTIVE])
def test_each_view_needs_a_grant(granted: View) -> None:
    decision = decide_rewritten(finding(GRANT, SATISFIED, granted))
    assert decision.verdict is Verdict.DENY
    assert [(found.rule.address, found.view) for found in decision.deciding] == [
        (DEFAULT_RULE, ORIGINAL if granted is EFFECTIVE else EFFECTIVE)
    ]


def test_two_grants_may_open_one_view_each() -> None:
    decision = decide_rewritten(
        finding(rule("a", "allow"), SATISFIED, ORIGINAL), finding(rule("b", "allow"), SATISFIED, EFFECTIVE)
    )
    assert decision.verdict is Verdict.ALLOW


def both_views_granted() -> list[Finding]:
    return [finding(GRANT, SATISFIED, view) for view in (ORIGINAL, EFFECTIVE)]


@pytest.mark.guarantee("combine-two-views")
@pytest.mark.parametrize("held", [WALL, ASK, PLAN], ids=["wall", "ask", "plan"])
@pytest.mark.parametrize("view", [ORIGINAL, EFFECTIVE])
@pytest.mark.parametrize("state", [REFUSED, UNJUDGED])
def test_a_wall_an_ask_or_a_plan_holds_in_either_view(held: RuleRef, view: View, state: Judgement) -> None:
    decision = decide_rewritten(*both_views_granted(), finding(held, state, view))
    assert decision.rule == held.address


@pytest.mark.parametrize("held", [SCAN, LIMIT], ids=["scan", "limit"])
@pytest.mark.parametrize("state", [REFUSED, UNJUDGED])
def test_a_scan_or_a_limit_judges_the_effective_view_alone(held: RuleRef, state: Judgement) -> None:
    assert decide_rewritten(*both_views_granted(), finding(held, state, ORIGINAL)).verdict is Verdict.ALLOW
    assert decide_rewritten(*both_views_granted(), finding(held, state, EFFECTIVE)).verdict is Verdict.DENY


def test_an_ask_has_to_be_satisfied_in_every_view_that_it_matches() -> None:
    decision = decide_rewritten(
        *both_views_granted(), finding(ASK, SATISFIED, EFFECTIVE), finding(ASK, REFUSED, ORIGINAL)
    )
    assert decision.verdict is Verdict.ASK


def test_a_yes_to_the_default_covers_both_views_of_the_one_call_that_was_shown() -> None:
    decision = combine_call(
        [finding(GRANT, SATISFIED, EFFECTIVE)], rewritten=True, default=Default.ASK, default_approved=True
    )
    assert decision.verdict is Verdict.ALLOW
    assert [found.rule.address for found in decision.deciding] == ["p/grant", DEFAULT_RULE]


def test_a_call_that_was_not_rewritten_has_no_original_view() -> None:
    with pytest.raises(ValueError, match="view"):
        decide(finding(GRANT, SATISFIED, ORIGINAL))


# --- exceptions


WAIVABLE = rule("cap", "deny", waivable=True)


@pytest.mark.guarantee("combine-exceptions")
def test_an_exception_lifts_a_waivable_rule_that_cleanly_matched() -> None:
    held = finding(WAIVABLE, REFUSED)
    decision = combine_call(
        [finding(GRANT, SATISFIED), held],
        rewritten=False,
        waivers=[waiver(WAIVABLE, exception=f"EX-{number}") for number in (7, 2, 9, 1, 8, 3)],
    )
    assert decision.verdict is Verdict.ALLOW
    assert [(waived.finding, waived.exceptions) for waived in decision.waived] == [
        (held, ("EX-1", "EX-2", "EX-3", "EX-7", "EX-8", "EX-9"))
    ]


def test_an_exception_grants_nothing() -> None:
    decision = combine_call([finding(WAIVABLE, REFUSED)], rewritten=False, waivers=[waiver(WAIVABLE)])
    assert decision.verdict is Verdict.DENY
    assert decision.rule == DEFAULT_RULE


@pytest.mark.guarantee("combine-exceptions")
def test_an_exception_never_lifts_an_unjudged_rule() -> None:
    decision = combine_call(
        [finding(GRANT, SATISFIED), finding(WAIVABLE, UNJUDGED)], rewritten=False, waivers=[waiver(WAIVABLE)]
    )
    assert decision.rule == WAIVABLE.address
    assert decision.waived == ()


def test_an_exception_does_not_lift_a_rule_that_is_also_unjudged() -> None:
    both = [finding(WAIVABLE, REFUSED), finding(WAIVABLE, UNJUDGED)]
    decision = combine_call([finding(GRANT, SATISFIED), *both], rewritten=False, waivers=[waiver(WAIVABLE)])
    assert decision.verdict is Verdict.DENY
    assert decision.against == (both[1],)


def test_an_exception_lifts_no_rule_that_is_not_waivable() -> None:
    decision = combine_call(
        [finding(GRANT, SATISFIED), finding(WALL, REFUSED)], rewritten=False, waivers=[waiver(WALL)]
    )
    assert decision.rule == WALL.address


def test_an_exception_lifts_no_rule_but_the_one_it_names() -> None:
    other = rule("other-cap", "deny", waivable=True)
    decision = combine_call(
        [finding(GRANT, SATISFIED), finding(WAIVABLE, REFUSED)], rewritten=False, waivers=[waiver(other)]
    )
    assert decision.rule == WAIVABLE.address


@pytest.mark.guarantee("combine-exceptions")
@pytest.mark.parametrize(("held", "lifted"), list(itertools.product([ORIGINAL, EFFECTIVE], repeat=2)))
def test_an_exception_lifts_only_in_the_view_where_both_match(held: View, lifted: View) -> None:
    decision = combine_call(
        [*both_views_granted(), finding(WAIVABLE, REFUSED, held)], rewritten=True, waivers=[waiver(WAIVABLE, lifted)]
    )
    assert (decision.verdict is Verdict.ALLOW) == (held is lifted)


def test_the_wall_of_a_plugin_cannot_be_lifted() -> None:
    wall = RuleRef(RuleAddress("plugin:checker"), "deny", Kind.WALL)
    decision = combine_call(
        [finding(GRANT, SATISFIED), finding(wall, REFUSED)], rewritten=False, waivers=[waiver(wall)]
    )
    assert decision.verdict is Verdict.DENY


def test_the_default_cannot_be_lifted() -> None:
    missing = decide().deciding[0].rule
    assert combine_call([], rewritten=False, waivers=[waiver(missing)]).verdict is Verdict.DENY


# --- shadow, duplicates, nonsense


@pytest.mark.parametrize(
    "change",
    [
        {"author": "somebody-else"},
        {"reason": "for another reason"},
        {"cause": Cause.TIMEOUT},
        {"state": REFUSED, "cause": None},
        {"state": SATISFIED, "cause": None},
        {"view": ORIGINAL},
    ],
    ids=str,
)
def test_findings_that_differ_anywhere_have_one_order(change: dict[str, Any]) -> None:
    one = finding(WALL, UNJUDGED)
    other = replace(one, **change)
    assert decide_rewritten(one, other) == decide_rewritten(other, one)
    assert len(decide_rewritten(one, other).findings) == 2


def test_the_findings_of_a_decision_are_the_enforced_ones_each_once() -> None:
    shadow = finding(rule("s", "deny", mode=Mode.SHADOW), REFUSED)
    decision = decide(finding(GRANT, SATISFIED), shadow, finding(ASK, SATISFIED), finding(GRANT, SATISFIED))
    assert decision.findings == (finding(ASK, SATISFIED), finding(GRANT, SATISFIED))


def test_two_different_rules_cannot_share_an_address() -> None:
    with pytest.raises(ValueError, match="p/wall"):
        decide(finding(WALL, SATISFIED), finding(rule("wall", "deny", severity=RuleSeverity.LOW), REFUSED))


def test_one_rule_may_be_built_twice() -> None:
    assert decide(finding(rule("a", "deny"), UNJUDGED), finding(rule("a", "deny"), REFUSED)).verdict is Verdict.DENY


def test_a_rule_of_another_stage_is_no_part_of_a_call() -> None:
    with pytest.raises(ValueError, match="p/it"):
        decide(finding(rule("it", "deny", stage=Stage.RESULT), REFUSED))


# --- results and prompts


@pytest.mark.parametrize("stage", [Stage.RESULT, Stage.PROMPT])
def test_content_needs_no_grant(stage: Stage) -> None:
    decision = combine_content([], stage=stage)
    assert decision.verdict is Verdict.ALLOW
    assert decision.rule is None


@pytest.mark.guarantee("combine-results")
@pytest.mark.parametrize(
    ("effect", "state", "withheld"),
    [
        ("deny", REFUSED, True),
        ("deny", UNJUDGED, True),
        ("scan", SATISFIED, False),
        ("scan", REFUSED, True),
        ("scan", UNJUDGED, True),
        ("redact", SATISFIED, False),
        ("redact", REFUSED, True),
        ("redact", UNJUDGED, True),
        ("truncate", SATISFIED, False),
        ("truncate", UNJUDGED, True),
        ("label", SATISFIED, False),
        ("label", UNJUDGED, False),
        ("observe", UNJUDGED, False),
    ],
)
def test_what_withholds_a_result(effect: str, state: Judgement, withheld: bool) -> None:
    decision = combine_content([finding(rule("it", effect, stage=Stage.RESULT), state)], stage=Stage.RESULT)
    assert decision.verdict is (Verdict.DENY if withheld else Verdict.ALLOW)
    assert decision.rule == ("p/it" if withheld else None)


@pytest.mark.guarantee("combine-results")
def test_an_unjudged_label_is_added_and_a_refused_one_is_not() -> None:
    states = {"a": SATISFIED, "b": REFUSED, "c": UNJUDGED}
    labels = [finding(rule(name, "label", stage=Stage.RESULT), state) for name, state in states.items()]
    decision = combine_content(labels, stage=Stage.RESULT)
    assert [mark.rule.address for mark in decision.marks] == ["p/a", "p/c"]


def test_a_withheld_result_still_leaves_its_labels() -> None:
    label = finding(rule("l", "label", stage=Stage.RESULT), SATISFIED)
    wall = finding(rule("w", "deny", stage=Stage.RESULT), REFUSED)
    decision = combine_content([label, wall], stage=Stage.RESULT)
    assert decision.verdict is Verdict.DENY
    assert decision.marks == (label,)


def test_an_exception_lifts_the_wall_of_a_result_but_no_unjudged_one() -> None:
    wall = CONTENT[0]
    lifted = combine_content([finding(wall, REFUSED)], stage=Stage.RESULT, waivers=[waiver(wall)])
    assert lifted.verdict is Verdict.ALLOW
    assert [waived.finding.rule for waived in lifted.waived] == [wall]
    held = combine_content([finding(wall, UNJUDGED)], stage=Stage.RESULT, waivers=[waiver(wall)])
    assert held.verdict is Verdict.DENY


def test_a_call_is_not_content() -> None:
    with pytest.raises(ValueError, match="combine_call"):
        combine_content([], stage=Stage.CALL)


def test_a_prompt_is_not_judged_by_a_rule_about_results() -> None:
    with pytest.raises(ValueError, match="prompt"):
        combine_content([finding(CONTENT[0], REFUSED)], stage=Stage.PROMPT)
