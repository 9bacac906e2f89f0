"""Which tools a subject could ever call, before any call is made.

The rules are asked without arguments: what comes out all the same holds for every call, since an operator that can tell
its result from one side does not need the other. Everything else depends on the call.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from oap_core.cel.activation import Activation
from oap_core.cel.failure import MATCH, NO_MATCH
from oap_core.decision import Default
from oap_core.kinds import Kind
from oap_core.names import ToolId
from oap_core.policy.facts import Facts, SessionFacts
from oap_core.policy.rules import Rule, RuleException, active
from oap_core.policy.ruleset import RuleSet
from oap_core.policy.selection import Planned, ToolPlan
from oap_core.types import Reach, Stage, Subject, ToolCall, View

__all__ = ["Answer", "Reachable", "Speaking", "known_tools", "reachable"]


class Answer(Enum):
    """Whether a subject can call a tool."""

    NEVER = "never"
    """No call of it can run: nothing grants it, or a wall always stands in the way."""
    DEPENDS = "depends"
    """It depends on the call, or on a gate."""
    ALWAYS = "always"
    """Every call of it runs."""


@dataclass(frozen=True, slots=True)
class Speaking:
    """A rule that speaks about a tool."""

    rule: Rule
    """The rule."""
    always: bool
    """Whether it applies to every call of the tool; otherwise it depends on the call."""
    blind: str | None = None
    """Why it cannot be judged for the tool, whatever the call is."""


@dataclass(frozen=True, slots=True)
class Reachable:
    """What a subject can do with one tool."""

    tool: ToolId
    """The tool."""
    reach: Reach
    """Its declared consequence."""
    answer: Answer
    """Whether the subject can call it."""
    grants: tuple[Speaking, ...]
    """Grants that may open it."""
    walls: tuple[Speaking, ...]
    """Walls that may stop it."""
    gates: tuple[Speaking, ...]
    """Gates that may stand in front of it."""
    exceptions: tuple[RuleException, ...] = ()
    """Exceptions that may lift one of these walls or gates."""


def known_tools(rules: RuleSet) -> tuple[ToolId, ...]:
    """The tools that are known by name: from the catalog, from the host, and from rules that name them in full."""
    found = set(rules.listed)
    if rules.catalog is not None:
        found.update(rules.catalog.tools)
    else:
        for rule in rules.rules:
            for match in rule.matches:
                found.update(ToolId(glob) for glob in match.tools or () if glob.literal)
    return tuple(sorted(found))


def reachable(rules: RuleSet, subject: Subject, session: SessionFacts, now: datetime, tool: ToolId) -> Reachable:
    """What a subject can do with a tool, in a session as it is and at one moment."""
    facts = Facts(Stage.CALL, now, subject, session, ToolCall.of("reach", tool, {}))
    plan = rules.plan(facts)
    frozen = facts.activation(plan.view, View.EFFECTIVE)
    activation = _without_call(frozen) if frozen.failure is None else frozen
    spoken = [found for planned in plan.enforced if (found := _speaking(planned, activation, now)) is not None]
    grants = tuple(one for one in spoken if one.rule.ref.kind is Kind.GRANT and one.blind is None)
    walls = tuple(one for one in spoken if one.rule.ref.kind is Kind.WALL)
    gates = tuple(one for one in spoken if one.rule.ref.kind is Kind.GATE)
    # What cannot be represented is denied whatever the rules say.
    exceptions = tuple(_lifting(plan, (*walls, *gates), activation, now)) if frozen.failure is None else ()
    answer = _answer(rules, grants, walls, gates, exceptions) if frozen.failure is None else Answer.NEVER
    return Reachable(tool, _reach(plan), answer, grants, walls, gates, exceptions)


def _without_call(activation: Activation) -> Activation:
    """The same data without what only a call can tell, so that reading it is an error."""
    return Activation({name: value for name, value in activation.roots.items() if name in _KNOWN})


_KNOWN = frozenset({"now", "subject", "session", "tool"})


def _speaking(planned: Planned, activation: Activation, now: datetime) -> Speaking | None:
    rule = planned.rule
    if not active(rule, now):
        return None
    blind = planned.blind if activation.failure is None else activation.failure.meaning
    if blind is not None:
        return Speaking(rule, always=True, blind=blind)
    outcome = MATCH if rule.when is None else rule.when.decide(activation)
    return None if outcome is NO_MATCH else Speaking(rule, always=outcome is MATCH)


def _lifting(
    plan: ToolPlan, spoken: tuple[Speaking, ...], activation: Activation, now: datetime
) -> Iterator[RuleException]:
    """The exceptions that can lift a rule which can be judged."""
    addresses = {one.rule.address for one in spoken if one.blind is None}
    for exception in plan.exceptions:
        possible = exception.when is None or exception.when.decide(activation) is not NO_MATCH
        if possible and active(exception, now) and not addresses.isdisjoint(exception.waives):
            yield exception


def _reach(plan: ToolPlan) -> Reach:
    return Reach(plan.view["reach"])


def _answer(
    rules: RuleSet,
    grants: tuple[Speaking, ...],
    walls: tuple[Speaking, ...],
    gates: tuple[Speaking, ...],
    exceptions: tuple[RuleException, ...],
) -> Answer:
    waivable = {address for exception in exceptions for address in exception.waives}
    closed = [one for one in walls if one.always and (one.blind is not None or one.rule.address not in waivable)]
    if closed or (not grants and rules.default is not Default.ASK):
        return Answer.NEVER
    if not walls and not gates and any(one.always for one in grants):
        return Answer.ALWAYS
    return Answer.DEPENDS
