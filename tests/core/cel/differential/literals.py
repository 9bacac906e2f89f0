"""Random literals of each type, with the edges of its range among them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from oap_core.cel.types import BOOL, BYTES, DOUBLE, DURATION, INT, STRING, TIMESTAMP, UINT, Type
from tests.core.cel.differential.phrase import Phrase, call, literal
from tests.core.cel.differential.schema import DOUBLES, INTS, STRINGS

_UINTS: Final = (0, 1, 2, 7, 100, 2**32, 2**63, 2**64 - 1)
_BYTES: Final = ("", "a", "ab", "é", "xyz")
_MOMENTS: Final = (
    "2026-03-04T10:00:00Z",
    "2026-03-04T11:00:00+01:00",
    "2026-03-04T10:00:01.5Z",
    "1970-01-01T00:00:00Z",
    "2024-02-29T23:59:59Z",
)
_LIMITS: Final = ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59.999999Z", "0001-01-01T00:00:00Z")
_SPANS: Final = ("0s", "1s", "90s", "1h", "1h30m", "-1s", "1.5s", "100ms", "24h")
_PATTERNS: Final = (
    "^a",
    "[a-z]+",
    "^[a-z0-9-]+$",
    "a|b",
    "",
    "é",
    "\\\\.",
    "(?i)ADMIN",
    "^.{3}$",
    "^/srv/[^/]*$",
    "x{2,3}",
)
_ZONES: Final = ("UTC", "+01:00", "-02:30", "America/New_York")
_SEPARATORS: Final = (".", "/", "a", "")


def of(random: Random, type_: Type) -> Phrase:
    """A literal of a type; a constructor call, where the type has no literals."""
    return _MAKERS[type_](random)


def index(random: Random) -> Phrase:
    """An integer that is often an index."""
    number = random.choice((0, 0, 0, 1, 1, 2, 3, 7))
    return literal("int literal", str(number), number)


def key(random: Random) -> Phrase:
    """A string that is often a key."""
    return text(random.choice(("a", "b", "é", "size", "env", "x y", "")))


def zone(random: Random) -> Phrase:
    """A time zone."""
    return text(random.choice(_ZONES))


def separator(random: Random) -> Phrase:
    """What text is split at."""
    return text(random.choice(_SEPARATORS))


def pattern(random: Random) -> Phrase:
    """A regular expression."""
    written = random.choice(_PATTERNS)
    return literal("pattern", f'"{written}"', written.replace("\\\\", "\\"))


def null() -> Phrase:
    """The null literal."""
    return literal("null", "null", None)


def text(value: str) -> Phrase:
    """A string literal for a value."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return literal("string literal", f'"{escaped}"', value)


def _int(random: Random) -> Phrase:
    number = random.choice(INTS) if random.random() < 0.3 else random.randrange(-5, 12)
    return literal("int literal", hex(number) if random.random() < 0.1 else str(number), number)


def _double(random: Random) -> Phrase:
    number = random.choice(DOUBLES) if random.random() < 0.5 else random.randrange(-20, 20) / 4
    return literal("double literal", repr(number), number)


def _bool(random: Random) -> Phrase:
    value = random.random() < 0.5
    return literal("bool literal", str(value).lower(), value)


def _string(random: Random) -> Phrase:
    return text(random.choice(STRINGS))


def _bytes(random: Random) -> Phrase:
    value = random.choice(_BYTES)
    return literal("bytes literal", f'b"{value}"', value.encode())


def _uint(random: Random) -> Phrase:
    return Phrase("uint literal", (f"{random.choice(_UINTS)}u",))


def _timestamp(random: Random) -> Phrase:
    return call("timestamp()", "timestamp", text(random.choice(_MOMENTS)))


def _duration(random: Random) -> Phrase:
    return call("duration()", "duration", text(random.choice(_SPANS)))


def limit(random: Random) -> Phrase:
    """One of the first and last moments that there are."""
    return call("timestamp()", "timestamp", text(random.choice(_LIMITS)))


_MAKERS: Final[Mapping[Type, Callable[[Random], Phrase]]] = {
    BOOL: _bool,
    INT: _int,
    UINT: _uint,
    DOUBLE: _double,
    STRING: _string,
    BYTES: _bytes,
    TIMESTAMP: _timestamp,
    DURATION: _duration,
}
