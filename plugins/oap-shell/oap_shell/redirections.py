"""Reads redirections: what they write, what they read, and which here-documents they announce."""

from __future__ import annotations

import re
from typing import Final

from oap_shell.cursor import Cursor, HereDocument
from oap_shell.expansions import read_substitution
from oap_shell.limits import refusal
from oap_shell.parts import Named, Word
from oap_shell.words import CASES, read_word

_BLANK: Final = re.compile(r"(?:[ \t]|\\\n)*")
_OPERATOR: Final = re.compile(r"&>>?|<<<|<<-?|<&|<|>>|>&|>\||>")
_DESCRIPTOR: Final = re.compile(r"[0-9]+-?")
_UNCHANGED: Final = re.compile(r"[A-Za-z0-9_./@%+,-]+")
_BEHIND: Final = frozenset(["", " ", "\t", "\n", ";", "&", "|", ")"])
_DELIMITER: Final = re.compile(r"'([A-Za-z0-9_.-]+)'|\"([A-Za-z0-9_.-]+)\"|\\([A-Za-z0-9_.-]+)|([A-Za-z0-9_.-]+)")
_NETWORK: Final = re.compile(r"/+dev/+(?:tcp|udp)(?:/|$)")
"""File names that bash opens a connection for."""
_DOCUMENTS: Final = 32
"""Most here-documents that may begin on one line."""


def at_redirection(cursor: Cursor) -> bool:
    """Whether a redirection begins at the cursor; a process substitution is none."""
    if cursor.peek() in ("<", ">"):
        return cursor.peek(1) != "("
    return cursor.here("&>")


def read_redirection(cursor: Cursor) -> bool:
    """Read one, its descriptor excepted; whether it is `&>` or `&>>`, which a POSIX shell does not know.

    Raises `EvalError` (invalid_argument) where the target is not literal, for `<>`, and for here-documents whose end is
    written in an unusual way.
    """
    operator = _OPERATOR.match(cursor.text, cursor.at, cursor.end)
    if operator is None or cursor.text.startswith("<>", cursor.at):
        raise refusal()
    cursor.at = operator.end()
    # What stands on the next line may belong to the operator.
    if cursor.here("\\\n"):
        raise refusal()
    blank = _BLANK.match(cursor.text, cursor.at, cursor.end)
    cursor.at = blank.end() if blank else cursor.at
    sign = operator.group()
    if sign in ("<<", "<<-"):
        _announce(cursor, tabs=sign == "<<-")
    elif sign == "<<<":
        # Behind three, some shells take two more for a here-document.
        if cursor.here("<"):
            raise refusal()
        read_word(cursor)
    else:
        _read_target(cursor, sign)
    return sign.startswith("&")


def _read_target(cursor: Cursor, operator: str) -> None:
    start = cursor.at
    if operator in ("<&", ">&") and cursor.here("-"):
        # It closes a descriptor and has no target.
        _close(cursor)
        return
    cursor.found.targets.add(start)
    if operator == "<" and cursor.here("<("):
        read_substitution(cursor)
        # A word that goes on behind the substitution names something else.
        if cursor.peek() not in _BEHIND:
            raise refusal()
        return
    word = read_word(cursor)
    # `> file` with a number right before the next operator, as in `>1>2`: shells differ.
    if not word.value or (cursor.peek() in ("<", ">") and word.raw[-1:].isdigit()):
        raise refusal()
    if operator in ("<&", ">&") and _DESCRIPTOR.fullmatch(word.raw):
        return
    # Before version 5.3, bash expands this target twice.
    if operator == ">&" and not _UNCHANGED.fullmatch(word.raw):
        raise refusal()
    _note(cursor, operator, word)


def _close(cursor: Cursor) -> None:
    cursor.at += 1
    if cursor.peek() not in _BEHIND:
        raise refusal()


def _note(cursor: Cursor, operator: str, word: Word) -> None:
    if operator == "<&" or word.value is None:
        raise refusal()
    named = Named(word.start, word.value)
    connects = _NETWORK.match(word.value) is not None
    if operator == "<" or connects:
        cursor.found.reads.append(named)
    if operator != "<" or connects:
        cursor.found.writes.append(named)


def _announce(cursor: Cursor, *, tabs: bool) -> None:
    delimiter = _DELIMITER.match(cursor.text, cursor.at, cursor.end)
    # In a substitution, bash before version 5.2 knows one on a line.
    if delimiter is None or len(cursor.pending) >= (1 if cursor.enclosed else _DOCUMENTS):
        raise refusal()
    cursor.at = delimiter.end()
    if cursor.peek() not in ("", " ", "\t", "\n", ";", "&", "|", "<", ">", ")"):
        raise refusal()
    raw = delimiter[4] is None
    line = delimiter[1] or delimiter[2] or delimiter[3] or delimiter[4]
    if cursor.enclosed and CASES.search(line):
        raise refusal()
    cursor.pending.append(HereDocument(line, tabs, raw))
