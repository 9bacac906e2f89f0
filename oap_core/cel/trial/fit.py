"""Where data differs from what was promised about it: by a schema, or by what CEL can hold at all.

The sentences name places and types and hold no value. This is no validation: of a schema it knows presence and types,
which is what the checker relies on. An evaluation never depends on it, since compiled code looks at the values again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Final

from oap_core.cel.failure import Code
from oap_core.cel.limits import ACTIVATION_DEPTH, ACTIVATION_NODES, INT_MAX, INT_MIN, TEXT_CHARACTERS
from oap_core.cel.render import value_text
from oap_core.cel.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    INT,
    NULL,
    NUMBER,
    STRING,
    TIMESTAMP,
    UINT,
    ListType,
    MapType,
    ObjectType,
    Type,
)
from oap_core.cel.values import TYPE_NAMES, Value

_HOLDS: Final[Mapping[Type, frozenset[str]]] = {
    **{kind: frozenset({kind.name}) for kind in (NULL, BOOL, INT, UINT, DOUBLE, STRING, BYTES, TIMESTAMP, DURATION)},
    NUMBER: frozenset({INT.name, DOUBLE.name}),
}
"""Names of the types of the values that a type without parts holds; a type that is not here holds anything."""

_ANYTHING: Final = frozenset(TYPE_NAMES.values())
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_MOST_SHOWN: Final = 8


def misfits(variables: Mapping[str, Value], described: ObjectType) -> tuple[str, ...]:
    """A sentence for each place where frozen variables differ from their declared types, the first few of them."""
    return tuple(islice(_members(variables, described, ""), _MOST_SHOWN))


def unusable(document: Mapping[str, object], code: Code) -> str:
    """A sentence about the first place in a JSON object for which `freeze` refused it with this code."""
    if code is Code.TOO_DEEP:
        return f"the input nests more than {ACTIVATION_DEPTH} levels deep"
    if code is Code.TOO_LARGE:
        return f"the input holds more than {ACTIVATION_NODES:,} values or {TEXT_CHARACTERS:,} characters of text"
    pending: list[tuple[str, object]] = [("", document)]
    while pending:
        place, value = pending.pop()
        if isinstance(value, dict):
            if any(_is_broken(key) for key in value):
                return f"a key of `{place or 'the input'}` has half of a surrogate pair"
            pending += [(_member(place, key), item) for key, item in reversed(value.items())]
        elif isinstance(value, list):
            pending += [(f"{place}[{number}]", item) for number, item in reversed([*enumerate(value)])]
        elif type(value) is int and not INT_MIN <= value <= INT_MAX:
            return f"`{place}` is an integer of more than 64 bits"
        elif isinstance(value, str) and _is_broken(value):
            return f"`{place}` is a text with half of a surrogate pair"
    return "the input holds something that is not JSON"


def _is_broken(text: str) -> bool:
    return not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text)


def _misfits(value: Value, kind: Type, place: str) -> Iterator[str]:
    """Recursive, no deeper than an activation is."""
    if isinstance(kind, ObjectType) and type(value) is dict:
        yield from _members(value, kind, place)
    elif isinstance(kind, MapType) and type(value) is dict:
        for name, item in value.items():
            yield from _misfits(item, kind.value, _member(place, name))
    elif isinstance(kind, ListType) and type(value) is tuple:
        for number, item in enumerate(value):
            yield from _misfits(item, kind.element, f"{place}[{number}]")
    elif isinstance(kind, ObjectType | MapType | ListType) or TYPE_NAMES[type(value)] not in _HOLDS.get(
        kind, _ANYTHING
    ):
        yield f"`{place}` is {_spoken(TYPE_NAMES[type(value)])} and declared as {_spoken(kind.name)}"


def _members(value: Mapping[str, Value], kind: ObjectType, place: str) -> Iterator[str]:
    for name, field in kind.fields.items():
        if name in value:
            yield from _misfits(value[name], field.type, _member(place, name))
        elif field.required:
            yield f"`{_member(place, name)}` is missing"
    for name, item in value.items():
        if name not in kind.fields:
            if kind.rest is None:
                yield f"`{_member(place, name)}` is not declared"
            else:
                yield from _misfits(item, kind.rest, _member(place, name))


def _member(place: str, name: str) -> str:
    if not _NAME.fullmatch(name):
        return f"{place}[{value_text(name)}]"
    return f"{place}.{name}" if place else name


def _spoken(name: str) -> str:
    return name.rpartition(".")[2].removesuffix("_type").lower()
