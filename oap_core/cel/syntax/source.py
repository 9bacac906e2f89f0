"""Reading the text of an expression before any parser does: characters, tokens, brackets, literals.

The third party's parser reads strings and numbers by rules of its own. So it never sees one: `scan` decides by the
lexis of the CEL specification what each token is, takes the values of the literals from the source, and leaves a text
of the same length in which only names, operators and brackets are left to parse. What passes here is a well-formed
expression, and what does not is reported in words that name the mistake.
"""

import re
from dataclasses import dataclass
from typing import Final, NoReturn

from oap_core.cel.codes import LoadCode
from oap_core.cel.limits import LITERAL_ELEMENTS, NESTING, SOURCE_BYTES
from oap_core.cel.report import Report
from oap_core.cel.syntax import mistakes
from oap_core.cel.syntax.brackets import CLOSED_BY, MAY_BE_EMPTY, MAY_END_IN_COMMA, Bracket
from oap_core.cel.syntax.characters import check_characters
from oap_core.cel.syntax.literals import LiteralError, number_value, string_value
from oap_core.cel.syntax.mistakes import FIELD, OPERAND, OPERATOR, Mistake
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

_VALUES: Final = {"true": True, "false": False, "null": None}
_SPECIAL: Final = KEYWORDS | RESERVED
_BINARY: Final = frozenset({"+", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "&&", "||"})
_PREFIX: Final = frozenset({"-", "!"})
_OPENING: Final = frozenset({"(", "[", "{"})
_CLOSING: Final = frozenset({")", "]", "}"})
_MOST_PROBLEMS: Final = 20


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
    except _StopError:
        return None


class _StopError(Exception):
    """Nothing behind this place can be understood; the reason is in the report."""


class _Reader:
    """One pass over one source, token by token."""

    __slots__ = ("atoms", "edits", "open", "outer", "previous", "problems", "report", "sign", "source", "state")

    def __init__(self, source: str, report: Report) -> None:
        self.source = source
        self.report = report
        self.atoms: dict[int, Node] = {}
        self.edits: list[tuple[int, int, str]] = []
        """Where the masked text differs from the source, and what stands there; as long as what it replaces."""
        self.state = OPERAND
        self.open = Bracket("", 0)
        self.outer: list[Bracket] = []
        self.previous: re.Match[str] | None = None
        """The last token that is no comment."""
        self.sign: re.Match[str] | None = None
        """The last minus sign that stands before an operand."""
        self.problems = 0

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
                self.blame(mistakes.keyword_field(text, start, end))
                self.edits.append((start, end, "x" * (end - start)))
        elif text in _VALUES:
            self.atoms[start] = Literal(start, end, start, _VALUES[text])
            self.edits.append((start, end, "x" * (end - start)))
        elif text == "in":
            self.unexpected(match)
        else:
            self.blame(mistakes.reserved_word(self.source, text, start, end))

    def mark(self, match: re.Match[str]) -> None:
        """Read an operator, a bracket or punctuation."""
        text = match[MARK]
        if text == ".":
            if self.state != OPERATOR:
                self.unexpected(match)
            self.state = FIELD
        elif text in _BINARY:
            if self.state != OPERATOR:
                self.unexpected(match)
            if text == "%" and self.previous is not None and self.previous.lastindex in (STRING, LONG):
                self.stop(mistakes.text_formatting(self.source, *match.span(MARK)))
            self.state = OPERAND
        elif text in _OPENING:
            self.begin(match, text)
        elif text in _CLOSING:
            self.close(match, text)
        elif text == ",":
            self.comma(match)
        elif text in _PREFIX:
            self.prefix(match, text)
        elif text == "?":
            self.question(match)
        else:
            self.colon(match)

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

    def begin(self, match: re.Match[str], text: str) -> None:
        """Read an opening bracket."""
        start = match.start(MARK)
        kind = text
        if self.state == OPERATOR:
            named = self.previous is not None and self.previous.lastindex in (PATH, NAME)
            name = _text(self.previous) if named else "null"
            if text == "[":
                kind = "i"
            elif text == "(" and name not in _VALUES:
                kind = "f"
            elif text == "{" and name not in _VALUES:
                self.stop(mistakes.message_literal(name, start))
            else:
                self.unexpected(match)
        elif self.state == FIELD:
            self.unexpected(match)
        if len(self.outer) == NESTING:
            self.stop(mistakes.too_deep(start, start + 1))
        self.outer.append(self.open)
        self.open = Bracket(kind, start)
        self.state = OPERAND

    def close(self, match: re.Match[str], text: str) -> None:
        """Read a closing bracket."""
        bracket = self.open
        start = match.start(MARK)
        if CLOSED_BY[bracket.kind] != text:
            self.stop(mistakes.wrong_bracket(self.source, text, start, bracket.start if bracket.kind else None))
        if self.state == OPERATOR:
            self.end_of_element(start)
        else:
            self.close_early(match, bracket)
        self.open = self.outer.pop()
        self.state = OPERATOR

    def close_early(self, match: re.Match[str], bracket: Bracket) -> None:
        """Read a closing bracket directly behind the opening one, or behind a comma."""
        last = _text(self.previous)
        if self.state == OPERAND and bracket.choice < 0 and not bracket.valued and self.previous is not None:
            place = self.previous.start(MARK)
            if place == bracket.start and bracket.kind in MAY_BE_EMPTY:
                return
            if last == "," and bracket.kind in MAY_END_IN_COMMA:
                self.edits.append((place, place + 1, " "))
                return
        self.unexpected(match)

    def comma(self, match: re.Match[str]) -> None:
        """Read a comma."""
        bracket = self.open
        start = match.start(MARK)
        if self.state != OPERATOR:
            self.unexpected(match)
        if bracket.kind not in MAY_BE_EMPTY:
            self.stop(mistakes.stray_comma(self.source, start, bracket.kind))
        self.end_of_element(start)
        bracket.elements += 1
        bracket.valued = False
        self.state = OPERAND

    def end_of_element(self, start: int) -> None:
        """An operand ends here: make sure that nothing in it is left open, and that there are not too many."""
        bracket = self.open
        if bracket.choice >= 0:
            self.stop(mistakes.no_alternative(bracket.choice))
        if bracket.kind == "{" and not bracket.valued:
            self.stop(mistakes.no_value(self.source, start, bracket.start))
        if bracket.elements >= LITERAL_ELEMENTS:
            self.stop(mistakes.too_many_elements(bracket.kind, bracket.start))

    def prefix(self, match: re.Match[str], text: str) -> None:
        """Read `-` or `!`."""
        if self.state == OPERATOR and text == "-":
            self.state = OPERAND
            return
        if self.state != OPERAND:
            self.unexpected(match)
        before = _text(self.previous)
        if (text == "-" and before == "!") or (text == "!" and before == "-" and self.sign is self.previous):
            self.stop(mistakes.mixed_prefixes(before, text, match.start(MARK)))
        if text == "-":
            self.sign = match

    def question(self, match: re.Match[str]) -> None:
        """Read a `?`."""
        bracket = self.open
        start = match.start(MARK)
        if self.state != OPERATOR:
            last = _text(self.previous)
            if self.state == FIELD or last in ("[", "{") or (last == "," and bracket.kind in MAY_END_IN_COMMA):
                self.stop(mistakes.optional_syntax(last, start))
            self.unexpected(match)
        if bracket.choice >= 0:
            self.stop(mistakes.nested_choice(start))
        bracket.choice = start
        self.state = OPERAND

    def colon(self, match: re.Match[str]) -> None:
        """Read a `:`."""
        bracket = self.open
        if self.state != OPERATOR:
            self.unexpected(match)
        if bracket.choice >= 0:
            bracket.choice = -1
        elif bracket.kind == "{" and not bracket.valued:
            bracket.valued = True
        else:
            self.stop(mistakes.stray_colon(self.source, match.start(MARK), bracket.kind))
        self.state = OPERAND

    def finish(self) -> None:
        """Make sure that the source may end here."""
        bracket = self.open
        if self.previous is None:
            self.stop(mistakes.empty())
        if self.state != OPERATOR:
            self.stop(mistakes.ends_early(self.source, self.previous))
        if bracket.choice >= 0:
            self.stop(mistakes.no_alternative(bracket.choice))
        if bracket.kind:
            self.stop(mistakes.never_closed(self.source, bracket.start))

    def unexpected(self, match: re.Match[str]) -> NoReturn:
        """End at a token that cannot stand where it stands."""
        if self.problems and self.state == OPERATOR and _text(self.previous) in RESERVED:
            # The reserved word has been reported, and what follows it is meant to belong to it.
            raise _StopError
        self.stop(mistakes.unexpected(self.source, self.state, self.previous, match))

    def blame(self, mistake: Mistake) -> None:
        """Report a mistake and go on, unless there are too many."""
        self.report.add(mistake.code, mistake.start, mistake.end, mistake.message, mistake.advice)
        self.problems += 1
        if self.problems >= _MOST_PROBLEMS:
            raise _StopError

    def stop(self, mistake: Mistake) -> NoReturn:
        """Report a mistake behind which nothing can be understood."""
        self.blame(mistake)
        raise _StopError


def _text(match: re.Match[str] | None) -> str:
    """What a token consists of; empty where there is none."""
    return "" if match is None or match.lastindex is None else match[match.lastindex]
