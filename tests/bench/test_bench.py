"""The bench runs, and its bars can fail. What it measures is no test: a busy machine is no defect."""

from __future__ import annotations

import subprocess
import sys

import pytest

from oap_core.cel import load
from tests.bench.cel import DATA, ROOT, Bar, bars
from tests.bench.engines import LAMBDA, NATIVE, OURS
from tests.bench.rules import ENV, rules


def _row(ours: float, other: float) -> dict[str, float]:
    return {LAMBDA: 100.0, OURS: ours, **{f"{native}, dict": other for native in NATIVE}}


def _failing(rows: dict[str, dict[str, float]], ours: float = 1.0, theirs: float = 1.0) -> list[str]:
    return [bar.says for bar in bars(rows, ours, theirs) if not bar.met]


def test_bars_that_are_met_pass() -> None:
    assert _failing({"eq": _row(250, 1000), "regex": _row(300, 1000)}) == []


def test_each_bar_can_fail() -> None:
    assert len(_failing({"eq": _row(310, 1000)})) == 1
    assert len(_failing({"eq": _row(801, 1000), "in5": _row(10, 1000)})) == 1
    assert len(_failing({"eq": _row(250, 250)})) == len(NATIVE)
    assert len(_failing({"eq": _row(250, 1000)}, ours=1.51)) == 1


def test_only_the_regular_expression_may_be_slow() -> None:
    assert _failing({"regex": _row(900, 1000), "in5": _row(10, 1000)}) == []


def test_an_engine_that_is_not_installed_is_named() -> None:
    said = [bar for bar in bars({"eq": {LAMBDA: 100.0, OURS: 100.0}}, 1.0, 1.0) if "not installed" in bar.says]
    assert said == [Bar(f"faster than {native}: it is not installed here", met=True) for native in NATIVE]


def test_the_thousand_rules_load_and_differ() -> None:
    found = rules(300, 1)
    assert len(set(found)) > 290
    assert [load(source, ENV).source for source in found] == found
    assert found == rules(300, 1)
    assert len(set(found) - set(rules(300, 2))) > 290


@pytest.mark.skipif(not DATA.exists(), reason="the expressions are not beside the repository (../shared/data)")
def test_the_bench_runs_as_a_script() -> None:
    command = [sys.executable, "tests/bench/cel.py", "--quick", "--markdown"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("| us ")
    assert done.stdout.count("pass: ") + done.stdout.count("FAIL: ") >= 5


def test_the_bench_of_imports_runs_as_a_script() -> None:
    command = [sys.executable, "tests/bench/imports.py", "--rounds", "1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("oap_core ")
