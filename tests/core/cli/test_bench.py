"""`oap bench` measures the calls of tests or of a file, and says what it measured; how fast that is, is no test."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner, Result

from oap_core.cli.verbs import oap

POLICY: Final = """\
apiVersion: oap/v1
kind: Policy
metadata: {name: bank, owner: o}
constants: {most: 100}
variables: {large: args.amount > constants.most}
rules:
  - {id: open, match: {tools: [bank/pay, bank/look]}, effect: allow}
  - id: cap
    match: {tools: [bank/pay]}
    when: variables.large
    effect: deny
  - id: watched
    match: {tools: [bank/pay]}
    when: args.amount > 1
    effect: deny
    mode: shadow
  - id: never-here
    match: {tools: [mail/send]}
    when: args.amount > 1
    effect: deny
tests:
  - name: limits
    call: {tool: bank/pay, args: {amount: "${amount}", note: hunter2}}
    matrix: {amount: [1, 100, 101]}
    expect_each: [allow, allow, deny]
  - name: not now
    skip: later
    call: {tool: bank/look}
    expect: allow
"""
CONFIG: Final = "plugins: [oap-authorization]\npolicies: [policies]\n"
CALLS: Final = """\
{"tool": "bank/pay", "args": {"amount": 5}, "original": {"amount": 7}}

{"tool": "bank/look", "args": {"text": "\\ud83d\\ude00 \\/"}, "now": "2026-12-01T12:00:00Z"}
{"prompt": "hunter2"}
{"tool": "bank/look", "args": {"big": 100000000000000000000}}
"""


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(tmp_path)
    (tmp_path / "calls.jsonl").write_text(CALLS, encoding="utf-8")
    return tmp_path


def write(folder: Path) -> None:
    (folder / "policies").mkdir(parents=True)
    (folder / "policies" / "bank.yaml").write_text(POLICY, encoding="utf-8")
    (folder / "oap.yaml").write_text(CONFIG, encoding="utf-8")


def run(*arguments: str, text: str | None = None) -> Result:
    result = CliRunner().invoke(oap, ["bench", *arguments], input=text)
    assert result.exit_code == 0, result.output
    assert "hunter2" not in result.output
    return result


def figures(*arguments: str, text: str | None = None) -> dict[str, Any]:
    found = json.loads(run("--json", *arguments, text=text).stdout)
    assert found["version"] == 1
    assert found["load_ms"] > 0
    assert len(found["projects"]) == 1
    project: dict[str, Any] = found["projects"][0]
    times = project["decision_us"]
    assert 0 < times["p50"] <= times["p95"] <= times["p99"]
    assert all(0 < one["mean_us"] <= one["worst_us"] for one in project["slowest"])
    means = [one["mean_us"] for one in project["slowest"]]
    assert means == sorted(means, reverse=True)
    return project


def test_the_calls_are_those_of_the_tests() -> None:
    found = figures("-n", "3")
    assert (found["project"], found["calls"], found["rounds"]) == ("oap.yaml", 3, 3)
    assert {one["rule"]: one["evaluations"] for one in found["slowest"]} == {"bank/cap": 3, "bank/watched": 3}
    assert {(one["file"], one["line"], one["column"]) for one in found["slowest"]} == {
        ("policies/bank.yaml", 10, 11),
        ("policies/bank.yaml", 14, 11),
    }


def test_rules_are_counted_for_every_tool_that_is_known() -> None:
    counted = figures("-n", "1")["rules_a_tool"]
    assert counted["tools"] == {"bank/pay": 3, "bank/look": 1, "mail/send": 1}
    assert counted["most"] == 3
    assert counted["average"] == pytest.approx(5 / 3, abs=0.01)


@pytest.mark.parametrize("where", ["calls.jsonl", "-"])
def test_calls_come_from_a_file(where: str) -> None:
    found = figures("--calls", where, "-n", "2", text=CALLS)
    assert found["calls"] == 4
    # Both views of the first call; the last one holds a number that no condition can read.
    assert {one["rule"]: one["evaluations"] for one in found["slowest"]} == {"bank/cap": 2, "bank/watched": 2}


def test_few_calls_are_decided_often_where_nobody_says_how_often() -> None:
    assert figures("--calls", "-", text='{"tool": "bank/look"}\n' * 5)["rounds"] == 2000
    assert figures("--calls", "-", text='{"tool": "bank/look"}\n' * 1500)["rounds"] == 10


def test_a_person_reads_the_same() -> None:
    told = run("-n", "2").stdout
    expected = (
        r"oap\.yaml\n"
        r"  a decision     p50 [\d,.]+ us   p95 [\d,.]+ us   p99 [\d,.]+ us\n"
        r"                 3 calls, each decided 2 times\n"
        r"  rules a tool   1\.7 on average of 3 tools; the most: bank/pay 3, bank/look 1, mail/send 1\n"
        r"  a condition          mean       worst    calls   rule\n"
        r"( +[\d,.]+ us +[\d,.]+ us        3   bank/(cap|watched)  policies/bank\.yaml:1[04]:11\n){2}"
        r"\nloaded in [\d,]+ ms\n"
    )
    assert re.fullmatch(expected, told), told


def test_rules_without_conditions_have_nothing_slow() -> None:
    told = run("--calls", "-", text='{"tool": "bank/look"}').stdout
    assert "1 call, each decided 10,000 times" in told
    assert "no rule with a condition speaks about these calls" in told


def test_each_project_has_its_figures(project: Path) -> None:
    for name in ("one", "two"):
        write(project / "both" / name)
    found = json.loads(run("--json", "-n", "1", "both").stdout)["projects"]
    assert [one["project"] for one in found] == ["both/one/oap.yaml", "both/two/oap.yaml"]
    told = run("-n", "1", "both").stdout
    assert told.index("both/one/oap.yaml") < told.index("both/two/oap.yaml")
    assert told.count("loaded in") == 1


def test_wrong_tests_are_told_and_not_measured(project: Path) -> None:
    text = POLICY.replace("tool: bank/look}", "tool: bank/look, args: 5}").replace("    skip: later\n", "")
    (project / "policies" / "bank.yaml").write_text(text, encoding="utf-8")
    result = CliRunner().invoke(oap, ["bench"])
    assert result.exit_code == 3
    assert result.stdout == ""
    assert "nothing is measured, since not everything is valid" in result.stderr
