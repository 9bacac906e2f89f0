"""Calls a standard function as the compiler does, by the exact types of the values, and reads values from JSON."""

from __future__ import annotations

import itertools
from typing import Any, Final

from oap_core.cel.failure import Code, EvalError
from oap_core.cel.functions import Overload
from oap_core.cel.standard import STANDARD
from oap_core.cel.types import DYN, ListType, MapType, Type
from oap_core.cel.values import TYPE_NAMES, Duration, KeyedMap, Timestamp, TypeValue, UInt, Value

_BY_NAME: Final = {name: kind for kind, name in TYPE_NAMES.items() if kind not in (dict, KeyedMap)}


def python_types(declared: Type) -> tuple[type, ...]:
    """The Python types of the values that a declared type allows."""
    if declared == DYN:
        return tuple(TYPE_NAMES)
    if isinstance(declared, MapType):
        return (dict, KeyedMap)
    return (tuple,) if isinstance(declared, ListType) else (_BY_NAME[declared.name],)


def overloads(name: str, *kinds: type) -> list[Overload]:
    """The overloads of a function that take values of these types."""
    function = STANDARD.get(name)
    assert function is not None, name
    return [
        overload
        for overload in function.overloads
        if kinds in set(itertools.product(*map(python_types, overload.params)))
    ]


def call(name: str, *values: Value) -> Value:
    """What the function gives. Raises EvalError, also where no overload takes the values."""
    found = overloads(name, *map(type, values))
    if not found:
        raise EvalError(Code.NO_SUCH_OVERLOAD)
    return found[0].implementation(*values)


def code_of(name: str, *values: Value) -> Code | None:
    """Why the function gives no value; None where it gives one."""
    try:
        call(name, *values)
    except EvalError as error:
        return error.code
    return None


def decoded(data: Any) -> Value:
    """A value from JSON; an object of one entry stands for what JSON has no notation for."""
    if isinstance(data, list):
        return tuple(decoded(item) for item in data)
    if not isinstance(data, dict):
        return data
    ((kind, content),) = data.items()
    match kind:
        case "uint":
            return UInt(content)
        case "double":
            return float(content)
        case "bytes":
            return bytes.fromhex(content)
        case "timestamp":
            return Timestamp(content)
        case "duration":
            return Duration(content)
        case "type":
            return TypeValue(content)
        case "map":
            return _map([(decoded(key), decoded(value)) for key, value in content])
        case "times":
            piece, count = content
            return piece * count
        case _:
            raise AssertionError(kind)


def _map(entries: list[tuple[Value, Value]]) -> Value:
    return dict(entries) if all(type(key) is str for key, _ in entries) else KeyedMap(entries)
