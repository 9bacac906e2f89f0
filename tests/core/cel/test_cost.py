"""Cost: an upper bound of what an evaluation is charged, wherever sizes are declared."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oap_core.cel import Env, Function, Overload, load
from oap_core.cel.compile import compile_tree
from oap_core.cel.cost import ASSUMED_CHARACTERS, ASSUMED_ELEMENTS, estimate
from oap_core.cel.definition import Estimate
from oap_core.cel.failure import EvalError
from oap_core.cel.limits import EVALUATION_UNITS
from oap_core.cel.schema import type_from_schema
from oap_core.cel.standard import STANDARD
from oap_core.cel.standard.regex import COMPILE_UNITS
from oap_core.cel.types import BOOL, DYN, INT, STRING, Field, ListType, MapType, ObjectType
from oap_core.errors import CelError
from tests.core.cel.optional_fields import ENV as OPTIONAL
from tests.core.cel.optional_fields import Conditions, activations
from tests.core.cel.statics import see

_ENV: Final = Env(
    {
        "ten": ListType(INT, 10),
        "texts": ListType(STRING, 20),
        "nested": ListType(ListType(INT, 5), 10),
        "many": ListType(INT),
        "labels": MapType(STRING, INT, 7),
        "free": MapType(STRING, INT),
        "closed": ObjectType(fields={"a": Field(INT), "b": Field(ListType(INT, 30))}),
        "open": ObjectType(fields={"a": Field(INT)}, rest=DYN),
        "any": DYN,
        "text": STRING,
        "n": INT,
    },
    {"constants": {"long": "x" * 5000, "list": tuple(range(3))}},
    STANDARD.extended(
        (
            Function("dear", (Overload((INT,), BOOL, bool, units=7),), ""),
            Function(
                "either", (Overload((INT,), BOOL, bool, units=9), Overload((STRING,), BOOL, bool, scans=True)), ""
            ),
        )
    ),
)
_DATA: Final = list(activations())


def _estimate(source: str) -> Estimate:
    seen = see(source, _ENV, condition=False)
    assert seen.diagnostics == ()
    assert seen.checked is not None
    return estimate(seen.root, seen.checked)


@pytest.mark.parametrize(
    ("source", "units"),
    [
        ("n == 1 && text == 'x' || n in [1, 2]", 0),
        ("text.startsWith('x') && n in constants.list", 0),
        ("ten.exists(i, i == n)", 10),
        ("constants.list.exists(i, i == n)", 3),
        ("[1, 2, 3, n].exists(i, i == n)", 4),
        ("labels.all(key, labels[key] == n)", 7),
        ("closed.exists(key, key == text)", 2),
        ("ten.map(i, i + 1)[0] == 1", 10),
        ("ten.filter(i, i > 1).map(i, i > 2, i)[0] == 1", 20),
        ("ten.all(i, ten.all(j, i == j))", 110),
        ("ten.all(i, ten.all(j, ten.exists_one(k, i + j == k)))", 1110),
        ("nested.all(inner, inner.all(i, i == n))", 60),
        ("ten.exists(i, i == n) && texts.exists(t, t == text)", 30),
        ("n == 1 ? ten.exists(i, i == n) : texts.exists(t, t == text)", 30),
        ("[ten.exists(i, i == n), true][0] && {'a': ten.exists(i, i == n)}.a", 20),
        ("(ten + ten).exists(i, i == n)", 21),
        ("n in ten", 0),
        ("n in closed.b", 1),
        ("n in [1, n, 3]", 0),
        ("n in [1, any, 3]", 0),
        ("[1] in [[1], [n]]", 0),
        (f"n in [{', '.join(['n'] * 33)}]", 2),
        (f"[n] in [{', '.join(['[n]'] * 33)}]", 6),
        ("any == 'x' && text == any", 0),
        ("text in texts", 1),
        ("any.size() == 5", 0),
        ("dear(n) && ten.all(i, dear(i))", 7 + 10 * 8),
        ("dear(5)", 0),
        ("nested == nested", 3),
        ("closed == closed", 2),
        ("constants.long.contains('xx')", 0),
        ("'a'.contains('b')", 0),
    ],
)
def test_declared_sizes(source: str, units: int) -> None:
    assert _estimate(source) == Estimate(units, assumed=False)


@pytest.mark.parametrize(
    ("source", "units"),
    [
        ("many.exists(i, i == n)", ASSUMED_ELEMENTS),
        ("free.exists(key, key == text)", ASSUMED_ELEMENTS),
        ("any.exists(i, i == n)", ASSUMED_ELEMENTS),
        ("open.exists(key, key == text)", ASSUMED_ELEMENTS),
        ("many.all(i, ten.all(j, i == j))", ASSUMED_ELEMENTS * 11),
        ("text.contains('xx')", ASSUMED_CHARACTERS // 1000),
        ("ten.all(i, text.contains('xx'))", 10 + 10 * (ASSUMED_CHARACTERS // 1000)),
        ("text.matches('xx')", ASSUMED_CHARACTERS // 1000),
        ("text.matches(text)", 2 * (ASSUMED_CHARACTERS // 1000) + COMPILE_UNITS),
        ("either(any)", 9 + (1 + ASSUMED_ELEMENTS) // 16),
        ("(text + 'xx').contains('xx')", 2 * (ASSUMED_CHARACTERS // 1000)),
        ("text + text == 'x'", 2 * ASSUMED_CHARACTERS // 1000),
        ("n in any", ASSUMED_ELEMENTS // 16),
        ("n in many", ASSUMED_ELEMENTS // 16),
        ("any in any", ASSUMED_ELEMENTS // 16 + (1 + ASSUMED_ELEMENTS) // 16),
        ("any == any", (1 + ASSUMED_ELEMENTS) // 16),
        ("any + any == 1", 2 * ASSUMED_ELEMENTS // 16),
        ("free == free", (1 + ASSUMED_ELEMENTS) // 16),
        ("open == open", (2 + ASSUMED_ELEMENTS) // 16),
    ],
)
def test_assumed_sizes(source: str, units: int) -> None:
    assert _estimate(source) == Estimate(units, assumed=True)


def test_too_much_is_refused_where_the_sizes_are_declared() -> None:
    long = f"[{', '.join(map(str, range(101)))}]"
    source = f"{long}.all(i, {long}.exists(j, i == j))"
    assert _estimate(source) == Estimate(101 + 101 * 101, assumed=False)
    with pytest.raises(CelError) as raised:
        load(source, _ENV)
    assert [found.code for found in raised.value.diagnostics] == ["CEL401"]


def test_too_much_is_not_refused_where_only_an_assumption_says_so() -> None:
    source = "many.all(i, many.all(j, many.all(k, i + j == k)))"
    found = _estimate(source)
    assert found.units > EVALUATION_UNITS
    assert found.assumed
    assert load(source, _ENV).cost == found


def test_an_assumption_does_not_hide_what_the_declared_sizes_say() -> None:
    long = f"[{', '.join(map(str, range(101)))}]"
    assert not _estimate(f"{long}.all(i, {long}.exists(j, text.contains('x')))").assumed
    assert not _estimate(f"many.all(i, i == n) && {long}.all(i, {long}.exists(j, i == j))").assumed
    assert _estimate(f"many.all(i, {long}.exists(j, {long}.exists(k, i == j)))").assumed


def test_deep_nesting_is_a_number_and_no_overflow() -> None:
    source = "n == 1"
    for depth in range(14):
        source = f"ten.all(i{depth}, {source})"
    assert _estimate(source).units == sum(10**power for power in range(1, 15))


@settings(max_examples=150)
@given(st.integers(0, 2**32 - 1), st.integers(1, 4))
def test_no_evaluation_costs_more_than_the_estimate(seed: int, depth: int) -> None:
    seen = see(Conditions(Random(seed)).condition([], depth), OPTIONAL)
    if seen.checked is None:
        return
    bound = estimate(seen.root, seen.checked)
    assert not bound.assumed
    compiled = compile_tree(seen.root, STANDARD)
    for activation in _DATA:
        frame: list[Any] = [10**9, *[None] * compiled.variables]
        with suppress(EvalError):
            compiled.run(activation.roots, frame)
        assert 10**9 - frame[0] <= bound.units


@pytest.mark.parametrize(
    "source",
    [
        "a.contains('x') && a + b == 'x' && a.matches('[a-z]+')",
        "list.exists(t, t.contains(a)) && list + list == list && a in list",
        "list.map(t, t + t).exists(t, t.size() > 5) && list.join(',') == a",
        "a.split(',').exists(t, t == b) && a.lowerAscii() == b",
        "wide == wide && rows == rows && rows.exists(r, r == rows[0])",
    ],
)
def test_the_estimate_holds_for_texts_and_lists_within_the_assumed_sizes(source: str) -> None:
    text, lists = {"type": "string"}, {"type": "array", "maxItems": 60, "items": {"type": "string"}}
    rows = {"type": "array", "maxItems": 20, "items": {"type": "array", "maxItems": 20, "items": {"type": "integer"}}}
    variables = {
        name: type_from_schema(schema)
        for name, schema in {"a": text, "b": text, "list": lists, "rows": rows, "wide": {}}.items()
    }
    seen = see(source, Env(variables, functions=STANDARD))
    assert seen.checked is not None
    bound = estimate(seen.root, seen.checked)
    compiled = compile_tree(seen.root, STANDARD)
    frame: list[Any] = [10**9, *[None] * compiled.variables]
    data = {
        "a": f"{'a' * 19}," * 50,
        "b": "b" * 500,
        "list": ("c" * 1000,) * 60 if "join" not in source else ("c" * 10,) * 60,
        "rows": (tuple(range(20)),) * 20,
        "wide": tuple(range(100)),
    }
    compiled.run(data, frame)
    assert 0 < 10**9 - frame[0] <= bound.units
