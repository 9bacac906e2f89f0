"""Timestamps and durations: reading, writing, adding and subtracting them, exact to the nanosecond.

A timestamp lies between 0001-01-01T00:00:00Z and 9999-12-31T23:59:59.999999999Z. A duration has as many nanoseconds
as fit into 64 bits, which is some 292 years. Whatever would lie outside is an `EvalError` (out_of_range).
"""

import re
from typing import Final

from oap_core.cel.failure import Code, EvalError
from oap_core.cel.limits import INT_MAX, INT_MIN
from oap_core.cel.standard.civil import day_of, days_until
from oap_core.cel.values import Duration, Timestamp

MILLISECOND: Final = 1_000_000
"""Nanoseconds."""
SECOND: Final = 1_000_000_000
"""Nanoseconds."""
MINUTE: Final = 60 * SECOND
"""Nanoseconds."""
HOUR: Final = 60 * MINUTE
"""Nanoseconds."""
DAY: Final = 24 * HOUR
"""Nanoseconds."""

EARLIEST: Final = days_until(1, 1, 1) * DAY
"""The first timestamp, in nanoseconds since the epoch."""
LATEST: Final = days_until(10_000, 1, 1) * DAY - 1
"""The last timestamp, in nanoseconds since the epoch."""

TIMESTAMP_CHARACTERS: Final = 64
"""Longest text that is read as a timestamp."""
DURATION_CHARACTERS: Final = 256
"""Longest text that is read as a duration."""

_TIMESTAMP: Final = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]++))?+"
    r"(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))"
)
_COMPONENT: Final = re.compile(r"([0-9]*+)(?:\.([0-9]*+))?+(h|ms|us|ns|m|s)")
_FINEST: Final[int] = 10**DURATION_CHARACTERS
_UNITS: Final = {"h": HOUR, "m": MINUTE, "s": SECOND, "ms": MILLISECOND, "us": 1_000, "ns": 1}


def timestamp(nanos: int) -> Timestamp:
    """The moment so many nanoseconds after the epoch. Raises `EvalError` (out_of_range)."""
    if EARLIEST <= nanos <= LATEST:
        return Timestamp(nanos)
    raise EvalError(Code.OUT_OF_RANGE)


def duration(nanos: int) -> Duration:
    """The span of so many nanoseconds. Raises `EvalError` (out_of_range)."""
    if INT_MIN <= nanos <= INT_MAX:
        return Duration(nanos)
    raise EvalError(Code.OUT_OF_RANGE)


def add_duration(moment: Timestamp, span: Duration) -> Timestamp:
    """The moment a span later. Raises `EvalError` (out_of_range)."""
    return timestamp(moment.nanos + span.nanos)


def subtract_duration(moment: Timestamp, span: Duration) -> Timestamp:
    """The moment a span earlier. Raises `EvalError` (out_of_range)."""
    return timestamp(moment.nanos - span.nanos)


def between(later: Timestamp, earlier: Timestamp) -> Duration:
    """The span from `earlier` to `later`; negative where they are the other way round.

    Raises `EvalError` (out_of_range) where they lie more than some 292 years apart.
    """
    return duration(later.nanos - earlier.nanos)


def add_durations(one: Duration, other: Duration) -> Duration:
    """Both spans together. Raises `EvalError` (out_of_range)."""
    return duration(one.nanos + other.nanos)


def subtract_durations(one: Duration, other: Duration) -> Duration:
    """The first span without the second. Raises `EvalError` (out_of_range)."""
    return duration(one.nanos - other.nanos)


def timestamp_from_text(text: str) -> Timestamp:
    """A moment in RFC 3339, the offset included; digits below the nanosecond are dropped.

    Leap seconds are refused, since a timestamp has none. Raises `EvalError`: invalid_argument for any other text,
    out_of_range where the moment lies outside the range.
    """
    found = None if len(text) > TIMESTAMP_CHARACTERS else _TIMESTAMP.fullmatch(text)
    if found is None:
        raise EvalError(Code.INVALID_ARGUMENT)
    year, month, day, hour, minute, second = map(int, found.group(1, 2, 3, 4, 5, 6))
    fraction, sign, offset_hours, offset_minutes = found.group(7, 8, 9, 10)
    offset = 0 if sign is None else _clock(int(offset_hours), int(offset_minutes), 0)
    try:
        days = days_until(year, month, day)
    except ValueError:
        raise EvalError(Code.INVALID_ARGUMENT) from None
    nanos = days * DAY + _clock(hour, minute, second) + int((fraction or "0")[:9].ljust(9, "0"))
    return timestamp(nanos + offset if sign == "-" else nanos - offset)


def _clock(hour: int, minute: int, second: int) -> int:
    if hour > 23 or minute > 59 or second > 59:
        raise EvalError(Code.INVALID_ARGUMENT)
    return hour * HOUR + minute * MINUTE + second * SECOND


def timestamp_text(moment: Timestamp) -> str:
    """The moment in RFC 3339 and UTC, with no fraction of a second or with 3, 6 or 9 digits of it."""
    days, rest = divmod(moment.nanos, DAY)
    seconds, fraction = divmod(rest, SECOND)
    day = day_of(days)
    return (
        f"{day.year:04d}-{day.month:02d}-{day.day:02d}"
        f"T{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}{_fraction_text(fraction)}Z"
    )


def duration_from_text(text: str) -> Duration:
    """A span such as `1h30m`, `-1.5s` or `0`, from the units h, m, s, ms, us and ns; dropped below the nanosecond.

    Raises `EvalError`: invalid_argument for any other text, out_of_range past 64 bits of nanoseconds.
    """
    start = 1 if text[:1] in ("-", "+") else 0
    if not start < len(text) <= DURATION_CHARACTERS:
        raise EvalError(Code.INVALID_ARGUMENT)
    nanos = 0 if text[start:] == "0" else _components(text, start)
    return duration(-nanos if text[0] == "-" else nanos)


def _components(text: str, place: int) -> int:
    nanos = below = 0
    while place < len(text):
        found = _COMPONENT.match(text, place)
        if found is None or not (found[1] or found[2]):
            raise EvalError(Code.INVALID_ARGUMENT)
        whole, fraction, unit = found[1] or "0", found[2] or "0", _UNITS[found[3]]
        scale: int = 10 ** len(fraction)
        part, rest = divmod(int(fraction) * unit, scale)
        nanos += int(whole) * unit + part
        below += rest * (_FINEST // scale)
        place = found.end()
    return nanos + below // _FINEST


def duration_text(span: Duration) -> str:
    """The span in seconds, with no fraction or with 3, 6 or 9 digits of it: `90s`, `-1.500s`."""
    seconds, fraction = divmod(abs(span.nanos), SECOND)
    return f"{'-' if span.nanos < 0 else ''}{seconds}{_fraction_text(fraction)}s"


def plain_duration(span: Duration) -> str:
    """What `format` writes for a span: seconds in as few digits as they need, `1.5s`."""
    seconds, fraction = divmod(abs(span.nanos), SECOND)
    shown = f"{seconds}.{fraction:09d}".rstrip("0").rstrip(".")
    return f"{'-' if span.nanos < 0 else ''}{shown}s"


def _fraction_text(nanos: int) -> str:
    if not nanos:
        return ""
    if nanos % 1_000_000 == 0:
        return f".{nanos // 1_000_000:03d}"
    return f".{nanos // 1_000:06d}" if nanos % 1_000 == 0 else f".{nanos:09d}"
