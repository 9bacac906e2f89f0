"""Values are shown as an author would write them, and given to programs as JSON; neither loses anything it can hold."""

from __future__ import annotations

import json
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oap_core.cel.activation import freeze
from oap_core.cel.environment import Env
from oap_core.cel.limits import ACTIVATION_NODES, INT_MAX, INT_MIN, TEXT_CHARACTERS, UINT_MAX
from oap_core.cel.program import load
from oap_core.cel.render import UnshownError, plain, tree_text, value_text
from oap_core.cel.standard import STANDARD
from oap_core.cel.types import DYN
from oap_core.cel.values import TYPE_NAMES, Duration, KeyedMap, Timestamp, TypeValue, UInt, Value

SECOND: Final = 10**9
EMPTY: Final = freeze({})

TEXTS: Final = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
KEYS: Final = TEXTS | st.integers(INT_MIN, INT_MAX) | st.booleans() | st.integers(0, UINT_MAX).map(UInt)
LEAVES: Final = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(INT_MIN, INT_MAX),
    st.sampled_from([INT_MIN, INT_MAX, 0, -1]),
    st.integers(0, UINT_MAX).map(UInt),
    st.floats(),
    TEXTS,
    st.binary(max_size=8),
    st.integers(-62_135_596_800 * SECOND, 253_402_300_800 * SECOND - 1).map(Timestamp),
    st.integers(INT_MIN, INT_MAX).map(Duration),
    st.sampled_from(sorted(set(TYPE_NAMES.values()))).map(TypeValue),
)


def keyed(entries: list[tuple[Value, Value]]) -> Value:
    """A map as the language makes it: a `dict` where all keys are text. Equal keys are left out."""
    unique: dict[object, tuple[Value, Value]] = {}
    for key, value in entries:
        unique.setdefault((type(key) is bool, key), (key, value))
    if all(type(key) is str for key, _ in unique.values()):
        return dict(unique.values())
    return KeyedMap(unique.values())


VALUES: Final = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4).map(tuple) | st.lists(st.tuples(KEYS, inner), max_size=4).map(keyed),
    max_leaves=12,
)


def same(left: Value, right: Value) -> bool:
    """Equal in value and in the type of every part, with NaN equal to itself and 0.0 unequal to -0.0."""
    if type(left) is not type(right):
        return False
    if type(left) is tuple:
        return len(left) == len(right) and all(map(same, left, right))
    if type(left) is dict or type(left) is KeyedMap:
        pairs = zip(left.items(), right.items(), strict=False)
        return len(left) == len(right) and all(same(one, other) for one, other in pairs)
    return repr(left) == repr(right) if type(left) is float else bool(left == right)


@given(VALUES)
def test_what_is_shown_can_be_evaluated_again(value: Value) -> None:
    text = value_text(value, 10_000)
    result = load(text, Env(functions=STANDARD), condition=False).evaluate(EMPTY)
    assert same(result, value), text


@given(VALUES)
def test_what_is_shown_is_one_line_that_moves_no_cursor(value: Value) -> None:
    assert value_text(value).isprintable()


@given(VALUES)
def test_plain_values_are_json(value: Value) -> None:
    written = json.dumps(plain(value), allow_nan=False)
    assert same_json(json.loads(written), plain(value))


def same_json(left: object, right: object) -> bool:
    return repr(left) == repr(right)


@given(st.dictionaries(KEYS, st.integers(0, 9), max_size=6))
def test_plain_maps_keep_all_their_entries(entries: dict[Value, Value]) -> None:
    value = keyed(list(entries.items()))
    shown = plain(value)
    assert isinstance(shown, dict)
    assert len(shown) == len(value)


SHOWN: Final[list[tuple[Value, str, str | None]]] = [
    (None, "null", "null"),
    (True, "true", "true"),
    (-5, "-5", "-5"),
    (UInt(5), "5u", "5"),
    (1.0, "1.0", "1.0"),
    (1e300, "1e+300", "1e+300"),
    (float("inf"), 'double("Infinity")', '"Infinity"'),
    (float("-inf"), 'double("-Infinity")', '"-Infinity"'),
    (float("nan"), 'double("NaN")', '"NaN"'),
    ('"\\\n\r\t', '"\\"\\\\\\n\\r\\t"', '"\\"\\\\\\n\\r\\t"'),
    ("\0\x1b[31m", '"\\x00\\x1b[31m"', '"\\u0000\\u001b[31m"'),
    ("世界 \u202e\ufe0f\u200b", '"世界 \\u202e\\ufe0f\\u200b"', '"\\u4e16\\u754c \\u202e\\ufe0f\\u200b"'),
    ("\U000e0041", '"\\U000e0041"', '"\\udb40\\udc41"'),
    (b"a\xff", 'b"\\x61\\xff"', '"Yf8="'),
    (("a", (1,), {}), '["a", [1], {}]', '["a", [1], {}]'),
    ({"a": 1, "b c": None}, '{"a": 1, "b c": null}', '{"a": 1, "b c": null}'),
    (KeyedMap([(1, "x"), ("1", "y"), (True, "z")]), '{1: "x", "1": "y", true: "z"}', None),
    (Timestamp(0), 'timestamp("1970-01-01T00:00:00Z")', '"1970-01-01T00:00:00Z"'),
    (Timestamp(1), 'timestamp("1970-01-01T00:00:00.000000001Z")', '"1970-01-01T00:00:00.000000001Z"'),
    (TypeValue("int"), "int", '"int"'),
]


@pytest.mark.parametrize(("value", "text", "written"), SHOWN, ids=[text for _, text, _ in SHOWN])
def test_values_look_as_expected(value: Value, text: str, written: str | None) -> None:
    assert value_text(value) == text
    assert json.dumps(plain(value)) == (written or '{"1": "x", "\\"1\\"": "y", "true": "z"}')


@pytest.mark.parametrize(
    "value", ["x" * 5_000_000, b"x" * 5_000_000, ("x",) * 100_000, {str(number): number for number in range(100_000)}]
)
def test_a_long_value_is_cut(value: Value) -> None:
    assert len(value_text(value, 50)) == 53
    assert value_text(value, 50).endswith("...")


@pytest.mark.parametrize(("length", "cut"), [(48, False), (49, True)])
def test_the_limit_counts_what_is_shown(length: int, cut: bool) -> None:
    assert value_text("x" * length, 50).endswith("...") is cut


def shared(leaf: Value, levels: int) -> Value:
    """A list that holds one list twice, and so on: as many values as levels, and two to their power once written."""
    for _ in range(levels):
        leaf = (leaf, leaf)
    return leaf


@pytest.mark.parametrize(
    "value", [shared(1, 60), shared("x" * 1000, 13), shared(b"x" * 1000, 13), {"a": shared(1, 60)}]
)
def test_parts_that_are_shared_do_not_make_a_huge_text(value: Value) -> None:
    with pytest.raises(UnshownError, match="too large to show"):
        plain(value)
    assert len(value_text(value, 50)) == 53


@pytest.mark.parametrize(
    ("least", "most"),
    [
        ((1,) * (ACTIVATION_NODES - 1), (1,) * ACTIVATION_NODES),
        ("x" * TEXT_CHARACTERS, "x" * (TEXT_CHARACTERS + 1)),
        ({"x" * TEXT_CHARACTERS: 1}, {"x" * TEXT_CHARACTERS: "x"}),
        (KeyedMap([(1, "x" * (TEXT_CHARACTERS - 1))]), KeyedMap([(1, "x" * TEXT_CHARACTERS)])),
        (b"x" * TEXT_CHARACTERS, b"x" * (TEXT_CHARACTERS + 1)),
    ],
    ids=["list", "text", "key", "keyed map", "bytes"],
)
def test_what_an_activation_can_hold_is_shown_as_json_and_no_more(least: Value, most: Value) -> None:
    plain(least)
    with pytest.raises(UnshownError):
        plain(most)


def test_a_tree_shows_one_node_a_line() -> None:
    env = Env(variables={"a": DYN, "b": DYN}, functions=STANDARD)
    source = "has(a.b) && [a.c[0], size(b)].exists(x, x == {'k': -a.d} || (a.e ? true : false))"
    assert tree_text(load(source, env).tree).splitlines() == [
        "logic &&",
        "  has b",
        "    variable a",
        "  macro exists x",
        "    list",
        "      index",
        "        field c",
        "          variable a",
        "        literal 0",
        "      call size",
        "        variable b",
        "    logic ||",
        "      binary ==",
        "        loop variable x",
        "        map",
        '          literal "k"',
        "          unary -",
        "            field d",
        "              variable a",
        "      ternary ? :",
        "        field e",
        "          variable a",
        "        literal true",
        "        literal false",
    ]
