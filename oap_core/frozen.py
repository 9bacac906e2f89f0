"""JSON values that nobody can change once they were judged.

The arguments that the rules see, the arguments that an operator approves and the arguments that a tool receives have
to be one value. So a call holds its arguments frozen: still a `dict` and `list` for every library that reads them,
but without a way to write.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any, Final, NoReturn, Self, TypeAlias

__all__ = [
    "EMPTY",
    "MAX_DEPTH",
    "MAX_VALUES",
    "Json",
    "JsonArray",
    "JsonObject",
    "freeze_json",
    "freeze_object",
    "thaw_json",
]

MAX_DEPTH: Final = 100
"""How many objects and arrays may lie inside one another."""
MAX_VALUES: Final = 1_000_000
"""How many values one frozen value may hold in all."""

_SCALARS: Final = (str, int, bool, type(None))


def _refuse(_self: object, *_args: Any, **_options: Any) -> NoReturn:
    raise TypeError("a frozen JSON value cannot change")


class _Frozen:
    """What both containers share: no way in, no way to change, and a copy is the value itself."""

    __slots__ = ()

    def __new__(cls, *_args: object, **_options: object) -> Self:
        raise TypeError("a frozen JSON value is made by `freeze_json` alone")

    def __init__(self, *_args: object, **_options: object) -> None:
        # A second call of the constructor of `dict` or `list` would fill the container anew.
        raise TypeError("a frozen JSON value cannot change")

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _memo: object) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return freeze_json, (thaw_json(self),)


class JsonObject(_Frozen, dict[str, "Json"]):
    """A JSON object that cannot change, made by `freeze_json`; equal to the plain `dict` with the same content.

    Python calls 1, 1.0 and true equal, and so does this type: compare digests where that matters. Like every `dict` it
    has no hash.
    """

    __slots__ = ()

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse


class JsonArray(_Frozen, list["Json"]):
    """A JSON array that cannot change, made by `freeze_json`; equal to the plain `list` with the same content.

    Like every `list` it has no hash.
    """

    __slots__ = ()

    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse
    append = extend = insert = remove = clear = pop = sort = reverse = _refuse


Json: TypeAlias = bool | int | float | str | JsonObject | JsonArray | None
"""A frozen JSON value."""


def freeze_json(value: object) -> Json:
    """Copy a JSON value into one that cannot change; what is frozen already comes back as it is.

    Mappings become objects, lists and tuples become arrays. Numbers keep their type and their size: what CEL cannot
    hold is refused later, where a rule would read it. Strings may hold any code point.

    Raises TypeError where a value or a key is of no JSON type (subclasses of `str`, `int` and `float` included), and
    ValueError for a number that is not finite, below `MAX_DEPTH` containers, and above `MAX_VALUES` values, which is
    also how a value that contains itself ends. No message holds any part of the value.
    """
    if isinstance(value, (JsonObject, JsonArray)):
        return value
    work: list[tuple[Any, Any, int]] = []
    frozen: Json = _admit(value, 0, work)
    count = 1
    while work:
        source, target, depth = work.pop()
        count += len(source)
        if count > MAX_VALUES:
            raise ValueError(f"a JSON value holds at most {MAX_VALUES} values")
        if isinstance(target, dict):
            for key, item in source.items():
                if type(key) is not str:
                    raise TypeError("the keys of a JSON object are strings")
                dict.__setitem__(target, key, _admit(item, depth, work))
        else:
            list.extend(target, [_admit(item, depth, work) for item in source])
    return frozen


def freeze_object(value: Mapping[str, object]) -> JsonObject:
    """Freeze a mapping; raises as `freeze_json` does, and TypeError where the value is no mapping."""
    frozen = freeze_json(value)
    if not isinstance(frozen, JsonObject):
        raise TypeError("a JSON object is made of a mapping")
    return frozen


def thaw_json(value: object) -> Any:
    """Copy a frozen value into plain dictionaries and lists, free to be changed by the one who gets them."""
    holder: list[Any] = [value]
    work: list[Any] = [holder]
    while work:
        container = work.pop()
        places = list(container.items()) if isinstance(container, dict) else list(enumerate(container))
        for place, item in places:
            if isinstance(item, dict):
                container[place] = dict(item)
            elif isinstance(item, list):
                container[place] = list(item)
            else:
                continue
            work.append(container[place])
    return holder[0]


def _admit(value: object, depth: int, work: list[tuple[Any, Any, int]]) -> Any:
    """Give a scalar back, or an empty frozen container that is noted down to be filled."""
    kind = type(value)
    if kind in _SCALARS:
        return value
    if kind is float:
        if not isfinite(value):  # type: ignore[arg-type]  # a float, as the line above says
            raise ValueError("a number in JSON is finite")
        return value
    target: Any
    if isinstance(value, (list, tuple)):
        target = list.__new__(JsonArray)
    elif isinstance(value, Mapping):
        target = dict.__new__(JsonObject)
    else:
        raise TypeError(f"`{kind.__name__}` is no JSON type")
    if depth >= MAX_DEPTH:
        raise ValueError(f"a JSON value nests at most {MAX_DEPTH} deep")
    work.append((value, target, depth + 1))
    return target


EMPTY: Final = freeze_object({})
"""The object without members."""
