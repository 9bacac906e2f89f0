"""The test vectors of the CEL specification: reading them, and what their types and values are here."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import isnan
from pathlib import Path
from typing import Any, Final

from oap_core.cel.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    NOTHING,
    NULL,
    STRING,
    TIMESTAMP,
    UINT,
    ListType,
    MapType,
    ObjectType,
    Type,
)
from oap_core.cel.values import Duration, KeyedMap, Timestamp, TypeValue, UInt, Value

ROOT: Final = Path(__file__).parents[4]
CASES: Final = ROOT.parent / "shared" / "data" / "cel-spec" / "cases.jsonl"
"""The vectors. They are not part of this repository."""

ABSENT: Final = "the vectors of the specification are not beside the repository (../shared/data/cel-spec)"
"""Why a test that needs them is skipped."""

CORRECTED: Final = {
    f"parse/bytes_literals/triple_{quotes}_quoted_unescaped_punctuation": {
        "value": {"t": "bytes", "v": b" ? \" ' ` ".hex()},
    }
    for quotes in ("single", "double")
}
"""Values that differ from the specification's own: the decoding kept the backslash of an escaped question mark."""

CORE: Final = (
    "basic",
    "comparisons",
    "conversions",
    "fields",
    "fp_math",
    "integer_math",
    "lists",
    "logic",
    "macros",
    "namespace",
    "parse",
    "plumbing",
    "string",
    "timestamps",
)
"""The files about the language itself, without its extensions."""

_TYPES: Final[Mapping[str, Type]] = {
    "null": NULL,
    "bool": BOOL,
    "int": INT,
    "uint": UINT,
    "double": DOUBLE,
    "string": STRING,
    "bytes": BYTES,
    "timestamp": TIMESTAMP,
    "duration": DURATION,
    "dyn": DYN,
}


@dataclass(frozen=True, slots=True)
class Vector:
    """One case of the specification."""

    name: str
    """`file/section/name`, with `#2` behind it where the name occurs again."""
    file: str
    """The file it stands in."""
    source: str
    """The expression."""
    variables: Mapping[str, Type]
    """Declared variables; without types where the case asks for no checking."""
    bindings: Mapping[str, Value]
    """Their values."""
    container: str
    """The namespace in which names are looked up first; empty for none."""
    check_only: bool
    """Nothing is evaluated; only the type counts."""
    raw: Mapping[str, Any]
    """The case as it is written."""

    @property
    def expects_error(self) -> bool:
        """Whether it must not have a value."""
        return "error" in self.raw["expect"]

    @property
    def value(self) -> Value:
        """The value that it must have. Raises `KeyError` where it has none."""
        return decoded(self.raw["expect"]["value"])

    @property
    def deduced(self) -> Type | None:
        """The type that a checker must find, where the case asks for one."""
        written = self.raw["expect"].get("deduced")
        return None if written is None else declared(written)


@cache
def vectors() -> tuple[Vector, ...]:
    """All of them, in the order of the file."""
    seen: Counter[str] = Counter()
    found = []
    for line in CASES.read_text(encoding="utf-8").strip().split("\n"):
        raw = json.loads(line)
        name = f"{raw['file']}/{raw['section']}/{raw['name']}"
        seen[name] += 1
        raw["expect"] = CORRECTED.get(name, raw["expect"])
        found.append(_vector(name if seen[name] == 1 else f"{name}#{seen[name]}", raw))
    return tuple(found)


def _vector(name: str, raw: dict[str, Any]) -> Vector:
    unchecked = raw["disable_check"]
    variables = {each: DYN if unchecked else declared(written) for each, written in raw["vars"].items()}
    bindings = {each: decoded(written) for each, written in raw["bindings"].items()}
    variables = {**dict.fromkeys(bindings, DYN), **variables}
    return Vector(name, raw["file"], raw["expr"], variables, bindings, raw["container"], raw["check_only"], raw)


def declared(written: Any) -> Type:
    """A type as the vectors write it."""
    match written:
        case ["list", element]:
            return ListType(declared(element))
        case ["map", key, value]:
            return MapType(declared(key), declared(value))
        case str():
            return _TYPES[written]
        case _:
            return Type(str(written))


def decoded(written: Mapping[str, Any]) -> Value:
    """A value as the vectors write it."""
    value: Any = written.get("v")
    match written["t"]:
        case "null":
            return None
        case "int":
            return int(value)
        case "uint":
            return UInt(int(value))
        case "double":
            return float(value)
        case "bytes":
            return bytes.fromhex(value)
        case "list":
            return tuple(decoded(item) for item in value)
        case "map":
            return _mapping([(decoded(key), decoded(item)) for key, item in value])
        case "type":
            return TypeValue(value)
        case "timestamp":
            return Timestamp(value[0] * 10**9 + value[1])
        case "duration":
            return Duration(value[0] * 10**9 + value[1])
        case _:
            return value


def _mapping(entries: list[tuple[Value, Value]]) -> Value:
    return dict(entries) if all(type(key) is str for key, _ in entries) else KeyedMap(entries)


def same(left: Value, right: Value) -> bool:
    """Whether two values are the same and of the same type; NaN is the same as NaN, and 0.0 is not -0.0."""
    if type(left) is not type(right):
        return False
    match left:
        case float():
            return (isnan(left) and isnan(right)) or left.hex() == right.hex()
        case tuple():
            return len(left) == len(right) and all(map(same, left, right))
        case dict() | KeyedMap():
            return len(left) == len(right) and all(
                any(same(key, other) and same(value, held) for other, held in right.items())
                for key, value in left.items()
            )
        case _:
            return bool(left == right)


def same_type(left: Type, right: Type) -> bool:
    """Whether two checked types are the same; nothing is known of what is in an empty list."""
    match left, right:
        case ListType(element=one), ListType(element=other):
            return same_type(one, other)
        case (MapType(key=key, value=value), MapType(key=other_key, value=other_value)):
            return same_type(key, other_key) and same_type(value, other_value)
        case (ObjectType(), MapType()):
            return True
        case _:
            return _known(left) == _known(right)


def _known(type_: Type) -> Type:
    return DYN if type_ is NOTHING else type_
