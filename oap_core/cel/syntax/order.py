"""What may follow what in an expression: brackets, operators and punctuation, one token after another.

It knows whether an operand, an operator or a field is due, and of each open bracket what has been seen within it. What
an operand says is not its concern.
"""

import re
from typing import Final, NoReturn

from oap_core.cel.limits import LITERAL_ELEMENTS, NESTING
from oap_core.cel.report import Report
from oap_core.cel.syntax import mistakes
from oap_core.cel.syntax.brackets import CLOSED_BY, MAY_BE_EMPTY, MAY_END_IN_COMMA, Bracket
from oap_core.cel.syntax.mistakes import FIELD, OPERAND, OPERATOR, Mistake
from oap_core.cel.syntax.tokens import LONG, MARK, NAME, PATH, RESERVED, STRING

VALUES: Final = {"true": True, "false": False, "null": None}
"""The words that are literals."""

_BINARY: Final = frozenset({"+", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "&&", "||"})
_PREFIX: Final = frozenset({"-", "!"})
_OPENING: Final = frozenset({"(", "[", "{"})
_CLOSING: Final = frozenset({")", "]", "}"})
_MOST_PROBLEMS: Final = 20


class StopError(Exception):
    """Nothing behind this place can be understood; the reason is in the report."""


class Order:
    """How far one source has been read, and what may come next."""

    __slots__ = ("edits", "open", "outer", "previous", "problems", "report", "sign", "source", "state")

    def __init__(self, source: str, report: Report) -> None:
        self.source = source
        self.report = report
        self.edits: list[tuple[int, int, str]] = []
        """What the parser is not to see, and what it sees in its place; as long as what it replaces."""
        self.state = OPERAND
        """What is due."""
        self.open = Bracket("", 0)
        """The innermost open bracket."""
        self.outer: list[Bracket] = []
        """The brackets around it."""
        self.previous: re.Match[str] | None = None
        """The last token that is no comment."""
        self.sign: re.Match[str] | None = None
        """The last minus sign that stands before an operand."""
        self.problems = 0
        """How many were reported."""

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

    def begin(self, match: re.Match[str], text: str) -> None:
        """Read an opening bracket."""
        start = match.start(MARK)
        kind = text
        if self.state == OPERATOR:
            named = self.previous is not None and self.previous.lastindex in (PATH, NAME)
            name = _text(self.previous) if named else "null"
            if text == "[":
                kind = "i"
            elif text == "(" and name not in VALUES:
                kind = "f"
            elif text == "{" and name not in VALUES:
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
            raise StopError
        self.stop(mistakes.unexpected(self.source, self.state, self.previous, match))

    def blame(self, mistake: Mistake) -> None:
        """Report a mistake and go on, unless there are too many."""
        self.report.add(mistake.code, mistake.start, mistake.end, mistake.message, mistake.advice)
        self.problems += 1
        if self.problems >= _MOST_PROBLEMS:
            raise StopError

    def stop(self, mistake: Mistake) -> NoReturn:
        """Report a mistake behind which nothing can be understood."""
        self.blame(mistake)
        raise StopError


def _text(match: re.Match[str] | None) -> str:
    """What a token consists of; empty where there is none."""
    return "" if match is None or match.lastindex is None else match[match.lastindex]
