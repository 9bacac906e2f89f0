"""Why a call, a result or a prompt was decided as it was: each rule that speaks about it, and what it said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from oap_core.cel.activation import Activation
from oap_core.cel.trace import Clause, trace
from oap_core.decision import Finding, Judgement, RuleRef, Verdict
from oap_core.kinds import ASK, PLAN, Kind
from oap_core.names import CORE, RuleAddress
from oap_core.policy.judge import Judged, RuleOutcome
from oap_core.policy.rules import Rule, RuleException, active
from oap_core.policy.selection import Planned
from oap_core.types import View

__all__ = ["ExceptionLine", "Explanation", "Line", "explain"]


@dataclass(frozen=True, slots=True)
class Line:
    """What one rule said in one view."""

    rule: Rule
    """The rule."""
    view: View
    """The view."""
    matched: bool | None
    """Whether it matched; None where nobody can tell."""
    clauses: tuple[Clause, ...]
    """The clauses that made its condition come out so, with values of the call."""
    decides: bool = False
    """Whether it is one of those that made the verdict."""
    in_force: bool = True
    """Whether it was in force at that moment."""
    reason: str = ""
    """Why nobody can tell; also of a gate or a transform that matched and that nobody has carried out."""
    waived_by: tuple[str, ...] = ()
    """Exceptions that lift it."""

    @property
    def stands(self) -> str:
        """What that means for the call, in a few words."""
        kind = self.rule.ref.kind
        if not self.in_force:
            return "expired"
        if self.matched is None:
            if self.rule.shadow:
                return "would count as matching" if kind is not Kind.GRANT else "would not match"
            return "counts as no match" if kind is Kind.GRANT else "counts as matching"
        if self.matched and self.reason:
            return "counts as matching"
        return "matches" if self.matched else "does not match"


@dataclass(frozen=True, slots=True)
class ExceptionLine:
    """What one exception did in one view about those of its rules that would hold against the call."""

    exception: RuleException
    """The exception."""
    view: View
    """The view."""
    rules: tuple[RuleAddress, ...]
    """The rules that it names and that would hold: they matched, or could not be judged."""
    lifts: tuple[RuleAddress, ...]
    """Those of them that it lifts."""
    in_force: bool = True
    """Whether it was in force at that moment."""
    matched: bool | None = None
    """Whether its condition held; None where nobody can tell, and where it was not in force."""
    clauses: tuple[Clause, ...] = ()
    """The clauses that made its condition come out so, with values of the call."""

    @property
    def reason(self) -> str:
        """Why it lifts less than it names, in a few words; empty where it lifts all of `rules`."""
        if len(self.lifts) == len(self.rules):
            return ""
        if not self.in_force:
            return f"over since {self.exception.expires:%Y-%m-%d}"
        if self.matched is None:
            return "its condition cannot be evaluated"
        return "only a rule that was judged is lifted" if self.matched else "its condition is false"


@dataclass(frozen=True, slots=True)
class Explanation:
    """Everything that there is to say about one decision. It holds values of the call."""

    judged: Judged
    """What was decided."""
    named: RuleAddress | None
    """The rule that is named to the model; None where nothing decides against a result or a prompt."""
    unjudged: bool
    """Whether the named rule could not be judged, so that its own message would be wrong."""
    message: str | None
    """What the model is told where it does not go on as it is."""
    note: str | None
    """What the operator is told by the named rule."""
    lines: tuple[Line, ...]
    """Rules that decide, the ones that made the verdict first."""
    shadow: tuple[Line, ...]
    """Rules that only watch."""
    nearest: Line | None
    """Where nothing granted, the grant that came nearest."""
    exceptions: tuple[ExceptionLine, ...] = ()
    """Exceptions for rules that would hold, whether they lift them or not."""

    @property
    def verdict(self) -> Verdict:
        """What happens."""
        return self.judged.verdict


def explain(judged: Judged) -> Explanation:
    """Put together why a decision came out as it did. Evaluates conditions once more and asks the world nothing new."""
    decision = judged.decision
    deciding = {(finding.rule.address, finding.view) for finding in decision.deciding}
    lifted = {(one.finding.rule.address, one.finding.view): one.exceptions for one in decision.waived}
    lines = [_line(outcome, judged, deciding, lifted) for outcome in judged.outcomes]
    lines += _expired(judged.plan.enforced, judged)
    shadow = [_line(outcome, judged, set(), {}) for outcome in judged.shadow] + _expired(judged.plan.shadow, judged)
    first = decision.deciding[0] if decision.deciding else None
    rule = next((line.rule for line in lines if first is not None and line.rule.ref is first.rule), None)
    unjudged = first is not None and first.state is Judgement.UNJUDGED
    activation = judged.activation(first.view) if first is not None else judged.activation()
    note = None
    if rule is not None and rule.note is not None and not unjudged and activation.failure is None:
        note = rule.note.fill(activation)
    return Explanation(
        judged,
        decision.rule,
        unjudged,
        judged.message,
        note,
        tuple(sorted(lines, key=_order)),
        tuple(sorted(shadow, key=_order)),
        _nearest(lines) if first is not None and first.rule.address.policy == CORE else None,
        tuple(_exceptions(judged)),
    )


def _line(
    outcome: RuleOutcome,
    judged: Judged,
    deciding: set[tuple[RuleAddress, View]],
    lifted: dict[tuple[RuleAddress, View], tuple[str, ...]],
) -> Line:
    rule, view = outcome.rule, outcome.view
    clauses: tuple[Clause, ...] = ()
    if rule.when is not None and outcome.blind is None:
        clauses = trace(rule.when, judged.activation(view)).clauses
    key = (rule.address, view)
    reason = outcome.reason
    if outcome.matched:
        reason = next((one.reason for one in judged.decision.findings if _is_of(one, outcome)), "")
    return Line(
        rule,
        view,
        outcome.matched,
        clauses,
        decides=key in deciding,
        reason=reason,
        waived_by=lifted.get(key, ()),
    )


def _is_of(finding: Finding, outcome: RuleOutcome) -> bool:
    return finding.rule is outcome.rule.ref and finding.view is outcome.view


def _exceptions(judged: Judged) -> Iterator[ExceptionLine]:
    for view, activation in judged.activations:
        held = {one.rule.address for one in judged.decision.findings if one.holds is not None and one.view is view}
        for exception in judged.plan.exceptions:
            rules = tuple(address for address in exception.waives if address in held)
            if rules:
                yield _exception(exception, rules, judged, view, activation)


def _exception(
    exception: RuleException, rules: tuple[RuleAddress, ...], judged: Judged, view: View, activation: Activation
) -> ExceptionLine:
    if not active(exception, judged.facts.now):
        return ExceptionLine(exception, view, rules, (), in_force=False)
    lifted = {
        one.finding.rule.address
        for one in judged.decision.waived
        if exception.id in one.exceptions and one.finding.view is view
    }
    held: bool | None = activation.failure is None or None
    clauses: tuple[Clause, ...] = ()
    if exception.when is not None and held:
        held = exception.when.decide(activation).matched
        clauses = trace(exception.when, activation).clauses
    lifts = tuple(address for address in rules if address in lifted)
    return ExceptionLine(exception, view, rules, lifts, matched=held, clauses=clauses)


def _expired(planned: Iterable[Planned], judged: Judged) -> list[Line]:
    now: datetime = judged.facts.now
    return [Line(one.rule, View.EFFECTIVE, None, (), in_force=False) for one in planned if not active(one.rule, now)]


def _order(line: Line) -> tuple[bool, int, str, str]:
    strictness = _strictness(line.rule.ref)
    return (not line.decides, -strictness, line.rule.address, line.view.value)


def _strictness(rule: RuleRef) -> int:
    if rule.kind is Kind.WALL:
        return 5
    if rule.effect == PLAN:
        return 4
    if rule.effect == ASK:
        return 3
    return 2 if rule.kind is Kind.GATE else 1 if rule.kind is Kind.GRANT else 0


def _nearest(lines: Iterable[Line]) -> Line | None:
    """The grant that did not match for the fewest reasons; one that could not be judged comes before the others."""
    grants = [line for line in lines if line.rule.ref.kind is Kind.GRANT and line.in_force and line.matched is not True]
    return min(
        grants,
        key=lambda line: (line.matched is not None, len(line.clauses), line.rule.address),
        default=None,
    )
