from __future__ import annotations

from datetime import UTC, datetime, timedelta
from importlib.resources import files
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oap_core.cel.failure import Code, EvalError
from oap_core.cel.standard import zones
from oap_core.cel.standard.moments import EARLIEST, LATEST, SECOND
from oap_core.cel.standard.zones import offset_seconds

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
NAMES: Final = sorted(files("tzdata").joinpath("zones").read_text(encoding="utf-8").split())
FIRST: Final = EARLIEST // SECOND
LAST: Final = LATEST // SECOND


def test_every_name_of_the_database_has_an_offset_at_every_time() -> None:
    assert len(NAMES) > 500
    for name in NAMES:
        for seconds in (FIRST, FIRST + 86_400, -(10**10), 0, 1_782_000_000, 10**11, LAST - 86_400, LAST):
            assert abs(offset_seconds(name, seconds)) < 86_400


@given(st.sampled_from(NAMES), st.integers(FIRST + 2 * 86_400, LAST - 2 * 86_400))
def test_the_offset_is_that_of_the_rules(name: str, seconds: int) -> None:
    local = (EPOCH + timedelta(seconds=seconds)).astimezone(zones._zone(name))
    offset = local.utcoffset()
    assert offset is not None
    assert offset_seconds(name, seconds) == offset.total_seconds()


@given(st.integers(-1439, 1439), st.integers(FIRST, LAST))
def test_a_fixed_offset_is_always_the_same(minutes: int, seconds: int) -> None:
    text = f"{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"
    assert offset_seconds(f"-{text}", seconds) == -abs(minutes) * 60
    assert offset_seconds(f"+{text}", seconds) == offset_seconds(text, seconds) == abs(minutes) * 60


def test_the_cache_of_zones_stays_bounded() -> None:
    for name in NAMES:
        offset_seconds(name, 0)
    assert zones._zone.cache_info().currsize <= 64


@pytest.mark.parametrize("variable", ["TZ", "PYTHONTZPATH", "TZDIR"])
def test_files_of_the_machine_decide_nothing(variable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "Own").write_bytes(files("tzdata").joinpath("zoneinfo", "UTC").read_bytes())
    monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.chdir(tmp_path)
    for name in ("Own", "./Own", str(tmp_path / "Own")):
        with pytest.raises(EvalError) as raised:
            offset_seconds(name, 0)
        assert raised.value.code is Code.INVALID_ARGUMENT
    assert offset_seconds("Europe/Paris", 1_782_000_000) == 7200
