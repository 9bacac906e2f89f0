"""Finds words that the glossary replaces by others."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

HEADING: Final = "## Words that do not appear"


def replaced_words(glossary: str) -> list[str]:
    """Return the first column of the table below the heading, without the heading row."""
    _, _, section = glossary.partition(HEADING)
    rows = re.findall(r"^\| ([^|]+) \| [^|]+ \|$", section, re.MULTILINE)
    return [row for row in rows if row not in {"not", "---"}]


def uses(words: Iterable[str], files: Iterable[Path], root: Path) -> list[str]:
    """Return `file:line: word` for each use, also in the plural and inside an identifier such as `tool_effect`.

    A longer word that contains one of them (`PermissionError`) is no use.
    """
    patterns = {
        word: re.compile(rf"(?<![a-z]){re.escape(word).replace(re.escape(' '), '[-_ ]?')}s?(?![a-z])", re.IGNORECASE)
        for word in words
    }
    return [
        f"{file.relative_to(root).as_posix()}:{number}: {word}"
        for file in files
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1)
        for word, pattern in patterns.items()
        if pattern.search(line)
    ]
