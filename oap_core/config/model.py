"""The model of the configuration file: its keys, and what may stand under each."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from oap_core.policy.model.fields import FileModel, Glob, Name, Text, VariableName

__all__ = ["AttributeModel", "AttributesModel", "ConfigModel", "PathsModel", "ReservedModel"]


class AttributeModel(FileModel):
    """One attribute that the host gives, or a part of one."""

    type: Literal["string", "integer", "number", "boolean", "array", "object"]
    """Its type."""
    items: AttributeModel | None = None
    """What the elements of an array are."""
    properties: dict[Text, AttributeModel] | None = None
    """What the members of an object are."""
    enum: Annotated[list[Any], Field(min_length=1)] | None = None
    """The only values that there are."""
    optional: bool = False
    """Whether it may be absent, so that conditions need `has()`."""
    description: Text | None = None
    """What it is."""


class AttributesModel(FileModel):
    """What the host says of a subject or a session beside what every one has."""

    attributes: dict[VariableName, AttributeModel] = Field(default_factory=dict)
    """Attributes by name."""


class ReservedModel(FileModel):
    """Tools that only some policies may grant."""

    tools: Annotated[list[Glob], Field(min_length=1)]
    """The tools."""
    policies: Annotated[list[Name], Field(min_length=1)]
    """The policies."""


class PathsModel(FileModel):
    """The file system that tools work on, for functions on paths."""

    fold_case: bool | None = None
    """Whether names that differ in letter case alone are one name; as the platform does where nothing is said."""
    windows: bool | None = None
    """Whether paths are those of Windows; as the platform where nothing is said."""


class ConfigModel(FileModel):
    """The configuration of a host."""

    plugins: list[Text] | None = None
    """Distributions whose plugins are enabled, or `distribution:entry_point` for one of them."""
    policies: Annotated[list[Text], Field(min_length=1)] | None = None
    """Files and folders with policies, exceptions and tests; `policies` where nothing is said."""
    catalog: Annotated[list[Text], Field(min_length=1)] | None = None
    """Files with the catalog of tools."""
    default: Literal["deny", "ask"] = "deny"
    """What holds for a call that no grant matches."""
    subject: AttributesModel = Field(default_factory=AttributesModel)
    """What the host says of subjects."""
    session: AttributesModel = Field(default_factory=AttributesModel)
    """What the host says of sessions."""
    reserved: list[ReservedModel] = Field(default_factory=list)
    """Tools that only some policies may grant."""
    required: list[Name] = Field(default_factory=list)
    """Policies that have to be there."""
    observe_until: Text | None = None
    """A date or a moment, at most 30 days ahead, until which the host records and does not enforce."""
    paths: PathsModel = Field(default_factory=PathsModel)
    """The file system that tools work on."""
