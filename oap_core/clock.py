"""The one object through which time, randomness, ids and nonces come in, so that a replay and a test are exact."""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
from datetime import UTC, datetime, timedelta
from typing import Final, Protocol
from uuid import UUID

__all__ = ["Clock", "FrozenClock", "SystemClock"]

NONCE_BYTES: Final = 16
_TAIL_BITS: Final = 62
_COUNTER_BITS: Final = 12
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class Clock(Protocol):
    """Where the core and its plugins get the time and everything random from; safe to use from several threads."""

    def now(self) -> datetime:
        """Give the time of day, aware and in UTC; it can step back when the machine's clock is set."""

    def monotonic(self) -> float:
        """Give seconds since an arbitrary moment, which never step back; only differences mean anything."""

    def random(self) -> float:
        """Give a number from 0 up to but not including 1, for spreading and sampling and never for a secret."""

    def nonce(self) -> str:
        """Give 128 bits that nobody can foresee, as 32 lower-case hexadecimal digits.

        Where the source of randomness fails its exception passes through: there is no weaker nonce.
        """

    def new_id(self) -> str:
        """Give a fresh id, a UUID of version 7 as text; ids of one clock order as they were given out.

        An id is not a secret: it tells when it was made.
        """


class SystemClock:
    """The clock of the machine and the randomness of the operating system."""

    def __init__(self) -> None:
        self._ids = _Sequence()

    def now(self) -> datetime:
        """Give the time of the machine's clock, in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Give the seconds of the machine's monotonic clock."""
        return time.monotonic()

    def random(self) -> float:
        """Give a number from the operating system's randomness."""
        return secrets.randbits(53) / (1 << 53)

    def nonce(self) -> str:
        """Give 128 bits from the operating system's randomness."""
        return secrets.token_hex(NONCE_BYTES)

    def new_id(self) -> str:
        """Give an id that starts with the time and ends with 62 random bits."""
        return self._ids.next(self.now(), secrets.randbits(_TAIL_BITS))


class FrozenClock:
    """A clock for tests and replays: time moves when it is told to, and equal seeds give equal ids and nonces.

    Its nonces can be foreseen by anybody who knows the seed, so it must never stand in for the real clock.
    """

    def __init__(self, now: datetime = datetime(2026, 1, 1, tzinfo=UTC), *, seed: int = 0) -> None:
        """Raise ValueError where the time has no time zone."""
        self._lock = threading.Lock()
        self._now = _in_utc(now)
        self._monotonic = 0.0
        self._seed = seed
        self._draws = 0
        self._ids = _Sequence()

    def now(self) -> datetime:
        """Give the time that was set last."""
        return self._now

    def monotonic(self) -> float:
        """Give the seconds by which the clock was advanced so far."""
        return self._monotonic

    def random(self) -> float:
        """Give the next number of the sequence."""
        return (self._draw("random") >> 75) / (1 << 53)

    def nonce(self) -> str:
        """Give the next nonce of the sequence."""
        return f"{self._draw('nonce'):032x}"

    def new_id(self) -> str:
        """Give the next id: the frozen time, then a counter, then bits of the sequence."""
        return self._ids.next(self._now, self._draw("id") >> (128 - _TAIL_BITS))

    def set(self, now: datetime) -> None:
        """Set the time of day, forward or back, as an operator would; the monotonic seconds stay.

        Raises ValueError where the time has no time zone.
        """
        moment = _in_utc(now)
        with self._lock:
            self._now = moment

    def advance(self, by: timedelta | float) -> None:
        """Let time pass, given as a duration or in seconds; raises ValueError where it would run backwards."""
        step = by if isinstance(by, timedelta) else timedelta(seconds=by)
        if step < timedelta(0):
            raise ValueError("time does not run backwards, use `set` for a clock that was set back")
        with self._lock:
            self._now += step
            self._monotonic += step.total_seconds()

    def _draw(self, purpose: str) -> int:
        with self._lock:
            self._draws += 1
            text = f"{self._seed}:{purpose}:{self._draws}"
        return int.from_bytes(hashlib.sha256(text.encode("ascii")).digest()[:NONCE_BYTES], "big")


class _Sequence:
    """Numbers ids so that each is greater than the one before, also within a millisecond and when time steps back."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = -1

    def next(self, now: datetime, tail: int) -> str:
        milliseconds = max((now - _EPOCH) // timedelta(milliseconds=1), 0)
        with self._lock:
            # Time and counter are one number: a full counter runs over into the next millisecond.
            self._last = max(self._last + 1, milliseconds << _COUNTER_BITS)
            stamp, counter = divmod(self._last, 1 << _COUNTER_BITS)
        value = stamp << 80 | 0x7 << 76 | counter << 64 | 0b10 << 62 | tail
        return str(UUID(int=value))


def _in_utc(moment: datetime) -> datetime:
    if moment.tzinfo is None or moment.utcoffset() is None:
        raise ValueError("a time without a time zone means nothing here")
    return moment.astimezone(UTC)
