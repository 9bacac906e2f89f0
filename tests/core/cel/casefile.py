"""Case files: expressions, each with the diagnostics that it gets or the type that it has.

An entry is the expression, then indented by four the lines `CODE line:column message`, each with its help indented by
eight, or `ok type`. Entries are separated by empty lines; lines that begin with `#` are headings.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent / "cases"


@dataclass(frozen=True, slots=True)
class Case:
    """One entry of a case file."""

    source: str
    """The expression."""
    expected: str
    """What it gets, as the file has it."""

    def __str__(self) -> str:
        return self.source


def cases(name: str) -> list[Case]:
    """The entries of a file."""
    found: list[Case] = []
    for entry in (FOLDER / name).read_text(encoding="utf-8").split("\n\n"):
        lines = [line for line in entry.splitlines() if line.strip() and not line.startswith("#")]
        source = [line for line in lines if not line.startswith("    ")]
        expected = [line for line in lines if line.startswith("    ")]
        if source:
            assert expected, f"{name}: nothing is expected of {source}"
            found.append(Case("\n".join(source), "\n".join(expected)))
    return found
