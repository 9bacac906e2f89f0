from __future__ import annotations

import copy
import json
import pickle
from collections import UserDict
from enum import IntEnum, StrEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oap_core.frozen import EMPTY, MAX_DEPTH, MAX_VALUES, JsonArray, JsonObject, freeze_json, freeze_object, thaw_json

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)
SECRET = "hunter2-secret"


class Colour(StrEnum):
    RED = "red"


class Number(IntEnum):
    ONE = 1


@given(JSON)
def test_a_frozen_value_equals_the_plain_one_and_thaws_to_it(value: Any) -> None:
    frozen = freeze_json(value)
    assert frozen == value
    thawed = thaw_json(frozen)
    assert repr(thawed) == repr(value)
    assert json.dumps(frozen) == json.dumps(value)


@given(JSON)
def test_nothing_of_the_source_stays_inside(value: Any) -> None:
    before = json.dumps(value)
    frozen = freeze_json(value)
    for container in containers(value):
        container.clear()
    assert json.dumps(frozen) == before


def containers(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [*(inner for item in value.values() for inner in containers(item)), value]
    if isinstance(value, list):
        return [*(inner for item in value for inner in containers(item)), value]
    return []


@pytest.mark.parametrize(
    "change",
    [
        lambda o: o.__setitem__("a", 1),
        lambda o: o.__delitem__("a"),
        lambda o: o.__ior__({"b": 1}),
        lambda o: o.__init__({"b": 1}),
        lambda o: o.clear(),
        lambda o: o.pop("a"),
        lambda o: o.popitem(),
        lambda o: o.setdefault("b", 1),
        lambda o: o.update(b=1),
        lambda o: setattr(o, "b", 1),
    ],
)
def test_an_object_cannot_change(change: Any) -> None:
    frozen = freeze_json({"a": [1]})
    with pytest.raises((TypeError, AttributeError)):
        change(frozen)
    assert frozen == {"a": [1]}


@pytest.mark.parametrize(
    "change",
    [
        lambda a: a.__setitem__(0, 1),
        lambda a: a.__setitem__(slice(None), []),
        lambda a: a.__delitem__(0),
        lambda a: a.__iadd__([1]),
        lambda a: a.__imul__(2),
        lambda a: a.__init__([1]),
        lambda a: a.append(1),
        lambda a: a.extend([1]),
        lambda a: a.insert(0, 1),
        lambda a: a.remove(2),
        lambda a: a.clear(),
        lambda a: a.pop(),
        lambda a: a.sort(),
        lambda a: a.reverse(),
        lambda a: setattr(a, "b", 1),
    ],
)
def test_an_array_cannot_change(change: Any) -> None:
    frozen = freeze_json([2, 1])
    with pytest.raises((TypeError, AttributeError)):
        change(frozen)
    assert frozen == [2, 1]


@pytest.mark.parametrize("kind", [dict, list])
def test_every_method_that_can_change_a_container_is_shut(kind: type) -> None:
    """A method that a later Python adds shows up here."""
    reading = {
        *("copy", "count", "fromkeys", "get", "index", "items", "keys", "values"),
        *("__class_getitem__", "__contains__", "__getitem__", "__iter__", "__len__", "__reversed__", "__sizeof__"),
        *("__add__", "__mul__", "__rmul__", "__or__", "__ror__", "__repr__", "__doc__", "__hash__"),
        *("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__getattribute__", "__new__", "__init__"),
    }
    frozen = JsonObject if kind is dict else JsonArray
    inherited = {name for name in vars(kind) if getattr(frozen, name) == getattr(kind, name)}
    assert inherited - reading == set()


def test_a_frozen_value_is_its_own_copy() -> None:
    frozen = freeze_json({"a": [1]})
    assert freeze_json(frozen) is frozen
    assert copy.copy(frozen) is frozen
    assert copy.deepcopy(frozen) is frozen


def test_a_frozen_value_crosses_a_process_border_frozen() -> None:
    frozen = pickle.loads(pickle.dumps(freeze_json({"a": [{"b": 1}]})))  # noqa: S301  # our own bytes
    assert frozen == {"a": [{"b": 1}]}
    assert type(frozen) is JsonObject
    assert type(frozen["a"]) is JsonArray
    assert type(frozen["a"][0]) is JsonObject


def test_a_thawed_value_is_plain_all_the_way_and_free() -> None:
    frozen = freeze_json({"a": [{"b": 1}]})
    thawed = thaw_json(frozen)
    assert [type(thawed), type(thawed["a"]), type(thawed["a"][0])] == [dict, list, dict]
    thawed["a"][0]["b"] = 2
    assert frozen == {"a": [{"b": 1}]}


def test_mappings_and_tuples_become_objects_and_arrays() -> None:
    assert freeze_json(UserDict({"a": (1, 2)})) == {"a": [1, 2]}


def test_the_containers_are_made_by_freeze_alone() -> None:
    for kind in (JsonObject, JsonArray):
        with pytest.raises(TypeError, match="freeze_json"):
            kind()
    with pytest.raises(TypeError, match="freeze_json"):
        JsonObject.fromkeys("ab")


@pytest.mark.parametrize("value", [b"x", {1}, 1j, object(), Colour.RED, Number.ONE, {1: 2}, {None: 1}, {Colour.RED: 1}])
def test_what_is_no_json_is_refused(value: object) -> None:
    for wrapped in (value, [value], {"a": value}):
        with pytest.raises(TypeError):
            freeze_json(wrapped)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_a_number_is_finite(value: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        freeze_json({"a": [value]})


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


def test_depth_is_bounded() -> None:
    assert freeze_json(nested(MAX_DEPTH)) == nested(MAX_DEPTH)
    for depth in (MAX_DEPTH + 1, 1_000_000):
        value = nested(depth)
        with pytest.raises(ValueError, match="deep"):
            freeze_json(value)
        take_apart(value)


def take_apart(value: Any) -> None:
    """Free a deep value from the outside in, which takes no stack."""
    while isinstance(value, list) and value:
        value = value.pop()


def test_size_is_bounded() -> None:
    with pytest.raises(ValueError, match=str(MAX_VALUES)):
        freeze_json([0] * MAX_VALUES)
    assert freeze_json([0] * 1000) == [0] * 1000


def test_a_value_that_shares_its_parts_does_not_blow_up() -> None:
    value: Any = [0] * 10
    for _ in range(50):
        value = [value] * 10
    with pytest.raises(ValueError, match="values"):
        freeze_json(value)


def test_a_value_that_contains_itself_is_refused() -> None:
    value: dict[str, Any] = {}
    value["a"] = [value, value]
    with pytest.raises(ValueError, match="JSON value"):
        freeze_json(value)


@pytest.mark.parametrize("value", [{SECRET: b"x"}, [SECRET, float("nan")], {"a": {SECRET}}, {(SECRET,): 1}])
def test_no_message_holds_a_part_of_the_value(value: object) -> None:
    with pytest.raises((TypeError, ValueError)) as caught:
        freeze_json(value)
    assert SECRET not in str(caught.value)


def test_an_object_is_made_of_a_mapping() -> None:
    assert freeze_object({}) == EMPTY
    with pytest.raises(TypeError, match="mapping"):
        freeze_object([1])  # type: ignore[arg-type]  # on purpose
