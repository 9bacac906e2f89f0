"""Combining compared with a slow and literal reading of the rules of precedence, over every state of a small model."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from oap_core.combine import combine_call
from oap_core.decision import Default, Finding, Judgement, RuleRef, RuleSeverity, Waiver
from oap_core.types import View
from tests.core.findings import EFFECTIVE, ORIGINAL, REFUSED, SATISFIED, UNJUDGED, finding, rule, waiver

STRICTNESS = ["allow", "ask", "plan", "deny"]
SEVERITY = ["low", "medium", "high", "critical"]

GRANT = rule("grant", "allow")
CAP = rule("cap", "deny", waivable=True, severity=RuleSeverity.LOW)
ASK = rule("ask", "ask", severity=RuleSeverity.HIGH)
LIMIT = rule("limit", "limit", severity=RuleSeverity.CRITICAL, waivable=True)
PLAN = rule("plan", "plan")

Answer = Judgement | None
Choice = tuple[RuleRef, tuple[Answer, ...]]

# Leaving an answer out says that the rule did not match at all. What two answers say alike is in the model once.
CALLS: tuple[Choice, ...] = (
    (GRANT, (None, SATISFIED, UNJUDGED)),
    (CAP, (None, REFUSED, UNJUDGED)),
    (ASK, (None, SATISFIED, REFUSED)),
    (LIMIT, (None, REFUSED, UNJUDGED)),
)
GATES: tuple[Choice, ...] = (
    (GRANT, (SATISFIED,)),
    (ASK, (None, SATISFIED, REFUSED, UNJUDGED)),
    (PLAN, (None, SATISFIED, REFUSED, UNJUDGED)),
    (LIMIT, (None, SATISFIED, REFUSED, UNJUDGED)),
)


def reference(
    findings: tuple[Finding, ...], *, rewritten: bool, default: str, approved: bool, waivers: tuple[Waiver, ...]
) -> tuple[str, str | None, set[tuple[str, View]]]:
    """Give the verdict, the name of the rule that the denial or the question carries, and what was waived."""
    complaints = []
    waived = set()
    for view in [ORIGINAL, EFFECTIVE] if rewritten else [EFFECTIVE]:
        here = [one for one in findings if one.view == view]
        key = [one for one in here if one.rule.effect == "allow" and one.state == SATISFIED]
        if not key and not (default == "ask" and approved):
            complaints.append((default, "", "core/default"))
        for one in here:
            effect = one.rule.effect
            if one.state == SATISFIED or effect not in ("deny", "ask", "plan", "limit"):
                continue
            if effect == "limit" and view == ORIGINAL:
                continue
            if one.state == REFUSED and one.rule.waivable:
                named = [one.rule.address == waiver.rule and waiver.view == view for waiver in waivers]
                if any(named):
                    waived.add((str(one.rule.address), view))
                    continue
            verdict = effect if effect in ("ask", "plan") else "deny"
            complaints.append((verdict, one.rule.severity.value, str(one.rule.address)))
    if not complaints:
        return "allow", None, waived
    strictest = max((verdict for verdict, _, _ in complaints), key=STRICTNESS.index)
    severities = ["", *SEVERITY]
    named_first = sorted(
        (-severities.index(severity), address) for verdict, severity, address in complaints if verdict == strictest
    )
    return strictest, named_first[0][1], waived


def states(choices: tuple[Choice, ...], views: tuple[View, ...]) -> Iterator[tuple[Finding, ...]]:
    """Walk through every combination of answers, each rule in each view for itself."""
    places = [(of, view, answers) for of, answers in choices for view in views]
    for given in itertools.product(*(answers for _, _, answers in places)):
        yield tuple(
            finding(of, answer, view) for (of, view, _), answer in zip(places, given, strict=True) if answer is not None
        )


def compare(choices: tuple[Choice, ...], waivers: tuple[Waiver, ...]) -> int:
    """Compare over all views, defaults and sets of exceptions; give the number of states that were compared."""
    compared = 0
    for rewritten in (False, True):
        views = (ORIGINAL, EFFECTIVE) if rewritten else (EFFECTIVE,)
        exceptions = [one for one in waivers if one.view in views]
        sets = [chosen for size in range(len(exceptions) + 1) for chosen in itertools.combinations(exceptions, size)]
        for findings in states(choices, views):
            for default, approved in ((Default.DENY, False), (Default.ASK, False), (Default.ASK, True)):
                for chosen in sets:
                    decision = combine_call(
                        findings, rewritten=rewritten, default=default, default_approved=approved, waivers=chosen
                    )
                    expected = reference(
                        findings, rewritten=rewritten, default=default.value, approved=approved, waivers=chosen
                    )
                    named = decision.rule if decision.against else None
                    waived = {(str(one.finding.rule.address), one.finding.view) for one in decision.waived}
                    assert (decision.verdict.value, named, waived) == expected
                    compared += 1
    return compared


def test_every_state_of_four_rules_with_an_exception_in_each_view() -> None:
    waivers = (waiver(CAP, ORIGINAL), waiver(CAP, EFFECTIVE))
    assert compare(CALLS, waivers) == 3 * (3**4 * 2 + 3**8 * 4)


def test_every_state_of_three_gates_with_an_exception_for_one() -> None:
    assert compare(GATES, (waiver(LIMIT, EFFECTIVE),)) == 3 * (4**3 * 2 + 4**6 * 2)


def test_the_model_has_every_verdict() -> None:
    seen = {combine_call(state, rewritten=True).verdict.value for state in states(GATES, (ORIGINAL, EFFECTIVE))}
    assert seen == set(STRICTNESS)
