"""How cases end: `endings.txt` says it case by case, and the rule set alone decides."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from oap_core.policy.cases import LATE, Ending, run
from tests.core.policy.cases.described import described
from tests.core.policy.cases.project import prepared

CASES: Final = described("endings.txt")


@pytest.mark.guarantee("files-tests-say-why")
@pytest.mark.parametrize(("text", "expected"), CASES)
def test_a_case_ends_as_described(tmp_path: Path, text: str, expected: list[str]) -> None:
    loaded, found = prepared(tmp_path, text)
    assert not found.diagnostics
    assert loaded.rules is not None
    ended = [
        " | ".join([result.ending.value, *(reason.text for reason in result.reasons)])
        for result in run(found.tests, loaded.rules)
    ]
    assert ended == expected


def test_every_ending_is_described() -> None:
    told = {line.partition(" ")[0] for case in CASES for line in case.values[1]}
    assert told == {ending.value for ending in Ending}


def test_what_holds_where_a_case_says_nothing(tmp_path: Path) -> None:
    loaded, found = prepared(tmp_path, "  - {name: t, call: {tool: pay/status}, expect: allow}\n")
    assert loaded.rules is not None
    (result,) = run(found.tests, loaded.rules)
    assert result.judged is not None
    facts = result.judged.facts
    assert facts.now == facts.session.started == LATE
    assert (facts.subject.id, facts.subject.roles) == ("tester", frozenset())
    assert (facts.session.id, facts.session.issuer, facts.session.workspace) == ("test", "test", "/w")
    assert facts.session.labels == frozenset()
    assert facts.tool is None


def test_tests_that_are_wrong_are_not_run(tmp_path: Path) -> None:
    loaded, found = prepared(tmp_path, "  - {name: t, call: {tool: pay/status}, expect: {by: [nobody]}}\n")
    assert [one.code for one in found.diagnostics] == ["OAP311"]
    assert loaded.rules is not None
    with pytest.raises(ValueError, match="prepared without an error"):
        list(run(found.tests, loaded.rules))


def test_only_chosen_tests_run(tmp_path: Path) -> None:
    text = "  - {name: a, call: {tool: pay/status}, expect: allow}\n  - {name: b, call: {tool: pay/status}, expect: allow}\n"
    loaded, found = prepared(tmp_path, text)
    assert loaded.rules is not None
    results = run(found.tests, loaded.rules, lambda written: written.model.name == "b")
    assert [result.case.name for result in results] == ["b"]
