"""Which characters a file may consist of, and how its lines end.

A file that shows one text and holds another is an attack on whoever reviews it. So what cannot be seen is refused
everywhere, in comments too; a text that needs such a character says so with an escape between double quotes.
"""

from __future__ import annotations

import re
from typing import Final

from oap_core.policy.codes import FileCode
from oap_core.policy.faults import Fault

__all__ = ["BYTE_ORDER_MARK", "checked", "lined"]

BYTE_ORDER_MARK: Final = "\ufeff"
STAND_IN: Final = "\ufffd"
"""What a refused character is replaced by, so that the rest of the file can be read: itself visible, one code point."""

_NONCHARACTERS: Final = "".join(chr(plane + last) for plane in range(0, 0x110000, 0x10000) for last in (0xFFFE, 0xFFFF))
_REFUSED: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U000110bd\U000110cd\U00013430-\U0001345f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    f"\ud800-\udfff{_NONCHARACTERS}]"
)
"""Controls but tab and line feed, format characters, separators, fillers, variation selectors, tags, surrogates."""
_BIDIRECTIONAL: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_BREAKS: Final = frozenset("\r\x0b\x0c\x85\u2028\u2029")
_MOST: Final = 20


def lined(text: str) -> str:
    """The text as everything else reads it: without a byte order mark in front, and each line ends at a line feed.

    A carriage return alone ends a line only where no line feed does; among line feeds it stays what it is.
    """
    text = text.removeprefix(BYTE_ORDER_MARK)
    if "\r" not in text:
        return text
    text = text.replace("\r\n", "\n")
    return text if "\n" in text else text.replace("\r", "\n")


def checked(text: str) -> tuple[str, list[Fault]]:
    """Find the characters that may stand nowhere; gives the text with visible ones in their places, and the faults."""
    faults = []
    for match in _REFUSED.finditer(text):
        faults.append(_fault(match[0], match.start()))
        if len(faults) == _MOST:
            break
    return (_REFUSED.sub(STAND_IN, text) if faults else text), faults


def _fault(character: str, start: int) -> Fault:
    number = ord(character)
    name = f"U+{number:04X}"
    escape = f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"
    advice: str | None = f"leave it out, or write `{escape}` between double quotes where a text needs it"
    if 0xD800 <= number <= 0xDFFF:
        message, advice = f"{name} is half of a surrogate pair and no character", None
    elif character in _BREAKS:
        message = f"{name} ends a line for some programs and not for others"
        advice = "end lines with a line feed"
    elif character in _BIDIRECTIONAL:
        message = f"{name} changes the direction in which the text is shown"
    elif number < 0x20 or 0x7F <= number <= 0x9F:
        message = f"{name} is a control character"
    else:
        message = f"{name} cannot be seen"
    return Fault(FileCode.CHARACTER, start, start + 1, message, advice)
