"""Dates and spans as people write them: what is offered instead is what CEL reads, and means the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oap_core.cel.calendar import DAYS, MONTHS, moment_text, position_of, span_text
from oap_core.cel.standard.moments import duration_from_text, timestamp_from_text


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("2026-12-01", "2026-12-01T00:00:00Z"),
        ("2026-1-2", "2026-01-02T00:00:00Z"),
        ("2026/12/01", "2026-12-01T00:00:00Z"),
        ("2026.12.01", "2026-12-01T00:00:00Z"),
        ("01.12.2026", "2026-12-01T00:00:00Z"),
        (" 2026-12-01 ", "2026-12-01T00:00:00Z"),
        ("2026-12-01 10:30", "2026-12-01T10:30:00Z"),
        ("2026-12-01T10:30:05", "2026-12-01T10:30:05Z"),
        ("2026-12-01T10:30:05.25Z", "2026-12-01T10:30:05.25Z"),
        ("2026-12-01T10:30:05z", "2026-12-01T10:30:05Z"),
        ("2026-12-01 10:30 UTC", "2026-12-01T10:30:00Z"),
        ("2026-12-01T10:30:05+01:00", "2026-12-01T10:30:05+01:00"),
        ("2026-12-01T10:30:05+0130", "2026-12-01T10:30:05+01:30"),
        ("2026-12-01T10:30:05-05", "2026-12-01T10:30:05-05:00"),
        ("Dec 1, 2026", "2026-12-01T00:00:00Z"),
        ("December 1st 2026", "2026-12-01T00:00:00Z"),
        ("1 December 2026", "2026-12-01T00:00:00Z"),
        ("2-Mar-2026", "2026-03-02T00:00:00Z"),
        ("1 Ma 2026", None),
        ("1 Jux 2026", None),
        ("2026-13-01", None),
        ("2026-02-30", None),
        ("12/01/2026", None),
        ("2026-12-01T25:00:00Z", None),
        ("tomorrow", None),
        ("now", None),
        ("", None),
        ("2026-12-01" + " " * 60, None),
    ],
)
def test_moments(text: str, meant: str | None) -> None:
    assert moment_text(text) == meant


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("1h30m", "1h30m"),
        ("-1.5s", "-1.5s"),
        ("0", "0"),
        ("3600", "3600s"),
        ("1d", "24h"),
        ("1.5d", "36h"),
        ("2w", "336h"),
        ("7 days", "168h"),
        ("5 minutes", "5m"),
        ("1 hour, 30 minutes", "1h30m"),
        ("1 hour and 5 sec", "1h5s"),
        ("1 Day", "24h"),
        ("250 millis", "250ms"),
        ("PT1H30M", "1h30m"),
        ("P7D", "168h"),
        ("P1W", "168h"),
        ("P1DT12H", "24h12h"),
        ("P", None),
        ("P1M", None),
        ("1 month", None),
        ("a year", None),
        ("soon", None),
        ("", None),
        ("1h" * 40, None),
        ("99999999w", None),
    ],
)
def test_spans(text: str, meant: str | None) -> None:
    assert span_text(text) == meant


@given(st.one_of(st.text(max_size=40), st.from_regex(r"[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4}.{0,12}")))
def test_what_is_offered_is_read(text: str) -> None:
    moment, span = moment_text(text), span_text(text)
    if moment is not None:
        timestamp_from_text(moment)
    if span is not None:
        duration_from_text(span)


def test_days_and_months_by_the_beginning_of_their_names() -> None:
    assert [position_of(name, DAYS) for name in ("Sunday", "mon", "SAT", "Satur", "x", "Su", "")] == [
        0,
        1,
        6,
        6,
        None,
        None,
        None,
    ]
    assert [position_of(name, MONTHS) for name in ("January", "jun", "jul", "ju", "Dec")] == [0, 5, 6, None, 11]
