"""What `${...}` stands for in the values of a test: an entry of its matrix, a fixture, or a repeated text.

A value that is nothing but `${name}` is replaced by what the name stands for, with its type; inside a longer text the
name is replaced by text. What was put in is never looked at again, and `$${` stands for a `${` that is meant.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final

from oap_core.diagnostic import printable

__all__ = ["MOST_CHARACTERS", "Hole", "Path", "Problem", "TooMuchError", "fill", "holes", "problem"]

MOST_CHARACTERS: Final = 1_000_000
"""Characters that all holes of one case may add up to."""

Path = tuple[str | int, ...]
"""The way to a value, by keys and positions."""

_HOLE: Final = re.compile(r"\$\$\{|\$\{(?P<inner>[^}]*)(?P<end>\}?)")
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,99}")
_REPEAT: Final = re.compile(r"repeat:(?P<text>.*):(?P<count>[0-9]{1,9})", re.DOTALL)
_MOST_SHOWN: Final = 40


class TooMuchError(ValueError):
    """The holes of one case add up to more than it may hold."""


@dataclass(frozen=True, slots=True)
class Hole:
    """One `${...}` in a text."""

    inner: str
    """What stands between the braces."""
    start: int
    """Where it begins in the text."""
    whole: bool
    """Whether the text is nothing else."""
    closed: bool
    """Whether it has its `}`."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a hole."""

    message: str
    """The sentence."""
    help: str | None
    """What to do about it."""


def holes(value: object, path: Path = ()) -> Iterator[tuple[Path, Hole]]:
    """Every hole in a value and in what it holds, with the way there."""
    pending: list[tuple[Path, object]] = [(path, value)]
    while pending:
        where, one = pending.pop()
        if isinstance(one, str):
            for found in _HOLE.finditer(one):
                if found["inner"] is not None:
                    whole = found.span() == (0, len(one))
                    yield where, Hole(found["inner"], found.start(), whole, bool(found["end"]))
        elif isinstance(one, Mapping):
            pending.extend(((*where, key), item) for key, item in reversed([*one.items()]))
        elif isinstance(one, (list, tuple)):
            pending.extend(((*where, number), item) for number, item in reversed([*enumerate(one)]))


def problem(hole: Hole, known: Mapping[str, list[Any]]) -> Problem | None:
    """What is wrong with a hole, where `known` are the names with all values that they can stand for."""
    shown = printable(hole.inner if len(hole.inner) <= _MOST_SHOWN else f"{hole.inner[:_MOST_SHOWN]}...")
    if not hole.closed:
        return Problem("a `${` without its `}`", _MEANT)
    if hole.inner.startswith("repeat:"):
        found = _REPEAT.fullmatch(hole.inner)
        if found is None:
            return Problem(f"`${{{shown}}}` repeats nothing", "a repeated text is written `${repeat:x:20001}`")
        if len(found["text"]) * int(found["count"]) > MOST_CHARACTERS:
            return Problem(f"`${{{shown}}}` is longer than {MOST_CHARACTERS:,} characters", None)
        return None
    if not _NAME.fullmatch(hole.inner):
        return Problem(f"`${{{shown}}}` is no name", _MEANT)
    if hole.inner not in known:
        near = get_close_matches(hole.inner, known, n=1, cutoff=0.6)
        help_ = (
            f"did you mean `${{{near[0]}}}`?" if near else f"a name stands in `matrix` or in `fixtures.yaml`; {_MEANT}"
        )
        return Problem(f"nothing is called `{shown}`", help_)
    if not hole.whole and any(_text(value) is None for value in known[hole.inner]):
        message = f"`{shown}` is no text and no number, so it cannot stand inside a text"
        return Problem(message, "let it be the whole value")
    return None


_MEANT: Final = "a `${` that is meant is written `$${`"


def fill(value: Any, values: Mapping[str, Any]) -> Any:
    """The value with its holes filled; they have to be right. Raises `TooMuchError`.

    Recursive, no deeper than files are.
    """
    room = [MOST_CHARACTERS]

    def text(whole: str) -> Any:
        found = _HOLE.fullmatch(whole)
        if found is not None and found["inner"] is not None:
            return _taken(_standing(found["inner"], values), room)
        return _HOLE.sub(lambda one: _inserted(one["inner"], values, room), whole)

    return _mapped(value, text)


def _mapped(value: Any, text: Callable[[str], Any]) -> Any:
    if isinstance(value, str):
        return text(value) if "${" in value else value
    if isinstance(value, Mapping):
        return {key: _mapped(item, text) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_mapped(item, text) for item in value]
    return value


def _standing(inner: str, values: Mapping[str, Any]) -> Any:
    found = _REPEAT.fullmatch(inner)
    return values[inner] if found is None else found["text"] * int(found["count"])


def _inserted(inner: str | None, values: Mapping[str, Any], room: list[int]) -> str:
    if inner is None:
        return "${"
    text = _taken(_text(_standing(inner, values)), room)
    assert isinstance(text, str)
    return text


def _taken(value: Any, room: list[int]) -> Any:
    if isinstance(value, str):
        room[0] -= len(value)
        if room[0] < 0:
            raise TooMuchError
    return value


def _text(value: object) -> str | None:
    """A value as it stands inside a text; None for one that has no such form."""
    if isinstance(value, str):
        return value
    return json.dumps(value) if isinstance(value, (bool, int, float)) else None
