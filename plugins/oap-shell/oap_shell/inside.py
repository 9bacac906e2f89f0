"""What the arguments of a command hold besides: commands that it runs, texts that it evaluates, variables that it sets.

Arguments that decide about this have to be literal. A hole is a piece of text that the program replaces before it uses
an argument, such as the `{}` of `find -exec`; where it would decide about a program, nothing can be told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from oap_shell.limits import refusal
from oap_shell.parts import Named, Word

Words = Sequence[Word]


@dataclass(frozen=True, slots=True)
class Call:
    """A program with its arguments, and what may still happen to them."""

    words: Words
    """The program first."""
    holes: frozenset[str] = frozenset()
    """Texts that are replaced in every word."""
    open_ended: bool = False
    """Further arguments that nobody has seen are put behind these."""

    def literal(self, place: int) -> str:
        """The argument at a place. Raises `EvalError` (invalid_argument) where it is not literal, or not there."""
        if place >= len(self.words):
            raise refusal()
        value = self.words[place].value
        if value is None or any(hole in value for hole in self.holes):
            raise refusal()
        return value

    def steady(self, place: int) -> str:
        """How the argument at a place begins, which is some text and the only word that comes of it.

        Raises `EvalError` (invalid_argument) where it begins with something that is filled in, or not there.
        """
        if place >= len(self.words):
            raise refusal()
        word = self.words[place]
        if word.value is not None:
            return self.literal(place)
        # `~` becomes a path, or stays.
        known = word.prefix or word.raw[:1]
        # A hole may be in what is filled in as well, or reach into it.
        if self.holes or word.several or (not word.prefix and known != "~"):
            raise refusal()
        return known

    def rest(self, place: int, holes: frozenset[str] = frozenset(), *, open_ended: bool = False) -> Call:
        """The call whose program stands at a place."""
        return Call(self.words[place:], self.holes | holes, open_ended or self.open_ended)


@dataclass(frozen=True, slots=True)
class Text:
    """A text that a command hands to a shell."""

    start: int
    """Where the word that holds it begins."""
    text: str
    """The text, one character a byte."""


@dataclass(frozen=True, slots=True)
class Inside:
    """What one call holds besides its program."""

    calls: tuple[Call, ...] = ()
    """Calls among its arguments."""
    texts: tuple[Text, ...] = ()
    """Texts that are read as commands."""
    assignments: tuple[Named, ...] = ()
    """Variables that are set, unset or handed on."""
    writes: tuple[Named, ...] = ()
    """Files that are written whatever the program is."""
