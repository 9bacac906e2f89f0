"""Reads what begins with `$` or a backquote: variables, arithmetic, and commands whose output is filled in.

What the shell would evaluate once more is refused, since nobody sees it in the text: arithmetic with names in it,
subscripts other than numbers, `${!name}`, `${name@P}`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from oap_shell.cursor import Cursor
from oap_shell.limits import refusal
from oap_shell.older import ends
from oap_shell.parts import Named

CLOSED: Final = frozenset([")"])
"""What ends the commands of a substitution."""

_VARIABLE: Final = re.compile(r"\$(?:[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-])")
_LENGTH: Final = re.compile(r"#(?:[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*])(?:\[[@*0-9]+\])?\}")
_SPECIAL: Final = re.compile(r"[#?$!-]\}")
_NAME: Final = re.compile(r"([A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*])(\[(?:[0-9]+|[@*])\])?")
_OPERATOR: Final = re.compile(r":?[-=?+]|##?|%%?|//?|\^\^?|,,?|:(?=[0-9 ])")
_PART: Final = re.compile(r":[0-9 ]+(?::[0-9 ]+)?\}")
_PLAIN: Final = re.compile(r"[^}'\"\\`$<>(){\n]+")
_ARITHMETIC: Final = frozenset("0123456789 \t+-*/%()<>=!&|^~?:,")
_IDENTIFIER: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Filled:
    """What a piece of a word becomes."""

    literal: str | None = None
    """Itself; None where the shell fills something in."""
    several: bool = False
    """What is filled in may end the word, or be nothing at all."""


def read_dollar(cursor: Cursor, *, quoted: bool) -> Filled:
    """What begins with the `$` at the cursor, which moves behind it. Raises `EvalError` (invalid_argument)."""
    following = cursor.peek(1)
    if following == "(":
        return _read_arithmetic(cursor) if cursor.peek(2) == "(" else read_substitution(cursor, quoted=quoted)
    if following == "{":
        return _read_braces(cursor, quoted=quoted)
    # `$[` is arithmetic as well, a joined line may bring a name or a `(` up to the `$`, and what is a letter depends on
    # the locale.
    if following == "[" or (following == "\\" and cursor.peek(2) == "\n") or following > "\x7f":
        raise refusal()
    variable = _VARIABLE.match(cursor.text, cursor.at, cursor.end)
    if variable is None:
        cursor.at += 1
        return Filled("$")
    cursor.at = variable.end()
    # Old versions of bash take the second `$` for the begin of what follows.
    if variable.group() == "$$" and cursor.peek() in (("(", "{", "[") if quoted else ("(", "{", "[", "'", '"')):
        raise refusal()
    # These three are a number each.
    several = variable.group() == "$@" or (not quoted and variable.group() not in ("$?", "$#", "$$"))
    return Filled(several=several)


def read_substitution(cursor: Cursor, *, quoted: bool = False) -> Filled:
    """`$(...)`, `<(...)` or `>(...)`, with all commands in it."""
    start = cursor.at
    cursor.at += 2
    # A joined line may bring a `(` up to this one, and make arithmetic of it.
    if cursor.here("\\\n"):
        raise refusal()
    cursor.enclosed += 1
    with cursor.within(cursor.end):
        cursor.commands(cursor, CLOSED)
    cursor.enclosed -= 1
    if not ends(cursor, start) <= {cursor.at}:
        raise refusal()
    cursor.found.substitutions.add((start, cursor.at))
    return Filled(several=not quoted)


def read_backquotes(cursor: Cursor, *, quoted: bool) -> Filled:
    """A substitution in backquotes. One with a backslash is refused: it is taken out before the commands are read."""
    start = cursor.at
    end = cursor.find("`", start + 1)
    if "\\" in cursor.text[start:end]:
        raise refusal()
    cursor.at += 1
    with cursor.within(end):
        cursor.commands(cursor, frozenset([""]))
    cursor.at = end + 1
    cursor.found.substitutions.add((start, cursor.at))
    return Filled(several=not quoted)


def _read_arithmetic(cursor: Cursor) -> Filled:
    """`$((...))` of numbers alone: a name in it is evaluated, and so is what the variable holds."""
    cursor.at += 3
    level = 2
    while level:
        character = cursor.peek()
        if character not in _ARITHMETIC or (level == 1 and character != ")"):
            raise refusal()
        level += {"(": 1, ")": -1}.get(character, 0)
        cursor.at += 1
    return Filled()


def _read_braces(cursor: Cursor, *, quoted: bool) -> Filled:
    start = cursor.at
    cursor.at += 2
    simple = _LENGTH.match(cursor.text, cursor.at, cursor.end) or _SPECIAL.match(cursor.text, cursor.at, cursor.end)
    if simple:
        cursor.at = simple.end()
        return Filled(several=not quoted)
    name = _NAME.match(cursor.text, cursor.at, cursor.end)
    if name is None:
        raise refusal()
    cursor.at = name.end()
    several = not quoted or name[1] in "@*" or (name[2] or "")[1:2] in ("@", "*")
    if cursor.take("}"):
        return Filled(several=several)
    operator = _OPERATOR.match(cursor.text, cursor.at, cursor.end)
    if operator is None:
        raise refusal()
    if operator.group() == ":":
        part = _PART.match(cursor.text, cursor.at, cursor.end)
        if part is None:
            raise refusal()
        cursor.at = part.end()
        return Filled(several=several)
    if operator.group().endswith("="):
        if name[2] or not _IDENTIFIER.fullmatch(name[1]):
            raise refusal()
        cursor.found.assignments.append(Named(start, name[1]))
    cursor.at = operator.end()
    with cursor.nested():
        _read_alternative(cursor)
    return Filled(several=several)


def _read_alternative(cursor: Cursor) -> None:
    """The word behind an operator, up to the brace. Quotes in it mean different things in different places: refused."""
    while not cursor.take("}"):
        plain = _PLAIN.match(cursor.text, cursor.at, cursor.end)
        if plain:
            cursor.at = plain.end()
        elif cursor.here("$") and cursor.peek(1) not in ("'", '"'):
            read_dollar(cursor, quoted=True)
        else:
            raise refusal()
