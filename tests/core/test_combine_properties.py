"""The properties that precedence promises, for any frozen state, and a proof that each of them can fail.

Every property takes the function under test as an argument. It runs against the real one, and against wrong ones that
it has to catch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from oap_core.combine import combine_call, combine_content
from oap_core.decision import Decision, Finding, Judgement, Mode, Verdict, Waiver
from oap_core.kinds import Kind
from oap_core.types import Stage, View
from tests.core.findings import (
    CONTENT,
    CONTENT_SHADOWS,
    EFFECTIVE,
    GRANTS,
    ORIGINAL,
    OTHERS,
    REFUSED,
    SATISFIED,
    SHADOWS,
    UNJUDGED,
    Case,
    cases,
    finding,
    findings_of,
    judged,
    rule,
    waiver,
)

Combine = Callable[[Case], Decision]
Property = Callable[[Combine, st.DataObject], None]


def real(case: Case) -> Decision:
    return combine_call(
        case.findings,
        rewritten=case.rewritten,
        default=case.default,
        default_approved=case.default_approved,
        waivers=case.waivers,
    )


def views_of(case: Case) -> tuple[View, ...]:
    return (ORIGINAL, EFFECTIVE) if case.rewritten else (EFFECTIVE,)


# --- the properties


def order_does_not_matter(combine: Combine, data: st.DataObject) -> None:
    case = data.draw(cases())
    shuffled = replace(
        case,
        findings=tuple(data.draw(st.permutations(case.findings))),
        waivers=tuple(data.draw(st.permutations(case.waivers))),
    )
    assert combine(case) == combine(shuffled)


def a_non_grant_never_loosens(combine: Combine, data: st.DataObject) -> None:
    case = data.draw(cases())
    more = data.draw(findings_of(OTHERS, views_of(case)))
    assert combine(case.with_(more)).verdict >= combine(case).verdict


def a_grant_never_tightens(combine: Combine, data: st.DataObject) -> None:
    case = data.draw(cases())
    more = data.draw(findings_of(GRANTS, views_of(case)))
    assert combine(case.with_(more)).verdict <= combine(case).verdict


def shadow_changes_nothing(combine: Combine, data: st.DataObject) -> None:
    case = data.draw(cases())
    more = data.draw(st.lists(findings_of(SHADOWS, (ORIGINAL, EFFECTIVE)), min_size=1, max_size=3))
    assert combine(case.with_(*more)) == combine(case)


def an_error_is_never_looser_than_yes_or_no(combine: Combine, data: st.DataObject) -> None:
    case = data.draw(cases())
    one = data.draw(findings_of(GRANTS + OTHERS, views_of(case)))
    certain = [case, *(case.with_(judged(one, state)) for state in (SATISFIED, REFUSED))]
    unknown = combine(case.with_(judged(one, UNJUDGED))).verdict
    assert unknown >= max(combine(known).verdict for known in certain)


def exceptions_reach_clean_matches_alone(combine: Combine, data: st.DataObject) -> None:
    case = data.draw(cases())
    case = replace(case, findings=tuple(one for one in case.findings if one.state is not REFUSED))
    assert combine(case) == combine(replace(case, waivers=()))


def an_exception_is_worth_no_more_than_the_absence_of_what_it_lifts(combine: Combine, data: st.DataObject) -> None:
    case = data.draw(cases())
    without = combine(replace(case, waivers=())).verdict
    lifted = {(waiver.rule, waiver.view) for waiver in case.waivers}
    absent = tuple(one for one in case.findings if (one.rule.address, one.view) not in lifted or not one.rule.waivable)
    assert combine(replace(case, findings=absent, waivers=())).verdict <= combine(case).verdict <= without


# --- wrong combinations, each caught by the property beside it


def with_findings(change: Callable[[Iterable[Finding]], Iterable[Finding]]) -> Combine:
    return lambda case: real(replace(case, findings=tuple(change(case.findings))))


def as_grant(one: Finding) -> Finding:
    return finding(GRANTS[0], SATISFIED, one.view)


def the_last_grant_or_wall_wins(findings: Iterable[Finding]) -> Iterable[Finding]:
    last: dict[View, Finding] = {}
    for one in findings:
        if one.rule.kind in (Kind.GRANT, Kind.WALL):
            last[one.view] = one
        else:
            yield one
    yield from last.values()


def names_the_first_grant_that_came(case: Case) -> Decision:
    decision = real(case)
    if decision.verdict is not Verdict.ALLOW:
        return decision
    order = {one: place for place, one in reversed(list(enumerate(case.findings)))}
    return replace(decision, deciding=tuple(sorted(decision.deciding, key=lambda one: order.get(one, 99))))


def an_open_gate_grants(findings: Iterable[Finding]) -> Iterable[Finding]:
    for one in findings:
        yield one
        if one.rule.kind is Kind.GATE and one.state is SATISFIED:
            yield as_grant(one)


def a_yes_lifts_walls(findings: Iterable[Finding]) -> Iterable[Finding]:
    kept = list(findings)
    yes = any(one.rule.effect == "ask" and one.state is SATISFIED for one in kept)
    return [one for one in kept if not (yes and one.rule.kind is Kind.WALL)]


def two_grants_conflict(findings: Iterable[Finding]) -> Iterable[Finding]:
    kept = list(findings)
    grants = {one.rule for one in kept if one.rule.kind is Kind.GRANT}
    return [*kept, finding(rule("conflict", "deny"), REFUSED)] if len(grants) > 1 else kept


def an_unjudged_grant_denies(findings: Iterable[Finding]) -> Iterable[Finding]:
    for one in findings:
        yield one
        if one.rule.kind is Kind.GRANT and one.state is UNJUDGED:
            yield finding(rule("failed", "deny"), REFUSED)


def shadow_enforces(findings: Iterable[Finding]) -> Iterable[Finding]:
    return [
        replace(one, rule=replace(one.rule, mode=Mode.ENFORCE), view=EFFECTIVE) if one.rule in SHADOWS else one
        for one in findings
    ]


def an_unjudged(effect: str, becomes: Judgement | None) -> Callable[[Iterable[Finding]], Iterable[Finding]]:
    def change(findings: Iterable[Finding]) -> Iterable[Finding]:
        for one in findings:
            if one.rule.effect != effect or one.state is not UNJUDGED:
                yield one
            elif becomes is not None:
                yield judged(one, becomes)

    return change


def lifts_the_unjudged(case: Case) -> Decision:
    return real(
        replace(
            case,
            findings=tuple(
                judged(one, REFUSED) if one.state is UNJUDGED and one.rule.waivable else one for one in case.findings
            ),
        )
    )


def lifts_in_both_views(case: Case) -> Decision:
    more = (replace(waiver, view=view) for waiver in case.waivers for view in (ORIGINAL, EFFECTIVE))
    return real(replace(case, waivers=tuple(more)))


def an_exception_grants(case: Case) -> Decision:
    grants = (finding(GRANTS[0], SATISFIED, view) for view in views_of(case) if case.waivers)
    return real(case.with_(*grants))


PROPERTIES: list[Property] = [
    order_does_not_matter,
    a_non_grant_never_loosens,
    a_grant_never_tightens,
    shadow_changes_nothing,
    an_error_is_never_looser_than_yes_or_no,
    exceptions_reach_clean_matches_alone,
    an_exception_is_worth_no_more_than_the_absence_of_what_it_lifts,
]

WRONG: list[tuple[Property, Combine]] = [
    (order_does_not_matter, with_findings(the_last_grant_or_wall_wins)),
    (order_does_not_matter, names_the_first_grant_that_came),
    (a_non_grant_never_loosens, with_findings(an_open_gate_grants)),
    (a_non_grant_never_loosens, with_findings(a_yes_lifts_walls)),
    (a_grant_never_tightens, with_findings(two_grants_conflict)),
    (a_grant_never_tightens, with_findings(an_unjudged_grant_denies)),
    (shadow_changes_nothing, with_findings(shadow_enforces)),
    (an_error_is_never_looser_than_yes_or_no, with_findings(an_unjudged("allow", SATISFIED))),
    (an_error_is_never_looser_than_yes_or_no, with_findings(an_unjudged("deny", None))),
    (an_error_is_never_looser_than_yes_or_no, with_findings(an_unjudged("ask", SATISFIED))),
    (an_error_is_never_looser_than_yes_or_no, with_findings(an_unjudged("plan", None))),
    (an_error_is_never_looser_than_yes_or_no, with_findings(an_unjudged("limit", None))),
    (exceptions_reach_clean_matches_alone, lifts_the_unjudged),
    (exceptions_reach_clean_matches_alone, an_exception_grants),
    (an_exception_is_worth_no_more_than_the_absence_of_what_it_lifts, lifts_in_both_views),
    (an_exception_is_worth_no_more_than_the_absence_of_what_it_lifts, an_exception_grants),
]


def check(holds: Property, combine: Combine, *, examples: int) -> None:
    """Look for a state in which a property does not hold; the same states each time, and none kept for later."""

    @settings(max_examples=examples, derandomize=True, database=None, phases=[Phase.generate])
    @given(st.data())
    def every_state(data: st.DataObject) -> None:
        holds(combine, data)

    every_state()


@pytest.mark.guarantee("combine-properties")
@pytest.mark.parametrize("holds", PROPERTIES, ids=lambda holds: holds.__name__)
def test_every_state_of_a_call_has_the_property(holds: Property) -> None:
    check(holds, real, examples=200)


@pytest.mark.guarantee("combine-properties")
@pytest.mark.parametrize(("holds", "wrong"), WRONG, ids=lambda one: getattr(one, "__name__", ""))
def test_a_wrong_combination_is_caught(holds: Property, wrong: Combine) -> None:
    with pytest.raises(AssertionError):
        check(holds, wrong, examples=2_000)


def test_every_property_catches_something() -> None:
    assert {holds for holds, _ in WRONG} == set(PROPERTIES)


# --- the same for results and prompts

CONTENT_FINDINGS = st.lists(findings_of(CONTENT, (EFFECTIVE,)), max_size=5).map(tuple)
CONTENT_WAIVERS = st.lists(st.sampled_from(CONTENT).map(waiver), max_size=1).map(tuple)


def of_content(findings: Iterable[Finding], waivers: Iterable[Waiver]) -> Decision:
    return combine_content(findings, stage=Stage.RESULT, waivers=waivers)


@given(CONTENT_FINDINGS, CONTENT_WAIVERS, st.randoms(use_true_random=False))
def test_the_order_of_findings_about_a_result_does_not_matter(
    findings: tuple[Finding, ...], waivers: tuple[Waiver, ...], random: Random
) -> None:
    shuffled = random.sample(findings, len(findings))
    assert of_content(shuffled, waivers) == of_content(findings, waivers)


@given(CONTENT_FINDINGS, CONTENT_WAIVERS, findings_of(CONTENT, (EFFECTIVE,)))
def test_one_more_finding_never_lets_a_withheld_result_through(
    findings: tuple[Finding, ...], waivers: tuple[Waiver, ...], more: Finding
) -> None:
    assert of_content((*findings, more), waivers).verdict >= of_content(findings, waivers).verdict


@given(CONTENT_FINDINGS, CONTENT_WAIVERS, findings_of(CONTENT_SHADOWS, (EFFECTIVE,)))
def test_a_shadow_rule_changes_nothing_about_a_result(
    findings: tuple[Finding, ...], waivers: tuple[Waiver, ...], more: Finding
) -> None:
    assert of_content((*findings, more), waivers) == of_content(findings, waivers)


@given(CONTENT_FINDINGS, CONTENT_WAIVERS, findings_of(CONTENT, (EFFECTIVE,)))
def test_an_error_about_a_result_is_never_looser_than_yes_or_no(
    findings: tuple[Finding, ...], waivers: tuple[Waiver, ...], one: Finding
) -> None:
    certain = [of_content((*findings, judged(one, state)), waivers) for state in (SATISFIED, REFUSED)]
    unknown = of_content((*findings, judged(one, UNJUDGED)), waivers)
    assert unknown.verdict >= max(decision.verdict for decision in certain)
    assert {mark.rule for decision in certain for mark in decision.marks} <= {mark.rule for mark in unknown.marks}
