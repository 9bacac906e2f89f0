"""List and map literals."""

from oap_core.cel.compile.piece import Frame, Piece, Roots, charge, fold
from oap_core.cel.failure import Code, EvalError
from oap_core.cel.limits import UNIT_ELEMENTS
from oap_core.cel.values import KeyedMap, Value


def list_literal(items: tuple[Piece, ...], offset: int) -> Piece:
    """`[items]`."""
    runs = tuple(item.run for item in items)
    units = len(runs) // UNIT_ELEMENTS

    def run(roots: Roots, frame: Frame) -> Value:
        charge(frame, units, offset)
        return tuple([item(roots, frame) for item in runs])

    return fold(Piece(run, offset), *items)


def map_literal(entries: tuple[tuple[Piece, Piece], ...], offset: int) -> Piece:
    """`{key: value, ...}`. A key that occurs twice is an error, as is one that no map can have."""
    runs = tuple((key.run, value.run) for key, value in entries)

    def run(roots: Roots, frame: Frame) -> Value:
        pairs = [(key(roots, frame), value(roots, frame)) for key, value in runs]
        return made_map(pairs, offset)

    return fold(Piece(run, offset), *(piece for entry in entries for piece in entry))


def made_map(pairs: list[tuple[Value, Value]], offset: int) -> Value:
    """A map of these entries. Raises `EvalError` for a repeated or impossible key."""
    if all(type(key) is str for key, _ in pairs):
        made = dict(pairs)
        if len(made) < len(pairs):
            raise EvalError(Code.DUPLICATE_KEY, offset)
        return made
    try:
        return KeyedMap(pairs)
    except EvalError as error:
        raise EvalError(error.code, offset) from None
