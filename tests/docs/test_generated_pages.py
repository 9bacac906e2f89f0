"""The generated pages are those that their sources give, and a stale one is found."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from docs.generate import PAGES, ROOT, guarantees, render, stale, write
from tests.guarantees import GUARANTEES


@pytest.fixture(scope="module", name="texts")
def rendered_once() -> dict[str, str]:
    return render()


@pytest.mark.guarantee("design-true-pages")
def test_committed_pages_are_up_to_date(texts: dict[str, str]) -> None:
    assert stale(texts) == [], "run `poe docs`"


def test_every_reference_page_is_generated() -> None:
    committed = {file.relative_to(ROOT).as_posix() for file in (ROOT / "reference").rglob("*") if file.is_file()}
    assert committed == {name for name in PAGES if name.startswith("reference/")}


def test_pages_are_plain_text_with_a_heading(texts: dict[str, str]) -> None:
    for name, text in texts.items():
        assert text.startswith("# "), name
        assert text.endswith("\n"), name
        assert not text.endswith("\n\n"), name
        assert "\r" not in text, name


@pytest.mark.guarantee("design-true-pages")
def test_a_missing_and_a_changed_page_are_stale_until_written(tmp_path: Path) -> None:
    texts = render({"a.md": lambda: "# A\n", "deep/b.md": lambda: "# B\n"})
    (tmp_path / "a.md").write_text("# A\n", encoding="utf-8")
    assert stale(texts, tmp_path) == ["deep/b.md"]
    (tmp_path / "a.md").write_text("# A, edited by hand\n", encoding="utf-8")
    assert stale(texts, tmp_path) == ["a.md", "deep/b.md"]
    assert write(texts, tmp_path) == ["a.md", "deep/b.md"]
    assert stale(texts, tmp_path) == []
    assert write(texts, tmp_path) == []


def test_a_page_with_other_line_ends_is_stale(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"# A\r\n")
    assert stale({"a.md": "# A\n"}, tmp_path) == ["a.md"]


def test_the_page_of_promises_lists_each_once(texts: dict[str, str]) -> None:
    rows = [line.split(" | ")[0].removeprefix("| ") for line in texts["reference/guarantees.md"].splitlines()]
    for guarantee in GUARANTEES:
        assert rows.count(guarantee.id) == 1


def test_examples_in_the_generators_hold() -> None:
    assert doctest.testmod(guarantees) == doctest.TestResults(failed=0, attempted=1)
