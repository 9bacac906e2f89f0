"""A small closed set of conditions, each as CEL and as Python: what the differential test compares the engine with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

__all__ = ["CONDITIONS", "CONSTANTS", "MOMENT", "RESULT_CONDITIONS", "VARIABLES", "Condition", "Seen", "UntoldError"]

MOMENT: Final = datetime(2026, 6, 1, tzinfo=UTC)
"""The moment that conditions on time compare with."""
CONSTANTS: Final[dict[str, Any]] = {"names": ["red", "green"], "most": 10}
VARIABLES: Final = {
    "large": "args.n > constants.most",
    "named": "args.name in constants.names",
    "either": "variables.large || variables.named",
}


class UntoldError(Exception):
    """The condition cannot be evaluated."""


@dataclass(frozen=True)
class Seen:
    """What a condition sees."""

    args: dict[str, Any] = field(default_factory=dict)
    roles: frozenset[str] = frozenset()
    session: str = ""
    now: datetime = MOMENT
    tool: str = "?/?"
    reach: str = "unknown"
    tags: frozenset[str] | None = None
    text: str | None = None

    @property
    def source(self) -> str:
        return self.tool.split("/")[0]


@dataclass(frozen=True)
class Condition:
    """One condition."""

    cel: str
    means: Callable[[Seen], bool]
    tools: frozenset[str] | None = None
    """The only tools for which it can be anything but false, where it says so itself."""

    def __call__(self, seen: Seen) -> bool | None:
        """Whether it holds; None where that cannot be told."""
        try:
            return (self.tools is None or seen.tool in self.tools) and self.means(seen)
        except UntoldError:
            return None


def get(seen: Seen, name: str) -> Any:
    if name not in seen.args:
        raise UntoldError
    return seen.args[name]


def whole(value: Any) -> int:
    if type(value) is not int:
        raise UntoldError
    return value


def within(value: int) -> int:
    if not -(2**63) <= value < 2**63:
        raise UntoldError
    return value


def text(value: Any) -> str:
    if type(value) is not str:
        raise UntoldError
    return value


def truth(value: Any) -> bool:
    if type(value) is not bool:
        raise UntoldError
    return value


def equal(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(one == other)


def either(*parts: Callable[[], bool]) -> bool:
    """Whether one holds; what cannot be told matters only where none does."""
    return not every(*((lambda part=part: not part()) for part in parts))


def every(*parts: Callable[[], bool]) -> bool:
    """Whether all hold; what cannot be told matters only where none fails."""
    untold = False
    for part in parts:
        try:
            if not part():
                return False
        except UntoldError:
            untold = True
    if untold:
        raise UntoldError
    return True


def items(value: Any) -> list[Any]:
    if type(value) is not list:
        raise UntoldError
    return value


def sized(value: Any) -> int:
    return len(value if type(value) is str else items(value))


def tags(seen: Seen) -> frozenset[str]:
    if seen.tags is None:
        raise UntoldError
    return seen.tags


def large(seen: Seen) -> bool:
    return whole(get(seen, "n")) > 10


def named(seen: Seen) -> bool:
    return any(equal(get(seen, "name"), name) for name in CONSTANTS["names"])


CONDITIONS: Final = (
    Condition("true", lambda seen: True),
    Condition("args.n > 10", large),
    Condition("args.n + 1 < 3", lambda seen: within(whole(get(seen, "n")) + 1) < 3),
    Condition('args.name == "red"', lambda seen: equal(get(seen, "name"), "red")),
    Condition('args.name != "red"', lambda seen: not equal(get(seen, "name"), "red")),
    Condition('args.name.startsWith("r")', lambda seen: text(get(seen, "name")).startswith("r")),
    Condition("!(args.name in constants.names)", lambda seen: not named(seen)),
    Condition("args.flag", lambda seen: truth(get(seen, "flag"))),
    Condition("!args.flag", lambda seen: not truth(get(seen, "flag"))),
    Condition("has(args.flag) && args.flag", lambda seen: "flag" in seen.args and truth(get(seen, "flag"))),
    Condition("!has(args.owner)", lambda seen: "owner" not in seen.args),
    Condition("args.flag || args.n > 10", lambda seen: either(lambda: truth(get(seen, "flag")), lambda: large(seen))),
    Condition("args.flag && args.n > 10", lambda seen: every(lambda: truth(get(seen, "flag")), lambda: large(seen))),
    Condition(
        "args.list.exists(x, x > 3)",
        lambda seen: either(*((lambda x=x: whole(x) > 3) for x in items(get(seen, "list")))),
    ),
    Condition(
        "args.list.all(x, x > 3)",
        lambda seen: every(*((lambda x=x: whole(x) > 3) for x in items(get(seen, "list")))),
    ),
    Condition(
        "size(args.list) > 1 ? args.flag : args.n > 10",
        lambda seen: truth(get(seen, "flag")) if sized(get(seen, "list")) > 1 else large(seen),
    ),
    Condition("args.owner == session.id", lambda seen: equal(get(seen, "owner"), seen.session)),
    Condition('"ops" in subject.roles', lambda seen: "ops" in seen.roles),
    Condition('!("ops" in subject.roles)', lambda seen: "ops" not in seen.roles),
    Condition('now < timestamp("2026-06-01T00:00:00Z")', lambda seen: seen.now < MOMENT),
    Condition('tool.reach == "read"', lambda seen: seen.reach == "read"),
    Condition('tool.id == "alpha/inspect"', lambda seen: True, frozenset({"alpha/inspect"})),
    Condition(
        'tool.id == "alpha/inspect" && args.flag', lambda seen: truth(get(seen, "flag")), frozenset({"alpha/inspect"})
    ),
    Condition(
        'tool.id == "bravo/transfer" || tool.id == "alpha/obliterate"',
        lambda seen: True,
        frozenset({"bravo/transfer", "alpha/obliterate"}),
    ),
    Condition('tool.source == "bravo"', lambda seen: seen.source == "bravo"),
    Condition('"risky" in tool.tags', lambda seen: "risky" in tags(seen)),
    Condition("variables.large", large),
    Condition("variables.large && variables.named", lambda seen: every(lambda: large(seen), lambda: named(seen))),
    Condition("variables.either", lambda seen: either(lambda: large(seen), lambda: named(seen))),
)
"""Conditions on calls."""

RESULT_CONDITIONS: Final = (
    *CONDITIONS,
    Condition('result.text.contains("secret")', lambda seen: "secret" in (seen.text or "")),
    Condition("result.text.size() > args.n", lambda seen: len(seen.text or "") > whole(get(seen, "n"))),
)
"""Conditions on results."""
