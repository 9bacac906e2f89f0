"""What a literal of an expression stands for, by the CEL specification and nothing looser.

The text of a literal is taken from the source and never from the parser: an unknown escape, half a surrogate pair or
a number outside the range of its type is an error, and never a guess.
"""

import math
import re
from typing import Final

from oap_core.cel.calendar import span_text
from oap_core.cel.limits import INT_MAX, INT_MIN, UINT_MAX
from oap_core.cel.syntax.signs import multiple
from oap_core.cel.values import UInt

_SIMPLE: Final = {
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
    "\\": "\\",
    "?": "?",
    '"': '"',
    "'": "'",
    "`": "`",
}
_ESCAPE: Final = re.compile(
    r"""\\(?:
        (?P<simple>[abfnrtv\\?"'`])
      | (?P<octet>[xX][0-9A-Fa-f]{2} | [0-3][0-7]{2})
      | (?P<point>u[0-9A-Fa-f]{4} | U[0-9A-Fa-f]{8})
      | (?P<other>[0-9]{1,3} | [xXuU][0-9A-Fa-f]{0,8} | [\s\S])
    )""",
    re.VERBOSE,
)
_DIGITS: Final = {"x": "two hexadecimal digits", "u": "four hexadecimal digits", "U": "eight hexadecimal digits"}
_LAST_POINT: Final = 0x10FFFF

_INTEGER: Final = re.compile(r"(?:0x(?P<hex>[0-9A-Fa-f]+)|(?P<decimal>[0-9]+))(?P<unsigned>[uU]?)")
_DOUBLE: Final = re.compile(r"(?:[0-9]*\.)?[0-9]+(?:[eE][+-]?[0-9]+)?")
_MOST_DIGITS: Final = len(str(UINT_MAX))
_SPAN: Final = re.compile(r"[0-9.]+(?:ns|us|ms|s|m|h|d|w|sec|min|hours?|days?|weeks?)")


class LiteralError(Exception):
    """A literal that stands for nothing; `scan` makes a diagnostic of it."""

    def __init__(self, start: int, end: int, message: str, advice: str | None = None) -> None:
        super().__init__(message)
        self.start = start
        """Where the mistake begins, in code points of the source."""
        self.end = end
        """Where it ends."""
        self.message = message
        """One sentence for the author."""
        self.advice = advice
        """What to write instead, or None."""


def number_value(text: str, start: int, *, negative: bool = False) -> int | float:
    """The int, uint or double that a number stands for; `text` is its digits without a sign, found at `start`.

    `negative` says that a minus sign belongs to it, as in the smallest int, whose digits alone are out of range.

    Raises `LiteralError`.
    """
    end = start + len(text)
    integer = _INTEGER.fullmatch(text)
    if integer is not None:
        return _integer(integer, start, end, negative=negative)
    if _DOUBLE.fullmatch(text) is None:
        raise LiteralError(start, end, f"`{_short(text)}` is not a number", _number_advice(text))
    number = float(text)
    if math.isinf(number):
        raise LiteralError(start, end, f"`{_short(text)}` is too large for a double")
    return -number if negative else number


def string_value(source: str, start: int, end: int) -> str | bytes:
    """The text or bytes that the literal between two offsets stands for; it is whole, prefix and quotes included.

    Raises `LiteralError`.
    """
    opening = start
    as_bytes = source[opening] in "bB"
    opening += as_bytes
    raw = source[opening] in "rR"
    opening += raw
    width = 3 if source.startswith(('"""', "'''"), opening) else 1
    first, last = opening + width, end - width
    if raw or source.find("\\", first, last) < 0:
        text = source[first:last]
        return text.encode() if as_bytes else text
    try:
        return _bytes(source, first, last) if as_bytes else _text(source, first, last)
    except LiteralError as error:
        error.advice = error.advice or _as_raw(source, start, end)
        raise


def _integer(match: re.Match[str], start: int, end: int, *, negative: bool) -> int:
    unsigned = bool(match["unsigned"])
    digits = (match["hex"] or match["decimal"]).lstrip("0")
    kind, low, high = ("a uint", 0, UINT_MAX) if unsigned else ("an int", INT_MIN, INT_MAX)
    # Python refuses to convert thousands of digits, and none of them could fit.
    if len(digits) <= _MOST_DIGITS:
        number = int(digits or "0", 16 if match["hex"] else 10)
        if negative:
            number = -number
        if low <= number <= high:
            return UInt(number) if unsigned else number
    advice = f"{kind} goes from {low} to {high}"
    text = _short(f"-{match[0]}" if negative else match[0])
    raise LiteralError(start, end, f"`{text}` is outside the range of {kind}", advice)


def _number_advice(text: str) -> str | None:
    """What the author of a number that CEL does not have may have meant."""
    if "_" in text:
        return f"write `{_short(text.replace('_', ''))}` without underscores"
    if text.lower().startswith("0x"):
        return "a hexadecimal number is `0x` in small letters and its digits"
    if (meant := multiple(text)) is not None:
        return meant
    if _SPAN.fullmatch(text) and (span := span_text(text)) is not None:
        return f'a span of time is written `duration("{_short(span)}")`'
    if text.lower().endswith("e"):
        return "digits are missing after the `e`"
    if text.lower().startswith(("0b", "0o")):
        return "numbers are decimal, or hexadecimal with `0x`"
    return "a number is digits, with one point, an exponent or a final `u` at most"


def _text(source: str, first: int, last: int) -> str:
    pieces: list[str] = []
    done = first
    for match in _ESCAPE.finditer(source, first, last):
        pieces.append(source[done : match.start()])
        done = match.end()
        if (simple := match["simple"]) is not None:
            pieces.append(_SIMPLE[simple])
        else:
            pieces.append(chr(_point(source, match)))
    pieces.append(source[done:last])
    return "".join(pieces)


def _bytes(source: str, first: int, last: int) -> bytes:
    pieces: list[bytes] = []
    done = first
    for match in _ESCAPE.finditer(source, first, last):
        pieces.append(source[done : match.start()].encode())
        done = match.end()
        if (simple := match["simple"]) is not None:
            pieces.append(_SIMPLE[simple].encode())
            continue
        point = _point(source, match)
        if match["point"] is not None:
            octets = "".join(f"\\x{octet:02x}" for octet in chr(point).encode())
            message = f"bytes hold octets, so `{match[0]}` means nothing in them"
            raise LiteralError(match.start(), match.end(), message, f"write `{octets}` for the character in UTF-8")
        pieces.append(bytes((point,)))
    pieces.append(source[done:last].encode())
    return b"".join(pieces)


def _point(source: str, match: re.Match[str]) -> int:
    """The number in an escape that has one."""
    if (octet := match["octet"]) is not None:
        return int(octet[1:], 16) if octet[0] in "xX" else int(octet, 8)
    digits = match["point"]
    if digits is None:
        raise _bad_escape(match)
    point = int(digits[1:], 16)
    if point > _LAST_POINT:
        message = f"`{match[0]}` is beyond the last character, U+10FFFF"
        raise LiteralError(match.start(), match.end(), message)
    if 0xD800 <= point <= 0xDFFF:
        raise _surrogate(source, match, point)
    return point


def _surrogate(source: str, match: re.Match[str], point: int) -> LiteralError:
    message = f"`{match[0]}` is half of a surrogate pair and no character"
    second = _ESCAPE.match(source, match.end())
    low = int(second["point"][1:], 16) if second is not None and second["point"] is not None else 0
    if point <= 0xDBFF and 0xDC00 <= low <= 0xDFFF:
        whole = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00)
        return LiteralError(match.start(), match.end(), message, f"write `\\U{whole:08X}` for the pair")
    return LiteralError(match.start(), match.end(), message)


def _bad_escape(match: re.Match[str]) -> LiteralError:
    """What is wrong with a backslash that begins no escape."""
    text = match["other"]
    kind = text[0]
    if kind in "xXuU":
        wanted = _DIGITS["x" if kind in "xX" else kind]
        return LiteralError(match.start(), match.end(), f"`\\{kind}` needs {wanted} after it")
    if "0" <= kind <= "9":
        advice = "an octal escape has three digits, from `\\000` to `\\377`"
        return LiteralError(match.start(), match.end(), f"`{match[0]}` is no escape", advice)
    if kind in "\r\n":
        message, advice = "a backslash cannot continue a line", "use triple quotes for a text of several lines"
        return LiteralError(match.start(), match.start() + 1, message, advice)
    return LiteralError(match.start(), match.end(), f"`{match[0]}` is no escape")


def _as_raw(source: str, start: int, end: int) -> str:
    """The literal as a raw text, where that is all that is needed; else how to write a backslash."""
    text = source[start:end]
    if len(text) <= 60 and text.isprintable() and not any(mark in text for mark in ("\\\\", "\\'", '\\"')):
        return f"write `{text[0] if text[0] in 'bB' else ''}r{text.lstrip('bB')}`, where a backslash is a character"
    return 'write `\\\\` for a backslash, or a raw text such as `r"\\d"`'


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."
