"""Data that a caller may hand over by mistake or on purpose, and that no expression may ever see."""

from __future__ import annotations

from collections import OrderedDict, UserDict, namedtuple
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final

CANARY: Final = "c4n4ry-5f2d91"
"""A text that stands in data and may stand in no message."""


def _nested(make: Callable[[Any], Any], levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = make(value)
    return value


def _cyclic_list() -> list[Any]:
    value: list[Any] = []
    value.append(value)
    return value


def _cyclic_dict() -> dict[str, Any]:
    value: dict[str, Any] = {}
    value["again"] = {"deep": [value]}
    return value


class _Raising:
    """An object that raises whatever is asked of it, with a text that must not travel."""

    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError(CANARY)

    def __eq__(self, other: object) -> bool:
        raise RuntimeError(CANARY)

    def __hash__(self) -> int:
        raise RuntimeError(CANARY)

    def __len__(self) -> int:
        raise RuntimeError(CANARY)

    def __iter__(self) -> Iterator[Any]:
        raise RuntimeError(CANARY)

    def __bool__(self) -> bool:
        raise RuntimeError(CANARY)

    def __repr__(self) -> str:
        raise RuntimeError(CANARY)


class _Lying:
    """An object that claims to be text equal to everything."""

    __class__ = str  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return hash("a")


class _Text(str):
    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return hash("a")


class _Number(int):
    def __lt__(self, other: object) -> bool:
        return True


class _Real(float):
    pass


class _List(list[Any]):
    def __len__(self) -> int:
        return 1 << 40

    def __iter__(self) -> Iterator[Any]:
        while True:
            yield self


class _Dict(dict[str, Any]):
    def items(self) -> Any:
        raise RuntimeError(CANARY)


class _Endless(UserDict[str, Any]):
    def items(self) -> Any:
        while True:
            yield "key", 1


class _Zone(tzinfo):
    def utcoffset(self, _: datetime | None) -> timedelta:
        raise RuntimeError(CANARY)

    dst = utcoffset

    def tzname(self, _: datetime | None) -> str:
        raise RuntimeError(CANARY)


class _Colour(StrEnum):
    RED = "red"


_Pair = namedtuple("_Pair", ["one", "other"])  # noqa: PYI024  # the untyped kind is what callers have


@dataclass
class _Record:
    one: str = CANARY


UNREPRESENTABLE: Final[dict[str, Callable[[], Any]]] = {
    "a lone surrogate": lambda: "\ud800",
    "a lone surrogate in long text": lambda: "x" * 100_000 + "\udfff",
    "surrogates that would be a pair": lambda: "\ud83d\ude00",
    "a lone surrogate in a key": lambda: {"\ud800": 1},
    "2^63": lambda: 2**63,
    "-2^63 - 1": lambda: -(2**63) - 1,
    "an integer of 100,000 digits": lambda: 10**100_000,
    "NaN": lambda: float("nan"),
    "infinity": lambda: float("inf"),
    "minus infinity": lambda: float("-inf"),
    "an overflowing sum": lambda: 1e308 * 10,
    "a set": lambda: {1, 2},
    "a frozen set": lambda: frozenset({"a"}),
    "a Decimal": lambda: Decimal("1.5"),
    "a Fraction": lambda: Fraction(1, 3),
    "a complex number": lambda: 1j,
    "a bytearray": lambda: bytearray(b"a"),
    "a memoryview": lambda: memoryview(b"a"),
    "a range": lambda: range(3),
    "a generator": lambda: (each for each in (1, 2)),
    "a function": lambda: len,
    "a class": lambda: str,
    "an object": object,
    "an object that raises": _Raising,
    "an object that lies about its class": _Lying,
    "a subclass of str": lambda: _Text("b"),
    "a subclass of int": lambda: _Number(1),
    "a subclass of float": lambda: _Real(1.0),
    "a subclass of list": lambda: _List([1]),
    "a subclass of dict": lambda: _Dict(a=1),
    "an ordered dict": lambda: OrderedDict(a=1),
    "a named tuple": lambda: _Pair(1, 2),
    "an enumeration": lambda: _Colour.RED,
    "a dataclass": _Record,
    "a moment without a zone": lambda: datetime(2026, 1, 1),  # noqa: DTZ001  # that is the case
    "a moment in a zone that raises": lambda: datetime(2026, 1, 1, tzinfo=_Zone()),
    "a date": lambda: datetime(2026, 1, 1, tzinfo=UTC).date(),
    "a key that is a number": lambda: {1: "a"},
    "a key that is a boolean": lambda: {True: "a"},
    "a key that is null": lambda: {None: "a"},
    "a key that is bytes": lambda: {b"a": 1},
    "a key that is a subclass of str": lambda: {_Text("a"): 1},
    "a key that raises when compared": lambda: {"a": 1, _Pair(1, 2): 2},
    "a mapping that raises behind a proxy": lambda: MappingProxyType(_Dict(a=1)),
    "an exception": lambda: ValueError(CANARY),
}
TOO_BIG: Final[dict[str, Callable[[], Any]]] = {
    "a list that holds itself": _cyclic_list,
    "a map that holds itself": _cyclic_dict,
    "lists 65 deep": lambda: _nested(lambda value: [value], 65),
    "a million lists deep": lambda: _nested(lambda value: [value], 1_000_000),
    "a million maps deep": lambda: _nested(lambda value: {"a": value}, 1_000_000),
    "a million tuples deep": lambda: _nested(lambda value: (value,), 1_000_000),
    "a million proxies deep": lambda: _nested(lambda value: MappingProxyType({"a": value}), 100_000),
    "a million values": lambda: [1] * 1_000_000,
    "lists that share and double": lambda: _nested(lambda value: [value, value], 40),
    "text of 4 MB and one": lambda: "x" * 4_000_001,
    "many texts": lambda: ["x" * 100_000] * 100,
    "100 MB of text": lambda: "x" * 100_000_000,
    "100 MB of bytes": lambda: b"x" * 100_000_000,
    "100 MB of text in a key": lambda: {"x" * 100_000_000: 1},
    "a mapping without an end": lambda: MappingProxyType(_Endless()),
}
NO_MAPPINGS: Final[dict[str, Callable[[], Any]]] = {
    "null": lambda: None,
    "a list": list,
    "pairs": lambda: [("x", 1)],
    "text": lambda: "x",
    "a number": lambda: 1,
    "an ordered dict": lambda: OrderedDict(x=1),
    "a subclass of dict": lambda: _Dict(x=1),
    "an object that raises": _Raising,
}
