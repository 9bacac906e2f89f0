"""Rules and findings for the tests of combining: a fixed set of rules of every kind, and how they may be judged."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hypothesis import strategies as st

from oap_core.decision import Cause, Default, Finding, Judgement, Mode, RuleRef, RuleSeverity, Waiver
from oap_core.kinds import Kind
from oap_core.names import RuleAddress
from oap_core.types import Stage, View

SATISFIED, REFUSED, UNJUDGED = Judgement.SATISFIED, Judgement.REFUSED, Judgement.UNJUDGED
ORIGINAL, EFFECTIVE = View.ORIGINAL, View.EFFECTIVE

KINDS = {
    "allow": Kind.GRANT,
    "deny": Kind.WALL,
    "ask": Kind.GATE,
    "plan": Kind.GATE,
    "scan": Kind.GATE,
    "limit": Kind.GATE,
    "redact": Kind.TRANSFORM,
    "truncate": Kind.TRANSFORM,
    "label": Kind.OBSERVE,
    "observe": Kind.OBSERVE,
}
ONE_VIEW = frozenset({"scan", "limit"})


def rule(
    name: str,
    effect: str,
    *,
    stage: Stage = Stage.CALL,
    severity: RuleSeverity = RuleSeverity.MEDIUM,
    mode: Mode = Mode.ENFORCE,
    waivable: bool = False,
) -> RuleRef:
    """Build a rule of the policy `p`."""
    return RuleRef(
        RuleAddress(f"p/{name}"),
        effect,
        KINDS[effect],
        stage=stage,
        severity=severity,
        mode=mode,
        waivable=waivable,
        judges_original=effect not in ONE_VIEW,
    )


def finding(of: RuleRef, state: Judgement, view: View = EFFECTIVE) -> Finding:
    """Let somebody judge a rule."""
    return Finding("somebody", of, state, view, Cause.ERROR if state is UNJUDGED else None)


def judged(before: Finding, state: Judgement) -> Finding:
    """The same finding with another answer."""
    return replace(before, state=state, cause=Cause.ERROR if state is UNJUDGED else None)


def waiver(of: RuleRef, view: View = EFFECTIVE, exception: str = "EX-1") -> Waiver:
    """An exception that matched."""
    return Waiver(exception, of.address, view)


GRANTS = (rule("grant-a", "allow"), rule("grant-b", "allow", severity=RuleSeverity.HIGH))
OTHERS = (
    rule("wall", "deny"),
    rule("wall-critical", "deny", severity=RuleSeverity.CRITICAL),
    rule("wall-waivable", "deny", waivable=True),
    rule("ask", "ask"),
    rule("ask-waivable", "ask", waivable=True),
    rule("plan", "plan", severity=RuleSeverity.LOW),
    rule("scan", "scan"),
    rule("limit", "limit", waivable=True),
    rule("redact", "redact"),
    rule("label", "label"),
)
SHADOWS = (
    rule("shadow-grant", "allow", mode=Mode.SHADOW),
    rule("shadow-wall", "deny", mode=Mode.SHADOW),
    rule("shadow-ask", "ask", mode=Mode.SHADOW),
    rule("shadow-scan", "scan", mode=Mode.SHADOW),
)
CONTENT = tuple(
    rule(f"{effect}-{number}", effect, stage=Stage.RESULT, waivable=effect == "deny")
    for effect in ("deny", "scan", "redact", "truncate", "label", "observe")
    for number in (1, 2)
)
CONTENT_SHADOWS = tuple(
    rule(f"shadow-{effect}", effect, stage=Stage.RESULT, mode=Mode.SHADOW) for effect in ("deny", "redact", "label")
)


@dataclass(frozen=True)
class Case:
    """One frozen state of a call, as `combine_call` takes it."""

    findings: tuple[Finding, ...]
    rewritten: bool
    default: Default
    default_approved: bool
    waivers: tuple[Waiver, ...]

    def with_(self, *more: Finding) -> Case:
        """The same state with more findings."""
        return replace(self, findings=(*self.findings, *more))


def findings_of(rules: tuple[RuleRef, ...], views: tuple[View, ...]) -> st.SearchStrategy[Finding]:
    """Draw a finding about one of these rules."""
    return st.builds(finding, st.sampled_from(rules), st.sampled_from(Judgement), st.sampled_from(views))


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Draw a state; grants are likely, because most states without one are all denied alike."""
    rewritten = draw(st.booleans())
    views = (ORIGINAL, EFFECTIVE) if rewritten else (EFFECTIVE,)
    granted = [finding(GRANTS[0], SATISFIED, view) for view in views if draw(st.integers(0, 3))]
    more = draw(st.lists(findings_of(GRANTS + OTHERS, views), max_size=5))
    waivable = tuple(one for one in OTHERS if one.waivable or one.address == "p/wall")
    waivers = draw(
        st.lists(st.builds(waiver, st.sampled_from(waivable), st.sampled_from(views)), max_size=2).map(tuple),
    )
    return Case((*granted, *more), rewritten, draw(st.sampled_from(Default)), draw(st.booleans()), waivers)
