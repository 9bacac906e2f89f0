"""Reads the commands of a text as bash does, and refuses what it is not sure of.

The grammar is the part of bash that command lines of agents are written in, without functions, `select`, `coproc`,
`((...))`, arrays and patterns in parentheses. What a POSIX shell would read in another way is refused too.
"""

from __future__ import annotations

import re
from typing import Final

from oap_shell.cursor import Cursor
from oap_shell.documents import read_bodies
from oap_shell.expansions import CLOSED
from oap_shell.limits import COMMANDS, PROGRAM_CHARACTERS, refusal
from oap_shell.parts import Command, Named, Reading, Word
from oap_shell.redirections import at_redirection, read_redirection
from oap_shell.words import read_word

_ASSIGNMENT: Final = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)\+?=")
_ELEMENT: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\[")
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_BLANK: Final = re.compile(r"(?:[ \t]|\\\n)+")
_DESCRIPTOR: Final = re.compile(r"[0-9]")
_NUMBER: Final = re.compile(r"[0-9]+")

_THEN: Final = frozenset(["then"])
_BRANCH: Final = frozenset(["elif", "else", "fi"])
_FI: Final = frozenset(["fi"])
_DO: Final = frozenset(["do"])
_DONE: Final = frozenset(["done"])
_BRACE: Final = frozenset(["}"])
_ITEM: Final = frozenset([";;", "esac"])
_TEXT: Final = frozenset([""])
_REFUSED: Final = frozenset(["function", "select", "coproc", "]]", "in"])
_OPENERS: Final = frozenset(["if", "while", "until", "for", "case", "{", "[[", "!"])
_CLOSERS: Final = _THEN | _BRANCH | _DO | _DONE | _BRACE | {"esac"}
KEYWORDS: Final = _REFUSED | _OPENERS | _CLOSERS
"""Words that are no program where they stand without quotes."""


def read(text: str) -> Reading:
    """All that a text holds, given as one character a byte. Raises `EvalError` (invalid_argument)."""
    cursor = Cursor(text, len(text), read_commands)
    read_commands(cursor, _TEXT)
    if cursor.pending:
        raise refusal()
    return cursor.found


def read_commands(cursor: Cursor, closers: frozenset[str]) -> str:
    """Read commands up to a closer, move behind it, and say which it was.

    A closer is a keyword, `)`, `;;` (for `;&` and `;;&` too) or the end of what is read (an empty text). Between two
    keywords there has to be a command. Raises `EvalError` (invalid_argument).
    """
    some = closers is _ITEM or closers is _TEXT or closers is CLOSED
    expected = False
    while True:
        _skip_lines(cursor)
        closer = _closer(cursor)
        if closer is not None:
            if closer not in closers or expected or not some:
                raise refusal()
            return closer
        if at_redirection(cursor):
            _read_simple(cursor, None)
        elif cursor.here("("):
            _read_subshell(cursor)
        else:
            word = read_word(cursor)
            if word.bare and word.raw in KEYWORDS:
                if word.raw in closers and some and not expected:
                    return word.raw
                if word.raw == "!":
                    _skip_blanks(cursor)
                    if cursor.peek() in ("", "\n", "#", "!"):
                        raise refusal()
                    expected = True
                    continue
                _read_compound(cursor, word)
            else:
                _read_simple(cursor, word)
        some = True
        expected = _read_separator(cursor)


def _closer(cursor: Cursor) -> str | None:
    """The closer at the cursor that is no keyword, behind which it moves."""
    if cursor.at >= cursor.end:
        return ""
    if cursor.take(")"):
        return ")"
    if cursor.take(";;&") or cursor.take(";;") or cursor.take(";&"):
        return ";;"
    return None


def _read_separator(cursor: Cursor) -> bool:
    """What comes behind a command, up to the next one; whether there has to be one."""
    _skip_blanks(cursor)
    if cursor.peek() in ("", ")", "\n", "#") or cursor.here(";;") or cursor.here(";&"):
        return False
    for token in ("&&", "||", "|&", "|"):
        if cursor.take(token):
            return True
    if cursor.take(";") or (not cursor.here("&>") and cursor.take("&")):
        return False
    raise refusal()


def _skip_blanks(cursor: Cursor) -> None:
    blank = _BLANK.match(cursor.text, cursor.at, cursor.end)
    if blank:
        cursor.at = blank.end()


def _skip_comment(cursor: Cursor) -> None:
    if cursor.here("#"):
        # In backquotes, shells differ in whether the closing one may stand in a comment.
        if cursor.end < len(cursor.text):
            raise refusal()
        end = cursor.text.find("\n", cursor.at, cursor.end)
        end = cursor.end if end < 0 else end
        cursor.found.plain += end - cursor.at
        cursor.at = end


def _skip_lines(cursor: Cursor) -> None:
    """Move to the next word or operator, over blanks, comments, line ends and the here-documents behind those."""
    while True:
        _skip_blanks(cursor)
        _skip_comment(cursor)
        if not cursor.take("\n"):
            return
        read_bodies(cursor)


def _read_simple(cursor: Cursor, first: Word | None) -> None:
    """A simple command whose first word, if it is no redirection, was read."""
    words: list[Word] = []
    word = first
    while True:
        if word is not None and not _is_descriptor(cursor, word):
            _add(cursor, words, word)
        _skip_blanks(cursor)
        if at_redirection(cursor):
            word = None
            # Behind `&> file` a POSIX shell begins a new command.
            if read_redirection(cursor) and not _at_end(cursor):
                raise refusal()
            continue
        if _at_end(cursor):
            break
        word = read_word(cursor)
    _add_command(cursor, words)


def _at_end(cursor: Cursor) -> bool:
    _skip_blanks(cursor)
    if at_redirection(cursor):
        return False
    return cursor.peek() in ("", "\n", ";", "&", "|", ")", "#")


def _is_descriptor(cursor: Cursor, word: Word) -> bool:
    """Whether a word belongs to the redirection that follows at once.

    Refused are `{name}` there, which is a variable, and a number of more than one digit, which some shells take for an
    argument or a program.
    """
    if cursor.peek() not in ("<", ">"):
        return False
    if word.raw.startswith("{") and word.raw.endswith("}"):
        raise refusal()
    if _DESCRIPTOR.fullmatch(word.raw):
        return True
    if _NUMBER.fullmatch(word.raw):
        raise refusal()
    return False


def _add(cursor: Cursor, words: list[Word], word: Word) -> None:
    if words:
        words.append(word)
        return
    assignment = _ASSIGNMENT.match(word.raw)
    if assignment:
        cursor.found.assignments.append(Named(word.start, assignment[1]))
        cursor.found.leading.add(word.start)
    elif (
        word.value is None
        or len(word.raw) > PROGRAM_CHARACTERS
        or _ELEMENT.match(word.raw)
        or (word.bare and word.raw in KEYWORDS)
    ):
        raise refusal()
    else:
        words.append(word)


def _add_command(cursor: Cursor, words: list[Word]) -> None:
    if words:
        cursor.found.commands.append(Command(tuple(words)))
        if len(cursor.found.commands) > COMMANDS:
            raise refusal()


def _read_subshell(cursor: Cursor) -> None:
    cursor.at += 1
    # Arithmetic, or a subshell in a subshell: bash finds out at its end. A joined line may bring the second one up.
    if cursor.here("(") or cursor.here("\\\n"):
        raise refusal()
    with cursor.nested():
        read_commands(cursor, CLOSED)
    _read_redirections(cursor)


def _read_redirections(cursor: Cursor) -> None:
    """Those behind a compound command."""
    while True:
        _skip_blanks(cursor)
        if not at_redirection(cursor):
            descriptor = _DESCRIPTOR.match(cursor.text, cursor.at, cursor.end)
            if descriptor is None:
                return
            cursor.at = descriptor.end()
            if cursor.peek() not in ("<", ">") or not at_redirection(cursor):
                raise refusal()
        read_redirection(cursor)


def _read_compound(cursor: Cursor, word: Word) -> None:
    with cursor.nested():
        if word.raw == "{":
            read_commands(cursor, _BRACE)
        elif word.raw == "if":
            _read_if(cursor)
        elif word.raw in ("while", "until"):
            read_commands(cursor, _DO)
            read_commands(cursor, _DONE)
        elif word.raw == "for":
            _read_for(cursor)
        elif word.raw == "case":
            _read_case(cursor)
        elif word.raw == "[[":
            _read_test(cursor, word)
        else:
            raise refusal()
    _read_redirections(cursor)


def _read_if(cursor: Cursor) -> None:
    closer = "elif"
    while closer == "elif":
        read_commands(cursor, _THEN)
        closer = read_commands(cursor, _BRANCH)
    if closer == "else":
        read_commands(cursor, _FI)


def _read_for(cursor: Cursor) -> None:
    _skip_blanks(cursor)
    name = read_word(cursor)
    if not name.bare or not _NAME.fullmatch(name.raw):
        raise refusal()
    cursor.found.assignments.append(Named(name.start, name.raw))
    _skip_blanks(cursor)
    if cursor.peek() not in (";", "\n"):
        if not _is_keyword(read_word(cursor), "in"):
            raise refusal()
        _skip_blanks(cursor)
        while cursor.peek() not in (";", "\n"):
            read_word(cursor)
            _skip_blanks(cursor)
    cursor.take(";")
    _skip_lines(cursor)
    if not _is_keyword(read_word(cursor), "do"):
        raise refusal()
    read_commands(cursor, _DONE)


def _read_case(cursor: Cursor) -> None:
    _skip_blanks(cursor)
    read_word(cursor)
    _skip_lines(cursor)
    if not _is_keyword(read_word(cursor), "in"):
        raise refusal()
    while True:
        _skip_lines(cursor)
        opened = cursor.take("(")
        _skip_blanks(cursor)
        if _is_keyword(read_word(cursor), "esac"):
            if opened:
                raise refusal()
            return
        _read_patterns(cursor)
        if read_commands(cursor, _ITEM) == "esac":
            return


def _read_patterns(cursor: Cursor) -> None:
    """The rest of the patterns of an item, behind the first."""
    _skip_blanks(cursor)
    while cursor.take("|"):
        _skip_blanks(cursor)
        read_word(cursor)
        _skip_blanks(cursor)
    if not cursor.take(")"):
        raise refusal()


def _read_test(cursor: Cursor, opening: Word) -> None:
    """`[[ ... ]]` on one line and without operators that a POSIX shell would end a command at."""
    words = [opening]
    while True:
        _skip_blanks(cursor)
        if cursor.here("#"):
            raise refusal()
        word = read_word(cursor)
        words.append(word)
        if _is_keyword(word, "]]"):
            break
    _add_command(cursor, words)


def _is_keyword(word: Word, keyword: str) -> bool:
    return word.bare and word.raw == keyword
