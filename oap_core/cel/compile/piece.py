"""What the compiler makes of one node, and the small facts that let its parent do less work."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from oap_core.cel.failure import Code, EvalError
from oap_core.cel.values import Value

Roots = dict[str, Value]
"""The variables of one call; `Activation.roots`."""

Frame = list[Value]
"""One evaluation's own memory: units left in slot 0, then one slot for each nested loop variable."""

Run = Callable[[Roots, Frame], Value]
"""A compiled node. Returns a value or raises `EvalError`; any other exception is a bug and becomes code `internal`."""

UNITS: Final = 0
"""Slot of the frame that holds the units left."""

FIRST_VARIABLE: Final = 1
"""Slot of the frame that holds the outermost loop variable."""


@dataclass(frozen=True, slots=True)
class TextTest:
    """A test of the loop variable against a text known at load, such as `r.endsWith("@corp.example")`."""

    place: int
    """Slot of the loop variable."""
    test: Callable[[str, str], bool]
    """The test: of the variable, against `part`."""
    part: str
    """What is known."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A compiled node."""

    run: Run
    """Evaluates it."""
    offset: int
    """Where to show an error of it."""
    known: bool = False
    """Whether `value` is what it always gives."""
    value: Value = None
    """The value, where `known`."""
    boolean: bool = False
    """Whether it gives a boolean whenever it gives anything."""
    path: tuple[str, ...] = ()
    """The variable and the fields that it reads, where it is nothing but that."""
    place: int = 0
    """The slot of the frame that it reads, where it is nothing but a loop variable; otherwise 0."""
    text_test: TextTest | None = None
    """The test that it is, where it is nothing but that."""


def literal(value: Value, offset: int) -> Piece:
    """A piece that always gives `value`."""

    def run(_roots: Roots, _frame: Frame) -> Value:
        return value

    return Piece(run, offset, known=True, value=value, boolean=type(value) is bool)


def failing(error: EvalError, offset: int) -> Piece:
    """A piece that always fails in the same way."""
    code, place = error.code, error.offset if error.offset >= 0 else offset

    def run(_roots: Roots, _frame: Frame) -> Value:
        raise EvalError(code, place)

    return Piece(run, offset)


def fold(piece: Piece, *parts: Piece) -> Piece:
    """Compute a piece now where all its parts are known and it reads nothing else."""
    if not all(part.known for part in parts):
        return piece
    try:
        return literal(piece.run({}, [_FOLD_UNITS]), piece.offset)
    except EvalError as error:
        # Too dear to be done at load is no mistake: it is done, and charged, when it runs.
        return piece if error.code is Code.BUDGET else failing(error, piece.offset)


_FOLD_UNITS: Final = 1000


def charge(frame: Frame, units: int, offset: int) -> None:
    """Take units from the budget. Raises `EvalError` (budget) where there are not enough.

    What costs nothing works without a budget as well: the index relies on comparisons with known texts to be that.
    """
    if units:
        frame[UNITS] -= units
        if frame[UNITS] < 0:
            raise EvalError(Code.BUDGET, offset)
