"""JSON Schema as types: what is read, and that nothing a server can publish does harm."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oap_core.cel.schema import DEPTH, NODES, SchemaError, type_from_schema
from oap_core.cel.types import (
    BOOL,
    DYN,
    INT,
    NULL,
    NUMBER,
    STRING,
    Field,
    ListType,
    MapType,
    ObjectType,
    Type,
)

_X: Final = {"type": "object", "properties": {"x": {"type": "integer"}}}


def _object(rest: Type | None = None, /, **fields: Type) -> ObjectType:
    """An object; a field whose name ends in `_` is optional."""
    return ObjectType(
        fields={name.rstrip("_"): Field(kind, required=not name.endswith("_")) for name, kind in fields.items()},
        rest=rest,
    )


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({}, DYN),
        ({"type": "string"}, STRING),
        ({"type": "string", "format": "date-time"}, STRING),
        ({"type": "integer"}, INT),
        ({"type": "number"}, NUMBER),
        ({"type": "boolean"}, BOOL),
        ({"type": "null"}, NULL),
        ({"type": "any"}, DYN),
        ({"type": ["string"]}, STRING),
        ({"type": ["string", "null"]}, DYN),
        ({"type": ["integer", "number"]}, NUMBER),
        ({"type": []}, DYN),
        ({"type": "array"}, ListType(DYN)),
        ({"type": "array", "items": {"type": "string"}}, ListType(STRING)),
        ({"type": "array", "items": [{"type": "string"}, {"type": "integer"}]}, ListType(DYN)),
        ({"type": "array", "items": [{"type": "string"}], "additionalItems": {"type": "string"}}, ListType(STRING)),
        ({"type": "array", "prefixItems": [{"type": "integer"}], "items": {"type": "number"}}, ListType(NUMBER)),
        ({"type": "array", "prefixItems": [{"type": "integer"}], "items": False}, ListType(INT)),
        ({"items": {"type": "string"}}, ListType(STRING)),
        ({"type": "object"}, MapType(STRING, DYN)),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, MapType(STRING, INT)),
        ({"type": "object", "additionalProperties": True}, MapType(STRING, DYN)),
        ({"type": "object", "additionalProperties": False}, _object()),
        ({"type": "object", "patternProperties": {"^a": {"type": "integer"}}}, MapType(STRING, DYN)),
        (
            {"type": "object", "patternProperties": {"^a": {"type": "integer"}}, "additionalProperties": False},
            MapType(STRING, INT),
        ),
        ({"type": "object", "unevaluatedProperties": False}, _object()),
        (
            {"type": "object", "properties": {"a": {"type": "string"}, "b": {}}, "required": ["a"]},
            _object(DYN, a=STRING, b_=DYN),
        ),
        ({"properties": {"a": True}, "additionalProperties": False}, _object(a_=DYN)),
        ({"properties": {"a": {}, 5: {}}}, _object(DYN, a_=DYN)),
        ({"required": ["a"]}, _object(DYN, a=DYN)),
        (
            {"type": "object", "required": ["z", "a", 5, None], "properties": {"a": {"type": "string"}}},
            _object(DYN, a=STRING, z=DYN),
        ),
        ({"const": "a"}, STRING),
        ({"const": 1}, INT),
        ({"const": 1.5}, NUMBER),
        ({"const": None}, NULL),
        ({"const": True}, BOOL),
        ({"const": [1]}, ListType(DYN)),
        ({"const": {"a": 1}}, MapType(STRING, DYN)),
        ({"enum": ["a", "b"]}, STRING),
        ({"enum": [1, 2.5]}, NUMBER),
        ({"enum": ["a", 1]}, DYN),
        ({"enum": [True, 1]}, DYN),
        ({"enum": []}, DYN),
        ({"type": "string", "enum": [1, 2]}, STRING),
        ({"anyOf": [{"type": "string"}, {"type": "string"}]}, STRING),
        ({"anyOf": [{"type": "integer"}, {"type": "number"}]}, NUMBER),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, DYN),
        ({"oneOf": [{"type": "integer"}, {"const": 2.5}]}, NUMBER),
        ({"anyOf": [{"type": "string"}], "type": "string"}, STRING),
        ({"anyOf": [{"type": "integer"}], "type": "string"}, DYN),
        ({"allOf": [{"type": "string"}, {"minLength": 3}]}, STRING),
        ({"allOf": []}, DYN),
        ({"not": {"type": "string"}}, DYN),
        ({"if": {"type": "string"}, "then": {"minLength": 1}}, DYN),
    ],
)
def test_types(schema: dict[str, Any], expected: Type) -> None:
    assert type_from_schema(schema) == expected


def test_either_of_two_objects_keeps_what_both_declare() -> None:
    kinds = [
        {
            "type": "object",
            "additionalProperties": False,
            "required": ["kind", "x"],
            "properties": {"kind": {"const": "a"}, "x": {"type": "integer"}, "n": {"type": "integer"}},
        },
        {
            "type": "object",
            "additionalProperties": False,
            "required": ["kind", "y", "n"],
            "properties": {"kind": {"const": "b"}, "y": {"type": "string"}, "n": {"type": "number"}},
        },
    ]
    assert type_from_schema({"oneOf": kinds}) == _object(kind=STRING, x_=INT, y_=STRING, n_=NUMBER)
    opened = [{**kinds[0], "additionalProperties": {"type": "integer"}}, kinds[1]]
    assert type_from_schema({"anyOf": opened}) == _object(INT, kind=STRING, x_=INT, y_=STRING, n_=NUMBER)


def test_all_of_several_objects_have_the_fields_of_each() -> None:
    parts = [
        {"type": "object", "properties": {"a": {"type": "string"}, "b": {}}, "required": ["a"]},
        {"properties": {"b": {"type": "integer"}, "a": {}}, "required": ["b"]},
    ]
    assert type_from_schema({"allOf": parts}) == _object(DYN, a=STRING, b=INT)
    closed = {"allOf": parts, "type": "object", "additionalProperties": False}
    assert type_from_schema(closed) == _object(a=STRING, b=INT)
    assert type_from_schema({"type": "object", "allOf": [parts[0]]}) == _object(DYN, a=STRING, b_=DYN)
    assert type_from_schema({"allOf": [parts[0]], "additionalProperties": {"type": "string"}}) == _object(
        DYN, a=STRING, b_=DYN
    )
    assert type_from_schema({"allOf": [parts[0], {"type": "string"}]}) == DYN


def test_branches_of_a_condition_add_optional_fields() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "required": ["a"],
        "if": {"properties": {"a": {"const": "x"}}},
        "then": {"properties": {"b": {"type": "integer"}}, "required": ["b"]},
        "else": {"properties": {"c": {"type": "integer"}}},
    }
    assert type_from_schema(schema) == _object(DYN, a=STRING, b_=INT, c_=INT)


def test_sizes_are_kept_for_the_cost() -> None:
    def most(schema: dict[str, Any]) -> int | None:
        found = type_from_schema(schema)
        assert isinstance(found, ListType | MapType)
        return found.most

    assert most({"type": "array", "maxItems": 5}) == 5
    assert most({"type": "array"}) is None
    assert most({"type": "array", "prefixItems": [{}, {}], "items": False}) == 2
    assert most({"type": "array", "prefixItems": [{}, {}], "items": False, "maxItems": 1}) == 1
    assert most({"type": "object", "maxProperties": 3}) == 3
    assert most({"const": [1, 2]}) == 2
    odd_sizes: tuple[object, ...] = (-1, 1.5, "5", True, None, [])
    for odd in odd_sizes:
        assert most({"type": "array", "maxItems": odd}) is None


def test_references_within_the_document() -> None:
    definitions = {"$defs": {"a/b": _X, "list": [{"type": "string"}], "x~y": {"$ref": "#/$defs/a~1b"}}}

    def read(reference: object) -> Type:
        found = type_from_schema({**definitions, "type": "object", "properties": {"p": {"$ref": reference}}})
        assert isinstance(found, ObjectType)
        return found.fields["p"].type

    x = _object(DYN, x_=INT)
    assert read("#/$defs/a~1b") == x
    assert read("#/$defs/x~0y") == x
    assert read("#/$defs/list/0") == STRING
    for nothing in (
        "#/$defs/none",
        "#/$defs/list/1",
        "#/$defs/list/-1",
        "#/$defs/list/999999999999",
        "#/$defs/list/x",
        "#/$defs/a~1b/type/x",
        "#anchor",
        "",
        "other.json",
        "https://example.com/schema.json#/$defs/a",
        "file:///etc/passwd",
        5,
        None,
    ):
        assert read(nothing) == DYN


def test_words_beside_a_reference_count_too() -> None:
    schema = {"$ref": "#/$defs/x", "properties": {"y": {"type": "string"}}, "required": ["y"], "$defs": {"x": _X}}
    assert type_from_schema(schema) == _object(DYN, x_=INT, y=STRING)


def test_references_in_circles_end() -> None:
    tree = {
        "type": "object",
        "required": ["value"],
        "properties": {"value": {"type": "integer"}, "children": {"type": "array", "items": {"$ref": "#"}}},
    }
    found = type_from_schema(tree)
    assert isinstance(found, ObjectType)
    children = found.fields["children"].type
    assert isinstance(children, ListType)
    assert isinstance(children.element, ObjectType)
    assert children.element.fields["value"].type == INT
    assert children.element.fields["children"].type == ListType(DYN)
    assert type_from_schema({"$ref": "#"}) == DYN
    assert type_from_schema({"$ref": "#/a", "a": {"$ref": "#/b"}, "b": {"$ref": "#/a"}}) == DYN


def test_a_closed_reading_closes_what_says_nothing() -> None:
    nested = {"type": "object", "properties": {"a": {"type": "object", "properties": {"b": {}}}}}
    assert type_from_schema(nested) == _object(DYN, a_=_object(DYN, b_=DYN))
    assert type_from_schema(nested, closed=True) == _object(a_=_object(b_=DYN))
    opened = {**nested, "additionalProperties": True}
    assert type_from_schema(opened, closed=True) == _object(DYN, a_=_object(b_=DYN))


@pytest.mark.parametrize("schema", [None, 1, "string", [], [{}], 1.5, (), b"{}"])
def test_what_is_no_schema(schema: object) -> None:
    with pytest.raises(SchemaError, match=r"^a JSON Schema is an object, or true or false$"):
        type_from_schema(schema)


def test_boolean_schemas_tell_nothing() -> None:
    assert type_from_schema(schema=True) == DYN
    assert type_from_schema(schema=False) == DYN


_WORDS: Final = st.sampled_from(
    [
        "type", "properties", "required", "additionalProperties", "patternProperties", "items", "prefixItems",
        "additionalItems", "maxItems", "maxProperties", "enum", "const", "anyOf", "oneOf", "allOf", "then", "else",
        "$ref", "$defs", "unevaluatedProperties", "a", "",
    ]
)  # fmt: skip
_VALUES: Final = st.sampled_from(
    [
        "object",
        "array",
        "string",
        "integer",
        "#",
        "#/a",
        "#/$defs/a",
        "#/properties/a",
        0,
        2,
        -1,
        1.5,
        True,
        False,
        None,
    ]
)
_SCHEMAS: Final = st.recursive(
    _VALUES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_WORDS, inner, max_size=4), max_leaves=25
)


@settings(max_examples=150)
@given(st.dictionaries(_WORDS, _SCHEMAS, max_size=6), st.booleans())
def test_no_schema_raises(schema: dict[str, object], closed: bool) -> None:
    found = type_from_schema(schema, closed=closed)
    assert isinstance(found, Type)
    assert str(found)


def _levels(found: Type) -> int:
    levels = 0
    while isinstance(found, ObjectType) and found.fields:
        found = next(iter(found.fields.values())).type
        levels += 1
    return levels


def test_depth_is_bounded() -> None:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(100_000):
        schema = {"type": "object", "properties": {"a": schema}}
    assert _levels(type_from_schema(schema)) == DEPTH + 1
    for word in ("allOf", "anyOf", "prefixItems"):
        nested: dict[str, Any] = {"type": "string"}
        for _ in range(1000):
            nested = {word: [nested, nested]}
        assert isinstance(type_from_schema(nested), Type)
    for _ in range(100_000):
        schema = {"then": schema, "items": schema, "additionalProperties": schema}
    type_from_schema(schema)


@pytest.mark.parametrize(
    "word",
    ["anyOf", "allOf", "oneOf", "prefixItems", "properties", "patternProperties", "required", "enum"],
)
def test_size_is_bounded_even_where_references_multiply_it(word: str) -> None:
    many: Any = [{"type": "object", "properties": {f"a{n}": {}}} for n in range(3000)]
    if word in ("properties", "patternProperties"):
        many = {f"a{number}": {} for number in range(20_000)}
    elif word in ("required", "enum"):
        many = [f"a{number}" for number in range(20_000)]
    levels = {f"l{n}": {"allOf": [{"$ref": f"#/$defs/l{n + 1}"}, {"$ref": f"#/$defs/l{n + 1}"}]} for n in range(20)}
    schema = {
        "type": "object",
        "properties": {f"p{number}": {"$ref": "#/$defs/l0"} for number in range(50)},
        "$defs": {**levels, "l20": {word: many}},
    }
    assert isinstance(type_from_schema(schema), Type)


def test_a_document_beyond_the_bound_is_read_as_anything() -> None:
    properties = {f"a{number}": {"type": "string"} for number in range(NODES + 10)}
    assert type_from_schema({"type": "object", "properties": properties}) == MapType(STRING, DYN)
    within = {name: properties[name] for name in list(properties)[: NODES - 10]}
    assert isinstance(type_from_schema({"type": "object", "properties": within}), ObjectType)
    assert type_from_schema({"enum": list(range(NODES * 20))}) == DYN


def test_the_document_is_not_changed() -> None:
    schema = {"type": "object", "properties": {"a": {"$ref": "#/$defs/x"}}, "$defs": {"x": _X}}
    before = json.dumps(schema)
    type_from_schema(schema)
    assert json.dumps(schema) == before
