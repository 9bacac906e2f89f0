"""Judging one call, result or prompt by the rules that speak about it: what each rule says, and what follows.

A rule has three outcomes: its condition holds, does not hold, or cannot be told, which counts against the call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, NamedTuple, TypeAlias

from oap_core.cel.activation import Activation, Prepared, prepare
from oap_core.cel.failure import MATCH, EvalError, Failure, Outcome
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

__all__ = ["UNREADABLE", "Judge", "Judged", "RuleOutcome"]

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
    waivers: tuple[Waiver, ...] = field(default=(), repr=False)
    """Exceptions that matched, with the rules that they lift: for combining anew with what plugins find."""
    observing: bool = False
    """Whether the host only observes: all but critical walls, scans and transforms is recorded and stops nothing."""

    @property
    def verdict(self) -> Verdict:
        """What happens: the verdict of the decision, unless the host only observes."""
        if not self.observing:
            return self.decision.verdict
        return Verdict.DENY if any(map(_enforced_while_observing, self.decision.against)) else Verdict.ALLOW

    def activation(self, view: View = View.EFFECTIVE) -> Activation:
        """The data of a view. Raises ValueError for the original one of a call that was not rewritten."""
        for seen, activation in self.activations:
            if seen is view:
                return activation
        raise ValueError(f"there is no {view.value} view")

    @property
    def message(self) -> str | None:
        """What the model is told: the message of the rule that is named, filled. It holds values of the call.

        None where the verdict is `allow`, where that rule could not be judged, so that its message may be wrong, and
        where it has none. A rule that an exception lifts is never named.
        """
        if self.verdict is Verdict.ALLOW:
            return None
        held = (one for one in self.decision.against if not self.observing or _enforced_while_observing(one))
        named = next(held)
        if named.state is Judgement.UNJUDGED:
            return None
        rule = next((one.rule for one in self.plan.enforced if one.rule.ref is named.rule), None)
        return None if rule is None or rule.message is None else rule.message.fill(self.activation(named.view))

    @property
    def matched(self) -> tuple[RuleOutcome, ...]:
        """The outcomes of rules that matched or could not be judged: what the plugins of their effects are told.

        A rule that an exception lifts matched all the same and is among them; `decision.waived` says which those are.
        """
        return tuple(outcome for outcome in self.outcomes if outcome.matched is not False)


def _enforced_while_observing(finding: Finding) -> bool:
    rule = finding.rule
    if rule.kind is Kind.WALL:
        return rule.severity is RuleSeverity.CRITICAL and rule.address.policy != CORE
    return rule.kind is Kind.TRANSFORM or (rule.kind is Kind.GATE and rule.effect == _SCAN)


_SCAN: Final = "scan"
_UNREADABLE: Final = {
    stage: RuleRef(UNREADABLE, "deny", Kind.WALL, stage=stage, severity=RuleSeverity.CRITICAL) for stage in Stage
}


_MOST_KEPT: Final = 64
"""Combinations of answers whose decision one judge keeps; beyond that they are combined anew."""
_ONE_VIEW: Final = (View.EFFECTIVE,)
_BOTH_VIEWS: Final = (View.ORIGINAL, View.EFFECTIVE)

_Answer: TypeAlias = bool | str | Failure | None
"""What one rule says: whether it matches, why it cannot be judged for the tool, or why its condition cannot be
evaluated. None says nothing: the rule has expired."""


_Question: TypeAlias = tuple[Rule | None, Callable[[Activation], Outcome] | None, bool | str]
"""The rule where it can expire, its condition, and what it says where there is none to evaluate."""


class _Answers(NamedTuple):
    """Everything that is said in one view, in the order of the plan. It holds no value of the call."""

    unreadable: Failure | None
    enforced: tuple[_Answer, ...]
    shadow: tuple[_Answer, ...]
    exceptions: tuple[bool, ...]


class _Said(NamedTuple):
    """What follows from the answers."""

    decision: Decision
    outcomes: tuple[RuleOutcome, ...]
    shadow: tuple[RuleOutcome, ...]
    waivers: tuple[Waiver, ...]


class Judge:
    """Judges what happens at one stage by one plan. Any number of threads may use one.

    The rules are asked each time. What follows is worked out once for equal answers, since combining is pure.
    """

    __slots__ = ("_default", "_enforced", "_kept", "_shadow", "_stage", "_tool", "plan")

    def __init__(self, stage: Stage, plan: ToolPlan, default: Default = Default.DENY) -> None:
        """Take the plan, and what holds for a call that no grant matches."""
        self.plan = plan
        """The rules that are asked."""
        self._stage = stage
        self._default = default
        self._tool = _prepared(plan)
        self._enforced = tuple(map(_question, plan.enforced))
        self._shadow = tuple(map(_question, plan.shadow))
        self._kept: dict[tuple[object, ...], _Said] = {}

    def judge(
        self,
        facts: Facts,
        *,
        observing: bool = False,
        approved: Iterable[RuleAddress] = (),
        default_approved: bool = False,
    ) -> Judged:
        """Ask every rule of the plan, in each view, and combine what they say.

        `approved` are the asking rules that a person has said yes to, and whose yes counts here. A gate or a transform
        that a plugin has to carry out is unjudged where it matches, since nobody has carried it out. Raises ValueError
        for facts of another stage.
        """
        if facts.stage is not self._stage:
            raise ValueError(f"these rules speak about a {self._stage.value}")
        views = _ONE_VIEW if facts.original is None else _BOTH_VIEWS
        activations = tuple([(view, facts.activation(self._tool, view)) for view in views])
        answers = [self._ask(activation, facts.now) for _, activation in activations]
        yes = frozenset(approved)
        key = (yes, default_approved, *answers)
        said = self._kept.get(key)
        if said is None:
            said = self._follow(views, answers, yes, default_approved=default_approved)
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            self._kept[key] = said
        return Judged(facts, self.plan, said.decision, said.outcomes, activations, said.shadow, said.waivers, observing)

    def _ask(self, activation: Activation, now: datetime) -> _Answers:
        unreadable = activation.failure
        enforced = _answers(self._enforced, activation, now)
        shadow = _answers(self._shadow, activation, now) if self._shadow else ()
        if unreadable is not None:
            # INVARIANT: what cannot be represented matches no grant, not even one without a condition.
            enforced = tuple([unreadable if one is True else one for one in enforced])
            shadow = tuple([unreadable if one is True else one for one in shadow])
        exceptions = self.plan.exceptions
        lifted = tuple([_lifts(one, activation, unreadable, now) for one in exceptions]) if exceptions else ()
        return _Answers(unreadable, enforced, shadow, lifted)

    def _follow(
        self, views: Iterable[View], answers: Iterable[_Answers], yes: frozenset[RuleAddress], *, default_approved: bool
    ) -> _Said:
        plan = self.plan
        findings: list[Finding] = []
        outcomes: list[RuleOutcome] = []
        shadow: list[RuleOutcome] = []
        waivers: list[Waiver] = []
        for view, said in zip(views, answers, strict=True):
            if said.unreadable is not None:
                findings.append(_unreadable(self._stage, view, said.unreadable))
            found = _outcomes(plan.enforced, said.enforced, view)
            outcomes += found
            findings += [_finding(one, yes) for one in found if one.matched is not False or one.rule.ref.kind.opens]
            shadow += _outcomes(plan.shadow, said.shadow, view)
            for exception, lifts in zip(plan.exceptions, said.exceptions, strict=True):
                if lifts:
                    waivers += [Waiver(exception.id, address, view) for address in exception.waives]
        if self._stage is Stage.CALL:
            rewritten = View.ORIGINAL in views
            decision = combine_call(
                findings, rewritten=rewritten, default=self._default, default_approved=default_approved, waivers=waivers
            )
        else:
            decision = combine_content(findings, stage=self._stage, waivers=waivers)
        return _Said(decision, tuple(outcomes), tuple(shadow), tuple(waivers))


def _prepared(plan: ToolPlan) -> dict[str, Any] | Prepared:
    try:
        return prepare(plan.view)
    except EvalError:
        # Each call finds out anew that its data cannot be represented, and why.
        return plan.view


def _question(planned: Planned) -> _Question:
    rule = planned.rule
    mortal = None if rule.expires is None else rule
    if planned.blind is not None or rule.when is None:
        return mortal, None, planned.blind or True
    return mortal, rule.when.decide, True


def _answers(questions: tuple[_Question, ...], activation: Activation, now: datetime) -> tuple[_Answer, ...]:
    answers: list[_Answer] = []
    for mortal, decide, fixed in questions:
        if mortal is not None and not active(mortal, now):
            answers.append(None)
        elif decide is None:
            answers.append(fixed)
        else:
            found = decide(activation)
            answers.append(found.failure if found.matched is None else found.matched)
    return tuple(answers)


def _lifts(exception: RuleException, activation: Activation, unreadable: Failure | None, now: datetime) -> bool:
    if unreadable is not None or not active(exception, now):
        return False
    return exception.when is None or exception.when.decide(activation) is MATCH


def _outcomes(rules: Iterable[Planned], answers: Iterable[_Answer], view: View) -> list[RuleOutcome]:
    found: list[RuleOutcome] = []
    for planned, answer in zip(rules, answers, strict=True):
        if isinstance(answer, bool):
            found.append(RuleOutcome(planned.rule, view, answer))
        elif isinstance(answer, Failure):
            found.append(RuleOutcome(planned.rule, view, None, answer))
        elif answer is not None:
            found.append(RuleOutcome(planned.rule, view, None, blind=answer))
    return found


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


def _unreadable(stage: Stage, view: View, failure: Failure) -> Finding:
    return Finding(CORE, _UNREADABLE[stage], Judgement.UNJUDGED, view, Cause.ERROR, failure.meaning)
