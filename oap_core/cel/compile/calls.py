"""Calling functions: dispatch by the exact types of the values, charging, and short ways for common text tests."""

from collections.abc import Callable, Collection
from itertools import product
from typing import Final

from oap_core.cel.activation import WORLD
from oap_core.cel.compile.equality import room, weight
from oap_core.cel.compile.piece import Frame, Piece, Roots, Run, TextTest, charge, fold
from oap_core.cel.failure import Code, EvalError
from oap_core.cel.functions import Function, Overload
from oap_core.cel.limits import UNIT_CHARACTERS, UNIT_ELEMENTS
from oap_core.cel.types import DYN, Type
from oap_core.cel.values import TYPE_NAMES, KeyedMap, Value

_Table = dict[tuple[type, ...], Overload]

_BY_NAME: Final = {
    name: tuple(kind for kind, other in TYPE_NAMES.items() if other == name) for name in TYPE_NAMES.values()
}


def _python_types(declared: Type) -> Collection[type]:
    """What a value of a declared type can be in Python; the elements of lists and maps are not looked at."""
    return TYPE_NAMES if declared.name == DYN.name else _BY_NAME[declared.name]


def dispatch_table(function: Function, *, method: bool, count: int) -> _Table:
    """Every combination of value types that one call shape of the function takes."""
    key = (id(function), method, count)
    cached = _CACHE.get(key)
    if cached is not None and cached[0] is function:
        return cached[1]
    table: _Table = {}
    for overload in function.overloads:
        if overload.method is method and len(overload.params) == count:
            for kinds in product(*map(_python_types, overload.params)):
                table.setdefault(kinds, overload)
    _CACHE[key] = (function, table)
    return table


_CACHE: Final[dict[tuple[int, bool, int], tuple[Function, _Table]]] = {}
"""Keeps the function beside its table, so that the id cannot come to mean another function."""


def call(function: Function, arguments: tuple[Piece, ...], offset: int, *, method: bool) -> Piece:
    """`function(arguments)`, the receiver first for a method."""
    table = dispatch_table(function, method=method, count=len(arguments))
    boolean = all(overload.result.name == "bool" for overload in table.values())
    run = _call_one(table, arguments[0].run, offset) if len(arguments) == 1 else _call_many(table, arguments, offset)
    if function.reads_world:
        return Piece(_remembering(function.name, table, arguments, offset), offset, boolean=boolean)
    return fold(Piece(run, offset, boolean=boolean), *arguments)


def _call_one(table: _Table, argument: Run, offset: int) -> Run:
    by_type = {kinds[0]: overload for kinds, overload in table.items()}

    def run(roots: Roots, frame: Frame) -> Value:
        value = argument(roots, frame)
        overload = by_type.get(type(value))
        if overload is None:
            raise EvalError(Code.NO_SUCH_OVERLOAD, offset)
        return invoke(overload, (value,), frame, offset)

    return run


def _call_many(table: _Table, arguments: tuple[Piece, ...], offset: int) -> Run:
    runs = tuple(argument.run for argument in arguments)

    def run(roots: Roots, frame: Frame) -> Value:
        values = tuple([argument(roots, frame) for argument in runs])
        overload = table.get(tuple([type(value) for value in values]))
        if overload is None:
            raise EvalError(Code.NO_SUCH_OVERLOAD, offset)
        return invoke(overload, values, frame, offset)

    return run


def invoke(overload: Overload, values: tuple[Value, ...], frame: Frame, offset: int) -> Value:
    """Run one overload; whatever goes wrong is an error with this place and a code of ours."""
    if overload.units:
        charge(frame, overload.units, offset)
    if overload.scans:
        charge(frame, _units(values, frame), offset)
    try:
        result = overload.implementation(*values)
    except EvalError as error:
        raise EvalError(error.code, offset) from None
    if type(result) not in _python_types(overload.result):
        raise EvalError(Code.INTERNAL, offset)
    if overload.scans:
        charge(frame, _units((result,), frame), offset)
    return result


def _units(values: tuple[Value, ...], frame: Frame) -> int:
    units = 0
    for value in values:
        kind = type(value)
        if kind is str or kind is bytes:
            units += len(value) // UNIT_CHARACTERS
        elif kind is tuple or kind is dict or kind is KeyedMap:
            units += weight(value, room(frame)) // UNIT_ELEMENTS
    return units


def _remembering(name: str, table: _Table, arguments: tuple[Piece, ...], offset: int) -> Run:
    """A function that looks at the world answers once a call for the same arguments, so that no two rules differ."""
    runs = tuple(argument.run for argument in arguments)

    def run(roots: Roots, frame: Frame) -> Value:
        values = tuple([argument(roots, frame) for argument in runs])
        overload = table.get(tuple([type(value) for value in values]))
        if overload is None:
            raise EvalError(Code.NO_SUCH_OVERLOAD, offset)
        readings, reading = roots[WORLD], (name, *values)
        if reading not in readings:
            try:
                answer = invoke(overload, values, frame, offset)
            except EvalError as error:
                if error.code is Code.BUDGET:
                    raise
                answer = error.code
            readings.setdefault(reading, answer)
        answer = readings[reading]
        if type(answer) is Code:
            raise EvalError(answer, offset)
        return answer

    return run


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
