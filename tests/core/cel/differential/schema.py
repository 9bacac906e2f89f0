"""What generated expressions speak about: declared variables, and random data for them with fields missing."""

from __future__ import annotations

import string
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, Final

from oap_core.cel.types import (
    BOOL,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    STRING,
    TIMESTAMP,
    Field,
    ListType,
    MapType,
    ObjectType,
    Type,
)

_OPTIONAL: Final = frozenset({"note", "extra", "cap"})
"""Fields that are declared as optional, wherever they stand."""


def _object(**fields: Type) -> ObjectType:
    return ObjectType(fields={name: Field(type_, required=name not in _OPTIONAL) for name, type_ in fields.items()})


ROW: Final = _object(id=INT, name=STRING, tags=ListType(STRING), score=DOUBLE, cap=INT)

VARIABLES: Final[Mapping[str, Type]] = {
    "tool": _object(name=STRING, server=STRING, risk=INT, tags=ListType(STRING), weight=DOUBLE),
    "args": _object(
        path=STRING,
        text=STRING,
        digits=STRING,
        count=INT,
        limit=INT,
        edge=INT,
        ratio=DOUBLE,
        share=DOUBLE,
        flag=BOOL,
        items=ListType(INT),
        names=ListType(STRING),
        scores=ListType(DOUBLE),
        flags=ListType(BOOL),
        matrix=ListType(ListType(INT)),
        labels=MapType(STRING, STRING),
        counts=MapType(STRING, INT),
        rows=ListType(ROW),
        options=_object(mode=STRING, retries=INT, deep=_object(level=INT, on=BOOL), note=STRING),
        any=DYN,
        note=STRING,
        extra=_object(cap=INT, name=STRING),
        cap=INT,
    ),
    "subject": _object(id=STRING, roles=ListType(STRING), trust=INT),
    "now": TIMESTAMP,
    "started": TIMESTAMP,
    "span": DURATION,
}
"""Every variable by name. Moments and spans are variables of their own, since no JSON value holds one."""

INTS: Final = (0, 1, 2, 3, 7, 10, 100, -1, -2, -7, 2**31, 2**53, 2**53 + 1, 2**62, 2**63 - 1, -(2**63), 1 - 2**63)
DOUBLES: Final = (0.0, -0.0, 0.5, 1.0, 1.5, -2.25, 0.1, 3.0, 100.0, 1e15, 9007199254740993.0, 1e18, -1e6, 5e-324)
STRINGS: Final = (
    "",
    "a",
    "b",
    "A",
    "é",
    "e\u0301",
    "ß",
    "日本語",
    "\U0001f600!",
    "/srv/app/data.txt",
    "/srv/app/",
    "..",
    "../x",
    "admin",
    "user@corp.example",
    "a\nb",
    "q\"uo'te\\",
    "tab\there",
    "0",
    "aaa",
    "\u0663",
    "x" * 40,
)
DIGITS: Final = ("0", "1", "7", "42", "-5", "100", "9223372036854775807", "seven", "", "3.5", "true", "false")
_KEYS: Final = ("a", "b", "é", "size", "env", "x y")
_EPOCH: Final = datetime(2026, 3, 4, 10, 0, 0, tzinfo=UTC)
_SPANS: Final = (0, 1, 59, 60, 3600, 86400, -1, -3600, 31_536_000)

_MISSING: Final = 0.04
"""Share of the declared fields that an activation lacks although its schema asks for them."""


def activation(random: Random, shared: bool = True) -> dict[str, Any]:
    """Random data for `VARIABLES`, as JSON with moments and spans of time beside it.

    With `shared`, every object that holds others is there: cel-python takes a field of nothing for absent.
    """
    return {
        name: _value(random, type_, shared)
        for name, type_ in VARIABLES.items()
        if not _missing(random, Field(type_), shared)
    }


def _missing(random: Random, field: Field, shared: bool) -> bool:
    if not field.required:
        return random.random() < 0.5
    return random.random() < _MISSING and not (shared and isinstance(field.type, ObjectType))


def _value(random: Random, type_: Type, shared: bool) -> Any:
    match type_:
        case ListType(element=element):
            return [_value(random, element, shared) for _ in range(random.choice((0, 1, 2, 3, 5)))]
        case MapType(value=inner):
            return {key: _value(random, inner, shared) for key in _KEYS if random.random() < 0.5}
        case ObjectType(fields=fields):
            return {
                name: random.choice(DIGITS) if name == "digits" else _value(random, field.type, shared)
                for name, field in fields.items()
                if not _missing(random, field, shared)
            }
        case _:
            return _plain(random, type_, shared)


def _plain(random: Random, type_: Type, shared: bool) -> Any:
    if type_ == INT:
        return random.choice((*INTS, random.randrange(-20, 20), random.randrange(-20, 20)))
    if type_ == DOUBLE:
        return random.choice((*DOUBLES, random.randrange(-40, 40) / 4))
    if type_ == STRING:
        return random.choice((*STRINGS, "".join(random.choice(string.ascii_lowercase) for _ in range(3))))
    if type_ == BOOL:
        return random.random() < 0.5
    if type_ == TIMESTAMP:
        return _EPOCH + timedelta(seconds=random.choice(_SPANS), microseconds=random.choice((0, 0, 1, 999_999)))
    if type_ == DURATION:
        return timedelta(seconds=random.choice(_SPANS), microseconds=random.choice((0, 500_000)))
    # cel-python takes true and 1 for equal.
    booleans = () if shared else (True, False)
    return random.choice((None, *booleans, 1, -3, 1.0, 2.5, "a", "1", "", [1], ["a"], {"a": 1}, {}))


def declared(loose: bool = False) -> dict[str, Type]:
    """The variables with their types, or with none where the checker is to know nothing."""
    return {name: DYN if loose and type_ not in (TIMESTAMP, DURATION) else type_ for name, type_ in VARIABLES.items()}
