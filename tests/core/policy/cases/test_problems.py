"""What is wrong with a test is told before anything runs: each case in `problems.txt` yields what it says, and no more."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from oap_core.policy.cases import prepare
from oap_core.project import load_project
from tests.core.policy.cases.described import described
from tests.core.policy.cases.project import NOW, prepared, project

CASES: Final = described("problems.txt")


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_a_problem_is_told_at_its_place(tmp_path: Path, text: str, expected: list[str]) -> None:
    _, found = prepared(tmp_path, text)
    shown = [
        f"{'warning ' if one.severity.value == 'warning' else ''}{one.code} {one.line}:{one.column} {one.message}"
        f"{'' if one.help is None else f' | {one.help}'}"
        for one in found.diagnostics
    ]
    assert shown == expected
    assert all(Path(one.file or "").name == "pay_test.yaml" for one in found.diagnostics)


def test_the_cases_differ() -> None:
    assert len({case.id for case in CASES}) == len(CASES) > 40


def test_ten_thousand_combinations_and_no_more(tmp_path: Path) -> None:
    test = "  - name: t\n    prompt: '${{a}}${{b}}'\n    matrix: {{a: {}, b: {}}}\n    expect: deny\n"
    hundred = list(range(100))
    _, found = prepared(tmp_path / "fits", test.format(hundred, hundred))
    assert not found.diagnostics
    assert sum(written.count for written in found.tests) == 10_000
    _, found = prepared(tmp_path / "many", test.format(hundred, [*hundred, 100]))
    assert [one.code for one in found.diagnostics] == ["OAP503"]
    assert "10,100 cases" in found.diagnostics[0].message


def test_an_unknown_policy(tmp_path: Path) -> None:
    project(tmp_path, "  - {name: t, call: {tool: pay/status}, expect: allow}\n")
    file = tmp_path / "policies" / "tests" / "pay_test.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("[pay]", "[pya]"), encoding="utf-8")
    loaded = load_project(tmp_path / "oap.yaml", tmp_path, NOW)
    assert loaded.rules is not None
    (found,) = prepare(loaded.assembled.tests, loaded.rules, loaded.config.base).diagnostics
    assert (found.code, found.line, found.column) == ("OAP606", 3, 12)
    assert (found.message, found.help) == ("there is no policy `pya`", "did you mean `pay`?")
