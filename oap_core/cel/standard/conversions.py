"""Functions between types: `int`, `uint`, `double`, `bool`, `string`, `bytes`, `timestamp`, `duration`, `type`, `dyn`.

A conversion is exact, or an error. Text is read strictly: nothing is trimmed, guessed or cut.
"""

from typing import Final

from oap_core.cel.failure import Code, EvalError
from oap_core.cel.functions import Function, Overload
from oap_core.cel.limits import INT_MAX, TEXT_CHARACTERS
from oap_core.cel.standard import moments, numerals
from oap_core.cel.standard.bounds import bound_text
from oap_core.cel.types import BOOL, BYTES, DOUBLE, DURATION, DYN, INT, STRING, TIMESTAMP, TYPE, UINT
from oap_core.cel.values import Timestamp, UInt, Value, type_of

_TRUTH: Final = {
    **dict.fromkeys(("1", "t", "true", "TRUE", "True"), True),
    **dict.fromkeys(("0", "f", "false", "FALSE", "False"), False),
}
_INT_EDGE: Final = 2.0**63
_UINT_EDGE: Final = 2.0**64
_CHUNK: Final = 65_536
_WIDEST: Final = 4
"""Bytes that a character takes in UTF-8 at most."""


def utf8(text: str) -> bytes:
    """The text in UTF-8.

    Raises `EvalError`: too_large before more than the allowed bytes are built, invalid_argument for a lone surrogate.
    """
    try:
        if len(text) * _WIDEST <= TEXT_CHARACTERS or text.isascii():
            bound_text(len(text))
            return text.encode()
        size, chunks = 0, []
        for start in range(0, len(text), _CHUNK):
            chunk = text[start : start + _CHUNK].encode()
            size += len(chunk)
            bound_text(size)
            chunks.append(chunk)
    except UnicodeEncodeError:
        raise EvalError(Code.INVALID_ARGUMENT) from None
    return b"".join(chunks)


def _same(value: Value) -> Value:
    return value


def _int_of_uint(number: UInt) -> int:
    if number > INT_MAX:
        raise EvalError(Code.OUT_OF_RANGE)
    return int(number)


def _int_of_double(number: float) -> int:
    """Both edges are out: which of them a double can stand for is not the same everywhere."""
    if -_INT_EDGE < number < _INT_EDGE:
        return int(number)
    raise EvalError(Code.OUT_OF_RANGE)


def _int_of_timestamp(moment: Timestamp) -> int:
    return moment.nanos // moments.SECOND


def _uint_of_double(number: float) -> UInt:
    if 0.0 <= number < _UINT_EDGE:
        return UInt(int(number))
    raise EvalError(Code.OUT_OF_RANGE)


def _bool_of_text(text: str) -> bool:
    truth = _TRUTH.get(text)
    if truth is None:
        raise EvalError(Code.INVALID_ARGUMENT)
    return truth


def _text_of_bool(truth: bool) -> str:  # noqa: FBT001 - the value that is converted
    return "true" if truth else "false"


def _text_of_bytes(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise EvalError(Code.INVALID_ARGUMENT) from None


def _timestamp_of_int(seconds: int) -> Timestamp:
    return moments.timestamp(seconds * moments.SECOND)


FUNCTIONS: Final = (
    Function(
        "int",
        (
            Overload((INT,), INT, _same),
            Overload((UINT,), INT, _int_of_uint),
            Overload((DOUBLE,), INT, _int_of_double),
            Overload((STRING,), INT, numerals.int_from_text, scans=True),
            Overload((TIMESTAMP,), INT, _int_of_timestamp),
        ),
        "Converts to a whole number. A double loses its fraction; a string must be decimal digits, with or without a "
        "sign; a timestamp gives whole seconds since 1970. An error where the number does not fit.",
        (("int(-7.9)", "-7"), ("int('42')", "42"), ("int(timestamp('1970-01-02T00:00:00Z'))", "86400")),
        "conversions",
    ),
    Function(
        "uint",
        (
            Overload((UINT,), UINT, _same),
            Overload((INT,), UINT, UInt),
            Overload((DOUBLE,), UINT, _uint_of_double),
            Overload((STRING,), UINT, numerals.uint_from_text, scans=True),
        ),
        "Converts to a whole number that is never negative. An error where the number does not fit.",
        (("uint(7)", "7u"), ("uint('300')", "300u")),
        "conversions",
    ),
    Function(
        "double",
        (
            Overload((DOUBLE,), DOUBLE, _same),
            Overload((INT,), DOUBLE, float),
            Overload((UINT,), DOUBLE, float),
            Overload((STRING,), DOUBLE, numerals.double_from_text, scans=True),
        ),
        "Converts to a double, the nearest one where there is no equal one. A string must be a decimal number, "
        "`inf`, `infinity` or `nan`.",
        (("double(3)", "3.0"), ("double('-1.5e3')", "-1500.0")),
        "conversions",
    ),
    Function(
        "bool",
        (Overload((BOOL,), BOOL, _same), Overload((STRING,), BOOL, _bool_of_text)),
        "Converts `1`, `t`, `true`, `True`, `TRUE` and `0`, `f`, `false`, `False`, `FALSE`; any other string is an "
        "error.",
        (("bool('true')", "true"), ("bool('0')", "false")),
        "conversions",
    ),
    Function(
        "string",
        (
            Overload((STRING,), STRING, _same),
            Overload((BOOL,), STRING, _text_of_bool),
            Overload((INT,), STRING, str),
            Overload((UINT,), STRING, str),
            Overload((DOUBLE,), STRING, numerals.double_text),
            Overload((BYTES,), STRING, _text_of_bytes, scans=True),
            Overload((TIMESTAMP,), STRING, moments.timestamp_text),
            Overload((DURATION,), STRING, moments.duration_text),
        ),
        "Converts to a string. Bytes must be UTF-8; a timestamp is written in RFC 3339 and UTC, a duration in seconds.",
        (
            ("string(123)", "'123'"),
            ("string(2.50)", "'2.5'"),
            ("string(b'caf\\303\\251')", "'café'"),
            ("string(duration('1m1ms'))", "'60.001s'"),
        ),
        "conversions",
    ),
    Function(
        "bytes",
        (Overload((BYTES,), BYTES, _same), Overload((STRING,), BYTES, utf8, scans=True)),
        "Converts a string to its bytes in UTF-8.",
        (("bytes('é')", "b'\\303\\251'"),),
        "conversions",
    ),
    Function(
        "timestamp",
        (
            Overload((TIMESTAMP,), TIMESTAMP, _same),
            Overload((INT,), TIMESTAMP, _timestamp_of_int),
            Overload((STRING,), TIMESTAMP, moments.timestamp_from_text, units=1),
        ),
        "Converts a string in RFC 3339, offset included, or whole seconds since 1970, to a timestamp of the years 1 "
        "to 9999.",
        (
            ("timestamp('2026-01-01T02:00:00+02:00')", "timestamp('2026-01-01T00:00:00Z')"),
            ("timestamp(86400)", "timestamp('1970-01-02T00:00:00Z')"),
        ),
        "conversions",
    ),
    Function(
        "duration",
        (
            Overload((DURATION,), DURATION, _same),
            Overload((STRING,), DURATION, moments.duration_from_text),
        ),
        "Converts numbers with the units `h`, `m`, `s`, `ms`, `us`, `ns` to a duration of at most some 292 years. There "
        "are no days: they are not all equally long.",
        (("duration('1h30m')", "duration('90m')"), ("duration('-1.5s')", "duration('-1500ms')")),
        "conversions",
    ),
    Function(
        "type",
        (Overload((DYN,), TYPE, type_of),),
        "The type of a value.",
        (("type(1)", "int"), ("type(type('a'))", "type")),
    ),
    Function(
        "dyn",
        (Overload((DYN,), DYN, _same),),
        "The value itself, whose type the checker then does not ask about.",
        (("dyn(1)", "1"),),
    ),
)
"""The conversions, `type` and `dyn`."""
