"""Reads one word: removes quotes and backslashes, and tells what the shell would fill in."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from oap_shell.cursor import Cursor
from oap_shell.expansions import Filled, read_backquotes, read_dollar, read_substitution
from oap_shell.limits import refusal
from oap_shell.parts import Word

_PLAIN: Final = re.compile(r"[^ \t\n;&|<>()`$\"'\\*?\[{}~]+")
"""Characters that stand for themselves outside of quotes, whatever comes before."""
_BLANK_ELSEWHERE: Final = re.compile(
    "\xa0|"
    + "|".join(re.escape(sign.encode().decode("latin-1")) for sign in "\u1680\u205f\u3000")
    + "|\xe2\x80[\x80-\x8a]"
)
"""What ends a word outside of quotes in some locale: blanks of Unicode, and a byte that is one where bytes are looked at
one by one, as by bash on macOS."""
_IN_QUOTES: Final = re.compile(r"[^\"\\$`]+")
_ENDS: Final = frozenset(["", " ", "\t", "\n", ";", "&", "|", ")"])
CASES: Final = re.compile(r"(?:^|[^a-z])(?:case|esac)(?:$|[<>])")
"""What bash before version 5.2 takes for a keyword, wherever it stands, while it looks for the end of a substitution."""
_TESTS: Final = frozenset(["[", "[["])
"""Programs whose names would be patterns elsewhere."""


@dataclass(slots=True)
class _Builder:
    """A word in the making."""

    literal: list[str] = field(default_factory=list)
    prefix: str | None = None
    several: bool = False
    brace: str | None = None
    """What was literal before the first `{` outside of quotes."""

    def fill(self, filled: Filled) -> None:
        if filled.literal is not None:
            self.literal.append(filled.literal)
            return
        if self.prefix is None:
            self.prefix = "".join(self.literal)
        self.several = self.several or filled.several

    def word(self, start: int, raw: str) -> Word:
        value = "".join(self.literal)
        # What is between the braces is put together with what is outside, once for each.
        if self.brace is not None and ("," in value or ".." in value or self.prefix is not None):
            before = self.brace if self.prefix is None else min(self.brace, self.prefix, key=len)
            return Word(start, raw, None, before, several=True)
        if raw in _TESTS:
            return Word(start, raw, raw, raw)
        if self.prefix is not None:
            return Word(start, raw, None, self.prefix, self.several)
        return Word(start, raw, value, value)


def read_word(cursor: Cursor) -> Word:
    """The word that begins at the cursor, which moves behind it.

    Raises `EvalError` (invalid_argument) for quotes and substitutions without an end, for `(` inside a word, for lines
    joined inside a word, and for every expansion that `expansions` refuses.
    """
    start = cursor.at
    builder = _Builder()
    while _read_piece(cursor, builder, start):
        pass
    raw = cursor.text[start : cursor.at]
    # Shells differ in whether the body of a here-document begins after this word or in the midst of it.
    if not raw or (cursor.pending and "\n" in raw) or (cursor.enclosed and CASES.search(raw)):
        raise refusal()
    return builder.word(start, raw)


def _read_piece(cursor: Cursor, builder: _Builder, start: int) -> bool:
    """Read on by a piece; False at the end of the word."""
    plain = _PLAIN.match(cursor.text, cursor.at, cursor.end)
    if plain:
        if _BLANK_ELSEWHERE.search(plain.group()) or _begins_comment(cursor, start):
            raise refusal()
        builder.literal.append(plain.group())
        cursor.at = plain.end()
        return True
    character = cursor.peek()
    if character in _ENDS:
        return False
    if character == "'":
        end = cursor.find("'", cursor.at + 1)
        builder.literal.append(cursor.text[cursor.at + 1 : end])
        cursor.found.plain += end - cursor.at - 1
        cursor.at = end + 1
    elif character == '"':
        read_quoted(cursor, builder)
    elif character == "\\":
        return _read_backslash(cursor, builder)
    elif character == "$":
        _read_dollar(cursor, builder)
    elif character == "`":
        builder.fill(read_backquotes(cursor, quoted=False))
    elif character in "<>":
        return _read_process(cursor, builder, start)
    else:
        _read_sign(cursor, builder, start, character)
    return True


def _begins_comment(cursor: Cursor, start: int) -> bool:
    """Whether a `#` inside a word begins a comment where an old version of bash looks for the end of a substitution."""
    return cursor.enclosed > 0 and cursor.at > start and cursor.here("#") and cursor.text[cursor.at - 1] in ") \t"


def _read_sign(cursor: Cursor, builder: _Builder, start: int, character: str) -> None:
    if character == "(":
        raise refusal()
    if character in "*?[":
        builder.fill(Filled(several=True))
    elif character == "~" and (cursor.at == start or cursor.text[cursor.at - 1] in ":="):
        builder.fill(Filled())
    elif character == "{" and builder.brace is None:
        builder.brace = "".join(builder.literal)
    # Kept behind a pattern as well: a comma there may belong to braces.
    builder.literal.append(character)
    cursor.at += 1


def read_quoted(cursor: Cursor, builder: _Builder) -> None:
    """The rest of a text in double quotes, the first of which is at the cursor."""
    cursor.at += 1
    while not cursor.take('"'):
        plain = _IN_QUOTES.match(cursor.text, cursor.at, cursor.end)
        if plain:
            builder.literal.append(plain.group())
            cursor.found.plain += plain.end() - cursor.at
            cursor.at = plain.end()
        elif cursor.here("\\"):
            following = cursor.peek(1)
            kept = "" if following == "\n" else following if following in '$`"\\' else "\\" + following
            builder.literal.append(kept)
            cursor.at += 2
        elif cursor.here("$"):
            builder.fill(read_dollar(cursor, quoted=True))
        elif cursor.here("`"):
            builder.fill(read_backquotes(cursor, quoted=True))
        else:
            raise refusal()


def _read_backslash(cursor: Cursor, builder: _Builder) -> bool:
    following = cursor.peek(1)
    if following == "\n" and cursor.peek(2) in (" ", "\t"):
        return False
    if following in ("", "\n", "\r"):
        raise refusal()
    builder.literal.append(following)
    cursor.at += 2
    return True


def _read_dollar(cursor: Cursor, builder: _Builder) -> None:
    following = cursor.peek(1)
    if following == "'":
        end = cursor.find("'", cursor.at + 2)
        # bash goes on behind an escaped quote, a shell that does not know these quotes ends there.
        if cursor.text[end - 1] == "\\":
            raise refusal()
        builder.fill(Filled())
        cursor.at = end + 1
    elif following == '"':
        builder.fill(Filled())
        cursor.at += 1
        read_quoted(cursor, builder)
    else:
        builder.fill(read_dollar(cursor, quoted=False))


def _read_process(cursor: Cursor, builder: _Builder, start: int) -> bool:
    if cursor.peek(1) != "(":
        return False
    # A number before `<` names a descriptor, unless this is a substitution: shells differ.
    if cursor.text[start : cursor.at].isdigit():
        raise refusal()
    builder.fill(read_substitution(cursor))
    return True
