"""Judging one call, result or prompt by the rules that speak about it: what each rule says, and what follows.

A rule has three outcomes: its condition holds, does not hold, or cannot be told, which counts against the call.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from oap_core.cel.activation import Activation
from oap_core.cel.failure import MATCH, Failure, Outcome
from oap_core.combine import combine_call, combine_content
from oap_core.decision import (
    Cause,
    Decision,
    Default,
    Finding,
    Judgement,
    RuleRef,
    RuleSeverity,
    Verdict,
    Waiver,
)
from oap_core.kinds import ASK, PLAN, Kind
from oap_core.names import CORE, RuleAddress
from oap_core.policy.facts import Facts
from oap_core.policy.rules import Rule, RuleException, active
from oap_core.policy.selection import Planned, ToolPlan
from oap_core.types import Stage, View

__all__ = ["UNREADABLE", "Judged", "RuleOutcome", "judge"]

UNREADABLE: Final = RuleAddress("core/unreadable")
"""The wall that stands where the data of a call cannot be represented exactly."""


@dataclass(frozen=True, slots=True)
class RuleOutcome:
    """What one rule said in one view."""

    rule: Rule
    """The rule."""
    view: View
    """The view."""
    matched: bool | None
    """Whether it matched; None where nobody can tell."""
    failure: Failure | None = None
    """Why its condition could not be evaluated."""
    blind: str | None = None
    """Why it cannot be judged for this tool, whatever the call is."""

    @property
    def reason(self) -> str:
        """Why nobody can tell, in a sentence for the operator; empty where it was judged."""
        if self.blind is not None:
            return self.blind
        if self.failure is None:
            return ""
        place = f" at {self.failure.line}:{self.failure.column} of its condition" if self.failure.line else ""
        return f"{self.failure.meaning}{place}"


@dataclass(frozen=True, slots=True)
class Judged:
    """What the rules said about one call, result or prompt, and the decision that follows."""

    facts: Facts = field(repr=False)
    """What was judged."""
    plan: ToolPlan = field(repr=False)
    """The rules that speak about it."""
    decision: Decision
    """What follows from the rules that decide."""
    outcomes: tuple[RuleOutcome, ...] = field(repr=False)
    """What each rule that decides said, view by view; expired ones say nothing."""
    activations: tuple[tuple[View, Activation], ...] = field(repr=False)
    """The data of each view. It holds values of the call."""
    shadow: tuple[RuleOutcome, ...] = field(default=(), repr=False)
    """What each rule that only watches said."""
    observing: bool = False
    """Whether the host only observes: all but critical walls, scans and transforms is recorded and stops nothing."""

    @property
    def verdict(self) -> Verdict:
        """What happens: the verdict of the decision, unless the host only observes."""
        if not self.observing:
            return self.decision.verdict
        return Verdict.DENY if any(map(_enforced_while_observing, self.decision.against)) else Verdict.ALLOW

    def activation(self, view: View = View.EFFECTIVE) -> Activation:
        """The data of a view."""
        return next(activation for seen, activation in self.activations if seen is view)

    @property
    def matched(self) -> tuple[RuleOutcome, ...]:
        """The outcomes of rules that matched or could not be judged: what the plugins of their effects are told."""
        return tuple(outcome for outcome in self.outcomes if outcome.matched is not False)


def _enforced_while_observing(finding: Finding) -> bool:
    rule = finding.rule
    if rule.kind is Kind.WALL:
        return rule.severity is RuleSeverity.CRITICAL and rule.address.policy != CORE
    return rule.kind is Kind.TRANSFORM or (rule.kind is Kind.GATE and rule.effect == _SCAN)


_SCAN: Final = "scan"
_UNREADABLE: Final = RuleRef(UNREADABLE, "deny", Kind.WALL, severity=RuleSeverity.CRITICAL)
_UNREADABLE_CONTENT: Final = {
    stage: RuleRef(UNREADABLE, "deny", Kind.WALL, stage=stage, severity=RuleSeverity.CRITICAL) for stage in Stage
}


def judge(
    facts: Facts,
    plan: ToolPlan,
    *,
    default: Default = Default.DENY,
    observing: bool = False,
    approved: Iterable[RuleAddress] = (),
    default_approved: bool = False,
) -> Judged:
    """Ask every rule of the plan, in each view, and combine what they say.

    `approved` are the asking rules that a person has said yes to, and whose yes counts here. A gate or a transform that a
    plugin has to carry out is unjudged where it matches, since nobody has carried it out.
    """
    views = (View.EFFECTIVE,) if facts.original is None else (View.ORIGINAL, View.EFFECTIVE)
    findings: list[Finding] = []
    outcomes: list[RuleOutcome] = []
    shadow: list[RuleOutcome] = []
    waivers: list[Waiver] = []
    activations: list[tuple[View, Activation]] = []
    yes = frozenset(approved)
    for view in views:
        activation = facts.activation(plan.view, view)
        activations.append((view, activation))
        if activation.failure is not None:
            findings.append(_unreadable(facts.stage, view, activation.failure))
        for planned in plan.enforced:
            outcome = _outcome(planned, activation, view, facts)
            if outcome is not None:
                outcomes.append(outcome)
                if outcome.matched is not False or outcome.rule.ref.kind is Kind.GRANT:
                    findings.append(_finding(outcome, yes))
        for planned in plan.shadow:
            outcome = _outcome(planned, activation, view, facts)
            if outcome is not None:
                shadow.append(outcome)
        for exception in plan.exceptions:
            waivers += _waivers(exception, activation, view, facts)
    if facts.stage is Stage.CALL:
        decision = combine_call(
            findings,
            rewritten=facts.original is not None,
            default=default,
            default_approved=default_approved,
            waivers=waivers,
        )
    else:
        decision = combine_content(findings, stage=facts.stage, waivers=waivers)
    return Judged(facts, plan, decision, tuple(outcomes), tuple(activations), tuple(shadow), observing)


def _outcome(planned: Planned, activation: Activation, view: View, facts: Facts) -> RuleOutcome | None:
    rule = planned.rule
    if rule.expires is not None and not active(rule, facts.now):
        return None
    if planned.blind is not None:
        return RuleOutcome(rule, view, None, blind=planned.blind)
    found: Outcome
    if activation.failure is not None:
        # INVARIANT: what cannot be represented matches no grant, not even one without a condition.
        found = Outcome(None, activation.failure)
    else:
        found = MATCH if rule.when is None else rule.when.decide(activation)
    return RuleOutcome(rule, view, found.matched, found.failure)


def _finding(outcome: RuleOutcome, approved: frozenset[RuleAddress]) -> Finding:
    rule, view = outcome.rule, outcome.view
    kind = rule.ref.kind
    if outcome.matched is None:
        return rule.unjudged(view, outcome.reason)
    if kind is Kind.GRANT:
        return rule.finding(Judgement.SATISFIED if outcome.matched else Judgement.REFUSED, view)
    if kind is Kind.WALL:
        return rule.finding(Judgement.REFUSED, view)
    if kind is Kind.OBSERVE:
        return rule.finding(Judgement.SATISFIED, view)
    if rule.ref.effect in (ASK, PLAN):
        return rule.finding(Judgement.SATISFIED if rule.address in approved else Judgement.REFUSED, view)
    return rule.unjudged(view, f"`{rule.ref.effect}` is for a plugin to carry out, and none was asked")


def _waivers(exception: RuleException, activation: Activation, view: View, facts: Facts) -> Iterable[Waiver]:
    if not active(exception, facts.now) or activation.failure is not None:
        return ()
    if exception.when is not None and exception.when.decide(activation) is not MATCH:
        return ()
    return [Waiver(exception.id, address, view) for address in exception.waives]


def _unreadable(stage: Stage, view: View, failure: Failure) -> Finding:
    rule = _UNREADABLE if stage is Stage.CALL else _UNREADABLE_CONTENT[stage]
    return Finding(CORE, rule, Judgement.UNJUDGED, view, Cause.ERROR, failure.meaning)
