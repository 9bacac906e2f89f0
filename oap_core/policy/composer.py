"""Builds the tree of a file out of what a parser meets in it, and notes what a policy file may not hold.

It knows the text, offsets and values, and no parser. It keeps the open lists and mappings on a stack of its own, so
that depth costs no recursion.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from oap_core.policy.codes import FileCode
from oap_core.policy.faults import Fault, Lines, shown
from oap_core.policy.mistakes import (
    indenting_tab,
    narrow_colon,
    no_escape,
    no_header,
    odd_blank,
    question_mark,
    sign_in_front,
)
from oap_core.policy.places import EscapeError, Piece, header, pieces, runs
from oap_core.policy.scalars import Meaning, meaning
from oap_core.policy.tree import Entry, Mapping, Node, Scalar, Sequence

__all__ = ["DEPTH", "NODES", "Composer", "StopError"]

DEPTH: Final = 32
"""Lists and mappings inside each other."""
NODES: Final = 50_000
"""Values of a file, keys included."""

_PROPERTIES: Final = re.compile(r"(?:(?P<tag>!)|&)[^\s,\[\]{}]*(?:\s+(?:#[^\n]*)?)*", re.ASCII)
_TAB_INDENT: Final = re.compile(r"(?:[ ]*\n)*[ ]*\t")
_BRACKET: Final = re.compile(r"[\[\]{}]")
_SIGNS: Final = frozenset("[]{},")
_NO_TAG: Final = "leave the tag out, or put a value that begins with `!` into quotes"


class StopError(Exception):
    """The file cannot be read any further, for this reason."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


@dataclass(frozen=True, slots=True)
class _Key:
    start: int
    end: int
    text: str | None
    """None for a key that has no place in the tree."""


@dataclass(slots=True)
class _Open:
    """A list or mapping whose end has not come yet."""

    start: int
    last: int
    """Where its last part ended."""
    mapping: bool
    items: list[Node] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    seen: dict[str, int] = field(default_factory=dict)
    """Offset of each key."""
    key: _Key | None = None
    """The key that waits for its value."""


class Composer:
    """The tree of one document, grown part by part; offsets are code points of the text."""

    def __init__(self, text: str, lines: Lines) -> None:
        self.root: Node | None = None
        """The whole, once its last part has come."""
        self.faults: list[Fault] = []
        """What was wrong so far."""
        self.covered: list[tuple[int, int]] = []
        """Where texts between quotes and in blocks stand."""
        self._text = text
        self._lines = lines
        self._open: list[_Open] = []
        self._nodes = 0

    @property
    def bracket(self) -> int | None:
        """Where the list or mapping in brackets begins that was opened last, if one is open."""
        return next((part.start for part in reversed(self._open) if self._text[part.start] in "[{"), None)

    def too_deep(self, end: int) -> Fault | None:
        """Find a bracket that opens a level too many on the line of `end`, which was not taken yet."""
        line = self._text.rfind("\n", 0, end) + 1
        depth = sum(part.start < line for part in self._open)
        for match in _BRACKET.finditer(self._text, line, end):
            depth += 1 if match[0] in "[{" else -1
            if depth > DEPTH:
                return _too_deep(match.start())
        return None

    def scalar(self, start: int, end: int, value: str, *, odd: bool) -> None:
        """Take a value without parts; `odd` where it has an anchor or a tag. Raises StopError."""
        self._count(start)
        start = self._properties(start, end) if odd else start
        if start == end:
            if not self._open:
                return
            # Parsers do not agree on which side of the blanks nothing stands.
            while self._text[start - 1 : start] in {" ", "\n"}:
                start -= 1
            end = start
        style = self._text[start : min(start + 1, end)]
        place = self._key_expected()
        try:
            found = pieces(self._text, start, end, value)
        except EscapeError as error:
            raise StopError(no_escape(self._text, error.start, error.end)) from None
        if style and style in "|>":
            end = self._block(start, end)
        elif style and style in "\"'":
            self.covered.append((start, end))
        else:
            self._plain(start, end)
            if "\n" not in self._text[start:end]:
                self._add(start, end, meaning(value), found, place)
                return
        self._add(start, end, Meaning(value), found, place)

    def alias(self, start: int, end: int) -> None:
        """Take a reference to another value. Raises StopError."""
        self._count(start)
        name = shown(self._text[start:end])
        help = "write the value out where it is needed, or put a text that begins with `*` into quotes"
        self.faults.append(Fault(FileCode.ALIAS, start, end, f"{name} is a reference to another value", help))
        value = Scalar(self._lines.span(start, end), self._text[start:end], ((0, *self._lines.place(start)),))
        place = self._key_expected()
        if place is not None:
            place.key = _Key(start, end, None)
        else:
            self._put(value, start, end)

    def open(self, start: int, *, mapping: bool, odd: bool) -> None:
        """Take the begin of a list or mapping. Raises StopError."""
        self._count(start)
        if odd:
            start = self._properties(start, len(self._text))
        if len(self._open) == DEPTH:
            raise StopError(_too_deep(start))
        self._open.append(_Open(start, start, mapping))

    def close(self, end: int, *, flow: bool) -> None:
        """Take the end of the list or mapping that was opened last; only brackets say where that is."""
        done = self._open.pop()
        end = end if flow else max(done.last, done.start)
        span = self._lines.span(done.start, end)
        node: Node = Mapping(span, tuple(done.entries)) if done.mapping else Sequence(span, tuple(done.items))
        place = self._key_expected()
        if place is None:
            self._put(node, done.start, end)
            return
        help = "write a text without brackets"
        if self._text.startswith("{", done.start) and place.start + 1 == done.start:
            help = "a value that begins with `{{` stands in quotes"
        self.faults.append(Fault(FileCode.KEY_NOT_TEXT, done.start, end, "a list or mapping is no key", help))
        place.key = _Key(done.start, end, None)

    def _count(self, start: int) -> None:
        self._nodes += 1
        if self._nodes > NODES:
            message = f"the file holds more than {NODES} values"
            raise StopError(Fault(FileCode.TOO_LARGE, start, start + 1, message, "split it into several files"))

    def _key_expected(self) -> _Open | None:
        """The mapping that waits for a key, if one does."""
        if self._open and self._open[-1].mapping and self._open[-1].key is None:
            return self._open[-1]
        return None

    def _plain(self, start: int, end: int) -> None:
        """Look at a text without quotes for what readers of YAML do not agree about."""
        if (blank := odd_blank(self._text, start, end)) is not None:
            self.faults.append(blank)
        if self.bracket is None:
            return
        if (place := self._text.find("?", start + 1, end)) >= 0:
            raise StopError(question_mark(place))
        if start == end and self._text[start - 1] == ":" and self._text[start] in _SIGNS:
            key = self._open[-1].key
            if key is not None and key.end == start - 1 and key.text and self._text[key.end - 1] not in "\"'":
                raise StopError(narrow_colon(start - 1))

    def _block(self, start: int, end: int) -> int:
        """Note where a block covers the text, and give the end of its last line that holds anything."""
        head = header(self._text, start)
        if head is None:
            raise StopError(no_header(self._text, start))
        first, indented = head
        tab = _TAB_INDENT.match(self._text, first, end)
        if tab is not None and not indented:
            raise StopError(indenting_tab(tab.end() - 1))
        if first < end:
            self.covered.append((first, end))
        return start + len(self._text[start:end].rstrip())

    def _add(self, start: int, end: int, read: Meaning, found: list[Piece] | None, place: _Open | None) -> None:
        if place is not None:
            self._key(place, start, end, read)
            return
        if read.code is not None:
            self.faults.append(Fault(read.code, start, end, read.message, read.help))
        where: tuple[tuple[int, int, int], ...] = ()
        if isinstance(read.value, str):
            where = ((0, *self._lines.place(start)),) if found is None else runs(found, self._lines)
        self._put(Scalar(self._lines.span(start, end), read.value, where), start, end)

    def _key(self, place: _Open, start: int, end: int, read: Meaning) -> None:
        raw = self._text[start:end]
        text = read.value if isinstance(read.value, str) else raw
        if raw == "<<":
            message, help = "`<<` takes over the keys of another mapping", "write the keys out where they are needed"
            self.faults.append(Fault(FileCode.ALIAS, start, end, message, help))
            place.key = _Key(start, end, None)
            return
        if not isinstance(read.value, str) or read.code is FileCode.NUMBER:
            message = f"the key {shown(raw)} is no text" if raw else "a key is missing in front of `:`"
            advice = f'write `"{raw}"`' if raw and len(raw) < 40 else None
            self.faults.append(Fault(FileCode.KEY_NOT_TEXT, start, max(end, start + 1), message, advice))
        elif read.code is not None:
            self.faults.append(Fault(read.code, start, end, read.message, f'write `"{raw}"` for a key'))
        if text in place.seen:
            first, _ = self._lines.place(place.seen[text])
            message = f"the key {shown(text)} stands twice; the first one is on line {first}"
            self.faults.append(Fault(FileCode.REPEATED_KEY, start, end, message, "keep one of the two"))
            place.key = _Key(start, end, None)
            return
        place.seen[text] = start
        place.key = _Key(start, end, text if raw else None)

    def _put(self, node: Node, start: int, end: int) -> None:
        """Give a finished value to what it belongs to."""
        if not self._open:
            self.root = node
            return
        owner = self._open[-1]
        if not owner.mapping:
            owner.items.append(node)
        else:
            key, owner.key = owner.key, None
            if key is not None and key.text is not None:
                owner.entries.append(Entry(key.text, self._lines.span(key.start, key.end), node))
        owner.last = max(end, start)

    def _properties(self, start: int, end: int) -> int:
        """Note the anchors and tags at the begin of a value, and give the offset of what follows them."""
        while (match := _PROPERTIES.match(self._text, start, end)) is not None:
            stop = start + len(match[0].split(None, 1)[0])
            if stop == match.end() < end or self._text[stop : stop + 1] in _SIGNS:
                raise StopError(sign_in_front(self._text, start))
            name = shown(self._text[start:stop])
            if match["tag"] is None:
                message, help = f"{name} marks a value for use elsewhere", "write the value out where it is needed"
                self.faults.append(Fault(FileCode.ALIAS, start, stop, message, help))
            else:
                self.faults.append(Fault(FileCode.TAG, start, stop, f"{name} is a tag of YAML", _NO_TAG))
            start = match.end()
        return start


def _too_deep(start: int) -> Fault:
    message = f"lists and mappings are nested deeper than {DEPTH} levels"
    return Fault(FileCode.TOO_LARGE, start, start + 1, message)
