"""What a text without quotes means: the core schema of YAML 1.2, without what readers understand differently."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Final

from oap_core.policy.codes import FileCode
from oap_core.policy.faults import shown
from oap_core.policy.tree import ScalarValue

__all__ = ["Meaning", "meaning"]

_NULLS: Final = frozenset({"", "~", "null", "Null", "NULL"})
_BOOLS: Final = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_OLD_BOOLS: Final = {
    spelling: value
    for value, words in (("true", ("y", "yes", "on")), ("false", ("n", "no", "off")))
    for word in words
    for spelling in (word, word.capitalize(), word.upper())
}
_INT: Final = re.compile(r"[-+]?[0-9]+")
_BASED: Final = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT: Final = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NOT_FINITE: Final = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_LEADING_ZERO: Final = re.compile(r"[-+]?0[0-9]+")
_SIXTIES: Final = re.compile(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?")
_OLD_NUMBER: Final = re.compile(
    r"[-+]?0b[01_]+|[-+]0x[0-9a-fA-F_]+|0x[0-9a-fA-F_]+|[-+]?[0-9][0-9_]*(?:\.[0-9_]*(?:[eE][-+]?[0-9]+)?)?"
    r"|[-+]?\.[0-9][0-9_]*(?:[eE][-+]?[0-9]+)?"
)
_LARGEST: Final = 2**63 - 1
_SMALLEST: Final = -(2**63)
_MOST_DIGITS: Final = 400


@dataclass(frozen=True, slots=True)
class Meaning:
    """A value, and what is wrong with how it is written, if anything."""

    value: ScalarValue
    """What it means; the text itself where that cannot be said."""
    code: FileCode | None = None
    """What is wrong with it, or None."""
    message: str = ""
    """One sentence about what is wrong."""
    help: str | None = None
    """How to write what was meant."""


def meaning(text: str) -> Meaning:
    """Say what a text without quotes means. Where that cannot be said, the value is the text itself."""
    if text in _NULLS:
        return Meaning(None)
    if (truth := _BOOLS.get(text)) is not None:
        return Meaning(truth)
    if (old := _OLD_BOOLS.get(text)) is not None:
        message = f"`{text}` is a text to some readers of YAML and `{old}` to others"
        return Meaning(text, FileCode.AMBIGUOUS, message, f'write `{old}`, or `"{text}"` for the text')
    if text in {"=", "<<"}:
        message = f"`{text}` is a text to some readers of YAML and a sign to others"
        return Meaning(text, FileCode.AMBIGUOUS, message, f'write `"{text}"` for the text')
    if text[0] in "+-.0123456789":
        return _number(text)
    return Meaning(text)


def _number(text: str) -> Meaning:
    if _NOT_FINITE.fullmatch(text):
        advice = f'write a number, or `"{text}"` for the text'
        return Meaning(text, FileCode.NUMBER, f"`{text}` is no finite number", advice)
    if _SIXTIES.fullmatch(text):
        message = f"{shown(text)} is a text to some readers of YAML and a number in base 60 to others"
        return Meaning(text, FileCode.AMBIGUOUS, message, "put it into quotes")
    if _LEADING_ZERO.fullmatch(text):
        return _leading_zero(text)
    if _INT.fullmatch(text):
        return _int(text, 10)
    if _BASED.fullmatch(text):
        return _int(text, 0)
    if _FLOAT.fullmatch(text):
        return _float(text)
    if _OLD_NUMBER.fullmatch(text):
        message = f"{shown(text)} is a text to some readers of YAML and a number to others"
        return Meaning(
            text, FileCode.AMBIGUOUS, message, "write the number in plain digits, or put the text into quotes"
        )
    return Meaning(text)


def _leading_zero(text: str) -> Meaning:
    message = f"{shown(text)} is a decimal number to some readers of YAML and an octal one to others"
    advice = "write it without the zero in front, or put it into quotes for the text"
    if text[0] == "0" and not set(text) & set("89") and len(text) < 20:
        advice = f'write `0o{text[1:]}` for the octal number, or `"{text}"` for the text'
    return Meaning(_int(text, 10).value, FileCode.AMBIGUOUS, message, advice)


def _int(text: str, base: int) -> Meaning:
    # Python itself refuses to read very many digits.
    value = int(text, base) if len(text) <= _MOST_DIGITS else None
    if value is None or not _SMALLEST <= value <= _LARGEST:
        advice = "put it into quotes if it is an identifier"
        return Meaning(text, FileCode.NUMBER, f"the number {shown(text)} does not fit into 64 bits", advice)
    return Meaning(value)


def _float(text: str) -> Meaning:
    value = float(text)
    if math.isinf(value):
        return Meaning(text, FileCode.NUMBER, f"the number {shown(text)} is too large to be held")
    if value == 0 and re.search("[1-9]", re.split("[eE]", text)[0]):
        return Meaning(text, FileCode.NUMBER, f"the number {shown(text)} is too small to be held")
    return Meaning(value)
