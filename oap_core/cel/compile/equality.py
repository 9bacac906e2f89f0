"""`==`, `!=` and `in`, with shorter ways for the comparisons that policies are made of."""

from math import isnan

from oap_core.cel.compile.piece import UNITS, Frame, Piece, Roots, Run, charge, fold
from oap_core.cel.failure import Code, EvalError
from oap_core.cel.limits import UNIT_CHARACTERS, UNIT_ELEMENTS
from oap_core.cel.values import NUMERIC, KeyedMap, UInt, Value, equals, map_key

_CONTAINERS = frozenset({tuple, dict, KeyedMap})
_LONG = 4096


def weight(value: Value, most: int) -> int:
    """How much there is to look at in a value, in elements; text counts by its share of a unit.

    Counting is work too, so it stops where there is more than `most`; the answer then exceeds `most` by a unit.
    """
    pending, total = [value], 0
    while pending:
        current = pending.pop()
        total += 1
        kind = type(current)
        if kind in _CONTAINERS:
            if total + len(pending) + len(current) > most:
                return most + UNIT_ELEMENTS
            if kind is tuple:
                pending.extend(current)
            else:
                pending.extend(item for _, item in current.items())
        elif (kind is str or kind is bytes) and len(current) > _LONG:
            total += len(current) * UNIT_ELEMENTS // UNIT_CHARACTERS
    return min(total, most + UNIT_ELEMENTS)


def room(frame: Frame) -> int:
    """The largest weight that the units left can pay for."""
    units: int = frame[UNITS]
    return max(units, 0) * UNIT_ELEMENTS + UNIT_ELEMENTS - 1


def _weight_of_lighter(one: Value, other: Value, most: int) -> int:
    """The weight of the lighter of two values, without counting through the heavier one."""
    cap = min(most, 8 * UNIT_ELEMENTS)
    while True:
        lighter = min(weight(one, cap), weight(other, cap))
        if lighter <= cap or cap == most:
            return lighter
        cap = min(most, 8 * cap)


def equal(left: Piece, right: Piece, offset: int, *, negated: bool) -> Piece:
    """`left == right`, or `left != right` where negated."""
    if left.known and not right.known:
        left, right = right, left
    run = _equal_known(left, right.value) if right.known else None
    if run is None:
        run = _equal_values(left.run, right.run, offset)
    if negated:
        run = _negated(run)
    return fold(Piece(run, offset, boolean=True), left, right)


def _negated(run: Run) -> Run:
    def negated(roots: Roots, frame: Frame) -> Value:
        return not run(roots, frame)

    return negated


def _equal_known(operand: Piece, known: Value) -> Run | None:
    """Comparison with a value known at load, where Python's own `==` gives CEL's answer."""
    inner, kind = operand.run, type(known)
    if kind is str or known is None:
        # Python never takes a value of another type for equal to a text or to None.
        if len(operand.path) == 2:
            name, field = operand.path

            def same_field(roots: Roots, frame: Frame) -> Value:
                try:
                    return roots[name][field] == known
                except (KeyError, TypeError, EvalError):
                    return inner(roots, frame) == known

            return same_field

        def same(roots: Roots, frame: Frame) -> Value:
            return inner(roots, frame) == known

        return same
    if kind is bool:

        def same_boolean(roots: Roots, frame: Frame) -> Value:
            return inner(roots, frame) is known

        return same_boolean
    return _equal_number(inner, known) if kind in NUMERIC else None


def _equal_number(inner: Run, known: Value) -> Run:
    double, whole = float(known), type(known) is not float

    def same(roots: Roots, frame: Frame) -> Value:
        value = inner(roots, frame)
        kind = type(value)
        if kind is float:
            return value == double
        if kind is int or kind is UInt:
            return value == known if whole else float(value) == double
        return False

    return same


def _equal_values(left: Run, right: Run, offset: int) -> Run:
    def same(roots: Roots, frame: Frame) -> Value:
        one, other = left(roots, frame), right(roots, frame)
        kind, kind_of_other = type(one), type(other)
        if (kind in _CONTAINERS and kind_of_other in _CONTAINERS) or (
            kind is kind_of_other and (kind is str or kind is bytes) and len(one) > _LONG
        ):
            charge(frame, _weight_of_lighter(one, other, room(frame)) // UNIT_ELEMENTS, offset)
        return equals(one, other)

    return same


def _quick_set(haystack: Piece) -> bool:
    """Whether this is a list known at load that a hash set can stand for: texts alone, or numbers alone."""
    if not haystack.known or type(haystack.value) is not tuple:
        return False
    return all(type(value) is str for value in haystack.value) or all(
        type(value) in NUMERIC and not (type(value) is float and isnan(value)) for value in haystack.value
    )


def contained(needle: Piece, haystack: Piece, offset: int) -> Piece:
    """`needle in haystack` for a list or a map."""
    if _quick_set(haystack):
        values = haystack.value
        texts = all(type(value) is str for value in values)
        quick = _in_texts(needle, frozenset(values)) if texts else _in_numbers(needle.run, values)
        return fold(Piece(quick, offset, boolean=True), needle)
    inner, outer = needle.run, haystack.run

    def run(roots: Roots, frame: Frame) -> Value:
        return _in_value(inner(roots, frame), outer(roots, frame), frame, offset)

    return fold(Piece(run, offset, boolean=True), needle, haystack)


def _in_texts(needle: Piece, texts: frozenset[str]) -> Run:
    inner = needle.run

    def among(roots: Roots, frame: Frame) -> Value:
        value = inner(roots, frame)
        return type(value) is str and value in texts

    if len(needle.path) != 2:
        return among
    name, field = needle.path

    def field_among(roots: Roots, frame: Frame) -> Value:
        try:
            return roots[name][field] in texts
        except (KeyError, TypeError, EvalError):
            # A missing field, or a list or map, which has no hash and equals no text.
            return among(roots, frame)

    return field_among


def _in_numbers(needle: Run, numbers: tuple[Value, ...]) -> Run:
    """Integers among integers exactly; where a double is on either side, as doubles (see `equals`)."""
    whole = frozenset(int(number) for number in numbers if type(number) is not float)
    doubles = frozenset(number for number in numbers if type(number) is float)
    all_as_doubles = frozenset(map(float, numbers))

    def among(roots: Roots, frame: Frame) -> Value:
        value = needle(roots, frame)
        kind = type(value)
        if kind is float:
            return value in all_as_doubles
        if kind is int or kind is UInt:
            return value in whole or float(value) in doubles
        return False

    return among


def _in_value(needle: Value, haystack: Value, frame: Frame, offset: int) -> bool:
    kind = type(haystack)
    if kind is tuple:
        charge(frame, len(haystack) // UNIT_ELEMENTS, offset)
        if type(needle) is str or needle is None:
            if needle is not None and len(needle) > _LONG:
                charge(frame, len(needle) * len(haystack) // UNIT_CHARACTERS, offset)
            return needle in haystack
        if type(needle) in _CONTAINERS:
            charge(frame, weight(haystack, room(frame)) // UNIT_ELEMENTS, offset)
        return any(equals(needle, item) for item in haystack)
    if kind is dict:
        if type(needle) is str:
            return needle in haystack
        _key_like(needle, offset)
        return False
    if kind is KeyedMap:
        _key_like(needle, offset)
        return needle in haystack
    raise EvalError(Code.NO_SUCH_OVERLOAD, offset)


def _key_like(needle: Value, offset: int) -> None:
    """A value that no map can have as a key is asked for in error; a fraction is merely never there."""
    if type(needle) is float:
        return
    try:
        map_key(needle)
    except EvalError as error:
        raise EvalError(error.code, offset) from None
