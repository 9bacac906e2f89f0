"""The bench of decisions runs, its engines decide rightly, and its bars can fail. What it measures is no test."""

from __future__ import annotations

import subprocess
import sys

import pytest

from oap_core.decision import Verdict
from tests.bench.cel import ROOT
from tests.bench.policy import Row, bars
from tests.bench.policy_check import CheckTime
from tests.bench.policy_engines import OURS, Engine, WrongDecisionError, engines, proven
from tests.bench.policy_work import RULES_A_TOOL, Work, facts, last_rule, rule_set


def _rows(ours: dict[int, float], peers: dict[str, float], *, able: bool = True) -> list[Row]:
    found = [Row(OURS, rules, expresses=True, times={"miss": time, "hit": time}) for rules, time in ours.items()]
    return found + [Row(name, 1000, able, {"miss": time, "hit": time}) for name, time in peers.items()]


def _failing(rows: list[Row], seconds: float = 1.0) -> list[str]:
    return [bar.says for bar in bars(rows, CheckTime(seconds, 0.5), 1000) if not bar.met]


STEADY = {10: 10.0, 1000: 10.0, 10_000: 13.0}


def test_bars_that_are_met_pass() -> None:
    assert _failing(_rows(STEADY, {"fast": 200.0, "slow": 9000.0}), 2.0) == []


def test_each_bar_can_fail() -> None:
    assert len(_failing(_rows({**STEADY, 10_000: 13.1}, {"fast": 200.0}))) == 2
    assert len(_failing(_rows(STEADY, {"fast": 199.0, "slow": 9000.0}))) == 2
    assert len(_failing(_rows(STEADY, {"fast": 200.0}), 2.1)) == 1


def test_a_peer_that_cannot_express_the_rules_is_no_bar() -> None:
    assert _failing(_rows(STEADY, {"fast": 1.0}, able=False)) == []


def test_the_fastest_peer_counts() -> None:
    said = [bar.says for bar in bars(_rows(STEADY, {"slow": 9000.0, "fast": 300.0}), CheckTime(1.0, 0.5), 1000)]
    assert sum("30.0 x faster than fast with 1,000 rules" in one for one in said) == 2


def test_ten_rules_speak_about_a_tool_and_the_last_one_decides() -> None:
    work = Work(200)
    rules = rule_set(work)
    assert len(rules.rules) == 200
    for tool in work.tools:
        assert len(rules.plan(facts(work, tool, 1)).enforced) == RULES_A_TOOL
    assert rules.decide(facts(work, work.last, work.amounts["miss"])).verdict is Verdict.ALLOW
    decision = rules.decide(facts(work, work.last, work.amounts["hit"])).decision
    assert [one.rule.address for one in decision.against] == [last_rule(work)]


def test_every_engine_that_is_installed_decides_rightly() -> None:
    found = engines(Work(20))
    assert {OURS, "cel-python"} <= {engine.name for engine in found}


def test_an_engine_that_is_wrong_is_not_timed() -> None:
    with pytest.raises(WrongDecisionError):
        proven(Engine("wrong", {"miss": lambda: True, "hit": lambda: True}), Work(10))


def test_the_bench_of_decisions_runs_as_a_script() -> None:
    command = [sys.executable, "tests/bench/policy.py", "--quick"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("us a decision ")
    assert done.stdout.count("pass: ") + done.stdout.count("FAIL: ") == 5
