from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oap_core.cel.failure import EvalError
from oap_core.cel.functions import Overload
from oap_core.cel.limits import INT_MAX, INT_MIN, TEXT_CHARACTERS, UINT_MAX
from oap_core.cel.standard import STANDARD
from oap_core.cel.standard.moments import EARLIEST, LATEST
from oap_core.cel.types import ListType
from oap_core.cel.values import TYPE_NAMES, Duration, Timestamp, UInt, Value
from tests.core.cel.standard.calling import python_types
from tests.core.cel.standard.values import values_of

OVERLOADS: Final = [
    pytest.param(overload, id=f"{function.name}({', '.join(map(str, overload.params))}){' m' * overload.method}")
    for function in STANDARD
    for overload in function.overloads
]


def _within_range(value: Value) -> bool:
    match value:
        case UInt():
            return 0 <= value <= UINT_MAX
        case bool():
            return True
        case int():
            return INT_MIN <= value <= INT_MAX
        case Timestamp(nanos):
            return EARLIEST <= nanos <= LATEST
        case Duration(nanos):
            return INT_MIN <= nanos <= INT_MAX
        case str() | bytes():
            return len(value) <= TEXT_CHARACTERS
        case tuple():
            return all(map(_within_range, value))
        case _:
            return type(value) in TYPE_NAMES


@pytest.mark.parametrize("overload", OVERLOADS)
@settings(max_examples=60)
@given(data=st.data())
def test_a_value_of_the_declared_type_or_an_error_with_a_code(overload: Overload, data: st.DataObject) -> None:
    values = [data.draw(values_of(declared)) for declared in overload.params]
    try:
        result = overload.implementation(*values)
    except EvalError:
        return
    assert type(result) in python_types(overload.result)
    assert _within_range(result)
    if isinstance(overload.result, ListType):
        assert {type(item) for item in result} <= set(python_types(overload.result.element))


@pytest.mark.parametrize("overload", OVERLOADS)
@settings(max_examples=20)
@given(data=st.data())
def test_the_same_values_give_the_same_answer_and_stay_as_they_were(overload: Overload, data: st.DataObject) -> None:
    values = [data.draw(values_of(declared)) for declared in overload.params]
    shown = repr(values)
    assert _answer(overload, values) == _answer(overload, values)
    assert repr(values) == shown


def _answer(overload: Overload, values: list[Value]) -> str:
    try:
        return repr(overload.implementation(*values))
    except EvalError as error:
        return str(error.code)
