"""A naive reading of how rules become a decision: every rule is asked about every call, and nothing is remembered.

One key, no wall, every gate open. It shares no code with the engine: not its patterns, not its conditions, not its
combining.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from tests.core.policy.meanings import Condition, Seen
from tests.core.policy.worlds import Call, Entry, Selection, Tool, World

__all__ = ["Expected", "expected"]

STRICTNESS: Final = ("allow", "ask", "plan", "deny")
SEVERITY: Final = ("default", "low", "medium", "high", "critical")
DEFAULT: Final = "core/default"
UNREADABLE: Final = "core/unreadable"


@dataclass(frozen=True)
class Expected:
    """What has to come out."""

    verdict: str
    named: str | None
    deciding: frozenset[tuple[str, str]]
    """Rules with the view in which each decided."""
    against: frozenset[tuple[str, str]]
    waived: frozenset[tuple[str, str, tuple[str, ...]]]
    shadow: frozenset[tuple[str, str, bool | None]]
    """Rules that only watch, with the view and what each said."""


def part_fits(pattern: str, text: str) -> bool:
    if not pattern:
        return not text
    if pattern[0] == "*":
        return any(part_fits(pattern[1:], text[cut:]) for cut in range(len(text) + 1))
    return bool(text) and pattern[0] == text[0] and part_fits(pattern[1:], text[1:])


def fits(pattern: str, tool: str) -> bool:
    (a, b), (c, d) = pattern.split("/"), tool.split("/")
    return part_fits(a, c) and part_fits(b, d)


def same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(one == other)


def selects(selection: Selection, tool: str, reviewed: Tool | None) -> bool | None:
    """Whether it holds; None where only a review could tell."""
    if selection.tools is not None and not any(fits(glob, tool) for glob in selection.tools):
        return False
    if selection.sources is not None and tool.partition("/")[0] not in selection.sources:
        return False
    if selection.reach is not None and (reviewed.reach if reviewed else "unknown") not in selection.reach:
        return False
    if reviewed is None:
        return True if selection.tags is None and selection.annotations is None else None
    if selection.tags is not None and not set(selection.tags) & reviewed.tags:
        return False
    wanted = selection.annotations or ()
    return all(name in reviewed.annotations and same(reviewed.annotations[name], value) for name, value in wanted)


@dataclass(frozen=True)
class Known:
    """What is known of the tool of a call."""

    reviewed: Tool | None
    grantable: bool


def known(call: Call, world: World) -> Known:
    """A tool of the catalog as it is there; one that the host registered; or one of which nothing is known."""
    if world.catalog is not None and call.tool in world.catalog:
        return Known(world.catalog[call.tool], call.seen in ("name", "same"))
    if call.seen == "registered":
        return Known(call.own, grantable=True)
    return Known(None, grantable=world.catalog is None)


def readable(value: Any) -> bool:
    if isinstance(value, dict):
        return all(map(readable, value)) and all(map(readable, value.values()))
    if isinstance(value, list):
        return all(map(readable, value))
    if isinstance(value, str):
        return not any("\ud800" <= char <= "\udfff" for char in value)
    return not isinstance(value, int) or -(2**63) <= value < 2**63


def says(
    selections: tuple[Selection, ...],
    when: Condition | None,
    call: Call,
    tool: Known,
    seen: Seen,
    *,
    opens: bool = False,
) -> bool | None:
    """Whether something matches; None where nobody can tell."""
    chosen = [selects(one, call.tool, tool.reviewed) for one in selections]
    if False in chosen:
        return False
    if when is not None and when.tools is not None and call.tool not in when.tools:
        # What a condition says of the id of the tool is part of the selection.
        return False
    if None in chosen or (opens and not tool.grantable):
        return None
    if not readable(seen.args):
        return None
    return True if when is None else when(seen)


def views(call: Call, tool: Known) -> list[tuple[str, Seen]]:
    forms = [("effective", call.args)] + ([] if call.original is None else [("original", call.original)])
    reach, tags = (tool.reviewed.reach, tool.reviewed.tags) if tool.reviewed else ("unknown", None)
    return [(view, Seen(args, call.roles, "s1", call.now, call.tool, reach, tags, call.text)) for view, args in forms]


def in_force(thing: Any, call: Call) -> bool:
    return thing.expires is None or call.now < thing.expires


@dataclass(frozen=True)
class Held:
    """Something that stands against a call."""

    rule: str
    view: str
    verdict: str
    severity: str
    clean: bool
    waivable: bool


def held(rule: Entry, answer: bool | None, view: str, call: Call) -> Held | None:
    """What a rule that is no grant has against a call."""
    stopping = {"deny": "deny", "scan": "deny", "limit": "deny", "ask": "ask", "plan": "plan"}
    if call.stage == "result":
        stopping["redact"] = "deny"
    if answer is False or rule.effect not in stopping:
        return None
    if view == "original" and rule.effect in ("scan", "limit"):
        return None
    # What a plugin has to carry out was not carried out here.
    clean = answer is True and rule.effect in ("deny", "ask", "plan")
    if clean and rule.effect in ("ask", "plan") and rule.address in call.approved:
        return None
    return Held(rule.address, view, stopping[rule.effect], rule.severity, clean, rule.waivable)


def lifted(one: Held, call: Call, world: World, tool: Known, seen: Seen) -> tuple[str, ...]:
    """The exceptions that lift what stands against a call."""
    if not one.clean or not one.waivable:
        return ()
    return tuple(
        sorted(
            lift.id
            for lift in world.lifts
            if one.rule in lift.waives
            and in_force(lift, call)
            and says(() if lift.selection is None else (lift.selection,), lift.when, call, tool, seen) is True
        )
    )


def expected(call: Call, world: World) -> Expected:
    """Decide a call."""
    tool = known(call, world)
    keys: set[tuple[str, str]] = set()
    against: list[Held] = []
    waived: set[tuple[str, str, tuple[str, ...]]] = set()
    shadow: set[tuple[str, str, bool | None]] = set()
    for view, seen in views(call, tool):
        opened = False
        if not readable(seen.args):
            against.append(Held(UNREADABLE, view, "deny", "critical", clean=False, waivable=False))
        for rule in world.entries:
            if rule.stage != call.stage or not in_force(rule, call):
                continue
            answer = says(rule.selections, rule.when, call, tool, seen, opens=rule.effect == "allow")
            if rule.mode == "shadow":
                if answer is not False:
                    shadow.add((rule.address, view, answer))
            elif rule.effect == "allow":
                if answer is True:
                    opened = True
                    keys.add((rule.address, view))
            elif (one := held(rule, answer, view, call)) is not None:
                exceptions = lifted(one, call, world, tool, seen)
                if exceptions:
                    waived.add((one.rule, view, exceptions))
                else:
                    against.append(one)
        if not opened and call.stage == "call":
            if world.default == "ask" and call.default_approved:
                keys.add((DEFAULT, view))
            else:
                against.append(Held(DEFAULT, view, world.default, "default", clean=True, waivable=False))
    verdict = max((one.verdict for one in against), key=STRICTNESS.index, default="allow")
    strictest = [one for one in against if one.verdict == verdict]
    deciding = {(one.rule, one.view) for one in strictest} or keys
    return Expected(
        verdict, named(strictest) if strictest else key_named(keys, world), frozenset(deciding), frozenset((one.rule, one.view) for one in against), frozenset(waived),
        frozenset(shadow),
    )  # fmt: skip


def named(strictest: list[Held]) -> str:
    return min(strictest, key=lambda one: (-SEVERITY.index(one.severity), one.rule)).rule


def key_named(keys: set[tuple[str, str]], world: World) -> str | None:
    severity = {rule.address: SEVERITY.index(rule.severity) for rule in world.entries}
    return min((rule for rule, _ in keys), key=lambda rule: (-severity.get(rule, 0), rule), default=None)
