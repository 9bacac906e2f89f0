"""Reads the bodies of here-documents, which begin on the line after the one that announces them."""

from __future__ import annotations

import re
from typing import Final

from oap_shell.cursor import Cursor, HereDocument
from oap_shell.expansions import read_backquotes, read_dollar
from oap_shell.limits import refusal

_PLAIN: Final = re.compile(r"[^\\$`]+")


def read_bodies(cursor: Cursor) -> None:
    """Move from the begin of a line over the bodies of all here-documents that were announced.

    Raises `EvalError` (invalid_argument) for a body that is not ended, and for lines joined by a backslash in one that
    is expanded.
    """
    pending, cursor.pending = cursor.pending, []
    for document in pending:
        start = cursor.at
        end = _end(cursor, document)
        if document.raw:
            cursor.found.plain += end - start
        else:
            behind = cursor.at
            cursor.at = start
            _read_expanded(cursor, end)
            cursor.at = behind


def _end(cursor: Cursor, document: HereDocument) -> int:
    """Where the body ends; the cursor moves to the line behind its delimiter."""
    while cursor.at < cursor.end:
        start = cursor.at
        end = cursor.text.find("\n", start, cursor.end)
        line = cursor.text[start : cursor.end if end < 0 else end]
        cursor.at = cursor.end if end < 0 else end + 1
        line = line.lstrip("\t") if document.tabs else line
        if line == document.delimiter:
            return start
        # Some shells end the body here as well.
        if line == document.delimiter + "\r":
            raise refusal()
        # In a substitution, bash does so too where more follows, and before version 5.2 it joins lines in any body.
        if cursor.enclosed and (line.endswith("\\") or line.startswith(document.delimiter)):
            raise refusal()
    raise refusal()


def _read_expanded(cursor: Cursor, end: int) -> None:
    with cursor.within(end):
        while cursor.at < cursor.end:
            plain = _PLAIN.match(cursor.text, cursor.at, cursor.end)
            if plain:
                cursor.found.plain += plain.end() - cursor.at
                cursor.at = plain.end()
            elif cursor.here("$"):
                read_dollar(cursor, quoted=True)
            elif cursor.here("`"):
                read_backquotes(cursor, quoted=True)
            elif cursor.peek(1) == "\n":
                raise refusal()
            else:
                cursor.at += 2
