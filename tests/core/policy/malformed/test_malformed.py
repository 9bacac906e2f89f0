"""Malformed files that were written by hand: each is told of at its place, and none loads."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.core.policy.malformed.bases import found
from tests.core.policy.malformed.casefile import cases
from tests.core.policy.malformed.systematic import Malformed

FILES: Final = sorted((Path(__file__).parent / "cases").glob("*.txt"))
ALL: Final = [case for file in FILES for case in cases(file)]


@pytest.mark.guarantee("files-malformed")
@pytest.mark.parametrize("case", [pytest.param(case, id=case.title) for case in ALL])
def test_malformed(case: Malformed, tmp_path: Path) -> None:
    loads, told = found(case.base, case.text, tmp_path)
    assert [(one.code, one.line, one.column) for one in told] == list(case.expected), [str(one) for one in told]
    assert not loads


@pytest.mark.guarantee("files-malformed")
def test_there_are_many_and_all_differ() -> None:
    assert len({(case.base, case.text) for case in ALL}) == len(ALL) > 120
    assert len({case.title for case in ALL}) == len(ALL)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("@ policy.yaml\n-|no such line\n+|x\n> OAP101 1:1\n", "exactly once"),
        ("@ policy.yaml\n+|x\nstray\n> OAP101 1:1\n", "belongs nowhere"),
        ("@ policy.yaml\n+|»x\n> OAP101\n> no code\n", "is no code"),
        ("@ policy.yaml\n+|»x»\n> OAP101\n", "do not fit"),
        ("@ policy.yaml\n+|x\n", "do not fit"),
    ],
)
def test_a_malformed_case_is_refused(tmp_path: Path, lines: str, message: str) -> None:
    file = tmp_path / "some.txt"
    file.write_text(f"=== one\n{lines}", encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        list(cases(file))
