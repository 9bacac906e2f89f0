"""What is wrong with the text of a file, by offsets, and how that becomes diagnostics in the order of the file."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from oap_core.diagnostic import Diagnostic
from oap_core.policy.codes import FileCode
from oap_core.policy.tree import Span

__all__ = ["MOST_SHOWN", "Fault", "Lines", "diagnostics", "shown"]

MOST_SHOWN: Final = 50
"""Mistakes in the text of one file that are shown; the first ones explain the rest."""

_LONGEST: Final = 40


@dataclass(frozen=True, slots=True)
class Fault:
    """One mistake between two offsets of a text."""

    code: FileCode
    """What kind of mistake it is."""
    start: int
    """Offset of its first character, in code points of the text."""
    end: int
    """Offset directly behind its last character."""
    message: str
    """One sentence about it."""
    help: str | None = None
    """What the author can do about it, if there is something to say."""


class Lines:
    """Where the lines of a text begin; a line ends at a line feed."""

    __slots__ = ("_starts",)

    def __init__(self, text: str) -> None:
        self._starts = [0]
        place = text.find("\n")
        while place >= 0:
            self._starts.append(place + 1)
            place = text.find("\n", place + 1)

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both from 1, the column in code points."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def span(self, start: int, end: int) -> Span:
        """The places of two offsets; a span that would end before it starts is empty."""
        return Span(*self.place(start), *self.place(max(start, end)))


def diagnostics(faults: Iterable[Fault], lines: Lines, file: str | None) -> tuple[Diagnostic, ...]:
    """Put faults in the order of the text, each place and code once, the first of them where there are many."""
    found: dict[tuple[int, FileCode], Diagnostic] = {}
    for fault in sorted(faults, key=lambda fault: (fault.start, fault.code)):
        if (fault.start, fault.code) not in found:
            span = lines.span(fault.start, fault.end)
            found[fault.start, fault.code] = Diagnostic(
                fault.code.value,
                fault.message,
                span.line,
                span.column,
                span.end_line,
                span.end_column,
                help=fault.help,
                file=file,
            )
            if len(found) == MOST_SHOWN:
                break
    return tuple(found.values())


def shown(text: str) -> str:
    """Give a piece of the author's text for a message: between backticks, and short."""
    first, *rest = text.split("\n", 1)
    cut = first[:_LONGEST]
    return f"`{cut}...`" if rest or cut != first else f"`{cut}`"
