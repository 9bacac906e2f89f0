"""Numbers as text: strict to read, exact to write, and linear in the length of the text."""

import math
import re
from typing import Final

from oap_core.cel.failure import Code, EvalError
from oap_core.cel.limits import INT_MAX, INT_MIN, UINT_MAX
from oap_core.cel.values import UInt

_INT: Final = re.compile(r"[+-]?[0-9]++")
_UINT: Final = re.compile(r"[+]?[0-9]++")
_DOUBLE: Final = re.compile(r"[+-]?(?:[0-9]++(?:\.[0-9]*+)?+|\.[0-9]++)(?:[eE][+-]?[0-9]++)?+")
_SPECIAL: Final = re.compile(r"[+-]?inf(?:inity)?|nan", re.IGNORECASE | re.ASCII)
_MOST_DIGITS: Final = len(str(UINT_MAX))


def int_from_text(text: str) -> int:
    """An int in decimal digits with or without a sign; no spaces, underscores or other bases.

    Raises `EvalError`: invalid_argument for any other text, out_of_range past 64 bits.
    """
    if _INT.fullmatch(text) is None:
        raise EvalError(Code.INVALID_ARGUMENT)
    number = _magnitude(text)
    if text[0] == "-":
        number = -number
    if not INT_MIN <= number <= INT_MAX:
        raise EvalError(Code.OUT_OF_RANGE)
    return number


def uint_from_text(text: str) -> UInt:
    """A uint in decimal digits, as strict as `int_from_text`; there is no minus sign, not even before a zero."""
    if _UINT.fullmatch(text) is None:
        raise EvalError(Code.INVALID_ARGUMENT)
    return UInt(_magnitude(text))


def _magnitude(text: str) -> int:
    """The digits as a number. Long ones are refused unread: Python takes quadratic time, or none at all, for them."""
    digits = text.lstrip("+-").lstrip("0")
    if len(digits) > _MOST_DIGITS:
        raise EvalError(Code.OUT_OF_RANGE)
    return int(digits or "0")


def double_from_text(text: str) -> float:
    """A double in decimal notation, or `inf`, `infinity` or `nan` in any letter case.

    Raises `EvalError`: invalid_argument for any other text, out_of_range where digits stand for more than the largest
    double. Digits that stand for less than the smallest one give zero.
    """
    if _DOUBLE.fullmatch(text) is None:
        if _SPECIAL.fullmatch(text) is None:
            raise EvalError(Code.INVALID_ARGUMENT)
        return float(text)
    number = float(text)
    if math.isinf(number):
        raise EvalError(Code.OUT_OF_RANGE)
    return number


def double_text(number: float) -> str:
    """What `string(double)` gives: the fewest digits that read back the same.

    An exponent is written from a million up and below a ten-thousandth, with two digits or more (`1e+06`).
    """
    if not math.isfinite(number):
        return str(number)
    digits, point = _digits(number)
    exponent = point - 1
    if -5 < exponent < 6:
        return _sign(number) + _positional(digits, point)
    mantissa = f"{digits[0]}.{digits[1:]}" if len(digits) > 1 else digits
    return f"{_sign(number)}{mantissa}e{exponent:+03d}"


def plain_double(number: float) -> str:
    """What `format` writes for a double: the fewest digits that read back the same, never an exponent."""
    if not math.isfinite(number):
        return special_double(number)
    return _sign(number) + _positional(*_digits(number))


def special_double(number: float) -> str:
    """What `format` writes for a double that is not finite."""
    return "NaN" if math.isnan(number) else f"{_sign(number)}Infinity"


def _sign(number: float) -> str:
    return "-" if math.copysign(1.0, number) < 0 else ""


def _digits(number: float) -> tuple[str, int]:
    """The significant digits, and how many of them stand before the decimal point; negative for leading zeros."""
    mantissa, _, exponent = repr(abs(number)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits, point = whole + fraction, len(whole) + int(exponent or "0")
    significant = digits.lstrip("0")
    if not significant:
        return "0", 1
    return significant.rstrip("0"), point - (len(digits) - len(significant))


def _positional(digits: str, point: int) -> str:
    if point <= 0:
        return f"0.{'0' * -point}{digits}"
    if point >= len(digits):
        return digits + "0" * (point - len(digits))
    return f"{digits[:point]}.{digits[point:]}"
