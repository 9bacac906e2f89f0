"""Functions that read one part of a timestamp or of a duration: `getFullYear`, `getHours`, `getMilliseconds`, ...

A timestamp is read in UTC or in a time zone. A duration is converted as a whole, towards zero, but for milliseconds,
which are the part below the second.
"""

from collections.abc import Callable
from typing import Final

from oap_core.cel.functions import Function, Overload
from oap_core.cel.standard.civil import day_of
from oap_core.cel.standard.moments import DAY, HOUR, MILLISECOND, MINUTE, SECOND
from oap_core.cel.standard.zones import offset_seconds
from oap_core.cel.types import DURATION, INT, STRING, TIMESTAMP
from oap_core.cel.values import Duration, Timestamp

_Part = Callable[[int], int]
"""From nanoseconds of local time since 1970 to a part of them."""

_IN_A_ZONE: Final = ((Timestamp(0), "UTC"),)
_THURSDAY: Final = 4
"""The day of the week of 1970-01-01, counted from Sunday."""


def _readers(part: _Part) -> tuple[Overload, Overload]:
    def in_utc(moment: Timestamp) -> int:
        return part(moment.nanos)

    def in_zone(moment: Timestamp, zone: str) -> int:
        return part(moment.nanos + offset_seconds(zone, moment.nanos // SECOND) * SECOND)

    return (
        Overload((TIMESTAMP,), INT, in_utc, method=True),
        Overload((TIMESTAMP, STRING), INT, in_zone, method=True, units=1, samples=_IN_A_ZONE),
    )


def _whole(unit: int) -> Overload:
    def convert(span: Duration) -> int:
        return _towards_zero(span.nanos, unit)

    return Overload((DURATION,), INT, convert, method=True)


def _towards_zero(nanos: int, unit: int) -> int:
    return nanos // unit if nanos >= 0 else -(-nanos // unit)


def _milliseconds(span: Duration) -> int:
    seconds = _towards_zero(span.nanos, SECOND)
    return _towards_zero(span.nanos - seconds * SECOND, MILLISECOND)


def _date(name: str, part: _Part, summary: str, example: tuple[str, str]) -> Function:
    return Function(name, _readers(part), f"{summary} In UTC, or in the time zone named.", (example,), "time")


def _clock(name: str, part: _Part, of_duration: Overload, summary: str, *examples: tuple[str, str]) -> Function:
    return Function(name, (*_readers(part), of_duration), summary, examples, "time")


FUNCTIONS: Final = (
    _date(
        "getFullYear",
        lambda nanos: day_of(nanos // DAY).year,
        "The year.",
        ("timestamp('2026-01-01T00:30:00Z').getFullYear('America/New_York')", "2025"),
    ),
    _date(
        "getMonth",
        lambda nanos: day_of(nanos // DAY).month - 1,
        "The month, from 0 for January to 11.",
        ("timestamp('2026-03-01T00:00:00Z').getMonth()", "2"),
    ),
    _date(
        "getDate",
        lambda nanos: day_of(nanos // DAY).day,
        "The day of the month, from 1.",
        ("timestamp('2026-03-01T00:00:00Z').getDate('-01:00')", "28"),
    ),
    _date(
        "getDayOfMonth",
        lambda nanos: day_of(nanos // DAY).day - 1,
        "The day of the month, from 0.",
        ("timestamp('2026-03-01T00:00:00Z').getDayOfMonth()", "0"),
    ),
    _date(
        "getDayOfWeek",
        lambda nanos: (nanos // DAY + _THURSDAY) % 7,
        "The day of the week, from 0 for Sunday to 6.",
        ("timestamp('2026-03-02T00:00:00Z').getDayOfWeek()", "1"),
    ),
    _date(
        "getDayOfYear",
        lambda nanos: day_of(nanos // DAY).of_year,
        "The day of the year, from 0.",
        ("timestamp('2026-02-01T00:00:00Z').getDayOfYear()", "31"),
    ),
    _clock(
        "getHours",
        lambda nanos: nanos // HOUR % 24,
        _whole(HOUR),
        "The hour of a timestamp, in UTC or in the time zone named; all whole hours of a duration.",
        ("timestamp('2026-07-01T10:00:00Z').getHours('Europe/Paris')", "12"),
        ("duration('90m').getHours()", "1"),
    ),
    _clock(
        "getMinutes",
        lambda nanos: nanos // MINUTE % 60,
        _whole(MINUTE),
        "The minute of a timestamp, in UTC or in the time zone named; all whole minutes of a duration.",
        ("timestamp('2026-07-01T10:20:00Z').getMinutes('+05:30')", "50"),
        ("duration('1h30m').getMinutes()", "90"),
    ),
    _clock(
        "getSeconds",
        lambda nanos: nanos // SECOND % 60,
        _whole(SECOND),
        "The second of a timestamp, in UTC or in the time zone named; all whole seconds of a duration.",
        ("timestamp('2026-07-01T10:20:30Z').getSeconds()", "30"),
        ("duration('1m30s').getSeconds()", "90"),
    ),
    _clock(
        "getMilliseconds",
        lambda nanos: nanos // MILLISECOND % 1000,
        Overload((DURATION,), INT, _milliseconds, method=True),
        "The milliseconds below the second, of a timestamp and of a duration alike.",
        ("timestamp('2026-07-01T10:20:30.500Z').getMilliseconds()", "500"),
        ("duration('1.234s').getMilliseconds()", "234"),
    ),
)
"""The readers of timestamps and durations."""
