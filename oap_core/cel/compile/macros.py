"""`all`, `exists`, `exists_one`, `map` and `filter` over the elements of a list or the keys of a map.

Every loop is charged for all elements when it begins, so what an evaluation costs does not depend on where it stops.
"""

from collections.abc import Callable
from functools import partial
from typing import Final

from oap_core.cel.compile.piece import FIRST_VARIABLE, UNITS, Frame, Piece, Roots, Run, TextTest
from oap_core.cel.failure import Code, EvalError
from oap_core.cel.tree import MacroKind
from oap_core.cel.values import KeyedMap, Value


def macro(
    kind: MacroKind, target: Piece, slot: int, predicate: Piece | None, transform: Piece | None, offset: int
) -> Piece:
    """Compile one macro; its loop variable lives in `slot`."""
    place = FIRST_VARIABLE + slot
    if kind is MacroKind.MAP:
        if transform is None:
            message = "a map macro needs a transform"
            raise ValueError(message)
        return Piece(_map(target.run, place, predicate, transform.run, offset), offset)
    if predicate is None:
        message = f"a {kind} macro needs a predicate"
        raise ValueError(message)
    text = predicate.text_test
    if text is not None and text.place == place and kind in (MacroKind.EXISTS, MacroKind.ALL):
        run = _texts(target.run, text, predicate.offset, offset, settles=kind is MacroKind.EXISTS)
        return Piece(run, offset, boolean=True)
    run = _LOOPS[kind](target.run, place, predicate.run, offset)
    return Piece(run, offset, boolean=kind is not MacroKind.FILTER)


def _elements(target: Value, frame: Frame, offset: int) -> tuple[Value, ...]:
    kind = type(target)
    if kind is not tuple and kind is not dict and kind is not KeyedMap:
        raise EvalError(Code.NO_SUCH_OVERLOAD, offset)
    frame[UNITS] -= len(target)
    if frame[UNITS] < 0:
        raise EvalError(Code.BUDGET, offset)
    return target if kind is tuple else tuple(target)


def _quantified(target: Run, place: int, predicate: Run, offset: int, *, settles: bool) -> Run:
    """`exists` (a true settles it) and `all` (a false does); an error counts where no element settles it."""
    neutral = not settles

    def run(roots: Roots, frame: Frame) -> Value:
        failed = None
        for element in _elements(target(roots, frame), frame, offset):
            frame[place] = element
            try:
                value = predicate(roots, frame)
            except EvalError as error:
                if error.code is Code.BUDGET:
                    # There is nothing left to pay for the other elements with.
                    raise
                failed = failed or error
                continue
            if value is settles:
                return settles
            if value is not neutral:
                failed = failed or EvalError(Code.NO_SUCH_OVERLOAD, offset)
        if failed is None:
            return neutral
        raise failed

    return run


def _texts(target: Run, text: TextTest, fault: int, offset: int, *, settles: bool) -> Run:
    """`exists` and `all` with a test of the element and nothing else: what policies do most with lists."""
    test, part = text.test, text.part

    def run(roots: Roots, frame: Frame) -> Value:
        failed = False
        for element in _elements(target(roots, frame), frame, offset):
            if type(element) is not str:
                failed = True
            elif test(element, part) is settles:
                return settles
        if failed:
            raise EvalError(Code.NO_SUCH_OVERLOAD, fault)
        return not settles

    return run


def _holds(predicate: Run, roots: Roots, frame: Frame, offset: int) -> bool:
    value = predicate(roots, frame)
    if value is True or value is False:
        return bool(value)
    raise EvalError(Code.NO_SUCH_OVERLOAD, offset)


def _exists_one(target: Run, place: int, predicate: Run, offset: int) -> Run:
    def run(roots: Roots, frame: Frame) -> Value:
        found = 0
        for element in _elements(target(roots, frame), frame, offset):
            frame[place] = element
            found += _holds(predicate, roots, frame, offset)
        return found == 1

    return run


def _filter(target: Run, place: int, predicate: Run, offset: int) -> Run:
    def run(roots: Roots, frame: Frame) -> Value:
        kept = []
        for element in _elements(target(roots, frame), frame, offset):
            frame[place] = element
            if _holds(predicate, roots, frame, offset):
                kept.append(element)
        return tuple(kept)

    return run


def _map(target: Run, place: int, predicate: Piece | None, transform: Run, offset: int) -> Run:
    wanted = None if predicate is None else predicate.run

    def run(roots: Roots, frame: Frame) -> Value:
        made = []
        for element in _elements(target(roots, frame), frame, offset):
            frame[place] = element
            if wanted is None or _holds(wanted, roots, frame, offset):
                made.append(transform(roots, frame))
        return tuple(made)

    return run


_LOOPS: Final[dict[MacroKind, Callable[[Run, int, Run, int], Run]]] = {
    MacroKind.ALL: partial(_quantified, settles=False),
    MacroKind.EXISTS: partial(_quantified, settles=True),
    MacroKind.EXISTS_ONE: _exists_one,
    MacroKind.FILTER: _filter,
}
