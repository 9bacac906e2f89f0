"""Expensive expressions end in an error or an answer, in bounded memory and time, each in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import pytest

from tests.core.cel.bounded import SCENARIOS

_ROOT: Final = Path(__file__).parents[3]
_SECONDS: Final = 60
"""When a process is stopped: a net, not a measurement. Each needs less than three seconds."""

_ANSWERED: Final = {
    "search that backs up": "False",
    "comparison in a loop": "False",
    "comparison with a light value": "False",
    "an expression that backtracks elsewhere": "False",
    "alternatives that backtrack elsewhere": "False",
    "a host in a loop": "True",
    "mail in a loop": "True",
    "an address in a loop": "True",
    "a path in a loop": "True",
    "a short path in a loop": "True",
    "a glob in a loop": "True",
    "literals in a loop": "False",
}
"""The scenarios that are cheap enough to have an answer. All others end in an error."""

_ERRORS: Final = {"budget", "too_large", "bad_regex", "out_of_range", "invalid_argument"}


@pytest.fixture(scope="module", name="ends")
def all_at_once(request: pytest.FixtureRequest) -> dict[str, str]:
    """How each scenario that was asked for ends, by name."""
    asked = {item.name for item in request.session.items}
    names = [name for name in SCENARIOS if f"{test_expensive_expressions_are_bounded.__name__}[{name}]" in asked]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(names, pool.map(_end, names), strict=True))


def _end(name: str) -> str:
    command = [sys.executable, "-m", "tests.core.cel.bounded", name]
    try:
        done = subprocess.run(command, capture_output=True, cwd=_ROOT, timeout=_SECONDS, check=False, encoding="utf-8")
    except subprocess.TimeoutExpired:
        return "it did not end"
    return str(json.loads(done.stdout)) if done.returncode == 0 else done.stderr[-1000:]


@pytest.mark.guarantee("cel-bounded")
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux bounds the address space of a process")
@pytest.mark.parametrize("name", SCENARIOS)
def test_expensive_expressions_are_bounded(name: str, ends: dict[str, str]) -> None:
    end = ends[name]
    if name in _ANSWERED:
        assert end == _ANSWERED[name]
    else:
        assert end in _ERRORS, end
