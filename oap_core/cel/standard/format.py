"""The function `format`: a text with `%` clauses, and the values that take their places.

`%[.digits]letter` by the CEL specification's own page on it. A clause that the page does not know is an error, and so
is a precision where it means nothing.
"""

import math
import re
from collections.abc import Callable
from typing import Any, Final

from oap_core.cel.failure import Code, EvalError
from oap_core.cel.functions import Function, Overload
from oap_core.cel.standard import moments, numerals
from oap_core.cel.standard.bounds import bound_list, bound_text
from oap_core.cel.standard.conversions import utf8
from oap_core.cel.types import DYN, STRING, ListType
from oap_core.cel.values import Duration, KeyedMap, Timestamp, TypeValue, UInt, Value

_Writers = dict[type, Callable[[Any], str]]
"""How a value of each type is written."""

PRECISION: Final = 100
"""Most digits behind the point that a clause may ask for."""

_CLAUSE: Final = re.compile(r"%(?:%|(?:\.0*+([0-9]{0,3}+)(?<=[0-9]))?([sdfeboxX]))")
_DEFAULT_PRECISION: Final = 6
_INVALID_BYTES: Final = re.compile("[\udc80-\udcff]+")


def format_text(text: str, values: tuple[Value, ...]) -> str:
    """The text with its clauses replaced, each by the next value; values that are left over are ignored.

    Raises `EvalError`: invalid_argument for a clause that is none, index_out_of_range where values run out,
    no_such_overload for a value of a type that the clause does not take, too_large.
    """
    bound_list(text.count("%"))
    output, place, taken = _Output(), 0, 0
    while (percent := text.find("%", place)) >= 0:
        output.add(text[place:percent])
        clause = _CLAUSE.match(text, percent)
        if clause is None:
            raise EvalError(Code.INVALID_ARGUMENT)
        place = clause.end()
        if clause[2] is None:
            output.add("%")
            continue
        if taken >= len(values):
            raise EvalError(Code.INDEX_OUT_OF_RANGE)
        _write(output, clause[2], clause[1], values[taken])
        taken += 1
    output.add(text[place:])
    return output.text()


class _Output:
    """Text that grows up to the limit, and the number of values written so far."""

    __slots__ = ("_pieces", "_size", "_values")

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._size = 0
        self._values = 0

    def add(self, piece: str) -> None:
        """Append. Raises `EvalError` (too_large) before the text is too long."""
        self._size += len(piece)
        bound_text(self._size)
        self._pieces.append(piece)

    def count(self) -> None:
        """Note one value more: writing many empty ones takes time too. Raises `EvalError` (too_large)."""
        self._values += 1
        bound_list(self._values)

    def text(self) -> str:
        """Everything that was added."""
        return "".join(self._pieces)


def _write(output: _Output, letter: str, digits: str | None, value: Value) -> None:
    if letter == "s":
        if digits is not None:
            raise EvalError(Code.INVALID_ARGUMENT)
        _write_value(output, value)
        return
    output.count()
    if letter in "fe":
        output.add(_with_precision(letter, digits, value))
        return
    if digits is not None:
        raise EvalError(Code.INVALID_ARGUMENT)
    write = _WRITERS[letter].get(type(value))
    if write is None:
        raise EvalError(Code.NO_SUCH_OVERLOAD)
    output.add(write(value))


def _with_precision(letter: str, digits: str | None, value: Value) -> str:
    precision = _DEFAULT_PRECISION if digits is None else int(digits or "0")
    if precision > PRECISION:
        raise EvalError(Code.INVALID_ARGUMENT)
    if type(value) not in (int, UInt, float):
        raise EvalError(Code.NO_SUCH_OVERLOAD)
    number = float(value)
    if not math.isfinite(number):
        return numerals.special_double(number)
    return f"{number:.{precision}{letter}}"


def _write_value(output: _Output, value: Value) -> None:
    """Any value as text; lists and maps without recursion, their inner values still pending on a stack."""
    pending: list[tuple[bool, Value]] = [(False, value)]
    while pending:
        finished, item = pending.pop()
        if finished:
            output.add(item)
            continue
        output.count()
        kind = type(item)
        if kind is tuple:
            bound_list(len(item))
            output.add("[")
            pending.append((True, "]"))
            for position in range(len(item) - 1, -1, -1):
                pending.append((False, item[position]))
                if position:
                    pending.append((True, ", "))
        elif kind is dict or kind is KeyedMap:
            output.add("{")
            pending.append((True, "}"))
            entries = sorted(((_SCALARS[type(key)](key), inner) for key, inner in item.items()), key=_first)
            for position in range(len(entries) - 1, -1, -1):
                name, inner = entries[position]
                pending.append((False, inner))
                pending.append((True, f"{', ' if position else ''}{name}: "))
        else:
            output.add(_SCALARS[kind](item))


def _first(entry: tuple[str, Value]) -> str:
    return entry[0]


def _lossy(data: bytes) -> str:
    """The bytes as UTF-8, every run of bytes that are none as one U+FFFD."""
    return _INVALID_BYTES.sub("\ufffd", data.decode("utf-8", "surrogateescape"))


def _hex_of_bytes(data: bytes) -> str:
    bound_text(2 * len(data))
    return data.hex()


def _hex_of_text(text: str) -> str:
    bound_text(2 * len(text))
    return _hex_of_bytes(utf8(text))


def _in_capitals(write: Callable[[Any], str]) -> Callable[[Any], str]:
    return lambda value: write(value).upper()


def _integers(letter: str) -> _Writers:
    return {int: lambda number: format(int(number), letter), UInt: lambda number: format(int(number), letter)}


_SCALARS: Final[_Writers] = {
    type(None): lambda _: "null",
    bool: lambda truth: "true" if truth else "false",
    int: str,
    UInt: str,
    float: numerals.plain_double,
    str: lambda text: text,
    bytes: _lossy,
    Timestamp: moments.timestamp_text,
    Duration: moments.plain_duration,
    TypeValue: lambda kind: kind.name,
}

_HEX: Final[_Writers] = {**_integers("x"), str: _hex_of_text, bytes: _hex_of_bytes}

_WRITERS: Final[dict[str, _Writers]] = {
    "d": {**_integers("d"), float: numerals.plain_double},
    "b": {**_integers("b"), bool: lambda truth: "1" if truth else "0"},
    "o": _integers("o"),
    "x": _HEX,
    "X": {kind: _in_capitals(write) for kind, write in _HEX.items()},
}

FUNCTIONS: Final = (
    Function(
        "format",
        (Overload((STRING, ListType(DYN)), STRING, format_text, method=True, scans=True, units=1),),
        "The string with its clauses replaced by the values of a list in turn: `%s` any value, `%d` a number, `%f` and "
        "`%e` a number with 6 digits behind the point or as many as `%.2f` says (100 at most), `%b`, `%o`, `%x`, `%X` a "
        "whole number in base 2, 8 or 16, `%x` also the bytes of a string, `%%` a percent sign.",
        (
            ("'%s has %d of %.1f'.format(['a', 1, 2.5])", "'a has 1 of 2.5'"),
            ("'%s'.format([[1, 'a', {'b': null}]])", "'[1, a, {b: null}]'"),
            ("'%x %X %o %b'.format([255, 255, 8, 5])", "'ff FF 10 101'"),
        ),
        "strings",
    ),
)
"""`format`."""
