"""The rule set in force, and how another one takes its place: whole, or not at all.

A reload that fails keeps the last good set, and says since when what is in force is older than what is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from threading import Lock

from oap_core.clock import Clock
from oap_core.diagnostic import Diagnostic
from oap_core.errors import PolicyError
from oap_core.names import ToolId
from oap_core.policy.assemble import Assembled
from oap_core.policy.catalog import ToolDefinition
from oap_core.policy.codes import FileCode
from oap_core.policy.report import blame
from oap_core.policy.ruleset import RuleSet
from oap_core.policy.setup import NOWHERE

__all__ = ["InForce", "Reloaded", "RuleStore"]


@dataclass(frozen=True, slots=True)
class InForce:
    """What decides at one moment. A decision takes one of these and keeps to it."""

    rules: RuleSet
    """The rule set."""
    loaded: datetime
    """When it was loaded."""
    stale_since: datetime | None = None
    """When a reload first failed that none has mended since, or None where what is written is in force."""
    problems: tuple[Diagnostic, ...] = field(default=(), repr=False)
    """Why the last reload failed."""


@dataclass(frozen=True, slots=True)
class Reloaded:
    """What came of a reload."""

    changed: bool
    """Whether another revision is in force now."""
    in_force: InForce = field(repr=False)
    """What is in force now."""
    removed: tuple[str, ...] = ()
    """Policies that were in force and are written nowhere any more."""
    before: RuleSet | None = field(default=None, repr=False)
    """What was in force before, where that changed."""


class RuleStore:
    """Holds the rule set in force. Any number of threads may read it while one reloads."""

    def __init__(self, load: Callable[[], Assembled], clock: Clock) -> None:
        """Load for the first time. Raises PolicyError where that fails, since there is nothing to fall back on."""
        self._load = load
        self._clock = clock
        self._lock = Lock()
        found = self._loaded()
        if not isinstance(found, RuleSet):
            raise PolicyError(found)
        self._in_force = InForce(found, clock.now())
        self._before: RuleSet | None = None

    @property
    def current(self) -> InForce:
        """What is in force; read it once for each decision."""
        return self._in_force

    def reload(self, *, accept_removal: bool = False) -> Reloaded:
        """Load again and put the new set in force, or keep the last good one.

        A set in which a policy or the whole catalog has vanished is refused unless `accept_removal` is given, since a wall
        that is gone looks like nothing at all. Never raises for what the files hold.
        """
        with self._lock:
            old = self._in_force
            found = self._loaded()
            if not isinstance(found, RuleSet):
                return self._failed(found)
            removed = tuple(sorted(old.rules.policies.keys() - found.policies.keys()))
            vanished = _vanished(old.rules, found, removed)
            if vanished and not accept_removal:
                return self._failed(vanished, removed)
            changed = found.revision != old.rules.revision
            rules = found.seeing(_listing(old.rules)) if changed else old.rules
            self._in_force = InForce(rules, self._clock.now() if changed else old.loaded)
            if changed:
                self._before = old.rules
            return Reloaded(changed, self._in_force, removed, old.rules if changed else None)

    def see(self, tools: Iterable[ToolDefinition | ToolId]) -> InForce:
        """Tell of the tools that the host has; what is in force knows them from now on, also after a reload."""
        with self._lock:
            self._in_force = replace(self._in_force, rules=self._in_force.rules.seeing(tools))
            return self._in_force

    def roll_back(self) -> Reloaded:
        """Put the set in force that was in force before; it is stale from then on, since the files say otherwise.

        One step back and no further. Raises LookupError where there was none.
        """
        with self._lock:
            if self._before is None:
                raise LookupError("no other rule set was in force before")
            old, now = self._in_force, self._clock.now()
            message = "the rule set before was put back, and the files say otherwise"
            problems = (blame(FileCode.UNREADABLE, NOWHERE.span, message, file=None),)
            self._in_force = InForce(self._before.seeing(_listing(old.rules)), now, now, problems)
            self._before = None
            return Reloaded(changed=True, in_force=self._in_force, before=old.rules)

    def _loaded(self) -> RuleSet | tuple[Diagnostic, ...]:
        """What is written, or what is wrong with it."""
        try:
            found = self._load()
        except Exception as error:  # noqa: BLE001  # whatever reading does, what is in force stays
            message = f"the policies could not be loaded: {type(error).__name__}"
            return (blame(FileCode.UNREADABLE, NOWHERE.span, message, file=None),)
        return found.diagnostics if found.rules is None else found.rules

    def _failed(self, problems: tuple[Diagnostic, ...], removed: tuple[str, ...] = ()) -> Reloaded:
        old = self._in_force
        since = old.stale_since or self._clock.now()
        self._in_force = InForce(old.rules, old.loaded, since, problems)
        return Reloaded(changed=False, in_force=self._in_force, removed=removed)


def _listing(rules: RuleSet) -> Iterator[ToolDefinition | ToolId]:
    return (tool if definition is None else definition for tool, definition in rules.listed.items())


def _vanished(old: RuleSet, new: RuleSet, removed: tuple[str, ...]) -> tuple[Diagnostic, ...]:
    """What was in force and is written nowhere any more, as far as its absence could loosen anything."""
    messages = []
    if removed:
        messages.append(f"these policies have vanished: {', '.join(f'`{name}`' for name in removed)}")
    if old.catalog is not None and new.catalog is None:
        messages.append("the catalog has vanished, and without one every tool can be granted")
    help_ = "put back what is gone, or accept the removal"
    return tuple(blame(FileCode.MISSING_FILE, NOWHERE.span, message, help_, file=None) for message in messages)
