from __future__ import annotations

import secrets
import threading
import uuid
from datetime import UTC, datetime, timedelta, timezone
from functools import reduce
from operator import and_, or_
from typing import NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oap_core.clock import Clock, FrozenClock, SystemClock

NOON = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
CLOCKS = pytest.mark.parametrize("clock", [SystemClock(), FrozenClock()], ids=["system", "frozen"])


@CLOCKS
def test_time_is_aware_and_in_utc(clock: Clock) -> None:
    assert clock.now().utcoffset() == timedelta(0)
    assert clock.now().tzinfo is UTC


def test_the_clock_of_the_machine_tells_the_time() -> None:
    before = datetime.now(UTC)
    now = SystemClock().now()
    assert before <= now <= datetime.now(UTC)


@CLOCKS
def test_monotonic_seconds_do_not_step_back(clock: Clock) -> None:
    seconds = [clock.monotonic() for _ in range(100)]
    assert seconds == sorted(seconds)


@CLOCKS
def test_a_nonce_has_128_bits_and_never_comes_twice(clock: Clock) -> None:
    nonces = [clock.nonce() for _ in range(1000)]
    assert len(set(nonces)) == 1000
    assert all(len(nonce) == 32 and set(nonce) <= set("0123456789abcdef") for nonce in nonces)
    # Every one of the 128 bits is drawn: each is 1 somewhere and 0 somewhere.
    numbers = [int(nonce, 16) for nonce in nonces]
    assert reduce(or_, numbers) == (1 << 128) - 1
    assert reduce(and_, numbers) == 0


@CLOCKS
def test_a_random_number_is_below_one(clock: Clock) -> None:
    numbers = [clock.random() for _ in range(1000)]
    assert all(0 <= number < 1 for number in numbers)
    assert len(set(numbers)) == 1000
    assert min(numbers) < 0.1
    assert max(numbers) > 0.9


@CLOCKS
def test_ids_are_uuids_of_version_7_in_the_order_of_their_making(clock: Clock) -> None:
    ids = [clock.new_id() for _ in range(5000)]
    assert ids == sorted(ids)
    assert len(set(ids)) == 5000
    assert {(uuid.UUID(one).version, uuid.UUID(one).variant) for one in ids} == {(7, uuid.RFC_4122)}
    assert all(str(uuid.UUID(one)) == one for one in ids)


@CLOCKS
def test_an_id_ends_with_62_drawn_bits(clock: Clock) -> None:
    tails = [uuid.UUID(clock.new_id()).int & (1 << 62) - 1 for _ in range(1000)]
    assert reduce(or_, tails) == (1 << 62) - 1
    assert reduce(and_, tails) == 0


def test_an_id_starts_with_its_time() -> None:
    clock = FrozenClock(NOON)
    assert uuid.UUID(clock.new_id()).int >> 80 == NOON.timestamp() * 1000
    clock.advance(1.5)
    assert uuid.UUID(clock.new_id()).int >> 80 == NOON.timestamp() * 1000 + 1500


def test_ids_stay_in_order_when_the_time_steps_back() -> None:
    clock = FrozenClock(NOON)
    before = clock.new_id()
    clock.set(NOON - timedelta(days=1))
    assert clock.new_id() > before
    clock.set(NOON + timedelta(days=1))
    assert uuid.UUID(clock.new_id()).int >> 80 == (NOON + timedelta(days=1)).timestamp() * 1000


def test_a_time_before_1970_still_gives_an_id() -> None:
    clock = FrozenClock(datetime(1, 1, 1, tzinfo=UTC))
    assert clock.new_id() < clock.new_id()
    clock.set(datetime(9999, 12, 31, tzinfo=UTC))
    assert uuid.UUID(clock.new_id()).version == 7


@CLOCKS
def test_threads_share_a_clock_and_never_an_id_or_a_nonce(clock: Clock) -> None:
    drawn: list[str] = []

    def draw() -> None:
        mine = [name() for _ in range(500) for name in (clock.new_id, clock.nonce)]
        assert mine[::2] == sorted(mine[::2])
        drawn.extend(mine)

    threads = [threading.Thread(target=draw) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(drawn) == len(set(drawn)) == 8 * 1000


def test_a_failing_source_of_randomness_is_loud(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_count: int) -> NoReturn:
        raise OSError

    monkeypatch.setattr(secrets, "token_hex", fail)
    monkeypatch.setattr(secrets, "randbits", fail)
    clock = SystemClock()
    for draw in (clock.nonce, clock.random, clock.new_id):
        with pytest.raises(OSError):
            draw()


def test_a_frozen_clock_stands_still_until_it_is_moved() -> None:
    clock = FrozenClock(NOON)
    assert {clock.now() for _ in range(3)} == {NOON}
    clock.advance(90)
    clock.advance(timedelta(milliseconds=500))
    assert clock.now() == NOON + timedelta(seconds=90.5)
    assert clock.monotonic() == 90.5


def test_setting_the_time_of_day_leaves_the_monotonic_seconds_alone() -> None:
    clock = FrozenClock(NOON)
    clock.advance(10)
    clock.set(NOON - timedelta(hours=1))
    assert clock.now() == NOON - timedelta(hours=1)
    assert clock.monotonic() == 10


def test_time_in_another_zone_is_brought_to_utc() -> None:
    clock = FrozenClock(datetime(2026, 5, 1, 14, 0, tzinfo=timezone(timedelta(hours=2))))
    assert clock.now() == NOON
    assert clock.now().tzinfo is UTC


def test_a_time_without_a_zone_is_refused() -> None:
    naive = datetime(2026, 5, 1)  # noqa: DTZ001  # on purpose
    with pytest.raises(ValueError, match="time zone"):
        FrozenClock(naive)
    clock = FrozenClock(NOON)
    with pytest.raises(ValueError, match="time zone"):
        clock.set(naive)
    assert clock.now() == NOON


@pytest.mark.parametrize("step", [-1, timedelta(microseconds=-1)])
def test_time_does_not_run_backwards(step: float | timedelta) -> None:
    with pytest.raises(ValueError, match="backwards"):
        FrozenClock().advance(step)


@given(st.integers(), st.lists(st.sampled_from(["nonce", "new_id", "random"]), max_size=20))
def test_equal_seeds_give_equal_draws(seed: int, draws: list[str]) -> None:
    one, two = FrozenClock(seed=seed), FrozenClock(seed=seed)
    assert [getattr(one, draw)() for draw in draws] == [getattr(two, draw)() for draw in draws]


def test_other_seeds_give_other_draws() -> None:
    assert len({FrozenClock(seed=seed).nonce() for seed in range(100)}) == 100
    assert FrozenClock(seed=1).new_id() != FrozenClock(seed=2).new_id()


def test_two_clocks_share_nothing() -> None:
    one, two = FrozenClock(NOON), FrozenClock(NOON)
    one.advance(5)
    one.new_id()
    assert two.now() == NOON
    assert two.new_id() == FrozenClock(NOON).new_id()
