"""Reading variables, fields and elements."""

from oap_core.cel.compile.piece import FIRST_VARIABLE, Frame, Piece, Roots, Run, charge, fold
from oap_core.cel.definition import ANSWERS, Definition
from oap_core.cel.failure import Code, EvalError, Failure
from oap_core.cel.values import NUMERIC, KeyedMap, Value, map_key


def variable(name: str, offset: int) -> Piece:
    """A variable of the activation."""
    return Piece(path_run((name,), (offset,)), offset, path=(name,))


def definition(read: Definition, offset: int) -> Piece:
    """The name of a definition: each reading pays what its one evaluation used, and its error is one of the name."""
    answer = read.answer

    def run(roots: Roots, frame: Frame) -> Value:
        found = roots[ANSWERS].get(answer) or answer(roots)
        charge(frame, found.units, offset)
        result = found.result
        if type(result) is Failure:
            raise EvalError(result.code, offset)
        return result

    return Piece(run, offset)


def loop_variable(slot: int, offset: int) -> Piece:
    """The variable of a surrounding macro."""
    place = FIRST_VARIABLE + slot

    def run(_roots: Roots, frame: Frame) -> Value:
        return frame[place]

    return Piece(run, offset, place=place)


def path_run(path: tuple[str, ...], offsets: tuple[int, ...]) -> Run:
    """Read `variable.field.field...` in one go. The usual lengths have code of their own."""

    def slowly(roots: Roots) -> Value:
        if path[0] not in roots:
            raise EvalError(Code.NO_SUCH_VARIABLE, offsets[0])
        value = roots[path[0]]
        for field, offset in zip(path[1:], offsets[1:], strict=True):
            value = member(value, field, offset)
        return value

    if len(path) == 1:
        (name,) = path

        def one(roots: Roots, _frame: Frame) -> Value:
            try:
                return roots[name]
            except KeyError:
                return slowly(roots)

        return one
    if len(path) == 2:
        name, first = path

        def two(roots: Roots, _frame: Frame) -> Value:
            try:
                return roots[name][first]
            except (KeyError, TypeError, EvalError):
                return slowly(roots)

        return two
    name, first, *rest = path

    def many(roots: Roots, _frame: Frame) -> Value:
        try:
            value = roots[name][first]
            for field in rest:
                value = value[field]
        except (KeyError, TypeError, EvalError):
            return slowly(roots)
        return value

    return many


def member(value: Value, field: str, offset: int) -> Value:
    """`value.field`, with the code that says what is wrong where there is no such thing."""
    kind = type(value)
    if kind is dict:
        try:
            return value[field]
        except KeyError:
            raise EvalError(Code.NO_SUCH_KEY, offset) from None
    if kind is KeyedMap:
        if field in value:
            return value[field]
        raise EvalError(Code.NO_SUCH_KEY, offset)
    raise EvalError(Code.NO_SUCH_OVERLOAD, offset)


def select(operand: Piece, field: str, offset: int) -> Piece:
    """`operand.field`, where the operand is no plain path."""
    inner = operand.run

    def run(roots: Roots, frame: Frame) -> Value:
        value = inner(roots, frame)
        if type(value) is dict and field in value:
            return value[field]
        return member(value, field, offset)

    return fold(Piece(run, offset), operand)


def has(operand: Piece, field: str, offset: int) -> Piece:
    """`has(operand.field)`: whether the map has the key. An operand that is no map is an error."""
    inner = operand.run

    def run(roots: Roots, frame: Frame) -> Value:
        value = inner(roots, frame)
        if type(value) is dict or type(value) is KeyedMap:
            return field in value
        raise EvalError(Code.NO_SUCH_OVERLOAD, offset)

    if len(operand.path) == 1:
        (name,) = operand.path

        def of_variable(roots: Roots, frame: Frame) -> Value:
            try:
                value = roots[name]
            except KeyError:
                return run(roots, frame)
            return field in value if type(value) is dict else run(roots, frame)

        return Piece(of_variable, offset, boolean=True)
    if len(operand.path) == 2:
        name, first = operand.path

        def of_field(roots: Roots, frame: Frame) -> Value:
            try:
                value = roots[name][first]
            except (KeyError, TypeError, EvalError):
                return run(roots, frame)
            return field in value if type(value) is dict else run(roots, frame)

        return Piece(of_field, offset, boolean=True)
    return fold(Piece(run, offset, boolean=True), operand)


def index(operand: Piece, key: Piece, offset: int) -> Piece:
    """`operand[key]`."""
    inner, key_run = operand.run, key.run

    def run(roots: Roots, frame: Frame) -> Value:
        return element(inner(roots, frame), key_run(roots, frame), offset)

    return fold(Piece(run, offset), operand, key)


def element(value: Value, key: Value, offset: int) -> Value:
    """`value[key]` for a list or a map."""
    kind = type(value)
    if kind is tuple:
        return value[position(key, len(value), offset)]
    if kind is dict:
        if type(key) is str and key in value:
            return value[key]
        if type(key) is not str:
            _usable_key(key, offset)
        raise EvalError(Code.NO_SUCH_KEY, offset)
    if kind is KeyedMap:
        _usable_key(key, offset)
        if key in value:
            return value[key]
        raise EvalError(Code.NO_SUCH_KEY, offset)
    raise EvalError(Code.NO_SUCH_OVERLOAD, offset)


def _usable_key(key: Value, offset: int) -> None:
    if type(key) is float and not key.is_integer():
        raise EvalError(Code.NO_SUCH_KEY, offset)
    try:
        map_key(key)
    except EvalError as error:
        raise EvalError(error.code, offset) from None


def position(key: Value, size: int, offset: int) -> int:
    """A list index as a Python index: whole numbers only, never from the end."""
    if type(key) not in NUMERIC or (type(key) is float and not key.is_integer()):
        raise EvalError(Code.NO_SUCH_OVERLOAD, offset)
    if 0 <= key < size:
        return int(key)
    raise EvalError(Code.INDEX_OUT_OF_RANGE, offset)
