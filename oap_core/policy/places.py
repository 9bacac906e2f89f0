"""Which character of a value lies where in the file: reads every style of YAML scalar from the text itself.

The parser says what a scalar means, but not where its characters stand. `pieces` reads it once more, as pieces that
lie in the text as they are written, or that stand for an escape or a line break.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from oap_core.policy.faults import Lines

__all__ = ["EscapeError", "Piece", "header", "pieces", "runs"]

Piece = tuple[str, int]
"""A part of a value, and the offset in the text where it stands."""

_PLAIN: Final = re.compile(r"(?P<fold>[ \t]*\n[ \t\n]*)|(?P<text>[ \t]*[^ \t\n]+)")
_SINGLE: Final = re.compile(r"(?P<fold>[ \t]*\n[ \t\n]*)|(?P<quote>'')|(?P<text>[ \t]+|[^ \t\n']+)")
_DOUBLE: Final = re.compile(
    r"(?P<fold>[ \t]*\n[ \t\n]*)|\\(?:(?P<join>\n[ \t\n]*)|x(?P<x>[0-9a-fA-F]{2})|u(?P<u>[0-9a-fA-F]{4})"
    r"|U(?P<U>[0-9a-fA-F]{8})|(?P<short>[0abt\tnvfre \"\\/N_LP]))|(?P<text>[ \t]+|[^ \t\n\\]+)"
)
_SHORT: Final = dict(
    zip('0abt\tnvfre "\\/N_LP', '\0\a\b\t\t\n\v\f\r\x1b "\\/\x85\xa0\u2028\u2029', strict=True),
)
_HEADER: Final = re.compile(r"[|>](?:([+-])?([1-9])?|([1-9])([+-]))(?:[ \t]+(?:#[^\n]*)?)?(?:\n|\Z)")
_MOST_RUNS: Final = 20_000
_DEEPEST: Final = 100


class EscapeError(ValueError):
    """There is an escape that stands for no character; `start` and `end` are its offsets."""

    def __init__(self, start: int, end: int) -> None:
        super().__init__("no escape")
        self.start = start
        self.end = end


def header(text: str, start: int) -> tuple[int, bool] | None:
    """Where the first line of a block begins, and whether the block says how far it is indented; None for no block."""
    match = _HEADER.match(text, start)
    return None if match is None else (match.end(), bool(match[2] or match[3]))


def pieces(text: str, start: int, end: int, value: str) -> list[Piece] | None:
    """The pieces of the scalar between two offsets, or None where reading it here does not give this value.

    Raises EscapeError where it is written with an escape that YAML does not know.
    """
    if not value:
        return []
    style = text[start : start + 1]
    if style in {"|", ">"}:
        for found in _block(text, start):
            if _same(found, value):
                return found
        return None
    if style == '"':
        found = list(_double(text, start + 1, end - 1))
    elif style == "'":
        found = list(_single(text, start + 1, end - 1))
    else:
        found = list(_plain(text, start, end))
    return found if _same(found, value) else None


def runs(found: Iterable[Piece], lines: Lines) -> tuple[tuple[int, int, int], ...]:
    """The places of pieces as a `Scalar` has them; of very many the first ones."""
    result: list[tuple[int, int, int]] = []
    offset = 0
    run = (0, 0, 0)
    for text, start in found:
        line, column = lines.place(start)
        if (line, column) != (run[1], run[2] + offset - run[0]):
            run = (offset, line, column)
            result.append(run)
            if len(result) == _MOST_RUNS:
                break
        offset += len(text)
    return tuple(result)


def _same(found: list[Piece], value: str) -> bool:
    return "".join(text for text, _ in found) == value


def _fold(text: str, start: int, end: int, *, blank: bool = True) -> Iterator[Piece]:
    """Line breaks between the words of a text: one is a blank, of several the first is left out."""
    first = text.index("\n", start, end)
    place = text.find("\n", first + 1, end)
    if place < 0 and blank:
        yield " ", start
    while place >= 0:
        yield "\n", place
        place = text.find("\n", place + 1, end)


def _plain(text: str, start: int, end: int) -> Iterator[Piece]:
    for match in _PLAIN.finditer(text, start, end):
        if match["fold"] is not None:
            yield from _fold(text, match.start(), match.end())
        else:
            yield match["text"], match.start()


def _single(text: str, start: int, end: int) -> Iterator[Piece]:
    for match in _SINGLE.finditer(text, start, end):
        if match["fold"] is not None:
            yield from _fold(text, match.start(), match.end())
        elif match["quote"] is not None:
            yield "'", match.start()
        else:
            yield match["text"], match.start()


def _double(text: str, start: int, end: int) -> Iterator[Piece]:
    while start < end:
        match = _DOUBLE.match(text, start, end)
        if match is None:
            raise EscapeError(start, min(start + 2, end))
        kind = match.lastgroup
        if kind == "text":
            yield match[0], start
        elif kind == "short":
            yield _SHORT[match["short"]], start
        elif kind in {"fold", "join"}:
            yield from _fold(text, start, match.end(), blank=kind == "fold")
        else:
            number = int(match["x"] or match["u"] or match["U"], 16)
            if 0xD800 <= number <= 0xDFFF or number > 0x10FFFF:
                raise EscapeError(start, match.end())
            yield chr(number), start
        start = match.end()


def _block(text: str, start: int) -> Iterator[list[Piece]]:
    """Every reading of a block; there are several only where it says how far it is indented."""
    match = _HEADER.match(text, start)
    if match is None:
        return
    keep = match[1] or match[4] or ""
    given = match[2] or match[3]
    first = _indent_of_first(text, match.end())
    for indent in range(int(given), min(first, _DEEPEST) + 1) if given else (first,):
        yield list(_block_pieces(text, match.end(), indent, folded=text[start] == ">", keep=keep))


def _indent_of_first(text: str, start: int) -> int:
    """How far the first line that holds anything is indented, or the longest line of blanks before the end."""
    longest = 1
    while start < len(text):
        end = text.find("\n", start)
        end = end if end >= 0 else len(text)
        line = text[start:end]
        indent = len(line) - len(line.lstrip(" "))
        longest = max(longest, indent)
        if indent < len(line):
            return max(1, indent)
        start = end + 1
    return longest


def _block_lines(text: str, start: int, indent: int) -> Iterator[tuple[int, int, int]]:
    """Start, start of the content and end of each line of a block; the content of an empty line is empty."""
    while start < len(text):
        end = text.find("\n", start)
        end = end if end >= 0 else len(text)
        content = start
        while content < min(end, start + indent) and text[content] == " ":
            content += 1
        if content < start + indent and content < end:
            return
        yield start, content, end
        start = end + 1


def _block_pieces(text: str, start: int, indent: int, *, folded: bool, keep: str) -> Iterator[Piece]:
    empty: list[Piece] = []
    broken = -1
    last = ""
    for _, content, end in _block_lines(text, start, indent):
        if content == end:
            if end < len(text):
                empty.append(("\n", end))
            continue
        first = text[content]
        if broken >= 0 and folded and last not in " \t" and first not in " \t":
            if not empty:
                yield " ", broken
        elif broken >= 0:
            yield "\n", broken
        yield from empty
        empty = []
        yield text[content:end], content
        broken, last = end, first
    if 0 <= broken < len(text) and keep != "-":
        yield "\n", broken
    if keep == "+":
        yield from empty
