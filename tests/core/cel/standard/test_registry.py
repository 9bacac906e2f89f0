from __future__ import annotations

import itertools
from collections import Counter

import pytest

from oap_core.cel.functions import Function
from oap_core.cel.standard import STANDARD
from oap_core.cel.standard.regex import COMPILE_UNITS
from oap_core.cel.types import STRING, ListType, MapType
from tests.core.cel.standard.calling import python_types

EXPECTED = {
    "size", "dyn", "type", "int", "uint", "double", "bool", "string", "bytes", "timestamp", "duration",
    "contains", "startsWith", "endsWith", "matches",
    "getFullYear", "getMonth", "getDate", "getDayOfMonth", "getDayOfWeek", "getDayOfYear", "getHours", "getMinutes",
    "getSeconds", "getMilliseconds",
    "charAt", "indexOf", "lastIndexOf", "join", "lowerAscii", "upperAscii", "replace", "split", "substring", "trim",
    "reverse", "format", "strings.quote",
}  # fmt: skip


def test_the_functions_are_those_of_the_language_and_of_the_string_extension() -> None:
    assert {function.name for function in STANDARD} == EXPECTED


@pytest.mark.parametrize("function", list(STANDARD), ids=lambda function: function.name)
def test_each_is_documented(function: Function) -> None:
    assert function.summary.endswith(".")
    assert function.group in {"standard", "conversions", "strings", "time"}
    assert not function.reads_world
    assert function.examples
    assert all(f"{function.name}(" in expression for expression, _ in function.examples)


@pytest.mark.parametrize("function", list(STANDARD), ids=lambda function: function.name)
def test_no_two_overloads_take_the_same_values(function: Function) -> None:
    shapes = Counter(
        (overload.method, kinds)
        for overload in function.overloads
        for kinds in itertools.product(*map(python_types, overload.params))
    )
    assert set(shapes.values()) == {1}


def test_what_builds_text_or_lists_is_charged_for_it() -> None:
    never_long = {"string", "dyn", "type", "bool", "timestamp", "duration", "charAt"}
    for function in STANDARD:
        for overload in function.overloads:
            long_result = overload.result == STRING or isinstance(overload.result, ListType | MapType)
            assert overload.scans or not long_result or function.name in never_long, function.name


def test_a_pattern_that_is_not_known_before_costs_what_making_it_costs() -> None:
    charged = {function.name: {overload.units for overload in function.overloads} for function in STANDARD}
    assert charged.pop("matches") == {COMPILE_UNITS}
    assert set().union(*charged.values()) == {0, 1}
