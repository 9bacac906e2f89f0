"""A place in a text that is being read, with what the readers of words and of commands share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from oap_shell.limits import NESTING, refusal
from oap_shell.parts import Reading


@dataclass(frozen=True, slots=True)
class HereDocument:
    """A here-document whose body is still to come."""

    delimiter: str
    """The line that ends it."""
    tabs: bool
    """Tabs before its lines do not count (`<<-`)."""
    raw: bool
    """Nothing in the body is expanded."""


@dataclass(slots=True)
class Cursor:
    """Where reading has got to. It never moves past `end`."""

    text: str
    """The whole text, one character a byte."""
    end: int
    """Where what is being read ends: a substitution in backquotes ends before the text does."""
    commands: Callable[[Cursor, frozenset[str]], str]
    """Reads commands up to one of some closers and says which; see `reader.read_commands`."""
    at: int = 0
    """The next character."""
    depth: int = 0
    """How deep the nesting is here."""
    pending: list[HereDocument] = field(default_factory=list)
    """Here-documents that begin on the next line."""
    found: Reading = field(default_factory=Reading)
    """What was read."""
    enclosed: int = 0
    """How many command and process substitutions with parentheses this is in."""
    counted: int = 0
    """How many characters were looked at once more for shells that count parentheses."""

    def peek(self, ahead: int = 0) -> str:
        """The character some places ahead; an empty text behind the end."""
        place = self.at + ahead
        return self.text[place] if place < self.end else ""

    def here(self, token: str) -> bool:
        """Whether the text goes on with these characters."""
        return self.text.startswith(token, self.at, self.end)

    def take(self, token: str) -> bool:
        """Move past these characters, where the text goes on with them."""
        if not self.text.startswith(token, self.at, self.end):
            return False
        self.at += len(token)
        return True

    def find(self, token: str, start: int) -> int:
        """Where these characters come next. Raises `EvalError` where they do not."""
        place = self.text.find(token, start, self.end)
        if place < 0:
            raise refusal()
        return place

    @contextmanager
    def nested(self) -> Iterator[None]:
        """One level deeper. Raises `EvalError` where that is too deep."""
        self.depth += 1
        if self.depth > NESTING:
            raise refusal()
        yield
        self.depth -= 1

    @contextmanager
    def within(self, end: int) -> Iterator[None]:
        """Read no further than to `end`, with here-documents of its own. Raises `EvalError` where one has no body."""
        outer_end, outer_pending = self.end, self.pending
        self.end, self.pending = end, []
        with self.nested():
            yield
        if self.pending:
            raise refusal()
        self.end, self.pending = outer_end, outer_pending
