"""One finding about a text that a person wrote: what is wrong, where, and what to do about it.

Policies, configuration files and CEL expressions all report their mistakes as `Diagnostic` values, so that the
command line, an editor and a test see the same code, place, message and help.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import Enum
from typing import Final

__all__ = ["Diagnostic", "Severity", "printable", "render"]

_CODE: Final = re.compile(r"[A-Z]{1,8}[0-9]{1,5}")
_TAB: Final = "    "
# ASCII dots on purpose: U+2026 takes two columns in East Asian terminals and would move the caret.
_ELLIPSIS: Final = "..."
_SOURCE_COLUMNS: Final = 100
_TEXT_COLUMNS: Final = 500
_VARIATION_SELECTORS: Final = ((0xFE00, 0xFE0F), (0xE0100, 0xE01EF), (0x180B, 0x180F))
_HANGUL_JOINING: Final = ((0x1160, 0x11FF), (0xD7B0, 0xD7FF))


class Severity(Enum):
    """How much a diagnostic weighs: an error stops the load, a warning does not."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One mistake in a text, with its place.

    The message never contains a value of an activation, only text that the author of the policy wrote.
    `str()` gives one safe line; `render` adds the source line and a caret.

    Raises ValueError where the code is malformed, the message empty, or the place not a forward span, and TypeError
    where a position is no integer.
    """

    code: str
    """Stable identifier, capital letters followed by digits, such as `CEL201`."""
    message: str
    """One sentence, no capital at the start and no final period, user text in backticks."""
    line: int
    """First line of the span, counted from 1; a line ends at a line feed."""
    column: int
    """First column of the span, counted from 1 in code points."""
    end_line: int
    """Line in which the span ends."""
    end_column: int
    """Column directly behind the span (exclusive); equal to `column` for an empty span."""
    help: str | None = None
    """What the author can do about it, for instance a suggestion, or None."""
    file: str | None = None
    """Name of the file as the author knows it, or None for a text without a file."""
    severity: Severity = Severity.ERROR
    """Whether the load fails because of it."""
    rule: str | None = None
    """Address of the rule that it is about, `policy/rule`, or None where it is about none."""

    def __post_init__(self) -> None:
        if not _CODE.fullmatch(self.code):
            raise ValueError("the code of a diagnostic is capital letters followed by digits")
        if not self.message:
            raise ValueError("a diagnostic needs a message")
        for position in (self.line, self.column, self.end_line, self.end_column):
            if type(position) is not int:
                raise TypeError("the positions of a diagnostic are integers")
            if position < 1:
                raise ValueError("the positions of a diagnostic count from 1")
        if (self.end_line, self.end_column) < (self.line, self.column):
            raise ValueError("the span of a diagnostic ends before it starts")
        if not isinstance(self.severity, Severity):
            raise TypeError("the severity of a diagnostic is a `Severity`")

    def __str__(self) -> str:
        place = f"{self.line}:{self.column}"
        if self.file is not None:
            place = f"{printable(self.file)}:{place}"
        return f"{self.severity.value}[{self.code}] {place}  {printable(self.message)}"


def render(diagnostic: Diagnostic, source_text: str) -> str:
    """Show a diagnostic with its source line and a caret below the span, safe to print on any terminal.

    `source_text` is the text that the positions speak about. Control, format and other invisible characters come out
    as escapes, tabs as spaces, and a long line is cut around the caret. A span over several lines is underlined on
    its first one. Where the text has no such line the source is left out. The result has no line feed at its end.
    """
    line = _line(source_text, diagnostic.line)
    if line is None:
        return str(diagnostic) if diagnostic.help is None else f"{diagnostic}\n  help: {printable(diagnostic.help)}"
    start = min(diagnostic.column - 1, len(line))
    end = len(line) if diagnostic.end_line > diagnostic.line else min(diagnostic.end_column - 1, len(line))
    shown, offset, width = _window(line, start, max(start, end))
    marks = " " * offset + "^" * width
    if diagnostic.help is not None:
        marks += f" {printable(diagnostic.help)}"
    number = f"{diagnostic.line:>3}"
    return f"{diagnostic}\n{number} | {shown}\n{' ' * len(number)} | {marks}"


def _line(text: str, number: int) -> str | None:
    """Give the line with this number, without its line break, or None where there is none."""
    start = 0
    for _ in range(number - 1):
        start = text.find("\n", start) + 1
        if start == 0:
            return None
    end = text.find("\n", start)
    return text[start : end if end >= 0 else len(text)].removesuffix("\r")


def _window(line: str, start: int, end: int) -> tuple[str, int, int]:
    """Cut a line around [start, end): the text to show, the columns before the caret, the columns that it covers."""
    first = start
    room = _SOURCE_COLUMNS // 2
    # Every code point costs at least one column, so that a run of combining marks is cut as well.
    while first > 0 and (room := room - _cost(line[first - 1])) >= 0:
        first -= 1
    last = first
    room = _SOURCE_COLUMNS
    while last < len(line) and (room := room - _cost(line[last])) >= 0:
        last += 1
    head = _ELLIPSIS if first > 0 else ""
    tail = _ELLIPSIS if last < len(line) else ""
    shown = "".join(_visible(char) for char in line[first:last])
    offset = len(head) + _width(line[first:start])
    return head + shown + tail, offset, max(1, _width(line[start : min(end, last)]))


def printable(text: str) -> str:
    """Make one short line of any text: what a terminal would obey or hide becomes an escape, a long tail is cut off."""
    cut = text if len(text) <= _TEXT_COLUMNS else text[: _TEXT_COLUMNS - len(_ELLIPSIS)] + _ELLIPSIS
    return "".join(_visible(char) for char in cut)


def _visible(char: str) -> str:
    """Give a character as it is shown: itself, spaces for a tab, an escape for what a terminal would not show."""
    if char.isprintable() and not _within(ord(char), _VARIATION_SELECTORS):
        return char
    if char == "\t":
        return _TAB
    number = ord(char)
    if number <= 0xFF:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"


def _width(text: str) -> int:
    """Count the terminal columns that a piece of source takes once it is shown."""
    return sum(_char_width(shown) for char in text for shown in _visible(char))


def _cost(char: str) -> int:
    return max(1, _width(char))


def _char_width(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me") or _within(ord(char), _HANGUL_JOINING):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1


def _within(number: int, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(low <= number <= high for low, high in ranges)
