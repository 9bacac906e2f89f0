"""Where bash before version 4 sees the end of a substitution: it looks for the parenthesis and does not read commands.

It knows no `case` and no here-documents, and comments only where it is not in another pair of signs already.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from oap_shell.cursor import Cursor
from oap_shell.limits import COUNTED, NESTING, refusal

_PLAIN: Final = re.compile(r"[^\\'\"`$#(){}\[\]\n]+")
_CLOSERS: Final = {"(": ")", "{": "}", "[": "]"}
_QUOTES: Final = frozenset("'\"`")


@dataclass(slots=True)
class _Pair:
    """A pair of signs that is open."""

    opener: str
    closer: str
    comments: bool = False
    escapes: bool = True
    """A backslash takes away the meaning of what follows."""
    level: int = 1
    dollar: bool = False
    """The last character was a `$`."""
    last: str = "\n"
    """The last character, with lines joined."""


def ends(cursor: Cursor, start: int) -> set[int]:
    """Where it may see the end of the substitution that starts at a place. Where it sees none, it runs nothing.

    Raises `EvalError` (invalid_argument) where too much has been looked at for all substitutions of the text.
    """
    found = (_end(cursor, start, comments=comments) for comments in (False, True))
    return {end for end in found if end is not None}


def _end(cursor: Cursor, start: int, *, comments: bool) -> int | None:
    text, at = cursor.text, start + 2
    pairs = [_Pair("(", ")", comments)]
    while at < cursor.end:
        pair = pairs[-1]
        cursor.counted += 1
        if cursor.counted > COUNTED or len(pairs) > 4 * NESTING:
            raise refusal()
        plain = _PLAIN.match(text, at, cursor.end)
        if plain:
            at = plain.end()
            pair.dollar, pair.last = False, text[at - 1]
            continue
        character = text[at]
        if character == "#" and pair.comments and pair.last in " \t\n":
            at = _behind_comment(cursor, at)
            continue
        at += 1
        if character == "\\" and pair.escapes:
            if text[at : at + 1] != "\n":
                pair.dollar, pair.last = False, text[at : at + 1]
            at += 1
            continue
        _take(pairs, character)
        if not pairs:
            return at
    return None


def _behind_comment(cursor: Cursor, at: int) -> int:
    """Where a comment ends. A backslash joins it with the next line."""
    while True:
        end = cursor.text.find("\n", at, cursor.end)
        if end < 0:
            return cursor.end
        at = end + 1
        if cursor.text[end - 1] != "\\":
            return end


def _take(pairs: list[_Pair], character: str) -> None:
    pair = pairs[-1]
    dollar, pair.dollar, pair.last = pair.dollar, character == "$", character
    if character == pair.closer:
        pair.level -= 1
        if pair.level == 0:
            pairs.pop()
        return
    if pair.opener == "'":
        return
    groups = pair.opener != pair.closer
    if groups and character in _QUOTES:
        pairs.append(_Pair(character, character, escapes=character != "'" or dollar))
    elif pair.opener == '"' and character == "`":
        pairs.append(_Pair("`", "`"))
    elif pair.opener != "`" and dollar and character in _CLOSERS:
        pairs.append(_Pair(character, _CLOSERS[character]))
    elif character == pair.opener == "(":
        pair.level += 1
