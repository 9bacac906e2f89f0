"""The values that expressions compute with, and what equal means for them.

| CEL | Python |
| --- | --- |
| null, bool, double, string, bytes | None, bool, float, str, bytes |
| int, uint | int, `UInt` |
| list | tuple |
| map | dict with text keys, or `KeyedMap` where a key is not text |
| timestamp, duration | `Timestamp`, `Duration` (exact nanoseconds) |
| type | `TypeValue` |

Python takes True and 1 for equal; CEL does not. `equals` is the one place that knows.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Self

from oap_core.cel.failure import Code, EvalError
from oap_core.cel.limits import UINT_MAX

Value = Any
"""Any value of the table above. The set is closed by `freeze` and by the literals of the language."""


class UInt(int):
    """An unsigned integer of 64 bits; its own type, since `1u` and `1` are not of one type though they are equal."""

    __slots__ = ()

    def __new__(cls, number: int) -> Self:
        """Check the range. Raises `EvalError` (out_of_range)."""
        if not 0 <= number <= UINT_MAX:
            raise EvalError(Code.OUT_OF_RANGE)
        return super().__new__(cls, number)


@dataclass(frozen=True, slots=True, order=True)
class Timestamp:
    """A moment, in nanoseconds since 1970-01-01T00:00:00Z."""

    nanos: int
    """Nanoseconds since the epoch, negative before it."""


@dataclass(frozen=True, slots=True, order=True)
class Duration:
    """A span of time in nanoseconds."""

    nanos: int
    """Its length, negative for one that leads back."""


@dataclass(frozen=True, slots=True)
class TypeValue:
    """What `type(x)` gives; equal by name."""

    name: str


_TRUE_KEY: Final = ("bool", True)
_FALSE_KEY: Final = ("bool", False)
_KEY_TYPES: Final = frozenset({str, int, UInt, bool})


def map_key(key: Value) -> Any:
    """The key under which a map finds `key`: equal numbers meet, booleans and numbers do not.

    Raises `EvalError` (no_such_overload) for a value that can never be a key.
    """
    kind = type(key)
    if kind is str:
        return key
    if kind is bool:
        return _TRUE_KEY if key else _FALSE_KEY
    if kind is int or kind is UInt:
        return int(key)
    if kind is float and key.is_integer():
        return int(key)
    raise EvalError(Code.NO_SUCH_OVERLOAD)


class KeyedMap:
    """A map with at least one key that is not text. Only literals make one; JSON has text keys alone."""

    __slots__ = ("_entries",)

    def __init__(self, entries: Iterable[tuple[Value, Value]]) -> None:
        """Take the entries in order. Raises `EvalError` for a key of a wrong type or a key that occurs twice."""
        found: dict[Any, tuple[Value, Value]] = {}
        for key, value in entries:
            if type(key) not in _KEY_TYPES:
                raise EvalError(Code.NO_SUCH_OVERLOAD)
            place = map_key(key)
            if place in found:
                raise EvalError(Code.DUPLICATE_KEY)
            found[place] = (key, value)
        self._entries = found

    def __len__(self) -> int:
        """How many entries."""
        return len(self._entries)

    def __iter__(self) -> Iterator[Value]:
        """The keys, as they were written."""
        return (key for key, _ in self._entries.values())

    def __contains__(self, key: Value) -> bool:
        """Whether there is such a key; False for a value that cannot be one."""
        try:
            return map_key(key) in self._entries
        except EvalError:
            return False

    def __getitem__(self, key: Value) -> Value:
        """The value under `key`. Raises `EvalError` (no_such_key)."""
        try:
            return self._entries[map_key(key)][1]
        except (KeyError, EvalError):
            raise EvalError(Code.NO_SUCH_KEY) from None

    def items(self) -> Iterator[tuple[Value, Value]]:
        """Keys and values, as they were written."""
        return iter(self._entries.values())


TYPE_NAMES: Final[dict[type, str]] = {
    type(None): "null_type",
    bool: "bool",
    int: "int",
    UInt: "uint",
    float: "double",
    str: "string",
    bytes: "bytes",
    tuple: "list",
    dict: "map",
    KeyedMap: "map",
    Timestamp: "google.protobuf.Timestamp",
    Duration: "google.protobuf.Duration",
    TypeValue: "type",
}
"""Every Python type that a value can have, and the CEL name of its type."""

NUMERIC: Final = frozenset({int, UInt, float})


def type_of(value: Value) -> TypeValue:
    """The CEL type of a value."""
    return TypeValue(TYPE_NAMES[type(value)])


def equals(left: Value, right: Value) -> bool:
    """CEL's equality: numbers across types, everything else only within one type.

    An integer meets a double as the nearest double, which is what the conformance vectors ask of `<` as well; between
    integers nothing is rounded. Values are bounded in depth (limits.ACTIVATION_DEPTH and limits.NESTING), so the recursion is too.
    """
    kind, other = type(left), type(right)
    if kind is other:
        if kind is tuple:
            return len(left) == len(right) and all(map(equals, left, right))
        if kind is dict:
            return len(left) == len(right) and all(
                key in right and equals(value, right[key]) for key, value in left.items()
            )
        if kind is KeyedMap:
            return _same_entries(left, right)
        return bool(left == right)
    if kind in NUMERIC and other in NUMERIC:
        if kind is float or other is float:
            return float(left) == float(right)
        return bool(left == right)
    if (kind is dict and other is KeyedMap) or (kind is KeyedMap and other is dict):
        return _same_entries(left, right)
    return False


def _same_entries(left: Value, right: Value) -> bool:
    return len(left) == len(right) and all(key in right and equals(value, right[key]) for key, value in left.items())
