"""Which outcomes of rules and exceptions are counted, and which of them cases have shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from oap_core.policy.cases import Coverage, Gap, Tally, run
from oap_core.project import load_project
from tests.core.policy.cases.project import NOW, prepared


def coverage(folder: Path, text: str) -> Coverage:
    loaded, found = prepared(folder, text)
    assert not found.diagnostics
    assert loaded.rules is not None
    tally = Tally(loaded.rules)
    for result in run(found.tests, loaded.rules):
        tally.add(result)
    return tally.coverage()


NOTHING = "  - {name: t, call: {tool: pay/status}, expect: allow, skip: later}\n"
TWO = "  - {{name: t, now: '{}', session: {{case_id: C1}}, call: {{tool: pay/refund, args: {}}}, expect: {}}}\n"


def test_a_rule_without_a_condition_has_one_outcome(tmp_path: Path) -> None:
    found = coverage(tmp_path, NOTHING)
    # Twice `look` and once `never` have no condition; eight rules and an exception have one.
    assert (found.total, found.covered) == (3 + 2 * 9, 0)
    assert {gap.name for gap in found.gaps if gap.matched} - {gap.name for gap in found.gaps if not gap.matched} == {
        "pay/look",
        "pay/never",
        "prompts/look",
    }
    assert Gap("EX-1", matched=True, exception=True) in found.gaps


def test_what_a_case_shows(tmp_path: Path) -> None:
    found = coverage(tmp_path, TWO.format("2026-12-01T23:00:00Z", "{case_id: C1, amount: 13}", "allow"))
    seen = {gap.told for gap in coverage(tmp_path / "none", NOTHING).gaps} - {gap.told for gap in found.gaps}
    assert seen == {
        "pay/refund never matched",
        "pay/large never seen not to match",
        "pay/cap never seen not to match",
        "pay/mark never matched",
        "pay/night never matched",
        "pay/parts never seen not to match",
        "the exception EX-1 never seen not to match",
    }


def test_an_exception_that_is_over_shows_nothing(tmp_path: Path) -> None:
    found = coverage(tmp_path, TWO.format("2027-01-01T12:00:00Z", "{case_id: C1, amount: 13}", "allow"))
    assert {gap.told for gap in found.gaps if gap.exception} == {
        "the exception EX-1 never matched",
        "the exception EX-1 never seen not to match",
    }


def test_an_error_covers_nothing_and_is_listed_where_it_is_not_meant(tmp_path: Path) -> None:
    text = TWO.format("2026-12-01T12:00:00Z", "{case_id: C1, amount: 1, memo: a}", "{verdict: deny, unjudged: true}")
    found = coverage(tmp_path, text)
    assert found.errors == ()
    assert coverage(tmp_path / "not", text.replace(", unjudged: true", "")).errors == (("pay/parts", 1),)
    assert Gap("pay/parts", matched=True) in found.gaps
    assert Gap("pay/parts", matched=False) in found.gaps


@pytest.mark.parametrize("also", ["todo: true", "skip: later"])
def test_what_nothing_asserts_covers_nothing(tmp_path: Path, also: str) -> None:
    found = coverage(tmp_path, f"  - {{name: t, call: {{tool: pay/status}}, expect: deny, {also}}}\n")
    assert found.covered == 0


def test_both_views_are_seen(tmp_path: Path) -> None:
    text = """\
  - name: t
    session: {case_id: C1}
    call: {tool: pay/refund, args: {case_id: C1, amount: 1}, original: {case_id: C1, amount: 501}}
    expect: deny
"""
    told = {gap.told for gap in coverage(tmp_path, text).gaps}
    assert not {"pay/cap never matched", "pay/cap never seen not to match"} & told


def test_a_condition_that_only_names_tools_cannot_miss(tmp_path: Path) -> None:
    loaded, _ = prepared(tmp_path, NOTHING)
    file = tmp_path / "policies" / "pay.yaml"
    extra = "  - {id: named, when: tool.id == 'pay/payout', effect: deny}\n"
    file.write_text(file.read_text(encoding="utf-8") + extra, encoding="utf-8")
    more = load_project(tmp_path / "oap.yaml", tmp_path, NOW)
    assert loaded.rules is not None
    assert more.rules is not None
    assert Tally(more.rules).coverage().total == Tally(loaded.rules).coverage().total + 1


@pytest.mark.parametrize(
    ("total", "missing", "percent", "reached"),
    [(20, 1, 95, True), (21, 2, 91, False), (21, 2, 90, True), (3, 3, 0, True), (0, 0, 0, False), (0, 0, 100, False)],
)
def test_the_share_is_exact(total: int, missing: int, percent: int, reached: bool) -> None:
    gaps = tuple(Gap(f"p/r{number}", matched=True) for number in range(missing))
    assert Coverage(total, gaps).reaches(percent) is reached


def test_two_projects_add_up() -> None:
    both = Coverage(4, (Gap("a/b", matched=True),)).plus(Coverage(2, (), (("c/d", 1),)))
    assert (both.total, both.covered, both.errors) == (6, 5, (("c/d", 1),))
