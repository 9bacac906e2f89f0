"""The page of JSON Schema: which words of it the checker reads, and what types they make."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from oap_core.cel.schema import DEPTH, NODES, type_from_schema
from oap_core.cel.types import ObjectType

HEAD: Final = f"""\
# JSON Schema

Generated from `docs/generate/json_schema.py` by `poe docs`; edit that, not this page. The types are those that the code
gives for the schemas beside them.

A schema tells the checker which fields there are and of which types, so that it finds mistakes before anything runs. It
validates nothing: an evaluation looks at the data again, whatever a schema promised, and what does not fit is an error
there. Drafts 7 and 2020-12 are read.

A schema that cannot be made sense of is no error. What it does not tell has the type `dyn`, which means that nothing is
known before the expression runs. That is so for a word of `type` that does not exist, for a `$ref` that leads out of
the document (nothing is ever fetched) or in a circle, and beyond {DEPTH} levels or {NODES:,} schemas. A misspelt word
in a schema therefore hides mistakes in conditions, so have schemas validated where they are made.

## Words that are read

| word | makes |
| --- | --- |
"""

WORDS: Final = (
    (("type",), "the type; of several, the one that holds all of them"),
    (("properties", "required"), "the fields of an object; one that is not required needs `has()`"),
    (
        ("additionalProperties", "unevaluatedProperties", "patternProperties"),
        "whether there may be other fields, and of which type",
    ),
    (("maxProperties",), "the most entries of an object without `properties`, for the cost"),
    (("items", "prefixItems", "additionalItems"), "the type of the elements of a list"),
    (("maxItems",), "the most elements of a list, for the cost"),
    (("enum", "const"), "the only values there are: a comparison with any other is a mistake"),
    (("anyOf", "oneOf"), "the type that holds each of them"),
    (("allOf", "$ref"), "all of them together; `$ref` within the document, as `#/...`"),
    (("then", "else"), "fields that there may be; `if` is not read"),
)
"""Words that are read, and what they make."""

NOTES: Final = """\

All other words (`pattern`, `format`, `minimum`, `minLength`, `not`, `dependentRequired` and so on) can only narrow what
is allowed, and are passed over.

## Types that come of it

| schema | type |
| --- | --- |
"""

SCHEMAS: Final[tuple[dict[str, object], ...]] = (
    {"type": "string"},
    {"type": "integer"},
    {"type": "number"},
    {"type": "boolean"},
    {"type": "array"},
    {"type": "array", "items": {"type": "string"}},
    {"type": "object"},
    {"type": "object", "additionalProperties": {"type": "integer"}},
    {"type": "object", "properties": {"a": {}, "b": {}}},
    {"enum": ["read", "write"]},
    {"type": ["string", "null"]},
    {"anyOf": [{"type": "string"}, {"type": "array"}]},
    {"type": "str"},
    {"$ref": "https://example.org/schema.json"},
    {},
)

END: Final = """\

A `number` is an int or a double, as the data has it: comparing one is fine, and computing takes `double(x)` first. A
schema has no word for moments and spans of time; `timestamp(x)` and `duration(x)` make them of texts.

## Objects that say nothing about other fields

JSON Schema lets an object have any field that is not forbidden. `oap cel` reads an object that says nothing about
others as one that has no others, which is how misspelt names are found. `"additionalProperties": true` says that there
may be more. A program decides with [`closed`](../guide/embedding.md#types-and-mistakes).

| schema | `closed=False` | `closed=True`, as `oap cel` has it |
| --- | --- | --- |
"""

LAST: Final = """\

So `{"type": "object"}` without `properties` has no fields at all where it is closed. For an object whose fields nobody
knows, write `"additionalProperties": true`:

```json schema
{"properties": {"none": {"type": "object"}, "any": {"type": "object", "additionalProperties": true}},
 "required": ["none", "any"]}
```

```json input
{"none": {}, "any": {"x": 1}}
```

```cel schema
none.x == 1               // => CEL303
any.x == 1                // => true
any.y == 1                // => error: no_such_key
"y" in any && any.y == 1  // => false
other == 1                // => CEL201
```
"""

OBJECTS: Final[tuple[dict[str, object], ...]] = (
    {"type": "object"},
    {"type": "object", "additionalProperties": True},
    {"type": "object", "properties": {"a": {}}},
    {"type": "object", "properties": {"a": {}}, "additionalProperties": True},
    {"type": "object", "properties": {"a": {}}, "additionalProperties": False},
)


def page() -> str:
    """Return the whole page."""
    return "".join(
        [HEAD, *_words(), NOTES, *_types(), END, *_objects(), LAST],
    )


def _words() -> Iterator[str]:
    for words, makes in WORDS:
        yield f"| {', '.join(f'`{word}`' for word in words)} | {makes} |\n"


def _types() -> Iterator[str]:
    for schema in SCHEMAS:
        yield f"| `{json.dumps(schema)}` | `{type_from_schema(schema)}` |\n"


def _objects() -> Iterator[str]:
    for schema in OBJECTS:
        yield f"| `{json.dumps(schema)}` | {_fields(schema, closed=False)} | {_fields(schema, closed=True)} |\n"


def _fields(schema: object, *, closed: bool) -> str:
    """Say which fields an object has."""
    kind = type_from_schema(schema, closed=closed)
    named = [f"`{name}`" for name in kind.fields] if isinstance(kind, ObjectType) else []
    others = ["any other"] if not isinstance(kind, ObjectType) or kind.rest is not None else []
    return " and ".join([*named, *others]) or "none"
