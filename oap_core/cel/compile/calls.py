"""Calling functions: dispatch by the exact types of the values, charging, and short ways for common text tests."""

from collections.abc import Callable

from oap_core.cel.activation import WORLD
from oap_core.cel.compile.dispatch import Choose, chooser, python_types, shaped
from oap_core.cel.compile.equality import room, weight
from oap_core.cel.compile.piece import Frame, Piece, Roots, Run, TextTest, charge, fold
from oap_core.cel.failure import Code, EvalError
from oap_core.cel.functions import Function, Overload
from oap_core.cel.limits import UNIT_CHARACTERS, UNIT_ELEMENTS
from oap_core.cel.values import KeyedMap, Value


def call(function: Function, arguments: tuple[Piece, ...], offset: int, *, method: bool) -> Piece:
    """`function(arguments)`, the receiver first for a method."""
    overloads = shaped(function, method=method, count=len(arguments))
    boolean = all(overload.result.name == "bool" for overload in overloads)
    runs, choose = tuple(argument.run for argument in arguments), chooser(overloads, offset)
    if function.reads_world:
        return Piece(_remembering(function.name, choose, runs, offset), offset, boolean=boolean)
    return fold(Piece(_calling(choose, runs, offset), offset, boolean=boolean), *arguments)


def _calling(choose: Choose, arguments: tuple[Run, ...], offset: int) -> Run:
    def run(roots: Roots, frame: Frame) -> Value:
        values = tuple([argument(roots, frame) for argument in arguments])
        overload = choose(tuple([type(value) for value in values]))
        _charge_call(overload, values, frame, offset)
        result = _answer(overload, values, offset)
        if overload.scans:
            charge(frame, _units((result,), frame), offset)
        return result

    return run


def _charge_call(overload: Overload, values: tuple[Value, ...], frame: Frame, offset: int) -> None:
    if overload.units:
        charge(frame, overload.units, offset)
    if overload.scans:
        charge(frame, _units(values, frame), offset)
    if overload.extra is not None:
        charge(frame, _extra(overload.extra, values, offset), offset)


def _extra(tell: Callable[..., int], values: tuple[Value, ...], offset: int) -> int:
    """What a plugin says that the call costs besides; it cannot give units back, and its exception is an error."""
    try:
        units = tell(*values)
    except (Exception, SystemExit):  # noqa: BLE001  # as in `_answer`
        raise EvalError(Code.INTERNAL, offset) from None
    if type(units) is not int or units < 0:
        raise EvalError(Code.INTERNAL, offset)
    return units


def _answer(overload: Overload, values: tuple[Value, ...], offset: int) -> Value:
    """Run one overload; whatever goes wrong is an error with this place and a code of ours."""
    try:
        result = overload.implementation(*values)
    except EvalError as error:
        raise EvalError(error.code, offset) from None
    except (Exception, SystemExit):  # noqa: BLE001  # a plugin broke its promise: an error like any other, without its text
        raise EvalError(Code.INTERNAL, offset) from None
    if type(result) not in python_types(overload.result):
        raise EvalError(Code.INTERNAL, offset)
    return result


def _remembering(name: str, choose: Choose, arguments: tuple[Run, ...], offset: int) -> Run:
    """A function that looks at the world answers once a call for the same arguments, so that no two rules differ.

    Every reader pays as the first did, so that no rule depends on which other one ran before it.
    """

    def run(roots: Roots, frame: Frame) -> Value:
        values = tuple([argument(roots, frame) for argument in arguments])
        overload = choose(tuple([type(value) for value in values]))
        _charge_call(overload, values, frame, offset)
        readings, reading = roots[WORLD], (name, *map(_reading_key, values))
        if reading not in readings:
            try:
                answer = _answer(overload, values, offset)
            except EvalError as error:
                answer = error.code
            readings.setdefault(reading, answer)
        answer = readings[reading]
        if type(answer) is Code:
            raise EvalError(answer, offset)
        if overload.scans:
            charge(frame, _units((answer,), frame), offset)
        return answer

    return run


def _reading_key(value: Value) -> object:
    """What tells one argument from another: its type as well, since Python takes 1, 1.0 and true for one."""
    kind = type(value)
    if kind is str:
        return value
    if kind is tuple:
        return ("list", *map(_reading_key, value))
    if kind is dict or kind is KeyedMap:
        return ("map", *((_reading_key(key), _reading_key(item)) for key, item in value.items()))
    return (kind.__name__, repr(value) if kind is float else value)


def _units(values: tuple[Value, ...], frame: Frame) -> int:
    units = 0
    for value in values:
        kind = type(value)
        if kind is str or kind is bytes:
            units += len(value) // UNIT_CHARACTERS
        elif kind is tuple or kind is dict or kind is KeyedMap:
            units += weight(value, room(frame)) // UNIT_ELEMENTS
    return units


Test = Callable[[str, str], bool]
"""A test of a text that comes with the call against one that is known at load."""


def text_test(receiver: Piece, test: Test, part: str, offset: int) -> Piece:
    """A test of the beginning or end of a text against another that is known at load: `startsWith("/srv/")`."""
    if receiver.place:
        run = _loop_test(receiver.place, test, part, offset)
        return Piece(run, offset, boolean=True, text_test=TextTest(receiver.place, test, part))
    make = _field_test if len(receiver.path) == 2 else _plain_test
    return fold(Piece(make(receiver, test, part, offset), offset, boolean=True), receiver)


def _plain_test(receiver: Piece, test: Test, part: str, offset: int) -> Run:
    inner = receiver.run

    def run(roots: Roots, frame: Frame) -> Value:
        value = inner(roots, frame)
        if type(value) is str:
            return test(value, part)
        raise EvalError(Code.NO_SUCH_OVERLOAD, offset)

    return run


def _field_test(receiver: Piece, test: Test, part: str, offset: int) -> Run:
    """The field of a variable is read on the spot: one call less is a third of the time."""
    (name, field), slowly = receiver.path, _plain_test(receiver, test, part, offset)

    def run(roots: Roots, frame: Frame) -> Value:
        try:
            value = roots[name][field]
        except (KeyError, TypeError, EvalError):
            return slowly(roots, frame)
        return test(value, part) if type(value) is str else slowly(roots, frame)

    return run


def _loop_test(place: int, test: Test, part: str, offset: int) -> Run:
    def run(_roots: Roots, frame: Frame) -> Value:
        value = frame[place]
        if type(value) is str:
            return test(value, part)
        raise EvalError(Code.NO_SUCH_OVERLOAD, offset)

    return run


def search(receiver: Piece, test: Test, part: str, weight: int, offset: int) -> Piece:
    """A search of a whole text for something known at load: `contains("..")`, `matches("^a+$")`.

    It is charged by the length of the text, times `weight`.
    """
    inner, uncharged = receiver.run, UNIT_CHARACTERS // weight

    def run(roots: Roots, frame: Frame) -> Value:
        value = inner(roots, frame)
        if type(value) is not str:
            raise EvalError(Code.NO_SUCH_OVERLOAD, offset)
        if len(value) >= uncharged:
            charge(frame, len(value) * weight // UNIT_CHARACTERS, offset)
        try:
            return test(value, part)
        except EvalError as error:
            raise EvalError(error.code, offset) from None

    return fold(Piece(run, offset, boolean=True), receiver)
