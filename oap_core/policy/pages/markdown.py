"""Markdown that shows what files say and obeys none of it: text, code, tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from oap_core.diagnostic import printable

__all__ = ["anchored", "code", "link", "table", "text"]

# Whatever begins markup somewhere in a line, in CommonMark or in what hosts of repositories add to it.
_MARKUP: Final = re.compile(r"[\\`*_{}\[\]<>|~$&#!@]|:(?=//)|(?<=www)\.", re.IGNORECASE)
# What begins a list, a heading, a quote, a rule or a table where a line begins.
_BEGINS: Final = re.compile(r"[-+=:]|\d+(?=[.)])")
# Within a code span every character stands for itself, but these would end it or the cell around it.
_UNSPANNED: Final = re.compile(r"[`|\\\r\n]|^ | $|^$")
# Between tags of HTML these are still markup.
_ENTITY: Final = re.compile(r"[\\`*_\[\]<>|~$&@]|:(?=//)|(?<=www)\.", re.IGNORECASE)


def text(value: str) -> str:
    """A text of a file as one line of prose, in which nothing is markup."""
    shown = _MARKUP.sub(r"\\\g<0>", _visible(" ".join(value.split())))
    found = _BEGINS.match(shown)
    if found is None:
        return shown
    end = found.end()
    return f"\\{shown}" if not shown[0].isdigit() else f"{shown[:end]}\\{shown[end:]}"


def code(value: str) -> str:
    """A text of a file as code within a line, character for character; its lines stay apart."""
    if not _UNSPANNED.search(value) and value == _visible(value):
        return f"`{value}`"
    lines = (_ENTITY.sub(_entity, _visible(line)) for line in value.rstrip("\n").split("\n"))
    return f"<code>{'<br>'.join(_kept(line) for line in lines)}</code>"


def _visible(value: str) -> str:
    # One at a time, because a long text would be cut.
    return "".join(char if char.isascii() and char.isprintable() else printable(char) for char in value)


def _entity(found: re.Match[str]) -> str:
    return f"&#{ord(found[0])};"


def _kept(line: str) -> str:
    """Blanks at the begin of a line, and next to each other, would be lost."""
    return re.sub(r"^ +| {2,}", lambda found: "&#160;" * len(found[0]), line)


def link(name: str, target: str) -> str:
    """A link to a page of ours; the name is one that a file may give."""
    return f"[{text(name)}]({target})"


def anchored(heading: str, level: int) -> str:
    """A heading from a name that a file gives."""
    return f"{'#' * level} {text(heading)}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """The lines of a table; its cells are Markdown already. No rows give no table."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    if not lines:
        return []
    return [f"| {' | '.join(head)} |", f"| {' | '.join('---' for _ in head)} |", *lines, ""]
