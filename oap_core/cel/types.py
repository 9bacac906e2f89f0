"""The types that the checker reasons about: those of CEL, and objects with declared fields.

A type says what the author may rely on while writing. It promises nothing about the data that arrives: every
operation looks at the values again when it runs.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

Scalar = bool | int | float | str | None
"""A value without parts, as JSON has it."""


@dataclass(frozen=True, slots=True)
class Type:
    """A type without parameters, known by its name as CEL's `type()` prints it."""

    name: str
    values: frozenset[Scalar] | None = field(default=None, compare=False, kw_only=True)
    """The only values there are, where a schema lists them; types that differ in this alone are equal."""

    def __str__(self) -> str:
        """The name as an author would write it."""
        return self.name


@dataclass(frozen=True, slots=True)
class ListType(Type):
    """A list of one element type."""

    name: str = field(default="list", init=False)
    element: Type
    most: int | None = field(default=None, compare=False)
    """Most elements, where a schema says so; only the cost estimate reads it."""

    def __str__(self) -> str:
        """`list(string)`."""
        return f"list({self.element})"


@dataclass(frozen=True, slots=True)
class MapType(Type):
    """A map whose keys are not known by name: every key of one type, every value of one type."""

    name: str = field(default="map", init=False)
    key: Type
    value: Type
    most: int | None = field(default=None, compare=False)
    """Most entries, where a schema says so; only the cost estimate reads it."""

    def __str__(self) -> str:
        """`map(string, int)`."""
        return f"map({self.key}, {self.value})"


@dataclass(frozen=True, slots=True)
class Field:
    """One declared field of an object, of some type."""

    type: Type
    required: bool = True
    """False: a read needs `has()` before it in the same condition."""


@dataclass(frozen=True, slots=True)
class ObjectType(Type):
    """A map with declared fields, as JSON Schema describes one."""

    name: str = field(default="map", init=False)
    fields: Mapping[str, Field] = field(default_factory=lambda: MappingProxyType({}), hash=False)
    rest: Type | None = None
    """Type of fields beside the declared ones; None where there may be none."""

    def __str__(self) -> str:
        """`object(a, b)`, shortened."""
        names = list(self.fields)
        shown = ", ".join(names[:4]) + (", ..." if len(names) > 4 else "")
        return f"object({shown})"


NULL: Final = Type("null_type")
BOOL: Final = Type("bool")
INT: Final = Type("int")
UINT: Final = Type("uint")
DOUBLE: Final = Type("double")
STRING: Final = Type("string")
BYTES: Final = Type("bytes")
TIMESTAMP: Final = Type("google.protobuf.Timestamp")
DURATION: Final = Type("google.protobuf.Duration")
TYPE: Final = Type("type")
NUMBER: Final = Type("number")
"""An int or a double, as the data has it: what a JSON `number` is. Comparing one is safe, adding to it is not."""
DYN: Final = Type("dyn")
"""Anything: checked when it runs."""
NOTHING: Final = Type("nothing")
"""The element type of an empty literal: it fits everywhere. Never the type of a value."""

MOST_JOINED: Final = 1000
"""Listed values of two types that are still known of the type that holds both."""


def join(one: Type, other: Type) -> Type:
    """The narrowest type that holds both."""
    if one is other or other is NOTHING:
        return one
    if one is NOTHING:
        return other
    if type(one) is Type or type(other) is Type:
        return _join_plain(one, other)
    if isinstance(one, ListType) and isinstance(other, ListType):
        most = None if one.most is None or other.most is None else max(one.most, other.most)
        return ListType(join(one.element, other.element), most)
    if isinstance(one, MapType) and isinstance(other, MapType):
        most = None if one.most is None or other.most is None else max(one.most, other.most)
        return MapType(join(one.key, other.key), join(one.value, other.value), most)
    return one if one == other else DYN


def _join_plain(one: Type, other: Type) -> Type:
    if one == other:
        return one if one.values is None else _with_either(one, one.values, other.values)
    if (one == NUMBER and other in _PARTS_OF_NUMBER) or (other == NUMBER and one in _PARTS_OF_NUMBER):
        return NUMBER
    return DYN


def _with_either(kind: Type, one: frozenset[Scalar], other: frozenset[Scalar] | None) -> Type:
    """The type with the values of both; without any where one of the two may be anything, or where they are many."""
    if other is None or len(one) + len(other) > MOST_JOINED:
        return Type(kind.name)
    return Type(kind.name, values=one | other)


def assignable(source: Type, target: Type) -> bool:
    """Whether a value of `source` may stand where `target` is asked for, as far as can be told before it runs.

    A `NUMBER` fits neither `INT` nor `DOUBLE`, since the data may hold the other; both fit a `NUMBER`.
    """
    if source is target or target is DYN or source is DYN or source is NOTHING or target is NOTHING:
        return True
    if type(target) is Type:
        return source == target or (target == NUMBER and source in _PARTS_OF_NUMBER) or DYN in (source, target)
    if isinstance(target, ListType):
        return source == DYN or (isinstance(source, ListType) and assignable(source.element, target.element))
    if isinstance(target, MapType):
        if isinstance(source, MapType):
            return assignable(source.key, target.key) and assignable(source.value, target.value)
        return source == DYN or (isinstance(source, ObjectType) and assignable(STRING, target.key))
    return source == DYN or isinstance(source, MapType | ObjectType)


_PARTS_OF_NUMBER: Final = frozenset({INT, DOUBLE})
