"""Random worlds: policies, exceptions, a catalog and calls, as plain data, as files and as facts. One seed, one world.

The names of tools lie far apart, so that none can be taken for a misspelling of another.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Any, Final

from oap_core.decision import Default
from oap_core.frozen import freeze_object
from oap_core.kinds import Effect, Kind
from oap_core.names import RuleAddress, ToolId
from oap_core.policy.assemble import assemble
from oap_core.policy.catalog import ToolDefinition
from oap_core.policy.facts import Facts, SessionFacts
from oap_core.policy.load import read
from oap_core.policy.ruleset import RuleSet
from oap_core.policy.setup import Setup, core_effects
from oap_core.types import Reach, Stage, Subject, ToolCall, ToolResult
from tests.core.policy.meanings import CONDITIONS, CONSTANTS, MOMENT, RESULT_CONDITIONS, VARIABLES, Condition

__all__ = ["EFFECTS", "Call", "Entry", "Lift", "Selection", "Tool", "World", "call", "facts", "rule_set", "world"]

EFFECTS: Final = {
    **core_effects(),
    "allow": Effect("allow", Kind.GRANT, "test"),
    "deny": Effect("deny", Kind.WALL, "test", stages=frozenset(Stage)),
    "plan": Effect("plan", Kind.GATE, "test"),
    "scan": Effect("scan", Kind.GATE, "test", stages=frozenset(Stage), judges_original=False),
    "limit": Effect("limit", Kind.GATE, "test", judges_original=False),
    "redact": Effect("redact", Kind.TRANSFORM, "test", stages=frozenset({Stage.RESULT, Stage.PROMPT})),
    "label": Effect("label", Kind.OBSERVE, "test", stages=frozenset({Stage.RESULT})),
}
SOURCES: Final = ("alpha", "bravo", "charlie")
NAMES: Final = ("inspect", "transfer", "obliterate")
TOOLS: Final = tuple(f"{source}/{name}" for source in SOURCES for name in NAMES)
GLOBS: Final = (*TOOLS, "*/*", "alpha/*", "bravo/*", "*/inspect", "*/transfer", "alp*/obl*", "*a/*t", "c*/*f*")
TAGS: Final = ("risky", "slow")
REACHES: Final = ("read", "write", "external", "unknown")
SEVERITIES: Final = ("low", "medium", "high", "critical")


@dataclass(frozen=True)
class Selection:
    """A `match`."""

    tools: tuple[str, ...] | None = None
    sources: tuple[str, ...] | None = None
    tags: tuple[str, ...] | None = None
    annotations: tuple[tuple[str, Any], ...] | None = None
    reach: tuple[str, ...] | None = None

    def file(self) -> dict[str, Any]:
        lists = {"tools": self.tools, "sources": self.sources, "tags": self.tags, "reach": self.reach}
        found: dict[str, Any] = {key: list(value) for key, value in lists.items() if value is not None}
        return found | ({} if self.annotations is None else {"annotations": dict(self.annotations)})


@dataclass(frozen=True)
class Entry:
    """A rule, with what its policy says of it."""

    policy: str
    id: str
    effect: str
    stage: str
    severity: str
    mode: str
    waivable: bool
    expires: datetime | None
    selections: tuple[Selection, ...]
    when: Condition | None
    own: dict[str, Any]
    """What stands in the file."""

    @property
    def address(self) -> str:
        return f"{self.policy}/{self.id}"


@dataclass(frozen=True)
class Lift:
    """An exception."""

    id: str
    waives: tuple[str, ...]
    expires: datetime
    selection: Selection | None
    when: Condition | None


@dataclass(frozen=True)
class Tool:
    """A tool of the catalog."""

    id: str
    reach: str
    tags: frozenset[str]
    annotations: dict[str, Any]


@dataclass(frozen=True)
class World:
    """Everything that stands in files, and the default."""

    entries: tuple[Entry, ...]
    lifts: tuple[Lift, ...]
    catalog: dict[str, Tool] | None
    default: str
    policies: dict[str, dict[str, Any]]


@dataclass(frozen=True)
class Call:
    """A call, or a result, with everything around it."""

    stage: str
    tool: str
    args: dict[str, Any]
    original: dict[str, Any] | None
    roles: frozenset[str]
    now: datetime
    seen: str
    """`name`: the host has the name alone; `same`, `other`: a definition; `registered`: one that the host believes."""
    approved: frozenset[str]
    default_approved: bool
    text: str | None = None
    own: Tool | None = field(default=None)
    """The definition that a host registered."""


def star(random: Random, some: tuple[Any, ...], most: int) -> tuple[Any, ...]:
    return tuple(random.sample(some, random.randint(1, min(most, len(some)))))


def selection(random: Random, catalog: dict[str, Tool] | None, within: str | None = None) -> Selection:
    """A selection, of tools that a catalog has and that lie within a source."""
    keys = random.choices(
        ((), ("tools",), ("sources",), ("tags",), ("annotations",), ("reach",), ("tools", "tags"), ("tools", "reach")),
        (1, 12, 3, 3, 1, 3, 2, 2),
    )[0]
    globs = GLOBS if within is None else tuple(glob for glob in GLOBS if glob.startswith(f"{within}/")) or GLOBS
    if catalog is not None:
        globs = tuple(glob for glob in globs if glob == "*/*" or glob.endswith("/*") or glob in catalog) or ("*/*",)
        globs = tuple(g for g in globs if any(fits(g, tool) for tool in catalog)) or ("*/*",)
    found: dict[str, Any] = {}
    if "tools" in keys:
        found["tools"] = star(random, globs, 3)
    if "sources" in keys:
        known = SOURCES if catalog is None else tuple(sorted({tool.split("/")[0] for tool in catalog}))
        found["sources"] = star(random, known, 2) if within is None else (within,)
    if "tags" in keys:
        found["tags"] = star(random, TAGS, 2)
    if "annotations" in keys:
        found["annotations"] = (("hint", random.choice((True, 1, "x"))),)
    if "reach" in keys:
        found["reach"] = star(random, REACHES, 2)
    return Selection(**found)


def fits(glob: str, tool: str) -> bool:
    """Whether one of the simple patterns that a world with a catalog uses fits."""
    source, name = glob.split("/")
    place, called = tool.split("/")
    return source in ("*", place) and name in ("*", called)


def tool(random: Random, id: str) -> Tool:
    tags = frozenset(star(random, TAGS, 2)) if random.random() < 0.6 else frozenset()
    return Tool(id, random.choice(REACHES), tags, {"hint": random.choice((True, 1, "x"))})


def moment(random: Random) -> datetime:
    return MOMENT + timedelta(days=random.choice((-20, -2, 0, 2, 20)))


def entry(
    random: Random, policy: str, number: int, outer: Selection | None, mode: str, catalog: dict[str, Tool] | None
) -> Entry:
    stage = random.choices(("call", "result"), (5, 1))[0]
    if stage == "call":
        effect = random.choices(("allow", "deny", "ask", "plan", "limit", "scan", "observe"), (9, 4, 4, 2, 1, 1, 1))[0]
    else:
        effect = random.choice(("deny", "scan", "redact", "label", "observe"))
    own: dict[str, Any] = {"id": f"r{number}", "effect": effect}
    if stage == "result" or random.random() < 0.1:
        own["stage"] = stage
    if random.random() < 0.3:
        own["mode"] = random.choices(("shadow", "enforce"), (1, 2))[0]
    mode = own.get("mode", mode)
    if random.random() < 0.6:
        own["severity"] = random.choice(SEVERITIES)
    stops = effect in ("deny", "ask", "plan", "limit", "scan")
    if stops and random.random() < 0.5:
        own["waivable"] = True
    expires = moment(random) if (effect == "allow" or mode == "shadow") and random.random() < 0.3 else None
    if expires is not None:
        own["expires"] = expires.strftime("%Y-%m-%dT%H:%M:%SZ")
    within = outer.tools[0].split("/")[0] if outer is not None and outer.tools is not None else None
    inner = selection(random, catalog, within) if random.random() < 0.7 else None
    if inner is not None and inner.file():
        own["match"] = inner.file()
    fitting = [
        one
        for one in (CONDITIONS if stage == "call" else RESULT_CONDITIONS)
        if catalog is None or one.tools is None or (not inner and not outer and one.tools <= catalog.keys())
    ]
    when = random.choice(fitting) if random.random() < 0.75 else None
    if when is not None:
        own["when"] = when.cel
    selections = tuple(one for one in (outer, inner) if one is not None)
    severity = own.get("severity", "medium")
    return Entry(
        policy, own["id"], effect, stage, severity, mode, own.get("waivable", False), expires, selections, when, own
    )


def lifts(random: Random, entries: list[Entry], catalog: dict[str, Tool] | None) -> Iterator[Lift]:
    waivable: dict[str, list[str]] = {}
    for one in entries:
        if one.waivable:
            waivable.setdefault(one.stage, []).append(one.address)
    for number in range(random.choice((0, 1, 2, 3))):
        stage = random.choice(("call", "call", "result"))
        if stage in waivable:
            inner = selection(random, catalog) if random.random() < 0.4 else None
            inner = None if inner is None or not inner.file() else inner
            conditions = tuple(one for one in CONDITIONS if "variables" not in one.cel and "constants" not in one.cel)
            when = random.choice(conditions) if random.random() < 0.5 else None
            yield Lift(f"x{number}", star(random, tuple(waivable[stage]), 3), moment(random), inner, when)


def world(random: Random) -> World:
    """Draw a world."""
    catalog = None
    if random.random() < 0.5:
        catalog = {id: tool(random, id) for id in random.sample(TOOLS, random.randint(3, 9))}
    policies: dict[str, dict[str, Any]] = {}
    entries: list[Entry] = []
    for number in range(random.randint(1, 4)):
        name = f"policy-{random.choice('abcdefgh')}{number}"
        mode = random.choices(("enforce", "shadow"), (6, 1))[0]
        outer = None
        if random.random() < 0.3:
            sources = SOURCES if catalog is None else tuple(sorted({id.split("/")[0] for id in catalog}))
            outer = Selection(tools=(f"{random.choice(sources)}/*",))
        mine = [entry(random, name, one, outer, mode, catalog) for one in range(random.randint(1, 6))]
        random.shuffle(mine)
        entries += mine
        policies[name] = {"mode": mode, **({} if outer is None else {"match": outer.file()})}
    return World(
        tuple(entries), tuple(lifts(random, entries, catalog)), catalog, random.choice(("deny", "ask")), policies
    )


def files(world: World) -> Iterator[tuple[str, dict[str, Any]]]:
    meta = {"owner": "somebody"}
    for name, shared in world.policies.items():
        rules = [one.own for one in world.entries if one.policy == name]
        yield name, {
            "apiVersion": "oap/v1", "kind": "Policy", "metadata": {"name": name, **meta}, **shared,
            "constants": CONSTANTS, "variables": VARIABLES, "rules": rules,
        }  # fmt: skip
    if world.lifts:
        some = [
            {
                "id": one.id, "waives": list(one.waives), "reason": "r", "approved_by": "a",
                "expires": one.expires.strftime("%Y-%m-%dT%H:%M:%SZ"),
                **({} if one.selection is None else {"match": one.selection.file()}),
                **({} if one.when is None else {"when": one.when.cel}),
            }
            for one in world.lifts
        ]  # fmt: skip
        yield "exceptions", {
            "apiVersion": "oap/v1", "kind": "Exceptions", "metadata": {"name": "exceptions", **meta}, "exceptions": some,
        }  # fmt: skip
    if world.catalog is not None:
        tools = [
            {"id": one.id, "reach": one.reach, "tags": sorted(one.tags), "annotations": one.annotations}
            for one in world.catalog.values()
        ]
        yield "catalog", {"apiVersion": "oap/v1", "kind": "Catalog", "metadata": {"name": "c", **meta}, "tools": tools}


def rule_set(world: World) -> RuleSet | None:
    """The world as the product loads it; None where it finds a mistake, such as a rule that can never apply."""
    documents = [read(json.dumps(content), f"{name}.yaml") for name, content in files(world)]
    rules = assemble(documents, Setup(effects=EFFECTS, default=Default(world.default))).rules
    return None if rules is None else rules.seeing(map(ToolId, TOOLS))


VALUES: Final[dict[str, tuple[Any, ...]]] = {
    "n": (0, 1, 2, 10, 11, 500, "11", None, True, 2**63 - 1),
    "name": ("red", "green", "blue", "", 7, None),
    "flag": (True, True, False, 1, "true"),
    "list": ([], [1], [4, 5], [1, 9], ["x", 9], [4, "x"], "4"),
    "owner": ("s1", "s2", None),
}


def arguments(random: Random) -> dict[str, Any]:
    args = {name: random.choice(values) for name, values in VALUES.items() if random.random() < 0.8}
    if random.random() < 0.02:
        args["odd"] = random.choice((2**63, "\ud800", {"x": [-(2**63) - 1]}))
    return args


def call(random: Random, world: World) -> Call:
    """Draw a call."""
    id = random.choice((*TOOLS, *TOOLS, "delta/unheard-of"))
    stage = random.choices(("call", "result"), (4, 1))[0]
    args = arguments(random)
    original = None
    if stage == "call" and random.random() < 0.3:
        original = {**args, **arguments(random)} if random.random() < 0.7 else dict(args)
    asking = [one.address for one in world.entries if one.effect in ("ask", "plan")]
    seen = random.choices(("name", "same", "other", "registered"), (4, 4, 1, 1))[0]
    return Call(
        stage, id, args, original, frozenset({"ops"} if random.random() < 0.5 else ()),
        MOMENT + timedelta(days=random.choice((-10, -1, 0, 1, 10))), seen,
        frozenset(random.sample(asking, random.randint(0, len(asking)))), random.random() < 0.3,
        random.choice(("nothing", "a secret", "")) if stage == "result" else None,
        tool(random, id) if seen == "registered" else None,
    )  # fmt: skip


def facts(call: Call, world: World) -> Facts:
    """The call as the product is given it."""
    known = None if world.catalog is None else world.catalog.get(call.tool)
    definition = None
    if call.seen == "same":
        claims = {} if known is None else known.annotations
        definition = ToolDefinition(ToolId(call.tool), annotations=freeze_object(claims))
    elif call.seen == "other":
        definition = ToolDefinition(ToolId(call.tool), description="another one")
    elif call.own is not None:
        own = call.own
        definition = ToolDefinition(
            ToolId(call.tool), description="registered", reach=Reach(own.reach), tags=own.tags,
            annotations=freeze_object(own.annotations),
        )  # fmt: skip
    return Facts(
        Stage(call.stage),
        call.now,
        Subject("somebody", call.roles),
        SessionFacts("s1", "test"),
        ToolCall.of("c1", call.tool, call.args),
        None if call.original is None else freeze_object(call.original),
        definition,
        registered=call.seen == "registered",
        result=None if call.text is None else ToolResult.of_text(call.text),
    )


def approvals(call: Call) -> frozenset[RuleAddress]:
    """The rules that a person has said yes to."""
    return frozenset(map(RuleAddress, call.approved))
