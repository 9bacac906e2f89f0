"""The string extension that policy authors know from Kubernetes, but for `format`.

Positions count code points from 0. Every result is bounded before it is built.
"""

from typing import Final

from oap_core.cel.failure import Code, EvalError
from oap_core.cel.functions import Function, Overload
from oap_core.cel.standard.bounds import bound_list, bound_text
from oap_core.cel.types import INT, STRING, ListType
from oap_core.cel.values import Value

_SPACES: Final = (
    "\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""The characters with the Unicode property White_Space. Python's own idea of a space has four control codes more."""

_ESCAPES: Final = (
    ("\\", "\\\\"),
    ("\a", "\\a"),
    ("\b", "\\b"),
    ("\f", "\\f"),
    ("\n", "\\n"),
    ("\r", "\\r"),
    ("\t", "\\t"),
    ("\v", "\\v"),
    ('"', '\\"'),
)
"""The backslash comes first, since the others bring new ones."""

_REVERSIBLE: Final = 1_000_000
"""Text times part from which a search from the end is turned round."""


def char_at(text: str, index: int) -> str:
    """The character at a position; none right behind the last one."""
    return text[_position(text, index) : index + 1]


def index_of(text: str, part: str, start: int = 0) -> int:
    """Where the part begins, `start` or later; -1 where it does not occur."""
    return text.find(part, _position(text, start))


def last_index_of(text: str, part: str, last: int | None = None) -> int:
    """Where the part begins, `last` or earlier; -1 where it does not occur.

    Python's search is linear from the front and quadratic from the end, so large ones look into the mirror.
    """
    end = len(text) if last is None else min(_position(text, last) + len(part), len(text))
    if len(text) * len(part) <= _REVERSIBLE:
        return text.rfind(part, 0, end)
    found = text[:end][::-1].find(part[::-1])
    return found if found < 0 else end - found - len(part)


def _position(text: str, index: int) -> int:
    if 0 <= index <= len(text):
        return index
    raise EvalError(Code.INDEX_OUT_OF_RANGE)


def lower_ascii(text: str) -> str:
    """`A` to `Z` become `a` to `z`; every other character stays."""
    if text.isascii():
        return text.lower()
    return text.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")


def upper_ascii(text: str) -> str:
    """`a` to `z` become `A` to `Z`; every other character stays."""
    if text.isascii():
        return text.upper()
    return text.encode("utf-8", "surrogatepass").upper().decode("utf-8", "surrogatepass")


def replace(text: str, old: str, new: str, most: int = -1) -> str:
    """Every `old` becomes `new`, or the first so many; an empty `old` stands before each character and at the end."""
    count = text.count(old)
    if 0 <= most < count:
        count = most
    bound_text(len(text) + count * (len(new) - len(old)))
    return text.replace(old, new, count)


def split(text: str, separator: str, most: int = -1) -> tuple[str, ...]:
    """The parts between separators, at most so many; an empty separator stands between any two characters."""
    if most == 0:
        return ()
    count = text.count(separator) + 1 if separator else max(len(text), 1)
    if 0 < most < count:
        count = most
    bound_list(count)
    if separator:
        return tuple(text.split(separator, count - 1))
    return (*text[: count - 1], text[count - 1 :])


def substring(text: str, start: int, end: int | None = None) -> str:
    """The characters from `start` up to but without `end`."""
    stop = len(text) if end is None else _position(text, end)
    if _position(text, start) > stop:
        raise EvalError(Code.INDEX_OUT_OF_RANGE)
    return text[start:stop]


def trim(text: str) -> str:
    """Without the white space of Unicode at both ends."""
    return text.strip(_SPACES)


def reverse(text: str) -> str:
    """The code points in reverse order."""
    return text[::-1]


def join(parts: tuple[Value, ...], separator: str = "") -> str:
    """The strings of a list, with the separator between them. Raises `EvalError` (no_such_overload) for other values."""
    size = len(separator) * max(len(parts) - 1, 0)
    for part in parts:
        if type(part) is not str:
            raise EvalError(Code.NO_SUCH_OVERLOAD)
        size += len(part)
    bound_text(size)
    return separator.join(parts)


def quote(text: str) -> str:
    """The text in double quotes, with the escapes of CEL for what has one."""
    bound_text(len(text) + 2 + sum(text.count(plain) for plain, _ in _ESCAPES))
    for plain, escaped in _ESCAPES:
        text = text.replace(plain, escaped)
    return f'"{text}"'


def _method(name: str, overloads: tuple[Overload, ...], summary: str, *examples: tuple[str, str]) -> Function:
    return Function(name, overloads, summary, examples, "strings")


FUNCTIONS: Final = (
    _method(
        "charAt",
        (Overload((STRING, INT), STRING, char_at, method=True),),
        "The character at a position; the empty string right behind the last one.",
        ("'hello'.charAt(4)", "'o'"),
        ("'hello'.charAt(5)", "''"),
    ),
    _method(
        "indexOf",
        (
            Overload((STRING, STRING), INT, index_of, method=True, scans=True),
            Overload((STRING, STRING, INT), INT, index_of, method=True, scans=True),
        ),
        "Where a string first begins, at a position or later; -1 where it does not occur.",
        ("'hello mellow'.indexOf('ello')", "1"),
        ("'hello mellow'.indexOf('ello', 2)", "7"),
        ("'hello mellow'.indexOf('jello')", "-1"),
    ),
    _method(
        "lastIndexOf",
        (
            Overload((STRING, STRING), INT, last_index_of, method=True, scans=True),
            Overload((STRING, STRING, INT), INT, last_index_of, method=True, scans=True),
        ),
        "Where a string last begins, at a position or earlier; -1 where it does not occur.",
        ("'hello mellow'.lastIndexOf('ello')", "7"),
        ("'hello mellow'.lastIndexOf('ello', 6)", "1"),
    ),
    _method(
        "join",
        (
            Overload((ListType(STRING),), STRING, join, method=True, scans=True),
            Overload((ListType(STRING), STRING), STRING, join, method=True, scans=True),
        ),
        "The strings of a list in one, with a separator between them where there is one.",
        ("['a', 'b'].join()", "'ab'"),
        ("['a', 'b'].join(', ')", "'a, b'"),
    ),
    _method(
        "lowerAscii",
        (Overload((STRING,), STRING, lower_ascii, method=True, scans=True),),
        "The letters `A` to `Z` in lower case; no other character changes.",
        ("'TacoCÆt'.lowerAscii()", "'tacocÆt'"),
    ),
    _method(
        "upperAscii",
        (Overload((STRING,), STRING, upper_ascii, method=True, scans=True),),
        "The letters `a` to `z` in upper case; no other character changes.",
        ("'tacoCæt'.upperAscii()", "'TACOCæT'"),
    ),
    _method(
        "replace",
        (
            Overload((STRING, STRING, STRING), STRING, replace, method=True, scans=True),
            Overload((STRING, STRING, STRING, INT), STRING, replace, method=True, scans=True),
        ),
        "The string with one string put in place of another, everywhere or only so many times from the front; a "
        "negative number means everywhere.",
        ("'hello hello'.replace('he', 'we')", "'wello wello'"),
        ("'hello hello'.replace('he', 'we', 1)", "'wello hello'"),
    ),
    _method(
        "split",
        (
            Overload((STRING, STRING), ListType(STRING), split, method=True, scans=True),
            Overload((STRING, STRING, INT), ListType(STRING), split, method=True, scans=True),
        ),
        "The parts between a separator, at most so many, the rest in the last one; a negative number means all.",
        ("'a,b,c'.split(',')", "['a', 'b', 'c']"),
        ("'a,b,c'.split(',', 2)", "['a', 'b,c']"),
    ),
    _method(
        "substring",
        (
            Overload((STRING, INT), STRING, substring, method=True, scans=True),
            Overload((STRING, INT, INT), STRING, substring, method=True, scans=True),
        ),
        "The characters from a position on, up to but without another; an error where either lies outside.",
        ("'tacocat'.substring(4)", "'cat'"),
        ("'tacocat'.substring(0, 4)", "'taco'"),
    ),
    _method(
        "trim",
        (Overload((STRING,), STRING, trim, method=True, scans=True),),
        "The string without the white space at both ends. Zero-width characters are no white space.",
        ("'  \\ttrim\\n '.trim()", "'trim'"),
    ),
    _method(
        "reverse",
        (Overload((STRING,), STRING, reverse, method=True, scans=True),),
        "The characters in reverse order.",
        ("'gums'.reverse()", "'smug'"),
    ),
    _method(
        "strings.quote",
        (Overload((STRING,), STRING, quote, scans=True),),
        "The string as a CEL literal in double quotes: control characters that have an escape, quotes and backslashes "
        "are escaped.",
        ("strings.quote('say \"hi\"')", '\'"say \\\\"hi\\\\""\''),
    ),
)
"""The functions of the string extension."""
