"""A variable that was frozen once means in every activation what its value means."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oap_core.cel import Code, freeze, freeze_value
from oap_core.cel.activation import Activation, prepare
from oap_core.cel.failure import EvalError
from oap_core.cel.limits import ACTIVATION_DEPTH, ACTIVATION_NODES, TEXT_CHARACTERS

_LEAVES: Final = (
    st.none()
    | st.booleans()
    | st.integers(-(2**65), 2**65)
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["\ud800", b"x", datetime(2026, 1, 1, tzinfo=UTC), timedelta(1), {1}, "é"])
)
_VALUES: Final = st.recursive(
    _LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4)
)


def _seen(activation: Activation) -> object:
    return activation.failure or {name: activation.roots[name] for name in ("a", "b")}


@given(_VALUES, _VALUES)
def test_prepared_equals_plain(one: Any, other: Any) -> None:
    plain = freeze({"a": one, "b": other})
    try:
        prepared = freeze({"a": prepare(one), "b": other})
    except EvalError as error:
        assert plain.failure is not None
        assert plain.failure.code == error.code
        return
    assert repr(_seen(prepared)) == repr(_seen(plain))


def test_values_and_characters_count_as_if_they_were_not_prepared() -> None:
    half, rest = [0] * (ACTIVATION_NODES // 2), ACTIVATION_NODES - ACTIVATION_NODES // 2
    for spare, fits in ((2, True), (1, False)):
        values = {"a": half, "b": [0] * (rest - spare)}
        for variables in (values, {name: prepare(value) for name, value in values.items()}):
            assert (freeze(variables).failure is None) is fits
    long = "x" * (TEXT_CHARACTERS - 3)
    for key, fits in (("k", True), ("key", False)):
        texts: dict[str, Any] = {"a": {key: long}, "b": ""}
        for variables in (texts, {name: prepare(value) for name, value in texts.items()}):
            assert (freeze(variables).failure is None) is fits


def test_depth_is_measured_where_a_variable_stands() -> None:
    deep: Any = 1
    for _ in range(ACTIVATION_DEPTH - 1):
        deep = [deep]
    assert freeze({"a": prepare(deep)}).failure is None
    with pytest.raises(EvalError):
        prepare([deep])
    assert freeze({"a": [deep]}).failure is not None


@pytest.mark.parametrize("nested", [lambda one: [one], lambda one: {"x": one}, lambda one: {"x": [one]}])
def test_a_prepared_value_stands_nowhere_else(nested: Any) -> None:
    failure = freeze({"a": nested(prepare({"x": 1}))}).failure
    assert failure is not None
    assert failure.code is Code.UNREPRESENTABLE


def test_a_value_alone_is_not_prepared() -> None:
    with pytest.raises(EvalError):
        freeze_value(prepare(1))
