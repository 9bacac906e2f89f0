"""A thousand conditions as policies have them: different in shape, and no two alike."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from oap_core.cel import Env
from oap_core.cel.activation import freeze_value
from oap_core.cel.standard import STANDARD
from oap_core.cel.types import BOOL, DOUBLE, INT, STRING, TIMESTAMP, Field, ListType, MapType, ObjectType, Type

_WORDS: Final = (
    "app",
    "data",
    "logs",
    "billing",
    "mail",
    "report",
    "deploy",
    "cache",
    "users",
    "audit",
    "search",
    "export",
)
_SOURCES: Final = ("fs", "mail", "sql", "http", "git", "calendar", "chat", "cloud")
_VERBS: Final = ("read", "write", "list", "send", "delete", "query", "get", "post", "merge", "create")


def _object(optional: tuple[str, ...] = (), **fields: Type) -> ObjectType:
    return ObjectType(fields={name: Field(type_, name not in optional) for name, type_ in fields.items()})


ENV: Final = Env(
    {
        "tool": _object(id=STRING, name=STRING, server=STRING, risk=INT, tags=ListType(STRING)),
        "args": _object(
            ("options", "subject", "cc", "amount", "ratio", "labels"),
            path=STRING,
            content=STRING,
            url=STRING,
            query=STRING,
            recipients=ListType(STRING),
            cc=ListType(STRING),
            count=INT,
            amount=DOUBLE,
            ratio=DOUBLE,
            subject=STRING,
            force=BOOL,
            labels=MapType(STRING, STRING),
            options=_object(("network",), network=_object(mode=STRING, ports=ListType(INT)), retries=INT, dry_run=BOOL),
        ),
        "subject": _object(id=STRING, tenant=STRING, roles=ListType(STRING), trust=INT),
        "session": _object(id=STRING, turn=INT, calls=INT, labels=ListType(STRING)),
        "now": TIMESTAMP,
    },
    {"constants": freeze_value({"blocked": ["a.example", "b.example"], "limit": 50, "roots": ["/srv/app"]})},
    STANDARD,
)
"""What the rules speak about."""


def _tool(random: Random) -> str:
    return f"{random.choice(_SOURCES)}/{random.choice(_VERBS)}"


def _path(random: Random) -> str:
    return "/srv/" + "/".join(random.sample(_WORDS, 2)) + f"/{random.randrange(1000)}"


def _tools(random: Random) -> str:
    return "[" + ", ".join(f'"{_tool(random)}"' for _ in range(random.randrange(2, 6))) + "]"


def _domain(random: Random) -> str:
    return f"{random.choice(_WORDS)}{random.randrange(100)}.example"


_PARTS: Final[tuple[Callable[[Random], str], ...]] = (
    lambda r: f'tool.id == "{_tool(r)}"',
    lambda r: f"tool.id in {_tools(r)}",
    lambda r: f'tool.server != "{r.choice(_WORDS)}" && tool.risk >= {r.randrange(1, 5)}',
    lambda r: f'args.path.startsWith("{_path(r)}/") && !args.path.contains("..")',
    lambda r: f'args.path.matches("^/srv/{r.choice(_WORDS)}/[a-z0-9_-]{{1,{r.randrange(2, 60)}}}\\\\.(csv|json)$")',
    lambda r: f'args.recipients.exists(r, r.endsWith("@{_domain(r)}"))',
    lambda r: f'args.recipients.all(r, r.endsWith("@{_domain(r)}") || r == "{r.choice(_WORDS)}@corp.example")',
    lambda r: f"args.recipients.size() <= {r.randrange(1, 40)}",
    lambda r: f'has(args.options) && has(args.options.network) && args.options.network.mode == "{r.choice(_WORDS)}"',
    lambda r: f"!has(args.amount) || args.amount <= {r.randrange(1, 10_000)}.5",
    lambda r: f'has(args.subject) && args.subject.contains("{r.choice(_WORDS)} {r.randrange(1000)}")',
    lambda r: f'"{r.choice(_WORDS)}" in subject.roles || subject.trust > {r.randrange(4)}',
    lambda r: (
        f'subject.tenant == "t{r.randrange(100)}" ? session.turn < {r.randrange(1, 30)} : args.count < {r.randrange(100)}'
    ),
    lambda r: f'now < timestamp("2026-{r.randrange(1, 13):02}-{r.randrange(1, 28):02}T00:00:00Z")',
    lambda r: (
        f'now.getHours("Europe/Berlin") >= {r.randrange(6, 10)} && now.getHours("Europe/Berlin") < {r.randrange(16, 22)}'
    ),
    lambda r: f"session.calls + args.count * {r.randrange(1, 9)} > constants.limit - {r.randrange(20)}",
    lambda r: f'args.url.startsWith("https://{_domain(r)}/") || args.url.startsWith("https://{_domain(r)}/")',
    lambda r: f'!session.labels.exists(l, l in ["{r.choice(_WORDS)}", "{r.choice(_WORDS)}-{r.randrange(100)}"])',
    lambda r: (
        f'args.query.size() < {r.randrange(100, 5000)} && !args.query.matches("(?i)\\\\b(drop|truncate)\\\\s+{r.choice(_WORDS)}")'
    ),
    lambda r: (
        f'has(args.labels) && args.labels.all(k, k.startsWith("{r.choice(_WORDS)}") || args.labels[k] != "{r.randrange(1000)}")'
    ),
    lambda r: f'tool.tags.filter(t, t.startsWith("{r.choice(_WORDS)}")).size() > {r.randrange(3)}',
)
"""Shapes of a condition."""


def rules(count: int, seed: int) -> list[str]:
    """So many conditions of one to four parts. The same seed gives the same conditions."""
    random = Random(seed)
    return [
        " && ".join(f"({part(random)})" for part in random.sample(_PARTS, random.choice((1, 2, 2, 2, 3, 3, 4))))
        for _ in range(count)
    ]
