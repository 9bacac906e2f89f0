"""One schema for all kinds of policy files, or for one kind: which of them holds is said by the key `kind`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pydantic import BaseModel

from oap_core.kinds import Effect
from oap_core.policy.documents import KINDS, VERSION
from oap_core.policy.model.cases import FixturesModel, PolicyTestModel
from oap_core.policy.model.catalog import CatalogModel
from oap_core.policy.model.exceptions import ExceptionsModel
from oap_core.policy.model.fields import FileModel
from oap_core.policy.model.policy import PolicyModel
from oap_core.policy.schema.draft import DIALECT, Schema, model_schema, pruned
from oap_core.policy.schema.rules import settings, with_effects

__all__ = ["FilesSchema", "files_schema", "kind_schema"]

_MODELS: Final[Mapping[str, type[BaseModel]]] = {
    "Policy": PolicyModel,
    "Exceptions": ExceptionsModel,
    "PolicyTest": PolicyTestModel,
    "Catalog": CatalogModel,
}
_MEANING: Final = {
    "Policy": "Rules that belong together.",
    "Exceptions": "Who is let through which waivable rules, why, and until when.",
    "PolicyTest": "Tests in a file of their own.",
    "Catalog": "The reviewed tools that policies are written against.",
}
_MODEL: Final = "Model"


class _Files(FileModel):
    """Every kind of file in one model, so that what they share is described once."""

    policy: PolicyModel
    exceptions: ExceptionsModel
    tests: PolicyTestModel
    catalog: CatalogModel
    fixtures: FixturesModel


@dataclass(frozen=True, slots=True)
class FilesSchema:
    """A schema, and what it could not describe."""

    schema: Schema
    """The schema, draft 7, as JSON values."""
    undescribed: tuple[str, ...] = ()
    """Effects whose plugin gave a model that JSON Schema has no words for; below `with` they take anything."""


def files_schema(effects: Mapping[str, Effect]) -> FilesSchema:
    """One schema for policies, exceptions, tests, catalogs and fixtures, with these effects."""
    definitions, undescribed = _definitions(effects)
    kinds = [
        {"if": {"properties": {"kind": {"const": kind}}, "required": ["kind"]}, "then": _ref(kind)} for kind in KINDS
    ]
    of_a_kind = {
        "required": ["apiVersion", "kind"],
        "properties": {
            "apiVersion": _version(),
            "kind": {
                "description": "What the file holds.",
                "enum": list(KINDS),
                "enumDescriptions": [_MEANING[kind] for kind in KINDS],
            },
        },
        "allOf": kinds,
    }
    # A file of fixtures is known by its name, which no schema sees, and by having no kind.
    named = {"anyOf": [{"required": ["kind"]}, {"required": ["apiVersion"]}]}
    schema = {
        "$schema": DIALECT,
        "title": "Policy files of OAP",
        "type": "object",
        "if": {"required": ["fixtures"], "not": named},
        "then": _ref("Fixtures"),
        "else": of_a_kind,
        "definitions": definitions,
    }
    return FilesSchema(schema, undescribed)


def kind_schema(kind: str, effects: Mapping[str, Effect]) -> FilesSchema:
    """The schema of one kind of file. Raises KeyError for a kind that there is not."""
    definitions, undescribed = _definitions(effects)
    own = definitions[_MODELS[kind].__name__.removesuffix(_MODEL)]
    return FilesSchema(
        pruned({"$schema": DIALECT, "title": f"{kind} of OAP", **own, "definitions": definitions}),
        undescribed if kind == "Policy" else (),
    )


def _definitions(effects: Mapping[str, Effect]) -> tuple[dict[str, Schema], tuple[str, ...]]:
    """Everything that the kinds refer to; their own definitions are called as the kinds are."""
    found = _renamed(model_schema(_Files)["definitions"])
    for kind in KINDS:
        found[kind]["properties"]["apiVersion"] = _version()
    found["Rule"] = with_effects(found["Rule"], effects)
    below, undescribed = settings(effects.values())
    return dict(sorted({**found, **below}.items())), undescribed


def _version() -> Schema:
    return {"description": f"Version of the file format: `{VERSION}`.", "const": VERSION}


def _renamed(definitions: Mapping[str, Schema]) -> dict[str, Schema]:
    """The definitions by the words of the format instead of the names of classes, references included."""
    names = {f"#/definitions/{name}": f"#/definitions/{name.removesuffix(_MODEL)}" for name in definitions}
    pending: list[object] = [definitions]
    while pending:
        node = pending.pop()
        if isinstance(node, dict):
            if isinstance(ref := node.get("$ref"), str):
                node["$ref"] = names[ref]
            pending.extend(node.values())
        elif isinstance(node, list):
            pending.extend(node)
    return {name.removesuffix(_MODEL): one for name, one in definitions.items()}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/definitions/{name}"}
