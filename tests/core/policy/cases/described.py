"""Reads the files that say of tests what comes of them: a title, the text of the tests, and lines behind `>`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest


def described(name: str) -> list[Any]:
    """The parameters (text, lines) of each case in a file of this folder."""
    return [pytest.param(text, lines, id=title) for title, text, lines in _read(Path(__file__).parent / name)]


def _read(file: Path) -> Iterator[tuple[str, str, list[str]]]:
    for part in re.split(r"^=== ", file.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        title, _, body = part.partition("\n")
        lines = [line for line in body.splitlines() if line]
        text = "".join(f"{line}\n" for line in lines if not line.startswith("> "))
        yield title, text, [line[2:] for line in lines if line.startswith("> ")]
