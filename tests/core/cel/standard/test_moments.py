from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oap_core.cel.failure import Code, EvalError
from oap_core.cel.limits import INT_MAX, INT_MIN
from oap_core.cel.standard import moments
from oap_core.cel.standard.civil import day_of, days_until
from oap_core.cel.standard.moments import DAY, EARLIEST, LATEST, SECOND
from oap_core.cel.values import Duration, Timestamp
from tests.core.cel.standard.calling import call

TIMESTAMPS: Final = st.integers(EARLIEST, LATEST).map(Timestamp)
DURATIONS: Final = st.integers(INT_MIN, INT_MAX).map(Duration)
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def _moment(timestamp: Timestamp) -> datetime:
    return EPOCH + timedelta(microseconds=timestamp.nanos // 1000)


@given(TIMESTAMPS)
def test_a_timestamp_reads_back(timestamp: Timestamp) -> None:
    assert moments.timestamp_from_text(moments.timestamp_text(timestamp)) == timestamp


@given(DURATIONS)
def test_a_duration_reads_back(duration: Duration) -> None:
    assert moments.duration_from_text(moments.duration_text(duration)) == duration
    assert moments.duration_from_text(moments.plain_duration(duration)) == duration


@given(TIMESTAMPS, st.integers(-1439, 1439))
def test_an_offset_is_subtracted(timestamp: Timestamp, minutes: int) -> None:
    shown = moments.timestamp_text(timestamp).removesuffix("Z")
    sign = "-" if minutes < 0 else "+"
    text = f"{shown}{sign}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"
    nanos = timestamp.nanos - minutes * 60 * SECOND
    if EARLIEST <= nanos <= LATEST:
        assert moments.timestamp_from_text(text) == Timestamp(nanos)
    else:
        with pytest.raises(EvalError) as raised:
            moments.timestamp_from_text(text)
        assert raised.value.code is Code.OUT_OF_RANGE


@given(TIMESTAMPS)
def test_the_parts_are_those_of_pythons_own_calendar(timestamp: Timestamp) -> None:
    moment = _moment(timestamp)
    parts = [
        call(name, timestamp)
        for name in (
            "getFullYear", "getMonth", "getDate", "getDayOfMonth", "getDayOfWeek", "getDayOfYear", "getHours",
            "getMinutes", "getSeconds", "getMilliseconds",
        )
    ]  # fmt: skip
    assert parts == [
        moment.year, moment.month - 1, moment.day, moment.day - 1, moment.isoweekday() % 7,
        moment.timetuple().tm_yday - 1, moment.hour, moment.minute, moment.second, moment.microsecond // 1000,
    ]  # fmt: skip


@given(st.integers(-10_000_000, 10_000_000))
def test_days_and_dates_are_inverse_in_every_year(days: int) -> None:
    day = day_of(days)
    assert days_until(day.year, day.month, day.day) == days
    assert days_until(day.year, 1, 1) + day.of_year == days
    assert day_of(days + 146_097).year == day.year + 400


@pytest.mark.parametrize(("year", "leap"), [(0, True), (-1, False), (-4, True), (-100, False), (10_000, True)])
def test_leap_years_past_pythons_own(year: int, leap: bool) -> None:
    assert days_until(year, 3, 1) - days_until(year, 2, 28) == 1 + leap


@given(TIMESTAMPS, DURATIONS)
def test_adding_and_subtracting_a_duration(timestamp: Timestamp, duration: Duration) -> None:
    for compute, nanos in (
        (moments.add_duration, timestamp.nanos + duration.nanos),
        (moments.subtract_duration, timestamp.nanos - duration.nanos),
    ):
        if EARLIEST <= nanos <= LATEST:
            assert compute(timestamp, duration) == Timestamp(nanos)
        else:
            with pytest.raises(EvalError) as raised:
                compute(timestamp, duration)
            assert raised.value.code is Code.OUT_OF_RANGE


@given(DURATIONS, DURATIONS)
def test_durations_together_and_apart(one: Duration, other: Duration) -> None:
    for compute, nanos in (
        (moments.add_durations, one.nanos + other.nanos),
        (moments.subtract_durations, one.nanos - other.nanos),
    ):
        if INT_MIN <= nanos <= INT_MAX:
            assert compute(one, other) == Duration(nanos)
        else:
            with pytest.raises(EvalError) as raised:
                compute(one, other)
            assert raised.value.code is Code.OUT_OF_RANGE


@given(TIMESTAMPS, TIMESTAMPS)
def test_the_span_between_two_moments(one: Timestamp, other: Timestamp) -> None:
    if abs(one.nanos - other.nanos) <= INT_MAX:
        assert moments.add_duration(other, moments.between(one, other)) == one
    else:
        with pytest.raises(EvalError) as raised:
            moments.between(one, other)
        assert raised.value.code is Code.OUT_OF_RANGE


def test_the_range_is_that_of_the_specification() -> None:
    assert moments.timestamp_text(Timestamp(EARLIEST)) == "0001-01-01T00:00:00Z"
    assert moments.timestamp_text(Timestamp(LATEST)) == "9999-12-31T23:59:59.999999999Z"
    for nanos in (EARLIEST - 1, LATEST + 1):
        with pytest.raises(EvalError):
            moments.timestamp(nanos)


@given(DURATIONS)
def test_the_parts_of_a_duration_cut_towards_zero(duration: Duration) -> None:
    opposite = Duration(-duration.nanos)
    for name in ("getHours", "getMinutes", "getSeconds", "getMilliseconds"):
        assert call(name, duration) == -call(name, opposite)
    assert call("getHours", duration) == int(duration.nanos / abs(duration.nanos or 1)) * (
        abs(duration.nanos) // (DAY // 24)
    )
