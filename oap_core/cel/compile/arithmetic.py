"""`+`, `-`, `*`, `/`, `%` and the two unary operators, exact and within range."""

from collections.abc import Callable
from math import copysign, inf, isnan, nan
from typing import Final

from oap_core.cel.compile.piece import Frame, Piece, Roots, charge, fold
from oap_core.cel.failure import Code, EvalError
from oap_core.cel.limits import (
    ACTIVATION_NODES,
    INT_MAX,
    INT_MIN,
    TEXT_CHARACTERS,
    UNIT_CHARACTERS,
    UNIT_ELEMENTS,
)
from oap_core.cel.standard import moments
from oap_core.cel.values import Duration, Timestamp, UInt, Value


def binary(symbol: str, left: Piece, right: Piece, offset: int) -> Piece:
    """`left symbol right`."""
    one_run, other_run, table = left.run, right.run, _TABLES[symbol]
    growing = symbol == "+"

    def run(roots: Roots, frame: Frame) -> Value:
        one, other = one_run(roots, frame), other_run(roots, frame)
        compute = table.get((type(one), type(other)))
        if compute is None:
            raise EvalError(Code.NO_SUCH_OVERLOAD, offset)
        try:
            if growing and type(one) in _GROWING:
                charge(frame, _growth(len(one) + len(other), _GROWING[type(one)]), offset)
            return compute(one, other)
        except EvalError as error:
            raise EvalError(error.code, offset) from None

    return fold(Piece(run, offset), left, right)


def negate(operand: Piece, offset: int) -> Piece:
    """`-operand`."""
    inner = operand.run

    def run(roots: Roots, frame: Frame) -> Value:
        value = inner(roots, frame)
        if type(value) is float:
            return -value
        if type(value) is int:
            if value == INT_MIN:
                raise EvalError(Code.OUT_OF_RANGE, offset)
            return -value
        raise EvalError(Code.NO_SUCH_OVERLOAD, offset)

    return fold(Piece(run, offset), operand)


def invert(operand: Piece, offset: int) -> Piece:
    """`!operand`."""
    inner = operand.run

    def run(roots: Roots, frame: Frame) -> Value:
        value = inner(roots, frame)
        if value is True:
            return False
        if value is False:
            return True
        raise EvalError(Code.NO_SUCH_OVERLOAD, offset)

    return fold(Piece(run, offset, boolean=True), operand)


def _growth(size: int, unit: int) -> int:
    """Units for building something of a size: begun ones count, so that many small ones cannot fill the memory."""
    return -(-size // unit) if size > _SMALL else 0


def _ranged(number: int) -> int:
    if INT_MIN <= number <= INT_MAX:
        return number
    raise EvalError(Code.OUT_OF_RANGE)


def _int_quotient(one: int, other: int) -> int:
    """Division that cuts towards zero, as CEL wants it and Python does not do it."""
    if other == 0:
        raise EvalError(Code.DIVIDE_BY_ZERO)
    quotient = abs(one) // abs(other)
    return _ranged(quotient if (one < 0) == (other < 0) else -quotient)


def _int_remainder(one: int, other: int) -> int:
    """Remainder with the sign of the dividend."""
    if other == 0:
        raise EvalError(Code.DIVIDE_BY_ZERO)
    if other == -1 and one == INT_MIN:
        raise EvalError(Code.OUT_OF_RANGE)
    remainder = abs(one) % abs(other)
    return remainder if one >= 0 else -remainder


def _double_quotient(one: float, other: float) -> float:
    """IEEE 754 division, which has a result for zero."""
    if other:
        return one / other
    if not one or isnan(one):
        return nan
    return copysign(inf, one) * copysign(1.0, other)


def _divided(one: UInt, other: UInt) -> UInt:
    if other == 0:
        raise EvalError(Code.DIVIDE_BY_ZERO)
    return UInt(int(one) // int(other))


def _remaining(one: UInt, other: UInt) -> UInt:
    if other == 0:
        raise EvalError(Code.DIVIDE_BY_ZERO)
    return UInt(int(one) % int(other))


def _joined(one: Value, other: Value) -> Value:
    most = ACTIVATION_NODES if type(one) is tuple else TEXT_CHARACTERS
    if len(one) + len(other) > most:
        raise EvalError(Code.TOO_LARGE)
    return one + other


_SMALL: Final = 64
"""Characters or elements that are built for nothing."""

_GROWING: Final[dict[type, int]] = {str: UNIT_CHARACTERS, bytes: UNIT_CHARACTERS, tuple: UNIT_ELEMENTS}

_Table = dict[tuple[type, type], Callable[[Value, Value], Value]]

_TABLES: Final[dict[str, _Table]] = {
    "+": {
        (int, int): lambda one, other: _ranged(one + other),
        (UInt, UInt): lambda one, other: UInt(int(one) + int(other)),
        (float, float): lambda one, other: one + other,
        (str, str): _joined,
        (bytes, bytes): _joined,
        (tuple, tuple): _joined,
        (Timestamp, Duration): moments.add_duration,
        (Duration, Timestamp): lambda one, other: moments.add_duration(other, one),
        (Duration, Duration): moments.add_durations,
    },
    "-": {
        (int, int): lambda one, other: _ranged(one - other),
        (UInt, UInt): lambda one, other: UInt(int(one) - int(other)),
        (float, float): lambda one, other: one - other,
        (Timestamp, Timestamp): moments.between,
        (Timestamp, Duration): moments.subtract_duration,
        (Duration, Duration): moments.subtract_durations,
    },
    "*": {
        (int, int): lambda one, other: _ranged(one * other),
        (UInt, UInt): lambda one, other: UInt(int(one) * int(other)),
        (float, float): lambda one, other: one * other,
    },
    "/": {
        (int, int): _int_quotient,
        (UInt, UInt): _divided,
        (float, float): _double_quotient,
    },
    "%": {(int, int): _int_remainder, (UInt, UInt): _remaining},
}
