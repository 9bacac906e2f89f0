"""Reads transcripts of `oap`: what was typed, what came out, and with which exit code.

A file holds several. Each begins with its title; files that the command finds and the text on its standard input
stand before the command, and `call.json` and `schema.json` of the examples are always there.

    === the title
    --- note.json
    {"a": 1}
    --- stdin
    a > 0
    $ oap cel - --input note.json
    > a line on standard output
    ! a line on standard error
    ? 0
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Transcript:
    """One run of the command."""

    title: str
    files: dict[str, str] = field(default_factory=dict)
    command: str | None = None
    output: str = ""
    errors: str = ""
    exit_code: int | None = None


def transcripts(file: Path) -> Iterator[Transcript]:
    """Read a file. Raises ValueError for a line that belongs nowhere and a transcript without an end."""
    for part in re.split(r"^=== ", file.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        title, _, body = part.partition("\n")
        found = Transcript(title)
        _fill(found, body)
        if found.exit_code is None:
            raise ValueError(f"{file.name}: `{title}` has no exit code")
        yield found


def _fill(found: Transcript, body: str) -> None:
    name = ""
    for line in body.splitlines():
        mark, text = line[:1], line[2:]
        if line.startswith("--- ") and found.command is None:
            name = line[4:]
            found.files[name] = ""
        elif line.startswith("$ oap") and found.command is None:
            found.command = line[len("$ oap") :]
        elif found.command is None and name:
            found.files[name] += f"{line}\n"
        elif mark == ">" and found.exit_code is None:
            found.output += f"{text}\n"
        elif mark == "!" and found.exit_code is None:
            found.errors += f"{text}\n"
        elif mark == "?" and found.exit_code is None:
            found.exit_code = int(text)
        elif line:
            raise ValueError(f"`{line}` belongs nowhere")
