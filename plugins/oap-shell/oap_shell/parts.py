"""What the reader finds in one text: words, commands, redirections and assignments, each with its place.

A text is held as one character a byte of its UTF-8 form, so that a place is a byte offset for both readers.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a command."""

    start: int
    """Where it begins."""
    raw: str
    """As written."""
    value: str | None
    """After the removal of quotes and backslashes; None where the shell fills something in."""
    prefix: str
    """The part of the value before what the shell fills in; the whole value where there is nothing."""
    several: bool = False
    """What is filled in may turn it into no word, or into several."""

    @property
    def bare(self) -> bool:
        """Whether it is literal and written without quotes and backslashes, as a keyword has to be."""
        return self.value == self.raw


@dataclass(frozen=True, slots=True)
class Command:
    """A simple command, or the test between `[[` and `]]`, whose first word is literal."""

    words: tuple[Word, ...]
    """At least the program."""


@dataclass(frozen=True, slots=True)
class Named:
    """A file name or a variable name at its place."""

    start: int
    """Where the word that holds it begins."""
    name: str
    """The name."""


@dataclass(slots=True)
class Reading:
    """All that one text holds, whatever is nested in what; the lists are in no order but their own places."""

    commands: list[Command] = field(default_factory=list)
    """Every command."""
    assignments: list[Named] = field(default_factory=list)
    """Variables that the text itself sets: before a command or alone, in `for`, in `${name:=word}`."""
    writes: list[Named] = field(default_factory=list)
    """Files that redirections write."""
    reads: list[Named] = field(default_factory=list)
    """Files that redirections read."""
    leading: set[int] = field(default_factory=set)
    """Where assignments stand that lead a command or stand alone."""
    targets: set[int] = field(default_factory=set)
    """Where the targets of redirections to and from files and descriptors stand."""
    plain: int = 0
    """How many bytes stand for themselves, in quotes, in bodies of here-documents and in comments."""
    substitutions: set[tuple[int, int]] = field(default_factory=set)
    """From where to where command and process substitutions reach."""
