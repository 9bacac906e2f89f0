"""Host names as text: one spelling for each host, or an error where programs would not agree on the host.

Names come out in lower-case ASCII, the way they stand in the DNS. A name in other letters is taken only where the
three rules in use (IDNA 2003, IDNA 2008, UTS #46) make the same ASCII name of it, and where nothing but letter case
is changed on the way: no full-width letters or dots, no characters that some programs drop.
"""

import re
from encodings import idna as idna2003
from typing import Final

import idna

from oap_core.cel.failure import Code, EvalError
from oap_core.cel.host import addresses

NAME_CHARACTERS: Final = 253
"""Longest host name, as for the DNS; labels have 63 at most."""

_LABEL: Final = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER: Final = re.compile(r"[0-9]+|0x[0-9a-f]*")


def host(text: str) -> str:
    """A host name, an IPv4 address of four decimal numbers, or an IPv6 address without brackets; each in one spelling.

    An IPv4 address written as IPv6 comes out as IPv4. Raises `EvalError` (invalid_argument).
    """
    if ":" in text or _looks_numeric(text):
        return str(addresses.parse(text))
    return name(text)


def name(text: str) -> str:
    """A host name, without the dot that may end it. Raises `EvalError` (invalid_argument), for an address as well."""
    bare = text.removesuffix(".")
    if not 0 < len(bare) <= NAME_CHARACTERS:
        raise EvalError(Code.INVALID_ARGUMENT)
    found = bare.lower() if bare.isascii() else _in_ascii(bare)
    labels = found.split(".")
    if len(found) > NAME_CHARACTERS or _looks_numeric(found) or not all(map(_LABEL.fullmatch, labels)):
        raise EvalError(Code.INVALID_ARGUMENT)
    if "xn--" in found and not all(_is_sound(label) for label in labels if label.startswith("xn--")):
        raise EvalError(Code.INVALID_ARGUMENT)
    return found


def _looks_numeric(text: str) -> bool:
    """The last label is a number: old programs and browsers read an address out of it, others a name."""
    return _NUMBER.fullmatch(text.removesuffix(".").rpartition(".")[2].lower()) is not None


def _in_ascii(text: str) -> str:
    """The ASCII form of a name with other letters in it."""
    lower = text.lower()
    # Letter case that does not lead back, as that of the Kelvin sign, which is a k in lower case.
    if lower.upper() != text.upper():
        raise EvalError(Code.INVALID_ARGUMENT)
    try:
        if idna.uts46_remap(text) != lower or idna.uts46_remap(lower) != lower:
            raise EvalError(Code.INVALID_ARGUMENT)
        return ".".join(map(_label_in_ascii, text.split("."), lower.split(".")))
    except ValueError:
        raise EvalError(Code.INVALID_ARGUMENT) from None


def _label_in_ascii(written: str, lower: str) -> str:
    if lower.isascii():
        return lower
    label = idna.alabel(lower).decode("ascii")
    try:
        older = idna2003.ToASCII(written)
    except UnicodeError:
        # A program with the old rules refuses the name, and what refuses reads nothing else.
        return label
    if older.decode("ascii").lower() != label:
        raise EvalError(Code.INVALID_ARGUMENT)
    return label


def _is_sound(label: str) -> bool:
    """Whether a label with the mark of encoded letters is the one encoding of letters that need it."""
    try:
        letters = idna.ulabel(label)
        return not letters.isascii() and idna.uts46_remap(letters) == letters and idna.alabel(letters).decode() == label
    except ValueError:
        return False
