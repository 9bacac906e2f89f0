"""`<`, `<=`, `>` and `>=`: numbers across types, everything else within one.

An integer meets a double as the nearest double, as the conformance vectors demand; Python would compare exactly.
"""

import operator
from collections.abc import Callable
from typing import Final

from oap_core.cel.compile.piece import Frame, Piece, Roots, Run, charge, fold
from oap_core.cel.failure import Code, EvalError
from oap_core.cel.limits import UNIT_CHARACTERS
from oap_core.cel.values import NUMERIC, Duration, Timestamp, UInt, Value

_OPERATORS: Final[dict[str, Callable[[Value, Value], bool]]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_MIRRORED: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_PLAIN: Final = frozenset({str, bytes, bool})
_TIMES: Final = frozenset({Timestamp, Duration})


def order(symbol: str, left: Piece, right: Piece, offset: int) -> Piece:
    """`left symbol right`."""
    if left.known and not right.known:
        left, right, symbol = right, left, _MIRRORED[symbol]
    kind = type(right.value)
    if right.known and kind in _TIMES:
        run = _order_with_time(symbol, left, right.value, offset)
    elif right.known and kind in NUMERIC:
        run = _order_with_number(symbol, left.run, right.value, offset)
    else:
        run = _order_values(_OPERATORS[symbol], left.run, right.run, offset)
    return fold(Piece(run, offset, boolean=True), left, right)


def _order_values(compare: Callable[[Value, Value], bool], left: Run, right: Run, offset: int) -> Run:
    def run(roots: Roots, frame: Frame) -> Value:
        one, other = left(roots, frame), right(roots, frame)
        kind = type(one)
        if kind is type(other):
            if kind in NUMERIC:
                return compare(one, other)
            if kind in _PLAIN:
                if kind is not bool and len(one) > UNIT_CHARACTERS:
                    charge(frame, min(len(one), len(other)) // UNIT_CHARACTERS, offset)
                return compare(one, other)
            if kind in _TIMES:
                return compare(one.nanos, other.nanos)
        elif kind in NUMERIC and type(other) in NUMERIC:
            if kind is float or type(other) is float:
                return compare(float(one), float(other))
            return compare(one, other)
        raise EvalError(Code.NO_SUCH_OVERLOAD, offset)

    return run


def _order_with_time(symbol: str, left: Piece, moment: Timestamp | Duration, offset: int) -> Run:
    kind, nanos, inner = type(moment), moment.nanos, left.run
    compare = _OPERATORS[symbol]
    if len(left.path) == 1:
        (name,) = left.path

        def with_variable(roots: Roots, frame: Frame) -> Value:
            value = roots[name] if name in roots else inner(roots, frame)
            if type(value) is kind:
                return compare(value.nanos, nanos)
            raise EvalError(Code.NO_SUCH_OVERLOAD, offset)

        return with_variable

    def run(roots: Roots, frame: Frame) -> Value:
        value = inner(roots, frame)
        if type(value) is kind:
            return compare(value.nanos, nanos)
        raise EvalError(Code.NO_SUCH_OVERLOAD, offset)

    return run


def _order_with_number(symbol: str, inner: Run, number: Value, offset: int) -> Run:
    compare, double = _OPERATORS[symbol], float(number)
    whole = type(number) is not float

    def run(roots: Roots, frame: Frame) -> Value:
        value = inner(roots, frame)
        kind = type(value)
        if kind is float:
            return compare(value, double)
        if kind is int or kind is UInt:
            return compare(value, number) if whole else compare(float(value), double)
        raise EvalError(Code.NO_SUCH_OVERLOAD, offset)

    return run
