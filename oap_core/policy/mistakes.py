"""Says in an author's words why a text is no YAML, and where to look: tabs, colons, quotes, brackets, indentation.

A parser says where it gave up, which is often behind the mistake. What is said here comes from the text around that
place, so that it is the same whichever parser read it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from oap_core.policy.codes import FileCode
from oap_core.policy.faults import Fault, shown
from oap_core.policy.places import EscapeError, pieces

__all__ = [
    "explain",
    "first_tab",
    "indenting_tab",
    "narrow_colon",
    "no_escape",
    "no_header",
    "odd_blank",
    "past_the_last",
    "question_mark",
    "sign_in_front",
]

_TAB: Final = re.compile(r"(?<![^ \t\n])#[^\n]*|\t")
_QUOTED: Final = re.compile(r"\"(?:[^\"\\]|\\[\s\S])*\"|'(?:[^']|'')*'")
_KEY: Final = re.compile(
    r"\"(?:[^\"\\\n]|\\.)*\"[ ]*:(?=[ \n]|\Z)|'(?:[^'\n]|'')*'[ ]*:(?=[ \n]|\Z)|[^\s\"'#{\[!&*%@`|>][^\n]*?:(?=[ \n]|\Z)"
)
_PAST: Final = re.compile(r"\\U(?!000|0010)[0-9a-fA-F]{8}")
_NAME: Final = re.compile(r"(?:[-?][ ]+)*[\w.-]+[ ]*")
_DASHES: Final = re.compile(r"[ ]*(?:[-?][ ]+)*")
_ODD: Final = re.compile(
    "[\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000]"
)
"""Blanks that YAML takes for letters."""
_FLOW: Final = frozenset(",[]{}")
_LONGEST_LINE: Final = 2_000
_OPENERS: Final = {"{": ("mapping", "}"), "[": ("list", "]")}
_BLOCK_HELP: Final = "put the whole value into quotes, or behind `|-` on a line of its own"


def first_tab(text: str, covered: Iterable[tuple[int, int]], end: int) -> Fault | None:
    """Find the first tab before `end` that stands neither in a comment nor in one of the covered stretches."""
    if text.find("\t", 0, end) < 0:
        return None
    start = 0
    for first, last in (*covered, (end, end)):
        for match in _TAB.finditer(text, start, min(first, end)):
            if match[0] == "\t":
                return _tab(text, match.start())
        start = max(start, last)
        if start >= end:
            break
    return None


def explain(text: str, problem: int, context: int | None, bracket: int | None, *, simple_key: bool) -> Fault:
    """Say what is wrong where a parser gave up at `problem`, in something that began at `context`.

    `bracket` is the list or mapping in brackets that was open, if one was, and `simple_key` says that the parser
    waited for the `:` of a key.
    """
    problem = min(problem, len(text))
    if context is not None and text[context : context + 1] in {'"', "'"} and (found := _unclosed_quote(text, context)):
        return found
    if simple_key and context is not None and context < problem:
        alone = _out_of_line if text[context] in _OPENERS else _without_colon
        return _odd_blank(text, context) or _at_value(text, context) or alone(text, context)
    place = problem
    if not text[problem:].strip():
        place = len(text.rstrip())
        if bracket is not None:
            return _odd_blank(text, bracket) or _unclosed_bracket(text, bracket)
    if context is not None and text[context : context + 1] in _OPENERS and _line(text, context) != _line(text, place):
        return _unclosed_bracket(text, context)
    return (
        _odd_blank(text, place)
        or _at_value(text, place)
        or _sign_before(text, problem)
        or _colon(text, problem)
        or _in_bracket(text, problem, context)
        or _out_of_line(text, place)
    )


def question_mark(place: int) -> Fault:
    """Say that a question mark stands in a text without quotes inside brackets, where readers of YAML differ."""
    message = "`?` cannot stand in a text without quotes between brackets"
    return Fault(FileCode.SYNTAX, place, place + 1, message, "put the text into quotes")


def narrow_colon(place: int) -> Fault:
    """Say that a key between brackets has no blank behind its colon."""
    return Fault(FileCode.SYNTAX, place, place + 1, "a blank is missing behind `:`", "write `key: value` with a blank")


def no_header(text: str, start: int) -> Fault:
    """Say that something stands behind the sign of a block that cannot."""
    message = f"behind `{text[start]}` only `-`, `+`, a digit and a comment can stand"
    return Fault(FileCode.SYNTAX, start, _end(text, start), message, "begin the text on the next line, indented")


def sign_in_front(text: str, start: int) -> Fault:
    """Say that the value at `start` begins with a sign of YAML and is meant as a text."""
    sign = text[start]
    name = "a backtick" if sign == "`" else f"`{sign}`"
    message = f"a value without quotes cannot begin with {name}"
    return Fault(FileCode.SYNTAX, start, _end(text, start), message, _BLOCK_HELP)


def indenting_tab(place: int) -> Fault:
    """Say that a tab stands where blanks indent a line."""
    return Fault(FileCode.SYNTAX, place, place + 1, "a tab cannot indent a line", "indent with blanks")


def _tab(text: str, place: int) -> Fault:
    start = _line(text, place)
    if text[start:place].strip(" "):
        help = "write a blank instead; a text between quotes may hold tabs"
        return Fault(FileCode.SYNTAX, place, place + 1, "a tab stands between values or in a text without quotes", help)
    return indenting_tab(place)


def _line(text: str, place: int) -> int:
    return text.rfind("\n", 0, place) + 1


def _end(text: str, place: int) -> int:
    """The end of the line, without the blanks there, and not very far away."""
    end = text.find("\n", place)
    end = min(end if end >= 0 else len(text), place + _LONGEST_LINE)
    return place + len(text[place:end].rstrip())


def _value(text: str, place: int) -> int:
    """Where the value of a line starts: behind its dashes and its key."""
    start = _line(text, place)
    line = text[start : start + _LONGEST_LINE].split("\n", 1)[0]
    dashes = _DASHES.match(line)
    after = dashes.end() if dashes is not None else 0
    if (key := _KEY.match(line, after)) is not None:
        after = key.end()
    return start + after + len(line[after:]) - len(line[after:].lstrip(" "))


def _unclosed_quote(text: str, start: int) -> Fault | None:
    """A text between quotes that never ends, or that a line like `---` cuts."""
    quote = text[start]
    closed = _QUOTED.match(text, start)
    if closed is not None and re.search(r"^(?:---|\.\.\.)(?=\s|\Z)", closed[0], re.MULTILINE) is None:
        return _bad_escape(text, start, closed.end()) if quote == '"' else None
    message = f"the text that begins with `{quote}` is never closed"
    help = f"write `{quote}` where it ends"
    if quote == "'":
        help += ", and `''` for an apostrophe in it"
    return Fault(FileCode.SYNTAX, start, _end(text, start), message, help)


def _bad_escape(text: str, start: int, end: int) -> Fault | None:
    try:
        pieces(text, start, end, text[start])
    except EscapeError as error:
        return no_escape(text, error.start, error.end)
    return None


def past_the_last(text: str, start: int) -> Fault | None:
    """Find the first escape behind `start` for a character past the last one there is."""
    match = _PAST.search(text, start)
    return None if match is None else no_escape(text, *match.span())


def no_escape(text: str, start: int, end: int) -> Fault:
    """Say that this escape between double quotes is none."""
    written = shown(text[start:end])
    if end - start > 2:
        return Fault(FileCode.SYNTAX, start, end, f"{written} stands for no character")
    help = "write `\\\\` for a backslash, or use single quotes, which know no escapes"
    return Fault(FileCode.SYNTAX, start, end, f"{written} is no escape of YAML", help)


def _unclosed_bracket(text: str, start: int) -> Fault:
    kind, closing = _OPENERS[text[start]]
    message = f"the {kind} that begins with `{text[start]}` is not closed"
    return Fault(
        FileCode.SYNTAX, start, start + 1, message, f"write `{closing}` where it ends; {_text_help(text[start])}"
    )


def _text_help(sign: str) -> str:
    return f"a text that begins with `{sign}` stands in quotes"


def odd_blank(text: str, start: int, end: int) -> Fault | None:
    """Find a blank that is none at an end of a text without quotes, behind a colon, or before what looks like a comment."""
    match = _ODD.search(text, start, end)
    while match is not None:
        place = match.end() - 1
        if place in {start, end - 1} or text[place - 1] == ":" or text[place + 1] == "#":
            return _no_blank(text, place)
        match = _ODD.search(text, match.end(), end)
    return None


def _no_blank(text: str, place: int) -> Fault:
    message = f"U+{ord(text[place]):04X} looks like a blank and is none"
    return Fault(FileCode.CHARACTER, place, place + 1, message, "write an ordinary blank, or put the text into quotes")


def _odd_blank(text: str, place: int) -> Fault | None:
    """A blank that is none: no-break spaces come along when a text is copied from a web page."""
    start = _line(text, place)
    end = _end(text, start)
    for match in _ODD.finditer(text, start, end):
        offset = match.start()
        if not text[start:offset].strip() or text[offset - 1] in ":-?,[{":
            return _no_blank(text, offset)
    return None


def _sign_before(text: str, problem: int) -> Fault | None:
    """A sign of YAML at the begin of the word before."""
    start = problem
    while start > 0 and problem - start < _LONGEST_LINE and text[start - 1] not in " \n,[{":
        start -= 1
    return sign_in_front(text, start) if start < problem and text[start] in "!&*" else None


def _at_value(text: str, place: int) -> Fault | None:
    """A value that begins with a sign of YAML and goes on as something else."""
    start = _value(text, place)
    sign = text[start : start + 1]
    end = _end(text, start)
    if not sign or start >= end or start > place:
        return None
    if sign in "\"'":
        closed = _QUOTED.match(text, start, end)
        return None if closed is None else _goes_on(text, start, closed.end(), end, "text between quotes")
    if sign in _OPENERS:
        close = _closing(text, start, end)
        return None if close is None else _goes_on(text, start, close, end, f"{_OPENERS[sign][0]} in brackets")
    if sign in "!&*%@`":
        return sign_in_front(text, start)
    if sign in "|>" and start < place:
        return no_header(text, start)
    return None


def _goes_on(text: str, start: int, close: int, end: int, kind: str) -> Fault | None:
    rest = text[close:end].strip()
    if not rest or rest.startswith("#"):
        return None
    if rest[0] in "]}":
        place = text.index(rest[0], close)
        return Fault(FileCode.SYNTAX, place, place + 1, f"`{rest[0]}` closes nothing")
    message = f"the value is a {kind} and goes on behind it, with {shown(rest)}"
    help = "write `''` for an apostrophe between single quotes" if text[start] == "'" == text[end - 1] else _BLOCK_HELP
    return Fault(FileCode.SYNTAX, start, end, message, help)


def _closing(text: str, start: int, end: int) -> int | None:
    """The offset behind the bracket that closes the one at `start`, on the same line."""
    depth = 0
    place = start
    while place < end:
        if (quoted := _QUOTED.match(text, place, end)) is not None:
            place = quoted.end()
            continue
        depth += (text[place] in "[{") - (text[place] in "]}")
        place += 1
        if depth == 0:
            return place
    return None


def _colon(text: str, problem: int) -> Fault | None:
    """A colon and a blank where no key can be: inside a text without quotes, or on a line that goes on with one."""
    if text[problem : problem + 1] != ":":
        return None
    if text[problem + 1 : problem + 2] in _FLOW:
        return narrow_colon(problem)
    line = _line(text, problem)
    name = text[line:problem].strip(" ")
    if name in {"", "{", "["}:
        return Fault(FileCode.SYNTAX, problem, problem + 1, "a key is missing in front of `:`")
    if _NAME.fullmatch(name) and not name.startswith("?") and (found := _line_above(text, line, problem)) is not None:
        return found
    message = "`: ` in a text without quotes makes a key of what stands before it"
    what = "condition" if "?" in text[line:problem] else "value"
    help = f"put the {what} into quotes, or behind `|-` on a line of its own"
    return Fault(FileCode.SYNTAX, problem, problem + 1, message, help)


def _line_above(text: str, line: int, problem: int) -> Fault | None:
    """What is wrong with the line above a key that is read as a part of it."""
    before = len(text[:line].rstrip())
    if before == 0:
        return None
    above = _line(text, before)
    content = above + len(text[above:before]) - len(text[above:before].lstrip(" -"))
    key = _KEY.match(text, content, min(before, content + _LONGEST_LINE))
    if key is None:
        return _odd_blank(text, before) or _without_colon(text, content)
    start = problem - len(text[line:problem].lstrip(" "))
    message = f"{shown(text[start : _end(text, start)])} is indented as a part of the value above it"
    return Fault(FileCode.SYNTAX, start, _end(text, start), message, "indent it like the key above")


def _in_bracket(text: str, problem: int, context: int | None) -> Fault | None:
    if context is None or text[context : context + 1] not in _OPENERS:
        return None
    if text[problem : problem + 1] == "?":
        return question_mark(problem)
    kind, closing = _OPENERS[text[context]]
    message = f"`,` or `{closing}` is missing in the {kind}"
    return Fault(FileCode.SYNTAX, problem, problem + 1, message, _text_help(text[context]))


def _without_colon(text: str, start: int) -> Fault:
    message = f"{shown(text[start : _end(text, start)])} is no key: a key ends with `:` and a blank"
    return Fault(FileCode.SYNTAX, start, _end(text, start), message)


def _out_of_line(text: str, place: int) -> Fault:
    """A line that does not fit in with the lines above it."""
    start = _line(text, place)
    end = _end(text, start)
    content = start + len(text[start:end]) - len(text[start:end].lstrip(" "))
    if content < place < end and text[content:place].strip("-? "):
        message = f"{shown(text[place:end])} cannot stand here"
        return Fault(FileCode.SYNTAX, place, end, message)
    if text[content:end].startswith(("]", "}")):
        return Fault(FileCode.SYNTAX, content, content + 1, f"`{text[content]}` closes nothing")
    message = f"{shown(text[content:end])} does not fit in with the lines above it"
    help = "indent keys of one mapping and items of one list alike; a key ends with `:` and a blank"
    return Fault(FileCode.SYNTAX, content, end, message, help)
