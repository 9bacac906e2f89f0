"""Values that a schema lists: a comparison with any other is a mistake, and it is shown which one was meant."""

from __future__ import annotations

from typing import Final

import pytest

from oap_core.cel import Env, freeze_value
from oap_core.cel.schema import type_from_schema
from oap_core.cel.types import DYN, INT, MOST_JOINED, STRING, ListType, MapType, Type, join
from tests.core.cel.casefile import Case, cases
from tests.core.cel.statics import see


def _of(schema: object) -> Type:
    return type_from_schema(schema)


_MODE: Final = _of({"type": "string", "enum": ["open", "shut"]})

ENV: Final = Env(
    {
        "mode": _MODE,
        "modes": ListType(_MODE),
        "others": ListType(_of({"enum": ["large", "small"]})),
        "labels": MapType(STRING, _MODE),
        "other": _of({"enum": ["large", "small"]}),
        "third": _of({"enum": ["shut", "large"]}),
        "maybe": _of({"anyOf": [{"enum": ["open", "shut"]}, {"type": "null"}]}),
        "many": _of({"enum": [f"word {number}" for number in range(5000)]}),
        "strange": _of({"enum": ["a\nb", "x" * 100, 'quo"te']}),
        "level": _of({"type": "integer", "enum": [1, 2, 3]}),
        "ratio": _of({"enum": [0.5, 1]}),
        "agreed": _of({"type": "boolean", "const": True}),
        "text": STRING,
        "n": INT,
        "unknown": DYN,
    },
    {
        "constants": freeze_value(
            {"listed": "open", "unlisted": "opne", "reaches": ["open", "admin"], "strangers": ["admin", "root"]}
        )
    },
)


@pytest.mark.parametrize("case", cases("choices.txt"), ids=str)
def test_what_is_said_about_listed_values(case: Case) -> None:
    assert see(case.source, ENV).text == case.expected


@pytest.mark.parametrize(
    ("schema", "name", "values"),
    [
        ({"enum": ["a", "b"]}, "string", {"a", "b"}),
        ({"const": "a"}, "string", {"a"}),
        ({"type": "string", "enum": ["a", 1, None]}, "string", {"a"}),
        ({"type": ["string", "null"], "enum": ["a", None]}, "dyn", {"a", None}),
        ({"type": ["string", "null"], "enum": ["a", "b"]}, "string", {"a", "b"}),
        ({"enum": ["a", None]}, "dyn", {"a", None}),
        ({"anyOf": [{"type": "string", "enum": ["a", "b"]}, {"type": "null"}]}, "dyn", {"a", "b", None}),
        ({"anyOf": [{"enum": ["a"]}, {"type": "null"}, {"const": "b"}]}, "dyn", {"a", "b", None}),
        ({"oneOf": [{"const": "a"}, {"const": "b"}]}, "string", {"a", "b"}),
        ({"type": "integer", "enum": [1, 2.0, True, "x"]}, "int", {1, 2}),
        ({"type": "number", "enum": [1, 2.5, False]}, "number", {1, 2.5}),
        ({"type": "boolean", "enum": [True, 1]}, "bool", {True}),
        ({"const": False}, "bool", {False}),
        ({"allOf": [{"type": "string"}, {"enum": ["a", "b"]}]}, "string", {"a", "b"}),
        ({"allOf": [{"enum": ["a", "b"]}, {"enum": ["b", "c"]}]}, "string", {"b"}),
        ({"allOf": [{"enum": ["a", None]}, {"type": "string"}]}, "string", {"a"}),
        ({"allOf": [{"type": "string"}, {"enum": ["a", None]}]}, "string", {"a"}),
        ({"type": "string", "$ref": "#/d/x", "d": {"x": {"enum": ["a"]}}}, "string", {"a"}),
    ],
)
def test_the_values_that_a_schema_lists(schema: object, name: str, values: set[object]) -> None:
    kind = _of(schema)
    assert (kind.name, kind.values) == (name, frozenset(values))
    assert kind.values is not None
    # Python takes True for 1.
    assert {type(value) is bool for value in kind.values} == {type(value) is bool for value in values}


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string"},
        {"enum": ["a", 1]},
        {"enum": [["a"], {}]},
        {"type": "string", "enum": []},
        {"type": "string", "enum": [1]},
        {"type": "integer", "enum": ["a"]},
        {"type": "null", "const": None},
        {"anyOf": [{"enum": ["a"]}, {"type": "string"}]},
        {"anyOf": [{"enum": ["a"]}, {}]},
        {"anyOf": [{"type": "string"}, {"type": "null"}]},
        {"allOf": [{"enum": ["a"]}, {"enum": ["b"]}]},
        {"allOf": [{"enum": ["a"]}, {"type": "integer"}]},
        {"type": "array", "enum": [["a"]]},
        {"type": "object", "enum": [{"a": 1}]},
    ],
)
def test_nothing_is_listed_where_it_cannot_be_told(schema: object) -> None:
    assert _of(schema).values is None


def test_a_whole_number_is_one_by_declaration() -> None:
    assert see("n == 1.5", Env({"n": INT})).diagnostics != ()
    # As `trial` takes it from one value.
    assert see("n == 1.5 && n in [1.5, 2.5]", Env({"n": Type("int")})).text == "    ok bool"


def test_another_schema_beside_this_one_may_allow_anything() -> None:
    listed = {"type": "object", "properties": {"kind": {"enum": ["a"]}, "kinds": {"items": {"enum": ["a"]}}}}
    for other, values in (({"type": "object", "additionalProperties": False}, {"a"}), ({"type": "object"}, None)):
        held = {"properties": {"x": {}}, **other}
        env = Env({"x": _of({"oneOf": [listed, held]})})
        seen = see('has(x.kind) && x.kind == "b" || has(x.kinds) && "b" in x.kinds', env)
        assert [found.code for found in seen.diagnostics] == ([] if values is None else ["CEL305", "CEL305"])


def test_values_of_objects_side_by_side_are_those_of_either() -> None:
    def schema(value: str) -> object:
        return {"properties": {"kind": {"const": value}}, "required": ["kind"]}

    env = Env({"x": _of({"oneOf": [schema("card"), schema("cash")]})})
    assert see('x.kind == "card" || x.kind == "cash"', env).text == "    ok bool"
    assert see('x.kind == "crad"', env).text.endswith('did you mean `"card"`?')


def test_joining_keeps_the_values_of_both_up_to_a_bound() -> None:
    one, other = Type("string", values=frozenset({"a"})), Type("string", values=frozenset({"b"}))
    assert join(one, other).values == {"a", "b"}
    assert join(one, STRING).values is None
    assert join(STRING, one).values is None
    assert join(one, one) is one
    many = Type("string", values=frozenset(map(str, range(MOST_JOINED))))
    assert join(many, one).values is None
    assert join(one, many) == STRING
    assert join(one, INT) == DYN


def test_many_values_take_a_bounded_time_to_read_and_to_compare() -> None:
    alternatives = [{"enum": [f"{number}-{other}" for other in range(3)]} for number in range(3000)]
    assert _of({"anyOf": alternatives}).values is None
    env = Env({"x": _of({"enum": [f"value {number}" for number in range(100_000)]})})
    source = " || ".join(f'x == "value{number}"' for number in range(300))
    diagnostics = see(source, env).diagnostics
    assert len(diagnostics) == 51
    assert diagnostics[0].help == "it is one of 100,000 values"
