"""Freezing: an exact private copy, or an activation on which nothing can be decided."""

import json
from collections import OrderedDict
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from enum import StrEnum
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oap_core.cel import Code, Env, Failure, freeze, freeze_value, load
from oap_core.cel.activation import Activation
from oap_core.cel.failure import EvalError
from oap_core.cel.limits import ACTIVATION_DEPTH, ACTIVATION_NODES, INT_MAX, INT_MIN, TEXT_CHARACTERS
from oap_core.cel.types import DYN
from oap_core.cel.values import Duration, Timestamp, UInt

_LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(INT_MIN, INT_MAX)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]))
)
_JSON = st.recursive(
    _LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=5), inner), max_leaves=30
)


def _thawed(value: object) -> object:
    if isinstance(value, tuple):
        return [_thawed(item) for item in value]
    if isinstance(value, dict):
        return {key: _thawed(item) for key, item in value.items()}
    return value


@pytest.mark.guarantee("cel-exact-data")
@given(_JSON)
def test_json_is_kept_exactly(value: object) -> None:
    try:
        json.dumps(value).encode()
        frozen = freeze_value(value)
    except EvalError:
        pytest.fail("a JSON value was refused")
    thawed = _thawed(frozen)
    assert thawed == value
    assert json.dumps(thawed, sort_keys=True) == json.dumps(value, sort_keys=True)


@given(_JSON)
def test_freezing_twice_changes_nothing(value: object) -> None:
    once = freeze_value(value)
    assert json.dumps(_thawed(freeze_value(once))) == json.dumps(_thawed(once))


@pytest.mark.guarantee("cel-exact-data")
def test_a_later_change_of_the_original_is_not_seen() -> None:
    inner = {"path": "/a"}
    original = {"args": {"list": [inner], "map": inner}}
    activation = freeze(original)
    inner["path"] = "/b"
    original["args"]["list"].append({"path": "/c"})  # type: ignore[attr-defined]
    program = load("args.list == [{'path': '/a'}] && args.map.path == '/a'", Env({"args": DYN}))
    assert program.decide(activation).matched is True


class _Text(str):
    __slots__ = ()


class _Whole(int):
    pass


class _Word(StrEnum):
    ONE = "one"


class _Raising:
    def __getattribute__(self, name: str) -> object:
        raise RuntimeError("canary")


_CYCLE: list[object] = []
_CYCLE.append(_CYCLE)


def _nested(depth: int) -> object:
    value: object = 1
    for _ in range(depth):
        value = [value]
    return value


_REFUSED = {
    "2^63": (2**63, Code.UNREPRESENTABLE),
    "below -2^63": (-(2**63) - 1, Code.UNREPRESENTABLE),
    "huge integer": (10**5000, Code.UNREPRESENTABLE),
    "NaN": (float("nan"), Code.UNREPRESENTABLE),
    "infinity": (float("inf"), Code.UNREPRESENTABLE),
    "lone surrogate": ("\ud800", Code.UNREPRESENTABLE),
    "surrogate in a key": ({"\udfff": 1}, Code.UNREPRESENTABLE),
    "integer key": ({1: 2}, Code.UNREPRESENTABLE),
    "null key": ({None: 2}, Code.UNREPRESENTABLE),
    "set": ({1}, Code.UNREPRESENTABLE),
    "decimal": (Decimal(1), Code.UNREPRESENTABLE),
    "text subclass": (_Text("x"), Code.UNREPRESENTABLE),
    "integer subclass": (_Whole(1), Code.UNREPRESENTABLE),
    "enum": (_Word.ONE, Code.UNREPRESENTABLE),
    "dict subclass": (OrderedDict(a=1), Code.UNREPRESENTABLE),
    "object": (_Raising(), Code.UNREPRESENTABLE),
    "naive datetime": (datetime(2026, 1, 1), Code.UNREPRESENTABLE),  # noqa: DTZ001  # naive is the point
    "cycle": (_CYCLE, Code.TOO_DEEP),
    "too deep": (_nested(ACTIVATION_DEPTH), Code.TOO_DEEP),
    "a million deep": (_nested(1_000_000), Code.TOO_DEEP),
    "too many": ([0] * ACTIVATION_NODES, Code.TOO_LARGE),
    "too much text": ("x" * (TEXT_CHARACTERS + 1), Code.TOO_LARGE),
    "too many bytes": (b"x" * (TEXT_CHARACTERS + 1), Code.TOO_LARGE),
}


@pytest.mark.guarantee("cel-exact-data")
@pytest.mark.parametrize("name", _REFUSED)
def test_what_cannot_be_represented_makes_every_evaluation_an_error(name: str) -> None:
    value, code = _REFUSED[name]
    activation = freeze({"args": {"good": 1, "bad": value}})
    assert activation.failure == Failure(code, 0, 0)
    for source in ("args.good == 1", "true", "false", "1 == 1 || args.good == 1"):
        outcome = load(source, Env({"args": DYN})).decide(activation)
        assert outcome.matched is None
        assert outcome.failure == Failure(code, 0, 0)


def test_the_edges_are_taken() -> None:
    values = [INT_MAX, INT_MIN, 1.7976931348623157e308, 5e-324, "\0", "\U0010ffff", "", _nested(ACTIVATION_DEPTH - 2)]
    assert freeze({"args": values}).failure is None


def test_negative_zero_keeps_its_sign() -> None:
    program = load("1.0 / args.zero", Env({"args": DYN}), condition=False)
    assert program.evaluate(freeze({"args": {"zero": -0.0}})) == float("-inf")


def test_moments_and_spans_are_exact() -> None:
    east = timezone(timedelta(hours=2))
    assert freeze_value(datetime(2026, 12, 1, 14, 0, 0, 1, tzinfo=east)) == Timestamp(1_796_126_400_000_001_000)
    assert freeze_value(datetime(1, 1, 1, tzinfo=UTC)) == Timestamp(-62_135_596_800 * 10**9)
    assert freeze_value(timedelta(days=-1, microseconds=1)) == Duration(-86_400 * 10**9 + 1000)
    assert type(freeze_value(UInt(3))) is UInt


def test_read_only_mappings_and_tuples_are_taken() -> None:
    frozen = freeze(MappingProxyType({"args": MappingProxyType({"list": (1, 2)})}))
    assert load("args.list == [1, 2]", Env({"args": DYN})).decide(frozen).matched is True


@pytest.mark.parametrize("variables", [[], "x", None, 3, OrderedDict(a=1)])
def test_variables_that_are_no_plain_mapping_are_unusable(variables: object) -> None:
    assert freeze(variables).failure == Failure(Code.UNREPRESENTABLE, 0, 0)  # type: ignore[arg-type]


def test_no_variable_can_pose_as_what_the_engine_keeps_for_itself() -> None:
    activation = freeze({"\0world": {"planted": True}, "args": 1})
    assert isinstance(activation, Activation)
    assert activation.world == {}
    assert activation.roots["\0world"] is activation.world


_PROTECTED = 9_007_199_254_740_993  # the first whole number that a double cannot hold


@pytest.mark.parametrize(
    ("text", "matched"),
    [
        ("9007199254740993", True),
        ("9007199254740992", False),
        ("9007199254740994", False),
        ("2574604874062343519", False),
        ('"9007199254740993"', False),
        ("9223372036854775807", False),
        ("9223372036854775808", None),
        ("-9223372036854775809", None),
        ("18446744073709551615", None),
    ],
)
def test_a_record_number_is_compared_digit_by_digit_or_not_at_all(text: str, matched: bool | None) -> None:
    constants = {"constants": freeze_value({"protected": _PROTECTED, "several": [1, _PROTECTED]})}
    data = json.loads(f'{{"args": {{"record": {text}}}}}')
    for source in ("args.record == constants.protected", "args.record in constants.several"):
        assert load(source, Env({"args": DYN}, constants)).decide(freeze(data)).matched is matched
