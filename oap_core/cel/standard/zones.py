"""Time zones by name or by fixed offset: how far their clocks are ahead of UTC at a moment.

The names and the rules come from the `tzdata` distribution alone, whatever the machine has in its own files: two
machines with one version of tzdata decide alike, and no name from an expression ever becomes a path.
"""

import re
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final
from zoneinfo import ZoneInfo

from oap_core.cel.failure import Code, EvalError

_FIXED: Final = re.compile(r"([+-]?)([01][0-9]|2[0-3]):([0-5][0-9])")
_LONGEST_NAME: Final = 64
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_CYCLE: Final = 146_097 * 86_400
"""Seconds in 400 years, after which the calendar and so every rule of a zone repeats itself."""
_EARLY: Final = -12_000 * 86_400 * 50
"""A moment in the year 327: before it no zone had a rule."""
_LATE: Final = 12_000 * 86_400 * 200
"""A moment in the year 8541: after it every zone follows its last rule."""


def offset_seconds(zone: str, seconds: int) -> int:
    """How many seconds a zone is ahead of UTC, `seconds` after the epoch.

    A zone is a name of the IANA database (`Europe/Paris`, letter case counts) or `+hh:mm`, `-hh:mm`, `hh:mm`.
    Raises `EvalError` (invalid_argument) for anything else.
    """
    if len(zone) > _LONGEST_NAME:
        raise EvalError(Code.INVALID_ARGUMENT)
    fixed = _FIXED.fullmatch(zone)
    if fixed is not None:
        offset = int(fixed[2]) * 3600 + int(fixed[3]) * 60
        return -offset if fixed[1] == "-" else offset
    return _rule_offset(_zone(zone), seconds)


def _rule_offset(zone: ZoneInfo, seconds: int) -> int:
    """Moments at either end of the calendar are moved by 400 years, since local time there is past Python's years."""
    moved = seconds + _CYCLE if seconds < _EARLY else seconds - _CYCLE if seconds > _LATE else seconds
    offset = (_EPOCH + timedelta(seconds=moved)).astimezone(zone).utcoffset()
    return 0 if offset is None else offset // timedelta(seconds=1)


@lru_cache(maxsize=64)
def _zone(name: str) -> ZoneInfo:
    if name not in zone_names():
        raise EvalError(Code.INVALID_ARGUMENT)
    with files("tzdata").joinpath("zoneinfo", *name.split("/")).open("rb") as rules:
        return ZoneInfo.from_file(rules, name)


@cache
def zone_names() -> frozenset[str]:
    """The names of all zones."""
    return frozenset(files("tzdata").joinpath("zones").read_text(encoding="utf-8").split())
