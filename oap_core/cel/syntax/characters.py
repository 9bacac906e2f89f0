"""Which characters an expression may consist of, and what to say about the others.

A text that looks like one condition and reads as another is an attack on whoever reviews it. So characters that
cannot be seen are refused everywhere, inside texts too, where an escape says the same in the open.
"""

import re
import unicodedata
from typing import Final

from oap_core.cel.codes import LoadCode
from oap_core.cel.report import Report
from oap_core.cel.syntax import signs

Problem = tuple[LoadCode, int, int, str, str | None]
"""Code, start, end, message and help of one mistake."""

_INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U000110bd\U000110cd\U00013430-\U0001345f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    "\ud800-\udfff]"
)
"""Format characters, line separators, fillers, variation selectors, tags, halves of surrogate pairs."""
_BIDIRECTIONAL: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_MOST: Final = 10
_PREFIXED: Final = re.compile("[bB]?[rR]?[\"']")

_MEANT: Final = {
    "&": "write `&&`; there are no operators on bits",
    "|": "write `||`; there are no operators on bits, and no pipes",
    "^": "there is no operator for powers or bits",
    ";": "an expression is one value and needs no end",
    "#": "a comment begins with `//`",
    "\\": "a backslash can stand in a text only",
    "\u201c": 'write straight quotes: `"`',
    "\u201d": 'write straight quotes: `"`',
    "\u201e": 'write straight quotes: `"`',
    "\u2018": "write straight quotes: `'`",
    "\u2019": "write straight quotes: `'`",
    "\u201a": "write straight quotes: `'`",
    "\u00ab": 'write straight quotes: `"`',
    "\u00bb": 'write straight quotes: `"`',
    "\u00b4": "write straight quotes: `'`",
    "\u2260": "write `!=`",
    "\u2264": "write `<=`",
    "\u2265": "write `>=`",
    "\u2212": "write `-`",
    "\u2013": "write `-`",
    "\u2014": "write `-`",
    "\u00d7": "write `*`",
    "\u00f7": "write `/`",
    "\u2227": "write `&&`",
    "\u2228": "write `||`",
    "\u00ac": "write `!`",
    "\u2208": "write `in`",
    "\u2026": "write out what the dots stand for",
    "\u00a0": "write an ordinary blank",
    "\u3000": "write an ordinary blank",
}


def check_characters(source: str, report: Report) -> bool:
    """Report the characters that may stand nowhere, and say whether there are none. Bounded by the source."""
    found = 0
    for match in _INVISIBLE.finditer(source):
        report.add(*_invisible(match[0], match.start()))
        found += 1
        if found == _MOST:
            break
    return found == 0


def odd(source: str, start: int, last: str) -> Problem:
    """Say what is wrong with the character at `start`, which begins no token; `last` is the token before it."""
    character = source[start]
    if character in "\"'":
        return _unclosed_text(source, start)
    if (prefixed := _PREFIXED.match(source, start)) is not None:
        return _unclosed_text(source, prefixed.end() - 1)
    if character == "`":
        return _unclosed_name(source, start, last)
    if not character.isascii() or not character.isprintable():
        return _foreign(character, start)
    end = start + 1
    advice = _MEANT.get(character)
    code = LoadCode.SYNTAX
    if character == "=":
        advice, end = signs.equals(source, start, last)
    elif character == "~":
        advice = signs.tilde(source, start)
    elif character in "$@":
        advice = signs.sigil(source, start)
    text = source[start:end]
    return (
        code,
        start,
        end,
        f"`{text}` is no operator of CEL" if text[0] in "=&|^~" else f"`{text}` means nothing here",
        advice,
    )


def _invisible(character: str, start: int) -> Problem:
    number = ord(character)
    name = f"U+{number:04X}"
    escape = f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"
    if 0xD800 <= number <= 0xDFFF:
        message, advice = f"{name} is half of a surrogate pair and no character", None
    elif character in _BIDIRECTIONAL:
        message = f"{name} changes the direction in which the text is shown"
        advice = f"write `{escape}` in a text that needs it"
    else:
        message, advice = f"{name} cannot be seen", f"write `{escape}` in a text that needs it"
    return LoadCode.CHARACTER, start, start + 1, message, advice


def _foreign(character: str, start: int) -> Problem:
    number = ord(character)
    shown = f"`{character}` (U+{number:04X})" if character.isprintable() else f"U+{number:04X}"
    if 0xFF01 <= number <= 0xFF5E:
        advice: str | None = f"write `{chr(number - 0xFEE0)}`"
    else:
        advice = _MEANT.get(character)
        if unicodedata.category(character) == "Sc":
            advice = "a number has no currency sign: write it without"
        elif advice is None and character.isalnum():
            advice = "names are made of the letters a to z, digits and `_`; other texts stand in quotes"
    return LoadCode.CHARACTER, start, start + 1, f"{shown} cannot stand outside a text", advice


def _unclosed_text(source: str, start: int) -> Problem:
    quote = source[start]
    if source.startswith(quote * 3, start):
        return LoadCode.LITERAL, start, start + 3, f"the text that begins with `{quote * 3}` is never closed", None
    end = min(
        (place for place in (source.find("\n", start), source.find("\r", start)) if place >= 0), default=len(source)
    )
    line = source[start:end]
    advice = None
    if line.endswith("\\" + quote):
        advice = f"the last backslash belongs to the quote; write `\\\\{quote}` for a backslash at the end"
    elif source.find(quote, end) >= 0:
        advice = "a text of several lines stands between triple quotes, and `\\n` is a line feed"
    else:
        advice = _closing(line)
    return LoadCode.LITERAL, start, end, f"the text that begins with `{quote}` is not closed on its line", advice


def _closing(line: str) -> str:
    """How to close a text: with the quote that it begins with, where it ends in another one."""
    quote, others = line[0], {'"': "'\u201d\u201c", "'": '"\u2019\u2018'}[line[0]]
    for other in others:
        text, found, _ = line[1:].partition(other)
        if found and len(text) <= 40:
            return f"it begins with `{quote}` and ends with `{other}`: write `{quote}{text}{quote}`"
    text = line[1:].rstrip(" )")
    return f"write `{quote}{text}{quote}`" if text and len(text) <= 40 else f"write `{quote}` where it ends"


def _unclosed_name(source: str, start: int, last: str) -> Problem:
    end = source.find("`", start + 1)
    if end < 0:
        message = "the name that begins with a backtick is never closed"
        return LoadCode.SYNTAX, start, start + 1, message, None if last == "." else "texts are written in `\"` or `'`"
    if end == start + 1:
        return LoadCode.SYNTAX, start, end + 1, "the name between the backticks is empty", None
    message = "a name between backticks holds letters a to z, digits, blanks and `_.-/` only"
    return LoadCode.SYNTAX, start, end + 1, message, 'write any other key as in `a["key"]`'
