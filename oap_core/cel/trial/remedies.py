"""What each argument of a function has to be, in words for an author whose call of it failed.

The sentences are fixed: none depends on the data, so they may go wherever the code of the failure goes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from oap_core.cel.failure import Code, EvalError
from oap_core.cel.functions import Function, Overload
from oap_core.cel.types import DYN, Type
from oap_core.cel.values import TYPE_NAMES, Value

UNKNOWN: Final = object()
"""Stands for an argument whose value is not known."""

_URL: Final = "the URL needs a scheme and a host in a plain spelling, such as `https://example.org/`"
_HOST: Final = "the host has to be one plain name or address, such as `url_host` gives"
_PATH: Final = (
    "the path has to be plain: no leading `~`, `$`, `//` or `name:`, no control characters, no blanks at its ends"
)
_BASE: Final = "the folder that relative paths start from has to be absolute, such as `/srv/app`"
_ZONE: Final = "a time zone is a name such as `Europe/Berlin`, or an offset such as `+01:00`"
_POSITION: Final = "positions count from 0, and the last one is `size(text)`"
_READERS: Final = (
    "getFullYear", "getMonth", "getDate", "getDayOfMonth", "getDayOfWeek", "getDayOfYear", "getHours", "getMinutes",
    "getSeconds", "getMilliseconds",
)  # fmt: skip

REMEDIES: Final[Mapping[tuple[str, int | None], str]] = {
    ("bool", 0): "the text has to be `true` or `false`",
    ("bytes", 0): "the text is longer than bytes may be",
    ("domain_within", 0): _HOST,
    ("domain_within", 1): "a domain is written without a dot or a star before it, such as `example.org`",
    ("domain_within", None): f"{_HOST}; a domain has no dot and no star before it",
    ("double", 0): "the text has to be a decimal number, such as `12.50`",
    ("duration", 0): "a span is written in `h`, `m`, `s`, `ms`, `us` and `ns`, such as `1h30m`; 7 days are `168h`",
    ("email_domain", 0): "the text has to be one plain address such as `kim@example.org`, without a display name",
    ("format", None): "clauses are `%s`, `%d`, `%f`, `%e`, `%x`, `%o` and `%b`, each with a value in the list",
    ("glob", 0): _PATH,
    ("glob", 1): "the pattern has to be absolute, relative or begin with `**/`, with every `[` and `{` closed",
    ("glob", 2): _BASE,
    ("glob", None): "where the path or the pattern is relative, a third argument has to name the folder it starts from",
    ("int", 0): "the text has to be decimal digits, such as `42`; `double` reads a fraction",
    ("ip_in", 0): "the address has to be an IP address such as `10.1.2.3`; names are not resolved",
    ("ip_in", 1): "a network has an address and a length, such as `10.0.0.0/8`, and no bits behind that length",
    ("ip_in", None): "it depends on a gateway on the way whether this address leads into the network",
    ("matches", 1): "RE2 has no lookahead and no references to groups; a `(` that stands for itself is written `\\(`",
    ("string", 0): "the bytes have to be UTF-8",
    ("timestamp", 0): "a moment needs a date, a time and an offset, such as `2026-12-24T00:00:00Z`",
    ("uint", 0): "the text has to be decimal digits without a sign, such as `42`",
    ("url_host", 0): _URL,
    ("url_port", 0): _URL,
    ("url_scheme", 0): "the URL needs a scheme such as `https://`, and no white space or backslashes",
    ("within", 0): _PATH,
    ("within", 1): "the folder has to be absolute, such as `/srv/app`",
    ("within", 2): _BASE,
    ("within", None): (
        "a path that climbs out with `..` needs a third argument, the folder that it starts from; any other can be read in two ways"
    ),
    ("within_on_disk", None): (
        "both have to be paths that `within` takes, lead through no loop to no lost link, and be open to this program"
    ),
    **{(reader, 1): _ZONE for reader in _READERS},
    **dict.fromkeys((("charAt", None), ("indexOf", None), ("lastIndexOf", None), ("substring", None)), _POSITION),
}
"""By function and by position of the argument, the receiver first; None where the arguments do not go together."""

_RANGES: Final[Mapping[str, str]] = {
    "duration": "a span is at most some 292 years",
    "int": "an int has 64 bits",
    "timestamp": "a moment lies in the years 1 to 9999",
    "uint": "a uint has 64 bits and is never negative",
}
"""By function, where a value is well-formed and lies outside of the range of its type."""


def remedy(function: Function, values: Sequence[Value], code: Code, *, method: bool) -> tuple[str, int | None] | None:
    """What to do about a call that failed with a code, and the position of the argument at fault where one alone is.

    `values` are the arguments, the receiver first, with `UNKNOWN` for what is not known. Calls the function again.
    """
    if code is Code.OUT_OF_RANGE:
        sentence = _RANGES.get(function.name)
        return None if sentence is None else (sentence, 0)
    if code not in (Code.INVALID_ARGUMENT, Code.INDEX_OUT_OF_RANGE, Code.BAD_REGEX):
        return None
    if code is Code.BAD_REGEX:
        positions: list[int | None] = [1]
    else:
        positions = _at_fault(function, values, method=method)
    sentences = [found for position in positions if (found := REMEDIES.get((function.name, position)))]
    return ("; or ".join(sentences), positions[0]) if sentences else None


def _at_fault(function: Function, values: Sequence[Value], *, method: bool) -> list[int | None]:
    """The argument with which every call fails, whatever the others are; None where it is the arguments together.

    Where one argument is not known and the others are in order, it is that one or all of them together.
    """
    if len(values) == 1:
        return [0]
    unknown: list[int | None] = [place for place, value in enumerate(values) if value is UNKNOWN]
    if function.reads_world or len(unknown) > 1:
        return [None]
    overloads = [one for one in function.overloads if one.method is method]
    for place, value in enumerate(values):
        if value is not UNKNOWN and _fails_in_all(overloads, place, value):
            return [place]
    return [*unknown, None]


def _fails_in_all(overloads: Sequence[Overload], place: int, value: Value) -> bool:
    """Whether all overloads that take the value at this place have samples, and fail with it."""
    taking = [one for one in overloads if place < len(one.params) and _takes(one.params[place], value)]
    return all(one.samples and _fails(one, place, value) for one in taking) and bool(taking)


def _takes(param: Type, value: Value) -> bool:
    return param.name in (DYN.name, TYPE_NAMES[type(value)])


def _fails(overload: Overload, position: int, value: Value) -> bool:
    """Whether the call fails with this argument beside every sample of the others."""
    for sample in overload.samples:
        try:
            overload.implementation(*sample[:position], value, *sample[position + 1 :])
        except EvalError:
            continue
        return False
    return True
