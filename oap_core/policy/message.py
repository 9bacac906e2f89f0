"""Texts with holes: `{...}` holds CEL, `{{` and `}}` stand for a brace.

What fills a hole is data, so it is escaped as JSON has it and cut; a hole that cannot be evaluated shows an ellipsis.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from oap_core.cel.activation import Activation
from oap_core.cel.failure import Failure
from oap_core.cel.program import Program
from oap_core.cel.render import UnshownError, plain
from oap_core.diagnostic import printable

__all__ = ["HOLE_CHARACTERS", "Hole", "HoleError", "Message", "pieces"]

HOLE_CHARACTERS: Final = 80
"""Most characters that one hole shows."""
_ELLIPSIS: Final = "..."
_QUOTES: Final = "\"'"


class HoleError(ValueError):
    """The braces of a text do not fit together; `offset` says where."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset
        """Offset in the text."""


@dataclass(frozen=True, slots=True)
class Hole:
    """The CEL source in one pair of braces."""

    source: str
    """What stands between the braces."""
    offset: int
    """Where it begins in the text."""


def pieces(text: str) -> Iterator[str | Hole]:
    """The text and the holes, in order. Raises `HoleError`."""
    shown: list[str] = []
    place = 0
    while place < len(text):
        char = text[place]
        if text.startswith(("{{", "}}"), place):
            shown.append(char)
            place += 2
        elif char == "}":
            raise HoleError("a `}` without its `{`; a brace that is meant is written twice", place)
        elif char == "{":
            end = _end(text, place)
            if shown:
                yield "".join(shown)
                shown = []
            yield Hole(text[place + 1 : end], place + 1)
            place = end + 1
        else:
            shown.append(char)
            place += 1
    if shown:
        yield "".join(shown)


def _end(text: str, start: int) -> int:
    """The place of the brace that closes the one at `start`."""
    depth, place = 0, start
    while place < len(text):
        char = text[place]
        if char in _QUOTES:
            place = _after_text(text, place)
            continue
        depth += (char == "{") - (char == "}")
        if depth == 0:
            return place
        place += 1
    raise HoleError("a `{` without its `}`; a brace that is meant is written twice", start)


def _after_text(text: str, start: int) -> int:
    quote, place = text[start], start + 1
    while place < len(text) and text[place] != quote:
        place += 2 if text[place] == "\\" else 1
    return place + 1


@dataclass(frozen=True, slots=True)
class Message:
    """A text whose holes are loaded."""

    source: str
    """The text as it was written."""
    parts: tuple[str | Program, ...]
    """What is shown, in order."""

    def fill(self, activation: Activation) -> str:
        """The text with its holes filled. Never raises for what the data holds."""
        return "".join(part if isinstance(part, str) else _filled(part, activation) for part in self.parts)


def _filled(program: Program, activation: Activation) -> str:
    value = program.evaluate(activation)
    if isinstance(value, Failure):
        return _ELLIPSIS
    try:
        shown = plain(value)
        text = json.dumps(shown, ensure_ascii=False)
    except (UnshownError, TypeError, ValueError, RecursionError):
        return _ELLIPSIS
    text = printable(text[1:-1] if isinstance(shown, str) else text)
    return text if len(text) <= HOLE_CHARACTERS else text[: HOLE_CHARACTERS - len(_ELLIPSIS)] + _ELLIPSIS
