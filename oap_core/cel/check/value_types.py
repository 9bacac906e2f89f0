"""The checker's type of a value that is known at load: a literal, or a constant of the policy."""

from functools import reduce
from typing import Final

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
    TYPE,
    UINT,
    ListType,
    MapType,
    Type,
    join,
)
from oap_core.cel.values import Duration, KeyedMap, Timestamp, TypeValue, UInt, Value

_LEAVES: Final[dict[type, Type]] = {
    type(None): NULL,
    bool: BOOL,
    int: INT,
    UInt: UINT,
    float: DOUBLE,
    str: STRING,
    bytes: BYTES,
    Timestamp: TIMESTAMP,
    Duration: DURATION,
    TypeValue: TYPE,
}
_MOST_LOOKED_AT: Final = 10_000
"""Members of a constant beyond which its type is not worth the time."""


def value_type(value: Value) -> Type:
    """The type of a value; its members' types joined. Values are bounded in depth, so the recursion is too."""
    leaf = _LEAVES.get(type(value))
    if leaf is not None:
        return leaf
    if type(value) is tuple:
        return ListType(_joined(value), len(value))
    if type(value) is KeyedMap:
        entries = list(value.items())
        return MapType(
            _joined(tuple(key for key, _ in entries)), _joined(tuple(item for _, item in entries)), len(value)
        )
    return MapType(STRING if value else NOTHING, _joined(tuple(value.values())), len(value))


def _joined(members: tuple[Value, ...]) -> Type:
    if len(members) > _MOST_LOOKED_AT:
        return DYN
    kinds = set(map(type, members))
    if len(kinds) == 1:
        leaf = _LEAVES.get(next(iter(kinds)))
        if leaf is not None:
            return leaf
    return reduce(join, map(value_type, members), NOTHING)
