"""Dates of the Gregorian calendar, extended to every year, as days since 1970-01-01.

Python's own dates end with the years 1 and 9999, and a time zone can move a timestamp past either. The calendar
repeats itself after 400 years, so every date is one that Python knows and a number of such cycles.
"""

from dataclasses import dataclass
from datetime import date
from typing import Final

_CYCLE_YEARS: Final = 400
_CYCLE_DAYS: Final = 146_097
_EPOCH: Final = date(1970, 1, 1).toordinal() - 1


@dataclass(frozen=True, slots=True)
class Day:
    """A day of the calendar."""

    year: int
    """0 is the year before year 1."""
    month: int
    """From 1."""
    day: int
    """Of the month, from 1."""
    of_year: int
    """Day of the year, from 0."""


def day_of(days: int) -> Day:
    """The date that lies so many days behind 1970-01-01."""
    cycles, rest = divmod(days + _EPOCH, _CYCLE_DAYS)
    found = date.fromordinal(rest + 1)
    first = date(found.year, 1, 1).toordinal()
    return Day(found.year + cycles * _CYCLE_YEARS, found.month, found.day, rest + 1 - first)


def days_until(year: int, month: int, day: int) -> int:
    """How many days a date lies behind 1970-01-01. Raises ValueError where there is no such date."""
    cycles, rest = divmod(year - 1, _CYCLE_YEARS)
    return date(rest + 1, month, day).toordinal() - 1 - _EPOCH + cycles * _CYCLE_DAYS
