"""What a person types, what comes out, and with which exit code: every transcript in `cases/` is run."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner

from oap_core.cli.verbs import oap
from tests.core.cli.transcripts import Transcript, transcripts

CASES: Final = sorted((Path(__file__).parent / "cases").glob("*.txt"))
EXAMPLES: Final = Path(__file__).parents[3] / "docs" / "examples"
ALL: Final = [pytest.param(found, id=f"{file.stem}: {found.title}") for file in CASES for found in transcripts(file)]


def trimmed(text: str) -> str:
    """Without blanks at the ends of lines, since editors take them away."""
    return re.sub(r" +$", "", text, flags=re.MULTILINE)


@pytest.mark.parametrize("expected", ALL)
def test_transcript(expected: Transcript, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for example in EXAMPLES.glob("*.json"):
        shutil.copy(example, tmp_path)
    for name, text in expected.files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    # As an interpreter finds its arguments, whatever the locale of the test run says.
    arguments = [os.fsdecode(part.encode()) for part in shlex.split(expected.command or "")]
    result = CliRunner().invoke(oap, arguments, input=expected.files.get("stdin", ""))
    assert trimmed(result.stdout) == expected.output
    assert trimmed(result.stderr) == expected.errors
    assert result.exit_code == expected.exit_code


def test_titles_are_unique() -> None:
    titles = [case.id for case in ALL]
    assert len(titles) > 60
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("=== no end\n$ oap\n> x\n", "has no exit code"),
        ("=== stray\n$ oap\nx\n? 0\n", "belongs nowhere"),
        ("=== after the end\n$ oap\n? 0\n> x\n", "belongs nowhere"),
        ("=== two commands\n$ oap\n$ oap\n? 0\n", "belongs nowhere"),
        ("=== before any file\nx\n$ oap\n? 0\n", "belongs nowhere"),
    ],
)
def test_a_malformed_transcript_is_refused(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "case.txt"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        list(transcripts(file))
