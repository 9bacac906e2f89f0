"""Reads malformed files that were written by hand: which good file, what is changed in it, and what is told.

    === the title
    @ policy.yaml
    -|    effect: allow
    +|    effect: »alow
    > OAP303

The lines behind `-|` stand in the good file exactly once and are replaced by those behind `+|`; where there are none,
those behind `+|` are the whole file. Each `»` is taken out and marks a place; the codes of what is told stand behind
`>` in the order of these places. A code with a place of its own, `> OAP202 4:3`, is told there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.core.policy.malformed.bases import TEXTS
from tests.core.policy.malformed.systematic import Malformed

_MARK: Final = "»"
_TOLD: Final = re.compile(r"(?P<code>[A-Z]+\d+)(?: (?P<line>\d+):(?P<column>\d+))?")


def cases(file: Path) -> Iterator[Malformed]:
    """Read a file. Raises ValueError for a case that does not fit."""
    for part in re.split(r"^=== ", file.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        title, *lines = part.split("\n")
        yield _case(f"{file.stem}: {title}", lines)


def _case(title: str, lines: list[str]) -> Malformed:
    base, out, into, codes = "", [], [], []
    for line in lines:
        if line.startswith("@ "):
            base = line[2:]
        elif line.startswith("-|"):
            out.append(line[2:])
        elif line.startswith("+|"):
            into.append(line[2:])
        elif line.startswith("> "):
            codes.append(line[2:])
        elif line:
            raise ValueError(f"{title}: `{line}` belongs nowhere")
    marked = _changed(title, TEXTS[base], out, into)
    text, places = _places(marked)
    return Malformed(title, base, text, tuple(_told(title, codes, places)))


def _changed(title: str, text: str, out: list[str], into: list[str]) -> str:
    if not out:
        return "\n".join(into) + "\n"
    old = "\n".join(out) + "\n"
    if f"\n{text}".count(f"\n{old}") != 1:
        raise ValueError(f"{title}: the good file does not have these lines exactly once")
    return f"\n{text}".replace(f"\n{old}", "\n" + "".join(f"{line}\n" for line in into))[1:]


def _places(marked: str) -> tuple[str, list[tuple[int, int]]]:
    lines, places = [], []
    for number, line in enumerate(marked.split("\n"), 1):
        first, *others = line.split(_MARK)
        for other in others:
            places.append((number, len(first) + 1))
            first += other
        lines.append(first)
    return "\n".join(lines), places


def _told(title: str, codes: list[str], places: list[tuple[int, int]]) -> list[tuple[str, int, int]]:
    told = []
    left = iter(places)
    for code in codes:
        found = _TOLD.fullmatch(code)
        if found is None:
            raise ValueError(f"{title}: `{code}` is no code")
        line, column = (int(found["line"]), int(found["column"])) if found["line"] else next(left, (0, 0))
        told.append((found["code"], line, column))
    if next(left, None) is not None or (("", 0, 0) in told) or not told:
        raise ValueError(f"{title}: the marks and the codes do not fit")
    return sorted(told, key=lambda one: (*one[1:], one[0]))
