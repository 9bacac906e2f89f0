"""The programs in the guide run, and print what the page says."""

from __future__ import annotations

import contextlib
import io
from itertools import zip_longest
from pathlib import Path
from typing import Final

import pytest

from tests.docs.blocks import Block, blocks

ROOT: Final = Path(__file__).parents[2]


def _programs() -> list[tuple[str, Block, str | None]]:
    found = []
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        all_blocks = list(blocks(page.read_text(encoding="utf-8")))
        for block, after in zip_longest(all_blocks, all_blocks[1:]):
            # What is marked is no program: a file of an example, tested where those are.
            if block.language == "python" and not block.marks:
                printed = after.text if after is not None and after.language == "text" else None
                found.append((f"{page.relative_to(ROOT)}:{block.line}", block, printed))
    return found


PROGRAMS: Final = _programs()


def test_there_are_programs() -> None:
    assert len(PROGRAMS) >= 12


@pytest.mark.parametrize(("place", "block", "printed"), PROGRAMS, ids=[place for place, _, _ in PROGRAMS])
def test_a_program_prints_what_the_page_says(
    place: str, block: Block, printed: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    assert printed is not None, f"{place}: a program without a block of what it prints proves nothing"
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(block.text, place, "exec"), {"__name__": "__main__"})  # noqa: S102  # our own pages
    assert output.getvalue() == printed
