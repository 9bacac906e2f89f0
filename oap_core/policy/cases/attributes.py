"""Whether a value in a test has the type that is declared for an attribute of the subject or the session."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from oap_core.cel.types import BOOL, DOUBLE, INT, NULL, NUMBER, STRING, ListType, MapType, ObjectType, Type
from oap_core.diagnostic import printable

__all__ = ["misfit"]

_HOLDS: Final[dict[str, tuple[type, ...]]] = {
    STRING.name: (str,),
    INT.name: (int,),
    DOUBLE.name: (float,),
    NUMBER.name: (int, float),
    BOOL.name: (bool,),
    NULL.name: (type(None),),
}
"""Types of Python by the name of a type without parts; a type that is not here holds anything."""

_NOUNS: Final = {
    STRING.name: "a text",
    INT.name: "a whole number",
    DOUBLE.name: "a number with a fraction",
    NUMBER.name: "a number",
    BOOL.name: "true or false",
    NULL.name: "null",
    "list": "a list",
    "map": "a mapping",
}


def misfit(value: Any, kind: Type, name: str) -> str | None:
    """The first place at which a JSON value differs from a type, in a sentence; None where it fits."""
    return next(_misfits(value, kind, name), None)


def _misfits(value: Any, kind: Type, name: str) -> Iterator[str]:
    """Recursive, no deeper than the type is."""
    if isinstance(kind, ListType):
        if not isinstance(value, list):
            yield _sentence(name, kind)
            return
        for number, item in enumerate(value):
            yield from _misfits(item, kind.element, f"{name}[{number}]")
    elif isinstance(kind, (MapType, ObjectType)):
        if not isinstance(value, dict):
            yield _sentence(name, kind)
            return
        yield from _members(value, kind, name)
    elif kind.name in _HOLDS and type(value) not in _HOLDS[kind.name]:
        yield _sentence(name, kind)
    elif kind.values is not None and value not in kind.values:
        known = ", ".join(sorted(f"`{printable(str(one))}`" for one in kind.values))
        yield f"`{name}` has to be one of {known}"


def _members(value: dict[str, Any], kind: MapType | ObjectType, name: str) -> Iterator[str]:
    fields = kind.fields if isinstance(kind, ObjectType) else {}
    rest = kind.rest if isinstance(kind, ObjectType) else kind.value
    for key, item in value.items():
        inner = f"{name}.{printable(key)}"
        if key in fields:
            yield from _misfits(item, fields[key].type, inner)
        elif rest is None:
            yield f"`{inner}` is not declared"
        else:
            yield from _misfits(item, rest, inner)


def _sentence(name: str, kind: Type) -> str:
    return f"`{name}` has to be {_NOUNS[kind.name]}"
