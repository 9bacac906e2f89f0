"""Freezing the data of one call, once, so that every rule sees the same exact values.

What CEL cannot represent exactly is refused, never rounded or cut: integers beyond 64 bits, NaN and infinities, lone
surrogates, keys that are not text, objects of any other type, and data that is too deep or too large.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from math import isfinite
from types import MappingProxyType
from typing import Any, Final

from oap_core.cel.definition import ANSWERS, Answer
from oap_core.cel.failure import Code, EvalError, Failure
from oap_core.cel.limits import (
    ACTIVATION_DEPTH,
    ACTIVATION_NODES,
    INT_MAX,
    INT_MIN,
    TEXT_CHARACTERS,
)
from oap_core.cel.standard import moments
from oap_core.cel.values import Duration, KeyedMap, Timestamp, TypeValue, UInt, Value
from oap_core.frozen import JsonArray, JsonObject

WORLD: Final = "\0world"
"""Root under which closures find the readings; no expression can spell it."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MAPPINGS: Final = frozenset({dict, MappingProxyType, JsonObject})
_SEQUENCES: Final = frozenset({list, tuple, JsonArray})
_AS_THEY_ARE: Final = frozenset({bool, type(None), Timestamp, Duration, UInt, TypeValue})


class Activation:
    """The frozen variables of one call. Give one to any number of programs, from any number of threads."""

    __slots__ = ("answers", "roots", "world")

    def __init__(self, roots: Mapping[str, Value]) -> None:
        """Take values that are frozen already; `freeze` is for everything else."""
        self.world: dict[tuple[object, ...], Value | Code] = {}
        """What functions that look at the world answered, by (name, arguments): one answer a call, for the record."""
        self.answers: dict[object, Answer] = {}
        """What definitions evaluated to, by `Definition.answer`: one evaluation a call; `peek` finds one of them."""
        self.roots: dict[str, Value] = {**roots, WORLD: self.world, ANSWERS: self.answers}
        """The variables by name. Not for changing."""

    @property
    def failure(self) -> Failure | None:
        """Why nothing can be evaluated on this data, or None."""
        return None


class Unusable(Activation):
    """Data that cannot be represented: every evaluation on it is an error, whatever the expression."""

    __slots__ = ("code",)

    def __init__(self, code: Code) -> None:
        """Remember why."""
        self.world = {}
        self.answers = {}
        self.code = code
        """Why."""

    @property
    def roots(self) -> dict[str, Value]:  # type: ignore[override]  # there are none, and reading them is the error
        """Raise `EvalError`: there is nothing to read."""
        raise EvalError(self.code)

    @property
    def failure(self) -> Failure:
        """The error that each evaluation ends in."""
        return Failure(self.code, 0, 0)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A variable that is frozen already, for all the calls in which it is the same; only `prepare` makes one."""

    value: Value
    """The frozen value."""
    nodes: int
    """How many values lie in it."""
    characters: int
    """How many characters its texts and keys have."""


def prepare(value: object) -> Prepared:
    """Freeze a variable once. Given to `freeze` in place of the value, it costs nothing and means the same.

    Raises `EvalError` where the value cannot be represented.
    """
    return _Freezer().prepared(value)


def freeze(variables: Mapping[str, object]) -> Activation:
    """Copy the data of a call into values that nobody else holds.

    Never raises for what the data holds: data that cannot be represented gives an `Unusable` activation. The copy is
    exact; a change to the original afterwards changes nothing here. Takes what `json` produces, the frozen arguments of
    a `ToolCall`, and besides tuples, read-only mappings, bytes, `UInt`, aware datetimes and timedeltas; a variable may
    also be one that `prepare` has made. Subclasses of these types are refused, since their behaviour is not known.
    """
    try:
        if type(variables) not in _MAPPINGS:
            return Unusable(Code.UNREPRESENTABLE)
        return Activation(_Freezer().mapping(variables, 0))
    except EvalError as error:
        return Unusable(error.code)
    except (RecursionError, MemoryError):
        return Unusable(Code.TOO_DEEP)
    except Exception:  # noqa: BLE001  # a hostile object may raise anything; its text must not travel
        return Unusable(Code.UNREPRESENTABLE)


def freeze_value(value: object) -> Value:
    """Freeze one value, for instance a constant of a policy. Raises `EvalError` where it cannot be represented."""
    return _Freezer().value(value, 0)


class _Freezer:
    """Counts what one activation holds."""

    __slots__ = ("_characters", "_nodes")

    def __init__(self) -> None:
        self._characters = TEXT_CHARACTERS
        self._nodes = ACTIVATION_NODES

    def prepared(self, value: object) -> Prepared:
        """Freeze a value as it would be frozen where a variable stands."""
        frozen = self.value(value, 1)
        return Prepared(frozen, ACTIVATION_NODES - self._nodes, TEXT_CHARACTERS - self._characters)

    def value(self, value: object, depth: int) -> Value:
        """Freeze a value that whoever holds it has counted."""
        kind = type(value)
        if kind is str:
            self.take(0, len(value))  # type: ignore[arg-type]  # the exact type was just looked at
            return value if value.isascii() else _encodable(value)  # type: ignore[attr-defined, arg-type]
        if kind is int:
            if INT_MIN <= value <= INT_MAX:  # type: ignore[operator]
                return value
            raise EvalError(Code.UNREPRESENTABLE)
        # Its depth was measured where a variable stands, so it can stand nowhere else.
        if kind is Prepared and depth == 1:
            self.take(value.nodes, value.characters)  # type: ignore[attr-defined]
            return value.value  # type: ignore[attr-defined]
        if kind in _MAPPINGS:
            return self.mapping(value, depth)  # type: ignore[arg-type]
        if kind in _SEQUENCES:
            if depth >= ACTIVATION_DEPTH:
                raise EvalError(Code.TOO_DEEP)
            self.take(len(value), 0)  # type: ignore[arg-type]
            return tuple([self.value(item, depth + 1) for item in value])  # type: ignore[attr-defined]
        if kind is float:
            if isfinite(value):  # type: ignore[arg-type]
                return value
            raise EvalError(Code.UNREPRESENTABLE)
        return value if kind in _AS_THEY_ARE else self.rare(value, depth)

    def take(self, nodes: int, characters: int) -> None:
        """Make room. Raises `EvalError` (too_large) where there is none left."""
        self._nodes -= nodes
        self._characters -= characters
        if self._nodes < 0 or self._characters < 0:
            raise EvalError(Code.TOO_LARGE)

    def mapping(self, mapping: Mapping[Any, object], depth: int) -> dict[str, Value]:
        """Freeze a mapping. Most of what is frozen are texts in mappings, so they are dealt with here."""
        if depth >= ACTIVATION_DEPTH:
            raise EvalError(Code.TOO_DEEP)
        pairs: Collection[tuple[Any, object]] = mapping.items()
        if type(mapping) is MappingProxyType:
            # What stands behind it may be of any class, and say anything of its length.
            pairs = list(islice(pairs, self._nodes + 1))
        self.take(len(pairs), 0)
        frozen: dict[str, Value] = {}
        characters = 0
        for key, value in pairs:
            if type(key) is not str:
                raise EvalError(Code.UNREPRESENTABLE)
            characters += len(key)
            if not key.isascii():
                _encodable(key)
            if type(value) is str:
                characters += len(value)
                frozen[key] = value if value.isascii() else _encodable(value)
            else:
                frozen[key] = self.value(value, depth + 1)
        self.take(0, characters)
        return frozen

    def rare(self, value: object, depth: int) -> Value:
        """Values that JSON does not have."""
        kind = type(value)
        if kind is bytes:
            self.take(0, len(value))  # type: ignore[arg-type]
            return value
        if kind is datetime and value.tzinfo is not None:  # type: ignore[attr-defined]
            return moments.timestamp(_microseconds(value - _EPOCH) * 1000)  # type: ignore[operator]
        if kind is timedelta:
            return moments.duration(_microseconds(value) * 1000)  # type: ignore[arg-type]
        if kind is KeyedMap:
            if depth >= ACTIVATION_DEPTH:
                raise EvalError(Code.TOO_DEEP)
            pairs = value.items()  # type: ignore[attr-defined]
            self.take(2 * len(value), 0)  # type: ignore[arg-type]
            return KeyedMap([(self.value(key, depth + 1), self.value(item, depth + 1)) for key, item in pairs])
        raise EvalError(Code.UNREPRESENTABLE)


def _encodable(text: str) -> str:
    """Give a text back. Raises `EvalError` (unrepresentable) for a lone surrogate."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise EvalError(Code.UNREPRESENTABLE) from None
    return text


def _microseconds(length: timedelta) -> int:
    return (length.days * 86_400 + length.seconds) * 1_000_000 + length.microseconds
