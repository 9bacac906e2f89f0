"""`oap test`: several projects, files for the results, colours, and what hostile texts do to the output."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from oap_core.cli.verbs import oap

POLICY = """\
apiVersion: oap/v1
kind: Policy
metadata: {name: small, owner: someone}
rules:
  - {id: read, match: {tools: [fs/read]}, effect: allow}
  - {id: env, match: {tools: [fs/read]}, when: has(args.path) && args.path == ".env", effect: deny}
tests:
  - {name: reading, call: {tool: fs/read}, expect: %s}
"""


def run(*arguments: str, colour: bool = False) -> Result:
    return CliRunner(catch_exceptions=False).invoke(oap, ["test", *arguments], color=colour)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def project(folder: Path, expected: str = "allow") -> None:
    (folder / "policies").mkdir(parents=True)
    (folder / "oap.yaml").write_text("plugins: [oap-authorization]\n", encoding="utf-8")
    (folder / "policies" / "small.yaml").write_text(POLICY % expected, encoding="utf-8")


def test_projects_run_one_after_the_other(here: Path) -> None:
    project(here / "sets" / "one")
    project(here / "sets" / "two", "deny")
    result = run("sets")
    assert result.exit_code == 4
    lines = result.stdout.splitlines()
    assert lines[0].endswith("ok")
    assert lines[0].startswith("sets/one/policies/small.yaml")
    assert lines[1].startswith("sets/two/policies/small.yaml")
    assert lines[1].endswith("1 failed")
    assert "2 cases: 1 passed, 1 failed" in lines
    # The gaps of both projects, which have the same names here.
    assert "(4 of 6 outcomes)" in result.stdout


def test_one_project_that_does_not_load_stops_all(here: Path) -> None:
    project(here / "sets" / "one")
    project(here / "sets" / "two", "[]")
    result = run("sets")
    assert result.exit_code == 3
    assert "sets/two/policies/small.yaml:8" in result.stdout
    assert "no test was run" in result.stdout
    assert "passed" not in result.stdout


def test_results_go_into_a_file_and_text_to_the_terminal(here: Path) -> None:
    project(here)
    result = run("--format", "junit", "--output", "report.xml")
    assert result.exit_code == 0
    assert "1 case: 1 passed" in result.stdout
    assert '<testsuites tests="1" ' in (here / "report.xml").read_text(encoding="utf-8")
    assert run("-f", "json", "-o", "report.json").exit_code == 0
    assert json.loads((here / "report.json").read_text(encoding="utf-8"))["summary"]["passed"] == 1
    assert run("-o", "report.txt").exit_code == 0
    assert "1 case: 1 passed" in (here / "report.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["no/folder/report.xml", "policies", "a\0b"])
def test_a_file_that_cannot_be_written(here: Path, name: str) -> None:
    project(here)
    result = run("--format", "junit", "--output", name)
    assert result.exit_code == 2
    assert result.stderr.startswith("error  --output: cannot write")
    assert result.stderr.count("\n") == 1


def test_colour_is_for_terminals(here: Path) -> None:
    project(here, "deny")
    assert "\x1b[" not in run().stdout
    coloured = run(colour=True).stdout
    assert "\x1b[31m" in coloured
    assert "\x1b" not in run("--format", "json", colour=True).stdout
    assert "\\u001b" not in run("--format", "json", colour=True).stdout
    run("-o", "report.txt", colour=True)
    assert "\x1b" not in (here / "report.txt").read_text(encoding="utf-8")


def test_json_says_why_a_case_failed(here: Path) -> None:
    project(here, "{verdict: deny, by: [env]}")
    shown = json.loads(run("--format", "json").stdout)
    assert shown["summary"]["failure"] == "FAILED: 1 failed"
    (case,) = shown["cases"]
    assert case["outcome"] == "failed"
    assert case["reasons"] == [
        "the verdict is `allow` and not `deny`",
        "`small/env` is not among the rules that decide",
    ]
    assert case["by"] == ["small/read"]
    assert "has(args.path)" in case["details"]


def test_json_of_tests_that_are_wrong(here: Path) -> None:
    project(here, "{by: [raed]}")
    result = run("--format", "json")
    assert result.exit_code == 3
    shown = json.loads(result.stdout)
    assert [one["code"] for one in shown["diagnostics"]] == ["OAP311"]
    assert shown["cases"] == []
    assert shown["summary"]["failure"] is None


@pytest.mark.parametrize("extra", [("-k", "x"), ("--fail-fast",)])
def test_coverage_needs_all_tests(here: Path, extra: tuple[str, ...]) -> None:
    project(here)
    assert run("--cover", "50", *extra).exit_code == 2


def test_coverage_of_one_file_of_tests_says_nothing(here: Path) -> None:
    project(here)
    test = "apiVersion: oap/v1\nkind: PolicyTest\ntests:\n  - {name: t, call: {tool: fs/read}, expect: allow}\n"
    (here / "policies" / "more_test.yaml").write_text(test, encoding="utf-8")
    result = run("policies/more_test.yaml", "--cover", "0")
    assert result.exit_code == 4
    assert "says nothing about the whole" in result.stdout


def test_a_file_of_tests_without_a_project_has_no_rules(here: Path) -> None:
    test = "apiVersion: oap/v1\nkind: PolicyTest\ntests:\n  - {name: t, call: {tool: fs/read}, expect: {by: [read]}}\n"
    (here / "more_test.yaml").write_text(test, encoding="utf-8")
    result = run("more_test.yaml")
    assert result.exit_code == 3
    assert "there is no rule `read`" in result.stdout


def test_what_a_terminal_would_obey_is_shown_as_text(here: Path) -> None:
    project(here)
    file = here / "policies" / "small.yaml"
    hostile = '  - {name: "a\\e[2J\\nb", call: {tool: fs/read, args: {path: "\\e]0;x"}}, expect: {message: "\\e[1m"}}\n'
    file.write_text(file.read_text(encoding="utf-8") + hostile, encoding="utf-8")
    for arguments in ((), ("-v",), ("-f", "json"), ("-f", "junit")):
        result = run(*arguments)
        assert result.exit_code == 4
        assert "\x1b" not in result.output
    assert "a\\x1b[2J\\x0ab" in run().stdout


def test_more_projects_than_are_looked_at_are_no_success(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oap_core.cli.projects._MOST_PROJECTS", 1)
    for name in ("a", "b"):
        project(here / "services" / name)
    result = run("services")
    assert result.exit_code == 2
    assert "more than 1 projects below `services`" in result.stderr
