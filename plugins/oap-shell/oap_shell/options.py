"""Reads the options of programs that run another one, up to where that one stands.

Only options that are named for the program are known; every other one is an error, an abbreviated one too.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from oap_shell.inside import Call
from oap_shell.limits import refusal


@dataclass(frozen=True, slots=True)
class Options:
    """The options of one program."""

    flags: str = ""
    """Letters that stand alone."""
    valued: str = ""
    """Letters with a value, which is the rest of the word or the next one."""
    long: frozenset[str] = frozenset()
    """Long options without a value, or with one behind `=` that decides nothing."""
    long_valued: frozenset[str] = frozenset()
    """Long options with a value behind `=` or in the next word."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a call."""

    name: str
    """Its letter or its long name, without `-`."""
    start: int
    """Where the word that holds its value begins."""
    value: str | None
    """The value; None where it has none, or one that is not literal."""


@dataclass(slots=True)
class Found:
    """The options of one call."""

    place: int
    """Where the first word stands that is no option."""
    options: list[Option] = field(default_factory=list)
    """In the order in which they were given."""

    def values(self, *names: str) -> list[tuple[int, str]]:
        """The values of these options, with their places. Raises `EvalError` where one is not literal."""
        found = []
        for option in self.options:
            if option.name in names:
                if option.value is None:
                    raise refusal()
                found.append((option.start, option.value))
        return found

    def has(self, *names: str) -> bool:
        """Whether one of these was given."""
        return any(option.name in names for option in self.options)


def read_options(call: Call, known: Options, start: int = 1) -> Found:
    """The options from a place on. Raises `EvalError` (invalid_argument) for one that is not known or not literal."""
    found = Found(start)
    while found.place < len(call.words):
        word = call.steady(found.place)
        if not word.startswith("-"):
            break
        text = call.literal(found.place)
        if text == "--":
            found.place += 1
            break
        if text.startswith("--"):
            _read_long(call, known, found, text)
        else:
            _read_letters(call, known, found, text)
        found.place += 1
    return found


def _read_long(call: Call, known: Options, found: Found, text: str) -> None:
    name, equals, rest = text[2:].partition("=")
    if name not in known.long and name not in known.long_valued:
        raise refusal()
    value = _next(call, found) if name in known.long_valued and not equals else rest
    found.options.append(Option(name, call.words[found.place].start, value))


def _read_letters(call: Call, known: Options, found: Found, text: str) -> None:
    if text == "-":
        raise refusal()
    for position, letter in enumerate(text[1:], 1):
        if letter in known.valued:
            value = text[position + 1 :] or _next(call, found)
            found.options.append(Option(letter, call.words[found.place].start, value))
            return
        if letter not in known.flags:
            raise refusal()
        found.options.append(Option(letter, call.words[found.place].start, None))


def _next(call: Call, found: Found) -> str | None:
    """The value in the next word, which may be anything that stays one word."""
    found.place += 1
    if found.place >= len(call.words) or call.words[found.place].several:
        raise refusal()
    word = call.words[found.place]
    return None if word.value is None else call.literal(found.place)
