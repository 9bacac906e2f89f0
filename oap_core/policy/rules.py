"""Rules and exceptions as they are in force: compiled, typed, and each with its place in a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime

from oap_core.cel.program import Program
from oap_core.cel.values import Value
from oap_core.decision import Cause, Finding, Judgement, Mode, RuleRef
from oap_core.kinds import Effect
from oap_core.names import RuleAddress
from oap_core.policy.globs import ToolGlob
from oap_core.policy.message import Message
from oap_core.policy.tree import Span
from oap_core.types import Reach, View

__all__ = ["Match", "Policy", "Rule", "RuleException", "active"]


def active(thing: Rule | RuleException, now: datetime) -> bool:
    """Whether something is in force at a moment: the one place where expiry is looked at."""
    return thing.expires is None or now < thing.expires


@dataclass(frozen=True, slots=True)
class Match:
    """A static selection of tools: every part that is given has to hold."""

    tools: tuple[ToolGlob, ...] | None = None
    """Patterns, of which one has to select the tool."""
    sources: frozenset[str] | None = None
    """Sources, of which one has to be the tool's."""
    tags: frozenset[str] | None = None
    """Tags, of which the tool has to have one."""
    annotations: Mapping[str, object] | None = None
    """Annotations that all have to have their value."""
    reach: frozenset[Reach] | None = None
    """Consequences, of which one has to be the tool's."""

    @property
    def reads_review(self) -> bool:
        """Whether it selects by what only a review can tell."""
        return self.tags is not None or self.annotations is not None


@dataclass(frozen=True, slots=True)
class Policy:
    """What all rules of one policy share."""

    name: str
    """Its name."""
    owner: str
    """Who answers for it."""
    file: str | None
    """The file that it stands in."""
    description: str = ""
    """What it is for."""
    review: date | None = None
    """The day by which somebody should look at it again."""
    constants: Mapping[str, object] = field(default_factory=dict)
    """Its constants, as the file has them."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """The sources of its variables."""
    match: Match | None = None
    """Which tools all its rules speak about."""
    values: Mapping[str, Value] = field(default_factory=dict, repr=False)
    """Its constants, frozen for conditions."""


@dataclass(frozen=True, eq=False)
class Rule:
    """One rule in force. Two rules are equal only where they are one."""

    ref: RuleRef
    """What combining needs to know of it."""
    effect: Effect = field(repr=False)
    """What it does."""
    policy: Policy = field(repr=False)
    """The policy that it belongs to."""
    span: Span
    """Where it stands in the file of its policy."""
    hash: str
    """Digest over the rule and everything of its policy that it can depend on."""
    settings: object | None = None
    """Its `with`, in the model of the effect."""
    matches: tuple[Match, ...] = field(default=(), repr=False)
    """Selections of tools that all have to hold: of the policy, of the rule."""
    when: Program | None = field(default=None, repr=False)
    """The condition; None always holds."""
    when_span: Span | None = None
    """Where the condition stands."""
    constraint: frozenset[str] | None = None
    """The only tool ids for which the condition can be anything but false; None for any."""
    message: Message | None = field(default=None, repr=False)
    """What the model is told."""
    note: Message | None = field(default=None, repr=False)
    """What the operator is told."""
    expires: datetime | None = None
    """When it ends."""
    _findings: dict[tuple[Judgement, View], Finding] = field(default_factory=dict, repr=False)

    @property
    def address(self) -> RuleAddress:
        """`policy/rule`."""
        return self.ref.address

    @property
    def shadow(self) -> bool:
        """Whether it only watches."""
        return self.ref.mode is Mode.SHADOW

    def finding(self, state: Judgement, view: View) -> Finding:
        """What is said about it where it was judged; one value for each state and view."""
        key = (state, view)
        found = self._findings.get(key)
        if found is None:
            found = self._findings[key] = Finding(self.effect.plugin, self.ref, state, view)
        return found

    def unjudged(self, view: View, reason: str) -> Finding:
        """What is said about it where nobody can tell."""
        return Finding(self.effect.plugin, self.ref, Judgement.UNJUDGED, view, Cause.ERROR, reason)


@dataclass(frozen=True, eq=False)
class RuleException:
    """One exception in force."""

    id: str
    """Its id, unique over all files."""
    waives: tuple[RuleAddress, ...]
    """The rules that it lifts."""
    expires: datetime
    """When it ends."""
    file: str | None
    """The file that it stands in."""
    span: Span
    """Where it stands."""
    reason: str
    """Why it was given."""
    approved_by: str
    """Who agreed."""
    owner: str
    """Who answers for it."""
    ticket: str | None = None
    """Where it was discussed."""
    match: Match | None = None
    """Which tools it speaks about."""
    when: Program | None = field(default=None, repr=False)
    """The condition; None always holds."""
    hash: str = ""
    """Digest over all of it."""
