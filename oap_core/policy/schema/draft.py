"""From a pydantic model to JSON Schema of draft 7, which is the latest that editors of YAML check files against."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any, Final, TypeAlias

from pydantic import BaseModel
from pydantic.errors import PydanticInvalidForJsonSchema, PydanticUserError
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from oap_core.policy.model.fields import FileModel, duration_text

__all__ = ["DIALECT", "Schema", "UndescribedError", "model_schema", "pruned"]

Schema: TypeAlias = dict[str, Any]
"""A JSON Schema as JSON values."""

DIALECT: Final = "http://json-schema.org/draft-07/schema#"
"""The draft that every schema here is written in."""
_REF: Final = "#/definitions/"

_ONE: Final = (
    "additionalItems",
    "additionalProperties",
    "contains",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
)
_LISTS: Final = ("allOf", "anyOf", "items", "oneOf")
_BY_NAME: Final = ("definitions", "patternProperties", "properties")


class UndescribedError(ValueError):
    """A model holds something that JSON Schema cannot describe."""


def model_schema(model: type[BaseModel], prefix: str = "") -> Schema:
    """The schema of one model, complete in itself; the names of its `definitions` begin with `prefix`.

    Keys that the model does not know are refused, also where the model would pass over them. Raises `UndescribedError`
    where a part of the model has no schema.
    """
    try:
        found = model.model_json_schema(ref_template=f"{_REF}{prefix}{{model}}", schema_generator=_Generator)
    except (PydanticInvalidForJsonSchema, PydanticUserError, TypeError, ValueError, RecursionError):
        raise UndescribedError(f"the model `{model.__name__}` cannot be described") from None
    definitions = {f"{prefix}{name}": _draft_7(one) for name, one in found.pop("$defs", {}).items()}
    own = _draft_7(found)
    # A model that holds itself is a definition as a whole.
    if isinstance(ref := _only_ref(own), str):
        own = dict(definitions[ref.removeprefix(_REF)])
    return {**own, **({"definitions": definitions} if definitions else {})}


def pruned(schema: Schema) -> Schema:
    """The same schema without definitions that nothing in it refers to."""
    definitions = schema.get("definitions", {})
    used: set[str] = set()
    pending: list[Any] = [{key: value for key, value in schema.items() if key != "definitions"}]
    while pending:
        for ref in _refs(pending.pop()):
            name = ref.removeprefix(_REF)
            if name not in used and name in definitions:
                used.add(name)
                pending.append(definitions[name])
    left = {name: one for name, one in definitions.items() if name in used}
    return {**{key: value for key, value in schema.items() if key != "definitions"}, "definitions": left}


def _refs(schema: Schema) -> Iterator[str]:
    pending: list[Any] = [schema]
    while pending:
        node = pending.pop()
        if isinstance(node, dict):
            if isinstance(ref := node.get("$ref"), str):
                yield ref
            pending.extend(node.values())
        elif isinstance(node, list):
            pending.extend(node)


def _only_ref(schema: Schema) -> str | None:
    ref = schema.get("$ref")
    return ref if isinstance(ref, str) and len(schema) == 1 else None


def _draft_7(schema: Any) -> Any:
    """Write a schema of the newest draft as the older one has it. The depth is that of a model, so it recurs."""
    if not isinstance(schema, dict):
        return schema
    found: Schema = dict(schema)
    if "prefixItems" in found:
        found["additionalItems"] = found.pop("items", True)
        found["items"] = found.pop("prefixItems")
    for key in _ONE:
        if isinstance(found.get(key), dict):
            found[key] = _draft_7(found[key])
    for key in _LISTS:
        if isinstance(found.get(key), list):
            found[key] = [_draft_7(one) for one in found[key]]
    for key in _BY_NAME:
        if isinstance(found.get(key), dict):
            found[key] = {name: _draft_7(one) for name, one in found[key].items()}
    if "$ref" in found and len(found) > 1:
        # The older draft passes over everything that stands beside a reference.
        found["allOf"] = [{"$ref": found.pop("$ref")}, *found.get("allOf", [])]
    return found


class _Generator(GenerateJsonSchema):
    """Leaves out what an editor would show for nothing, and shuts every mapping."""

    schema_dialect = DIALECT

    def field_title_should_be_set(self, schema: Any) -> bool:
        """A title made from a key says the key again."""
        del schema
        return False

    def emit_warning(self, kind: Any, detail: str) -> None:
        """Say nothing: a default that has no JSON is left out, and changes nothing about what may be written."""

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        """The schema of a model, shut; where it is one of ours, without the null that no key takes."""
        shown = _shut(super().model_schema(schema))
        shown.pop("title", None)
        if issubclass(schema["cls"], FileModel):
            shown["properties"] = {name: _given(one) for name, one in shown.get("properties", {}).items()}
        return shown

    def dict_schema(self, schema: core_schema.DictSchema) -> JsonSchemaValue:
        """The schema of a mapping; where its keys have a form, a key without it is what is wrong, and not the value."""
        shown = super().dict_schema(schema)
        patterns = shown.pop("patternProperties", {})
        for pattern, value in patterns.items():
            shown["propertyNames"] = {**shown.get("propertyNames", {}), "pattern": pattern}
            shown["additionalProperties"] = value
        return shown

    def typed_dict_schema(self, schema: core_schema.TypedDictSchema) -> JsonSchemaValue:
        """The schema of a typed dictionary, shut."""
        return _shut(super().typed_dict_schema(schema))

    def dataclass_schema(self, schema: core_schema.DataclassSchema) -> JsonSchemaValue:
        """The schema of a dataclass, shut."""
        return _shut(super().dataclass_schema(schema))

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        """The schema with its default as an author would write it."""
        shown = super().default_schema(schema)
        default = schema.get("default")
        if isinstance(default, timedelta) and shown.get("format") != "duration":
            shown["default"] = duration_text(default)
        return shown


def _shut(schema: JsonSchemaValue) -> JsonSchemaValue:
    if "properties" in schema or schema.get("type") == "object":
        schema.setdefault("additionalProperties", False)
    return schema


def _given(schema: Schema) -> Schema:
    """A key that may be left out, but never stands there empty."""
    if "default" not in schema or schema["default"] is not None:
        return schema
    rest = {key: value for key, value in schema.items() if key not in ("default", "anyOf")}
    left = [one for one in schema.get("anyOf", []) if one != {"type": "null"}]
    if len(left) == 1:
        return {**left[0], **rest}
    return {"anyOf": left, **rest} if left else rest
