"""A rule set: everything that decides, immutable, under one revision."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from threading import Lock
from types import MappingProxyType
from typing import Final

from oap_core.cel.functions import Registry
from oap_core.cel.library import FUNCTIONS
from oap_core.decision import Default
from oap_core.names import RuleAddress, ToolId
from oap_core.policy.blindness import Blindness
from oap_core.policy.catalog import Catalog, Standing, ToolDefinition
from oap_core.policy.facts import Facts
from oap_core.policy.globs import ToolGlob
from oap_core.policy.judge import Judge, Judged
from oap_core.policy.rules import Policy, Rule, RuleException
from oap_core.policy.scope import Vocabulary
from oap_core.policy.selection import Index, ToolPlan
from oap_core.types import Stage

__all__ = ["Reservation", "RuleSet"]

_MOST_JUDGES: Final = 4096
"""Tools whose judges are kept; beyond that they are made anew, so that names cannot fill the memory."""


@dataclass(frozen=True, slots=True)
class Reservation:
    """Tools that only named policies may grant."""

    tools: tuple[ToolGlob, ...]
    """The tools."""
    policies: frozenset[str]
    """The policies."""


@dataclass(frozen=True)
class RuleSet:
    """Policies, exceptions, catalog and the configuration that decides, compiled. Any number of threads may use one."""

    rules: tuple[Rule, ...] = field(repr=False)
    """Every rule, by address."""
    exceptions: tuple[RuleException, ...] = field(default=(), repr=False)
    """Every exception, by id."""
    policies: Mapping[str, Policy] = field(default_factory=lambda: MappingProxyType({}), repr=False)
    """The policies by name."""
    catalog: Catalog | None = field(default=None, repr=False)
    """The reviewed tools, or None where there is no catalog."""
    default: Default = Default.DENY
    """What holds for a call that no grant matches."""
    reservations: tuple[Reservation, ...] = ()
    """Which tools only some policies may grant."""
    observe_until: datetime | None = None
    """Until when the host only observes, or None where it enforces."""
    vocabulary: Vocabulary = field(default_factory=lambda: Vocabulary(FUNCTIONS), repr=False)
    """What conditions may speak about."""
    revision: str = ""
    """Hash over everything that decides."""
    listed: Mapping[ToolId, ToolDefinition | None] = field(default_factory=lambda: MappingProxyType({}), repr=False)
    """Tools that the host has, beside those of the catalog."""
    _judges: dict[tuple[object, ...], Judge] = field(default_factory=dict, repr=False, compare=False)
    _indexes: list[Index] = field(default_factory=list, repr=False, compare=False)
    _lock: Lock = field(default_factory=Lock, repr=False, compare=False)

    def seeing(self, tools: Iterable[ToolDefinition | ToolId]) -> RuleSet:
        """The same rules for a host that has these tools, so that it is known which names in rules mean nothing.

        Without a catalog the definitions are pinned by that: a tool that shows another one later matches no grant. An id
        alone stands for a tool of which nothing else is known.
        """
        listed = {
            tool.id if isinstance(tool, ToolDefinition) else tool: tool if isinstance(tool, ToolDefinition) else None
            for tool in tools
        }
        return replace(self, listed=MappingProxyType(listed), _judges={}, _indexes=[], _lock=Lock())

    @property
    def functions(self) -> Registry:
        """Every function that conditions may call."""
        return self.vocabulary.functions

    def rule(self, address: str) -> Rule | None:
        """The rule with this address, or None."""
        return self._by_address.get(address)

    @cached_property
    def _by_address(self) -> Mapping[str, Rule]:
        return {rule.address: rule for rule in self.rules}

    def decide(
        self,
        facts: Facts,
        *,
        approved: Iterable[RuleAddress] = (),
        default_approved: bool = False,
    ) -> Judged:
        """Judge one call, result or prompt. Never raises for what the data holds."""
        observing = self.observe_until is not None and facts.now < self.observe_until
        return self._judge(facts).judge(
            facts, observing=observing, approved=approved, default_approved=default_approved
        )

    def plan(self, facts: Facts) -> ToolPlan:
        """The rules that speak about it."""
        return self._judge(facts).plan

    def _judge(self, facts: Facts) -> Judge:
        if facts.call is None:
            key: tuple[object, ...] = (Stage.PROMPT,)
        else:
            # The hash of a definition, and not the object, so that an equal one from another listing is the same.
            seen = None if facts.tool is None else facts.tool.definition_hash
            # What the host says beside the definition counts where it is believed, and is in no hash.
            claims = (facts.tool.reach, facts.tool.tags) if facts.registered and facts.tool is not None else None
            key = (facts.stage, facts.call.tool, seen, claims)
        judge = self._judges.get(key)
        if judge is None:
            judge = Judge(facts.stage, self._plan(facts), self.default)
            if len(self._judges) >= _MOST_JUDGES:
                self._judges.clear()
            self._judges[key] = judge
        return judge

    def _plan(self, facts: Facts) -> ToolPlan:
        index = self._index()
        if facts.call is None:
            return index.prompts()
        tool = facts.call.tool
        standing = self.standing(tool, facts.tool, registered=facts.registered)
        # What the catalog has was checked when the rules were loaded.
        blindness = _checked if standing is Standing.CATALOGUED else self._blindness
        listed = self.listed.get(tool)
        return index.plan(facts.stage, tool, facts.tool, standing, self.catalog, blindness, listed)

    @cached_property
    def _blindness(self) -> Blindness:
        return Blindness(self.vocabulary, filter(None, self.listed.values()))

    def _index(self) -> Index:
        with self._lock:
            if not self._indexes:
                known = frozenset(self.listed).union(() if self.catalog is None else self.catalog.tools)
                reserved = tuple((glob, one.policies) for one in self.reservations for glob in one.tools)
                self._indexes.append(Index(self.rules, self.exceptions, known, reserved))
            return self._indexes[0]

    def standing(self, tool: ToolId, seen: ToolDefinition | None, *, registered: bool = False) -> Standing:
        """How far what is known of a tool can be relied on."""
        reviewed = None if self.catalog is None else self.catalog.tools.get(tool)
        if reviewed is not None:
            same = seen is None or seen.definition_hash == reviewed.definition_hash
            return Standing.CATALOGUED if same else Standing.DIFFERS
        if registered and seen is not None:
            return Standing.REGISTERED
        if self.catalog is not None:
            return Standing.ABSENT
        pinned = self.listed.get(tool)
        if seen is not None and pinned is not None and seen.definition_hash != pinned.definition_hash:
            return Standing.DIFFERS
        return Standing.UNKNOWN if seen is None else Standing.LISTED


def _checked(_thing: Rule | RuleException, _tool: ToolDefinition, _stage: Stage) -> None:
    """No rule is blind for a tool that it was loaded against."""
