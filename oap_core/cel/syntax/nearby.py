"""The operands and conditions beside a place of a source, as the author wrote them: for repairs that can be copied.

A source that is no expression has no tree, so this goes by tokens and brackets alone, and gives None where it is not
plain what belongs together.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from oap_core.cel.syntax.tokens import COMMENT, LIST, LONG, MARK, NAME, NUMBER, PATH, QUOTED, STRING, TOKEN

_MOST_COPIED: Final = 80
_ATOMS: Final = frozenset({LIST, LONG, NAME, NUMBER, PATH, QUOTED, STRING})
_CLOSED_BY: Final = {"(": ")", "[": "]", "{": "}"}
_CLOSING: Final = frozenset(_CLOSED_BY.values())
_BORDERS: Final = frozenset({"&&", "||", "?", ":", ",", ";"})
_WORDS: Final = frozenset({"and", "or", "if", "else", "then", "for", "in"})
_POSTFIX: Final = frozenset({".", "(", "["})


@dataclass(frozen=True, slots=True)
class Token:
    """One token of a source."""

    kind: int
    """As in `tokens`."""
    start: int
    """Where it begins."""
    end: int
    """Where it ends."""
    text: str
    """What it is."""

    @property
    def word(self) -> str:
        """The text in small letters where it is a name, else nothing."""
        return self.text.lower() if self.kind == NAME else ""


def tokens(source: str, first: int = 0, last: int | None = None) -> list[Token]:
    """The tokens between two offsets without comments; one that only begins before `last` is not among them."""
    found: list[Token] = []
    end = len(source) if last is None else last
    for match in TOKEN.finditer(source, first, end):
        kind = match.lastindex
        if kind is not None and kind != COMMENT:
            found.append(Token(kind, *match.span(kind), match[kind]))
    return found


def before(source: str, place: int) -> str | None:
    """The operand that ends before a place: a literal, or a name with what is read from it or called on it."""
    found = tokens(source, 0, place)
    start = operand_start(found, len(found))
    return None if start is None else copied(source, found[start].start, found[-1].end)


def after(source: str, place: int) -> str | None:
    """The operand that begins behind a place."""
    found = tokens(source, place)
    end = operand_end(found, 0)
    return None if end is None else copied(source, found[0].start, found[end - 1].end)


def copied(source: str, start: int, end: int) -> str | None:
    """The text between two offsets on one line; None where it is long, or a comment might be in it."""
    text = " ".join(source[start:end].split())
    return text if text and len(text) <= _MOST_COPIED and "//" not in text else None


def operand_start(found: list[Token], end: int) -> int | None:
    """The position of the first token of the operand whose last token is the one before `end`."""
    place = end - 1
    while place >= 0:
        token = found[place]
        if token.text in _CLOSING and token.kind == MARK:
            opening = opening_of(found, place)
            if opening is None:
                return None
            place = opening
            if opening == 0 or not _ends_operand(found[opening - 1]):
                return place
            place -= 1
            continue
        if token.kind not in _ATOMS or token.word in _WORDS:
            return None
        if place == 0 or found[place - 1].text != ".":
            return place
        place -= 2
    return None


def operand_end(found: list[Token], start: int) -> int | None:
    """The position behind the last token of the operand whose first token is at `start`."""
    place = start
    while place < len(found) and found[place].text in ("!", "-"):
        place += 1
    if place >= len(found):
        return None
    token = found[place]
    if token.text in _CLOSED_BY and token.kind == MARK:
        end = closing_of(found, place)
    else:
        end = place + 1 if token.kind in _ATOMS and token.word not in _WORDS else None
    while end is not None and end < len(found) and found[end].text in _POSTFIX and found[end].kind == MARK:
        if found[end].text == ".":
            end = end + 2 if end + 1 < len(found) and found[end + 1].kind in (NAME, QUOTED, PATH) else None
        else:
            end = closing_of(found, end)
    return end


def _ends_operand(token: Token) -> bool:
    return token.text in _CLOSING or (token.kind in _ATOMS and token.word not in _WORDS)


def opening_of(found: list[Token], closing: int) -> int | None:
    """The position of the bracket that the one at `closing` closes."""
    depth = 0
    for place in range(closing, -1, -1):
        if found[place].kind == MARK:
            depth += (found[place].text in _CLOSING) - (found[place].text in _CLOSED_BY)
            if depth == 0:
                return place
    return None


def closing_of(found: list[Token], opening: int) -> int | None:
    """The position behind the bracket that closes the one at `opening`."""
    depth = 0
    for place in range(opening, len(found)):
        if found[place].kind == MARK:
            depth += (found[place].text in _CLOSED_BY) - (found[place].text in _CLOSING)
            if depth == 0:
                return place + 1
    return None


def enclosing(found: list[Token]) -> int | None:
    """The position of the bracket that is still open behind the last token, the innermost one."""
    depth = 0
    for place in range(len(found) - 1, -1, -1):
        if found[place].kind == MARK:
            depth += (found[place].text in _CLOSING) - (found[place].text in _CLOSED_BY)
            if depth < 0:
                return place
    return None


def clause_before(source: str, place: int) -> str | None:
    """What stands before a place, back to an operator that joins conditions, a comma or an opening bracket."""
    found = tokens(source, 0, place)
    depth, start = 0, 0
    for position in range(len(found) - 1, -1, -1):
        token = found[position]
        if token.kind == MARK:
            depth += (token.text in _CLOSING) - (token.text in _CLOSED_BY)
        if depth < 0 or (depth == 0 and (token.text in _BORDERS or token.word in ("and", "or"))):
            start = position + 1
            break
    return copied(source, found[start].start, found[-1].end) if start < len(found) else None


def argument_after(source: str, place: int) -> str | None:
    """What stands behind a place, on to a comma or a closing bracket."""
    found = clause_after(source, place, borders=frozenset({","}))
    return None if found is None else found[0]


def clause_after(
    source: str, place: int, words: Collection[str] = (), *, borders: Collection[str] = _BORDERS
) -> tuple[str, int] | None:
    """What stands behind a place, on to one of the words, a border or a closing bracket; and where that begins.

    Without `borders`, operators that join conditions and commas are the borders.
    """
    found = tokens(source, place)
    depth, end = 0, len(found)
    for position, token in enumerate(found):
        if token.kind == MARK:
            depth += (token.text in _CLOSED_BY) - (token.text in _CLOSING)
        if depth < 0 or (depth == 0 and (token.text in borders or token.word in words)):
            end = position
            break
    if end == 0:
        return None
    text = copied(source, found[0].start, found[end - 1].end)
    return None if text is None else (text, found[end].start if end < len(found) else len(source))


def between(source: str, start: int, length: int, sign: str) -> str | None:
    """The operands on both sides with another operator between them."""
    left, right = before(source, start), after(source, start + length)
    return None if left is None or right is None else f"write `{left} {sign} {right}`"


def members(source: str, found: list[Token], place: int) -> str | None:
    """The right side of `in`; a list, where other languages have parentheses."""
    if place >= len(found):
        return None
    if found[place].text == "(":
        end = closing_of(found, place)
        inside = None if end is None else copied(source, found[place].end, found[end - 1].start)
        return None if inside is None else f"[{inside}]"
    end = operand_end(found, place)
    return None if end is None else copied(source, found[place].start, found[end - 1].end)
