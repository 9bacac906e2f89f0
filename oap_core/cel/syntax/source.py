"""Reading the text of an expression before any parser does: characters, tokens, brackets, literals.

The third party's parser reads strings and numbers by rules of its own. So it never sees one: `scan` decides by the
lexis of the CEL specification what each token is, takes the values of the literals from the source, and leaves a text
of the same length in which only names, operators and brackets are left to parse. What passes here is a well-formed
expression, and what does not is reported in words that name the mistake.
"""

import re
from dataclasses import dataclass
from typing import Final

from oap_core.cel.codes import LoadCode
from oap_core.cel.limits import LITERAL_ELEMENTS, SOURCE_BYTES
from oap_core.cel.report import Report
from oap_core.cel.syntax import mistakes
from oap_core.cel.syntax.characters import check_characters
from oap_core.cel.syntax.literals import LiteralError, number_value, string_value
from oap_core.cel.syntax.mistakes import FIELD, OPERAND, OPERATOR, Mistake
from oap_core.cel.syntax.order import VALUES, Order, StopError
from oap_core.cel.syntax.tokens import (
    COMMENT,
    ELEMENT,
    KEYWORDS,
    LIST,
    LONG,
    MARK,
    NAME,
    NUMBER,
    PATH,
    QUOTED,
    RESERVED,
    STRING,
    TOKEN,
)
from oap_core.cel.tree import Ident, ListLiteral, Literal, Node, Select
from oap_core.cel.values import Value

_SPECIAL: Final = KEYWORDS | RESERVED


@dataclass(frozen=True, slots=True)
class Scan:
    """A source that is lexically sound."""

    masked: str
    """As long as the source. Names, operators and brackets stand where they stood; atoms and quoted fields are
    replaced by names of as many characters, comments and needless commas by blanks."""
    atoms: dict[int, Node]
    """What needs no parser (literals, dotted names, lists of literals), by the offset of the name that stands for it."""


def scan(source: str, report: Report) -> Scan | None:
    """Read a source; give None where nothing that follows could make sense of it.

    Problems go to the report. Where there is a result in spite of one (a malformed literal, a reserved word), it is
    good for finding more problems. Takes time in proportion to the length of the source, whatever it holds.
    """
    if len(source) > SOURCE_BYTES or (not source.isascii() and len(source.encode("utf-8", "replace")) > SOURCE_BYTES):
        message = f"the expression is longer than {SOURCE_BYTES} bytes"
        report.add(LoadCode.TOO_LONG, 0, 0, message, "move lists of values into `constants` and parts into `variables`")
        return None
    if not source.isascii() and not check_characters(source, report):
        return None
    reader = _Reader(source, report)
    try:
        return reader.read()
    except StopError:
        return None


class _Reader(Order):
    """One pass over one source, token by token."""

    __slots__ = ("atoms",)

    def __init__(self, source: str, report: Report) -> None:
        super().__init__(source, report)
        self.atoms: dict[int, Node] = {}

    def read(self) -> Scan:
        """Read everything."""
        source = self.source
        for match in TOKEN.finditer(source):
            kind = match.lastindex
            if kind == MARK:
                self.mark(match)
            elif kind == PATH:
                self.path(match)
            elif kind == NAME:
                self.name(match)
            elif kind == STRING:
                start, end = match.span(STRING)
                self.literal(match, start, end, source[start + 1 : end - 1])
            elif kind is None:
                break
            elif kind == COMMENT:
                start, end = match.span(COMMENT)
                self.edits.append((start, end, " " * (end - start)))
                if source[end : end + 1] == "\r":
                    self.stop(mistakes.lone_return(end))
                continue
            else:
                self.rare(match, kind)
            self.previous = match
        self.finish()
        return Scan(self.masked(), self.atoms)

    def masked(self) -> str:
        """The source with everything in it replaced that is not for the parser."""
        pieces: list[str] = []
        copied = 0
        self.edits.sort()
        for start, end, text in self.edits:
            pieces.append(self.source[copied:start])
            pieces.append(text)
            copied = end
        pieces.append(self.source[copied:])
        return "".join(pieces)

    def path(self, match: re.Match[str]) -> None:
        """Read a dotted name."""
        if self.state == OPERAND:
            start, end = match.span(PATH)
            place = start
            node: Node | None = None
            for name in match[PATH].split("."):
                last = place + len(name)
                node = Ident(place, last, place, name) if node is None else Select(start, last, place, node, name)
                place = last + 1
            if node is not None:
                self.atoms[start] = node
            self.edits.append((start, end, "x" * (end - start)))
        elif self.state == OPERATOR:
            self.unexpected(match)
        self.state = OPERATOR

    def name(self, match: re.Match[str]) -> None:
        """Read a name, or a word of the language."""
        text = match[NAME]
        if self.state == OPERATOR:
            if text != "in":
                self.unexpected(match)
            self.state = OPERAND
            return
        if text in _SPECIAL:
            self.word(match, text)
        self.state = OPERATOR

    def word(self, match: re.Match[str], text: str) -> None:
        """Read a word that is no ordinary name, where an operand or a field is due."""
        start, end = match.span(NAME)
        if self.state == FIELD:
            if text in KEYWORDS:
                self.blame(mistakes.keyword_field(self.source, text, start, end))
                self.edits.append((start, end, "x" * (end - start)))
        elif text in VALUES:
            self.atoms[start] = Literal(start, end, start, VALUES[text])
            self.edits.append((start, end, "x" * (end - start)))
        elif text == "in":
            self.unexpected(match)
        else:
            self.blame(mistakes.reserved_word(self.source, text, start, end))

    def rare(self, match: re.Match[str], kind: int) -> None:
        """Read any other token."""
        start, end = match.span(kind)
        if kind == NUMBER:
            self.number(match, start, end)
        elif kind == LIST:
            self.plain_list(match, start, end)
        elif kind == LONG:
            value: Value = None
            try:
                value = string_value(self.source, start, end)
            except LiteralError as error:
                self.blame(Mistake(LoadCode.LITERAL, error.start, error.end, error.message, error.advice))
            self.literal(match, start, end, value)
        elif kind == QUOTED:
            if self.state != FIELD:
                self.unexpected(match)
            self.state = OPERATOR
            # A blank keeps an `in` directly behind it a word of its own.
            self.edits.append(
                (start, end, "x" * (end - start - 1) + (" " if self.source[end : end + 1].isalnum() else "x"))
            )
        else:
            self.unexpected(match)

    def literal(self, match: re.Match[str], start: int, end: int, value: Value) -> None:
        """Take in a literal and put a name of its length in its place."""
        if self.state != OPERAND:
            self.unexpected(match)
        self.state = OPERATOR
        self.atoms[start] = Literal(start, end, start, value)
        source = self.source
        mask = "x" * (end - start)
        if source[start - 1 : start].isalnum() or source[end : end + 1].isalnum():
            # Only an `in` can touch a text like that. Quotes keep it a word of its own.
            mask = f'"{mask[2:]}"'
        self.edits.append((start, end, mask))

    def number(self, match: re.Match[str], start: int, end: int) -> None:
        """Read a number, together with the minus sign before it."""
        text = match[NUMBER]
        sign = self.sign
        # A uint has no sign. Where a comment stands between the two, the sign is an operator.
        merged = sign is not None and sign.end() == match.start() and text[-1] not in "uU"
        value: Value = None
        value = self.number_or_none(text, start, negative=merged)
        if sign is not None and merged:
            start = sign.start(MARK)
            if self.source[start - 1 : start].isalnum():
                # An `in` directly before the sign stays a word of its own.
                self.edits.append((start, start + 1, " "))
                start += 1
        self.literal(match, start, end, value)

    def number_or_none(self, text: str, start: int, *, negative: bool) -> int | float | None:
        """The value of a number; a number that has none is reported."""
        try:
            return number_value(text, start, negative=negative)
        except LiteralError as error:
            self.blame(Mistake(LoadCode.LITERAL, error.start, error.end, error.message, error.advice))
            return None

    def plain_list(self, match: re.Match[str], start: int, end: int) -> None:
        """Read a list of two or more plain literals."""
        if self.state == OPERATOR:
            # Behind an operand, the bracket is that of an index.
            first_item = ELEMENT.search(self.source, start)
            comma = end if first_item is None else self.source.index(",", first_item.end())
            self.stop(mistakes.stray_comma(self.source, comma, "i"))
        if self.state != OPERAND:
            self.unexpected(match)
        self.state = OPERATOR
        items: list[Node] = []
        for item in ELEMENT.finditer(self.source, start + 1, end):
            text = item[0]
            first, last = item.span()
            value: Value = text[1:-1]
            if text[0] not in "\"'":
                negative = text[0] == "-"
                value = self.number_or_none(text.removeprefix("-"), first + negative, negative=negative)
            items.append(Literal(first, last, first, value))
        if len(items) > LITERAL_ELEMENTS:
            self.stop(mistakes.too_many_elements("[", start))
        self.atoms[start] = ListLiteral(start, end, start, tuple(items))
        self.edits.append((start, end, "x" * (end - start)))
