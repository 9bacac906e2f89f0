"""What is told about files whose every part is right: every case in `cases/` is run."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.core.policy.checks.casefile import Case, assembled, cases, told

FILES: Final = sorted((Path(__file__).parent / "cases").glob("*.txt"))
ALL: Final = [pytest.param(found, id=f"{file.stem}: {found.title}") for file in FILES for found in cases(file)]


@pytest.mark.parametrize("case", ALL)
def test_case(case: Case) -> None:
    found = assembled(case.files)
    assert told(found.diagnostics) == case.expected
    assert (found.rules is None) == ("error " in case.expected)


def test_titles_are_unique() -> None:
    titles = [case.id for case in ALL]
    assert len(titles) > 60
    assert len(set(titles)) == len(titles)


def test_a_malformed_case_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "case.txt"
    file.write_text("=== stray\nx\n", encoding="utf-8")
    with pytest.raises(ValueError, match="belongs nowhere"):
        list(cases(file))
