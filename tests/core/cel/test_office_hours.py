"""Office hours in a zone, over the change of the clocks: the condition that policies about time are made of."""

from __future__ import annotations

from datetime import datetime
from typing import Final

import pytest

from oap_core.cel import DYN, MATCH, NO_MATCH, TIMESTAMP, Env, freeze, load

_OFFICE_HOURS: Final = load(
    """
    now.getDayOfWeek("Europe/Berlin") >= 1 && now.getDayOfWeek("Europe/Berlin") <= 5
    && now.getHours("Europe/Berlin") >= 9 && now.getHours("Europe/Berlin") < 17
    """,
    Env({"now": TIMESTAMP, "args": DYN}),
)


@pytest.mark.parametrize(
    ("moment", "open_"),
    [
        ("2026-10-23T14:50:00+00:00", True),  # Friday, 16:50 in summer time
        ("2026-10-23T14:59:59.999000+00:00", True),
        ("2026-10-23T15:00:00+00:00", False),
        ("2026-10-23T15:05:00+00:00", False),
        ("2026-10-24T22:30:00+00:00", False),  # Saturday in UTC, Sunday in Berlin
        ("2026-10-25T00:30:00+00:00", False),  # Sunday, in the hour that comes twice
        ("2026-10-26T07:30:00+00:00", False),  # Monday, 08:30: with the summer offset it would be 09:30
        ("2026-10-26T08:30:00+00:00", True),
        ("2026-10-26T17:30:00+09:00", True),  # the same moment, told elsewhere
        ("2026-10-23T19:00:00+00:00", False),
    ],
)
def test_office_hours(moment: str, open_: bool) -> None:
    call = freeze({"now": datetime.fromisoformat(moment), "args": {"now": "2026-10-23T10:00:00Z"}})
    assert _OFFICE_HOURS.decide(call) is (MATCH if open_ else NO_MATCH)
