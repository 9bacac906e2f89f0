"""Texts that people write for moments and spans of time, and the texts that CEL takes for them."""

import re
from collections.abc import Sequence
from typing import Final

from oap_core.cel.failure import EvalError
from oap_core.cel.standard.moments import duration_from_text, timestamp_from_text

_MOST: Final = 60

_DATE: Final = r"(?P<year>[0-9]{4})[-/.](?P<month>[0-9]{1,2})[-/.](?P<day>[0-9]{1,2})"
_DATE_BACKWARDS: Final = r"(?P<day>[0-9]{1,2})\.(?P<month>[0-9]{1,2})\.(?P<year>[0-9]{4})"
_TIME: Final = r"(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2})(?P<fraction>\.[0-9]{1,9})?)?"
_OFFSET: Final = r"(?P<offset>[zZ]|[+-][0-9]{2}(?::?[0-9]{2})?|UTC|GMT)"
_WORD_FIRST: Final = r"(?P<name>[A-Za-z]{3,9})\.?\ (?P<day>[0-9]{1,2})(?:st|nd|rd|th)?,?\ (?P<year>[0-9]{4})"
_DAY_FIRST: Final = r"(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?\.?[ -](?P<name>[A-Za-z]{3,9})\.?,?[ -](?P<year>[0-9]{4})"
_MOMENTS: Final = tuple(
    re.compile(rf"{date}(?:[tT ]\ ?{_TIME}\ ?{_OFFSET}?)?", re.ASCII)
    for date in (_DATE, _DATE_BACKWARDS, _WORD_FIRST, _DAY_FIRST)
)
MONTHS: Final = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
"""The months by their names, in order."""

DAYS: Final = ("sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday")
"""The days of the week by their names, in the order in which CEL counts them."""

_SPAN: Final = re.compile(r"(?P<count>[0-9]{1,9}(?:\.[0-9]{1,9})?)\s*(?P<unit>[A-Za-z]*)\s*,?\s*(?:and\s+)?", re.ASCII)
_ISO_SPAN: Final = re.compile(r"P(?:([0-9]{1,6})W)?(?:([0-9]{1,6})D)?(?:T(?:([0-9]+)H)?(?:([0-9]+)M)?(?:([0-9]+)S)?)?")
_HOURS: Final = {"d": 24, "w": 168}
"""Hours in the units that CEL does not have; months and years are not all equally long."""
_UNITS: Final = {
    **dict.fromkeys(("ms", "millisecond", "milliseconds", "millis"), "ms"),
    **dict.fromkeys(("", "s", "sec", "secs", "second", "seconds"), "s"),
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes"), "m"),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), "h"),
    **dict.fromkeys(("d", "day", "days"), "d"),
    **dict.fromkeys(("w", "week", "weeks"), "w"),
}


def moment_text(text: str) -> str | None:
    """The moment in RFC 3339 that a text means, perhaps a date or without a zone; None for any other text."""
    if len(text) > _MOST:
        return None
    found = next((match for pattern in _MOMENTS if (match := pattern.fullmatch(text.strip()))), None)
    if found is None:
        return None
    parts = found.groupdict()
    named = position_of(parts["name"], MONTHS) if "name" in parts else int(parts["month"]) - 1
    if named is None:
        return None
    year, month, day = int(found["year"]), named + 1, int(found["day"])
    hour, minute, second = (int(found[part] or 0) for part in ("hour", "minute", "second"))
    offset = _offset(found["offset"])
    date, time = f"{year:04d}-{month:02d}-{day:02d}", f"{hour:02d}:{minute:02d}:{second:02d}"
    made = f"{date}T{time}{found['fraction'] or ''}{offset}"
    try:
        timestamp_from_text(made)
    except EvalError:
        return None
    return made


def _offset(text: str | None) -> str:
    """An offset from UTC in full."""
    if text is None or text[0] not in "+-":
        return "Z"
    digits = text[1:].replace(":", "").ljust(4, "0")
    return f"{text[0]}{digits[:2]}:{digits[2:]}"


def position_of(name: str, names: Sequence[str]) -> int | None:
    """The position of the one name that begins like this, from three letters on."""
    found = [position for position, full in enumerate(names) if full.startswith(name.lower())]
    return found[0] if len(found) == 1 and len(name) > 2 else None


def span_text(text: str) -> str | None:
    """The span as CEL writes it that a text means, perhaps in other units or words; None for any other text."""
    if len(text) > _MOST:
        return None
    parts = _iso_parts(text) or _parts(text.strip())
    for meant in (text, "".join(_in_units(count, unit) for count, unit in parts)):
        try:
            duration_from_text(meant)
        except EvalError:
            continue
        return meant
    return None


def _iso_parts(text: str) -> list[tuple[str, str]]:
    found = _ISO_SPAN.fullmatch(text)
    return (
        [] if found is None else [(count, unit) for count, unit in zip(found.groups(), "wdhms", strict=True) if count]
    )


def _parts(text: str) -> list[tuple[str, str]]:
    parts: list[tuple[str, str]] = []
    place = 0
    while place < len(text):
        found = _SPAN.match(text, place)
        unit = None if found is None else _UNITS.get(found["unit"].lower())
        if found is None or unit is None:
            return []
        parts.append((found["count"], unit))
        place = found.end()
    return parts


def _in_units(count: str, unit: str) -> str:
    hours = _HOURS.get(unit)
    if hours is None:
        return f"{count}{unit}"
    return f"{float(count) * hours:g}h" if "." in count else f"{int(count) * hours}h"
