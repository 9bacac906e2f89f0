"""JSON Schema, as MCP servers publish it for their tools, read as types of the checker.

What is read: `type`, `properties`, `required`, `additionalProperties`, `patternProperties`, `items`, `prefixItems`,
`maxItems`, `enum`, `const`, `anyOf`, `oneOf`, `allOf`, `then`, `else`, and `$ref` within the document, of draft 7 and of
2020-12. Everything else can only narrow what is allowed and is passed over. What cannot be told is `DYN`.

A schema comes from a server and may be anything: references in circles, a million levels, words of wrong types. Reading
it is bounded in depth and in size, beyond which everything is `DYN`. Nothing is ever fetched.

JSON does not tell `1` from `1.0`, so a `number` is a `NUMBER`: an int or a double, as it arrives.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

from oap_core.cel.types import (
    BOOL,
    DOUBLE,
    DYN,
    INT,
    MOST_JOINED,
    NOTHING,
    NULL,
    NUMBER,
    STRING,
    Field,
    ListType,
    MapType,
    ObjectType,
    Scalar,
    Type,
    join,
)

DEPTH: Final = 32
"""Levels of a schema that are read."""

NODES: Final = 10_000
"""Schemas within one document that are read, each as often as it is referred to."""

_VALUES_A_NODE: Final = 16
"""Values of an `enum` that count as one schema."""

_PLAIN: Final = {"string": STRING, "integer": INT, "number": NUMBER, "boolean": BOOL, "null": NULL}
_OBJECT_WORDS: Final = ("properties", "required", "additionalProperties", "patternProperties")
_LIST_WORDS: Final = ("items", "prefixItems", "maxItems")


class SchemaError(ValueError):
    """What was given is no JSON Schema at all."""


def type_from_schema(schema: object, *, closed: bool = False) -> Type:
    """The type of the values that a schema describes.

    An object that says nothing about further members may have some, as JSON Schema has it; with `closed` it may not,
    which lets the checker find misspelt names. Raises `SchemaError` where the document is neither an object nor a
    boolean.
    """
    if isinstance(schema, bool):
        return DYN
    if not isinstance(schema, dict):
        raise SchemaError("a JSON Schema is an object, or true or false")
    return _Reader(schema, closed=closed).read(schema, 0)


class _Reader:
    """Reads one document, within its bounds."""

    __slots__ = ("_closed", "_document", "_left", "_open_refs")

    def __init__(self, document: Mapping[str, Any], *, closed: bool) -> None:
        self._document = document
        self._closed = closed
        self._left = NODES
        self._open_refs: set[str] = set()

    def read(self, schema: object, depth: int) -> Type:
        self._left -= 1
        if not isinstance(schema, dict) or depth > DEPTH or self._left < 0:
            return DYN
        found = [self._own(schema, depth)]
        reference = schema.get("$ref")
        if isinstance(reference, str):
            found.append(self._referred(reference, depth))
        found.extend(self._all(_several(schema.get("allOf")), depth))
        for word in ("anyOf", "oneOf"):
            parts = self._all(_several(schema.get(word)), depth)
            if parts:
                found.append(either(parts))
        branches = [self.read(schema[word], depth + 1) for word in ("then", "else") if word in schema]
        if branches:
            found.append(either([*branches, ObjectType(rest=DYN)]))
        return both(found)

    def _all(self, schemas: Iterable[object], depth: int) -> list[Type]:
        """The types of schemas that stand side by side; one that is not reached any more is `DYN`."""
        found: list[Type] = []
        for schema in schemas:
            found.append(self.read(schema, depth + 1))
            if self._left < 0:
                break
        return found

    def _referred(self, reference: str, depth: int) -> Type:
        target = self._target(reference)
        if target is None or reference in self._open_refs:
            return DYN
        self._open_refs.add(reference)
        found = self.read(target, depth + 1)
        self._open_refs.discard(reference)
        return found

    def _target(self, reference: str) -> object:
        """What a reference within the document points at; None where there is nothing or it points elsewhere."""
        if reference != "#" and not reference.startswith("#/"):
            return None
        place: object = self._document
        for step in reference.split("/")[1 : DEPTH + 1]:
            name = step.replace("~1", "/").replace("~0", "~")
            if isinstance(place, dict):
                place = place.get(name)
            elif isinstance(place, list) and name.isascii() and name.isdigit() and len(name) < 6:
                place = place[int(name)] if int(name) < len(place) else None
            else:
                return None
        return place

    def _own(self, schema: Mapping[str, Any], depth: int) -> Type:
        """What a schema says itself, without the schemas that it combines."""
        declared, listed = schema.get("type"), self._values(schema)
        if self._left < 0:
            return DYN
        if isinstance(declared, list):
            kinds = [self._typed(schema, kind, depth) for kind in declared[:8]]
            return _only(either(kinds) if kinds else DYN, listed)
        if declared is not None:
            return _only(self._typed(schema, declared, depth), listed)
        if listed:
            return _only(_kind_of_all(listed), listed)
        if any(word in schema for word in _OBJECT_WORDS):
            return self._object(schema, depth)
        return self._list(schema, depth) if any(word in schema for word in _LIST_WORDS) else DYN

    def _values(self, schema: Mapping[str, Any]) -> list[Any]:
        """The values that a schema lists; none where it lists none."""
        if "const" in schema:
            return [schema["const"]]
        values = _several(schema.get("enum"))
        self._left -= len(values) // _VALUES_A_NODE
        return values

    def _typed(self, schema: Mapping[str, Any], declared: object, depth: int) -> Type:
        if declared == "object":
            return self._object(schema, depth)
        if declared == "array":
            return self._list(schema, depth)
        return _PLAIN.get(declared, DYN) if isinstance(declared, str) else DYN

    def _list(self, schema: Mapping[str, Any], depth: int) -> Type:
        items, first = schema.get("items"), _several(schema.get("prefixItems"))
        rest = items
        if isinstance(items, list):
            first, rest = items, schema.get("additionalItems")
        kinds = self._all(first, depth)
        if rest is not False:
            kinds.append(self.read(rest, depth + 1))
        most = _size(schema.get("maxItems"))
        if rest is False:
            most = len(first) if most is None else min(most, len(first))
        return ListType(either(kinds), most)

    def _object(self, schema: Mapping[str, Any], depth: int) -> Type:
        properties = schema.get("properties")
        properties = properties if isinstance(properties, dict) else {}
        required = {name for name in _several(schema.get("required")) if isinstance(name, str)}
        fields: dict[str, Field] = {}
        for name, part in properties.items():
            if isinstance(name, str):
                fields[name] = Field(self.read(part, depth + 1), name in required)
            if self._left < 0:
                # Which members there are is not known any more.
                return MapType(STRING, DYN)
        self._left -= len(required)
        for name in sorted(required - fields.keys()):
            fields[name] = Field(DYN)
        rest = self._rest(schema, depth)
        if not fields and rest is not None:
            return MapType(STRING, rest, _size(schema.get("maxProperties")))
        return ObjectType(fields=MappingProxyType(fields), rest=rest)

    def _rest(self, schema: Mapping[str, Any], depth: int) -> Type | None:
        """The type of members that are not declared by name; None where there are none."""
        further = schema.get("additionalProperties", schema.get("unevaluatedProperties"))
        patterns = schema.get("patternProperties")
        kinds = self._all(patterns.values(), depth) if isinstance(patterns, dict) else []
        if further is False or (further is None and self._closed):
            return either(kinds) if kinds else None
        return either([*kinds, self.read(further, depth + 1)])


def _several(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _size(value: object) -> int | None:
    return value if type(value) is int and value >= 0 else None


def _json_type(value: object) -> Type:
    """The type of a value that a schema names."""
    if value is None:
        return NULL
    if isinstance(value, bool):
        return BOOL
    if isinstance(value, int):
        return INT
    if isinstance(value, float):
        return NUMBER
    if isinstance(value, str):
        return STRING
    if isinstance(value, list):
        return ListType(DYN, len(value))
    return MapType(STRING, DYN)


_SCALARS: Final[Mapping[str, frozenset[type]]] = {
    STRING.name: frozenset({str}),
    INT.name: frozenset({int, float}),
    NUMBER.name: frozenset({int, float}),
    BOOL.name: frozenset({bool}),
}
"""The types of the values that a schema may list for a type. Python takes True for 1, so their types are looked at."""

_TEXT_OR_NULL: Final = frozenset({str, type(None)})


def _kind_of_all(listed: list[Any]) -> Type:
    """The type of values that a schema lists."""
    return STRING if set(map(type, listed)) == {str} else either(map(_json_type, listed))


def _only(kind: Type, listed: Iterable[Any]) -> Type:
    """The type with the values that a schema lists for it, where they are values of this type without parts."""
    if type(kind) is not Type or not listed:
        return kind
    if kind.name == DYN.name:
        given = frozenset(map(type, listed))
        known = STRING if given == {str} else DYN
        return Type(known.name, values=frozenset(listed)) if given <= _TEXT_OR_NULL else kind
    wanted = _SCALARS.get(kind.name, frozenset())
    values = frozenset(value for value in listed if type(value) in wanted)
    return Type(kind.name, values=values) if values else kind


def either(kinds: Iterable[Type]) -> Type:
    """The type of a value that is of one of these types. Objects keep the members that they declare."""
    found = list(kinds)
    objects = [kind for kind in found if isinstance(kind, ObjectType)]
    if len(objects) == len(found) and len(found) > 1:
        return _one_of_objects(objects)
    result = NOTHING
    for kind in found:
        result = NUMBER if {result, kind} == {INT, DOUBLE} else _text_or_null(result, kind) or join(result, kind)
        if result is DYN:
            break
    return result if result is not NOTHING else DYN


def _text_or_null(one: Type, other: Type) -> Type | None:
    """The type of one of some texts or null, as an optional choice is often described; None for all other types."""
    values = _texts_or_null(one) | _texts_or_null(other)
    if not {one.name, other.name} & {NULL.name, DYN.name} or not _texts_or_null(one) or not _texts_or_null(other):
        return None
    return Type(DYN.name, values=values) if 1 < len(values) <= MOST_JOINED else None


def _texts_or_null(kind: Type) -> frozenset[Scalar]:
    if kind.name == NULL.name:
        return frozenset({None})
    return kind.values or frozenset() if kind.name in (STRING.name, DYN.name) else frozenset()


def _one_of_objects(objects: list[ObjectType]) -> ObjectType:
    kinds: dict[str, list[Field]] = {}
    for kind in objects:
        for name, field in kind.fields.items():
            kinds.setdefault(name, []).append(field)
    fields: dict[str, Field] = {}
    for name, found in kinds.items():
        merged = either(field.type for field in found)
        if any(name not in one.fields and one.rest is not None for one in objects):
            merged = _of_any_value(merged)
        required = len(found) == len(objects) and all(field.required for field in found)
        fields[name] = Field(merged, required)
    return ObjectType(fields=MappingProxyType(fields), rest=_one_rest(objects))


def _of_any_value(kind: Type) -> Type:
    """The type, where another schema beside this one may let the value be anything."""
    if isinstance(kind, ListType):
        return ListType(_of_any_value(kind.element), kind.most)
    if isinstance(kind, MapType):
        return MapType(kind.key, _of_any_value(kind.value), kind.most)
    return Type(kind.name) if kind.values is not None else kind


def _one_rest(objects: list[ObjectType]) -> Type | None:
    rests = [kind.rest for kind in objects if kind.rest is not None]
    return either(rests) if rests else None


def both(kinds: Iterable[Type]) -> Type:
    """The type of a value that is of all of these types, as far as they can be reconciled; `DYN` says nothing."""
    found = [kind for kind in kinds if kind is not DYN]
    if not found:
        return DYN
    objects = [kind for kind in found if isinstance(kind, ObjectType)]
    if len(objects) == len(found) and len(found) > 1:
        return _all_of_objects(objects)
    first = found[0]
    for kind in found[1:]:
        if kind.values is not None or first.values is not None:
            first = _narrowed(first, kind)
        elif kind == first or (isinstance(kind, MapType) and isinstance(first, ObjectType)):
            continue
        elif isinstance(kind, ObjectType) and isinstance(first, MapType):
            first = kind
        else:
            return DYN
    return first


def _narrowed(one: Type, other: Type) -> Type:
    """The type of a value that is of both types, of which one at least lists its values."""
    if one.values is None:
        one, other = other, one
    if one.name not in (other.name, DYN.name) and other.name != DYN.name:
        return DYN
    values = one.values or frozenset()
    if other.values is not None:
        values &= other.values
    kind = other if one.name == DYN.name else one
    return _only(Type(kind.name) if type(kind) is Type else kind, values)


def _all_of_objects(objects: list[ObjectType]) -> ObjectType:
    fields: dict[str, Field] = {}
    for kind in objects:
        for name, field in kind.fields.items():
            known = fields.get(name)
            fields[name] = (
                field if known is None else Field(both((known.type, field.type)), known.required or field.required)
            )
    closed = any(kind.rest is None for kind in objects)
    return ObjectType(fields=MappingProxyType(fields), rest=None if closed else DYN)
