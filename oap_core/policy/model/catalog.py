"""The model of `kind: Catalog`: the reviewed tools that policies are written against."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from oap_core.policy.model.fields import AnnotationValue, FileModel, Headed, Text, Tool
from oap_core.policy.model.policy import MetadataModel, Reaches

__all__ = ["CatalogModel", "ToolModel"]


class ToolModel(FileModel):
    """One tool, as it was reviewed."""

    id: Tool
    """`source/name`."""
    description: str = ""
    """What its source says about it."""
    reach: Reaches = "unknown"
    """Its consequence, as the reviewer sees it."""
    tags: list[Text] = Field(default_factory=list)
    """Words of the reviewer, for rules to select by."""
    annotations: dict[str, AnnotationValue] = Field(default_factory=dict)
    """What its source claims about it, as far as the reviewer believes it."""
    input_schema: dict[str, Any] | None = None
    """JSON Schema of its arguments."""
    output_schema: dict[str, Any] | None = None
    """JSON Schema of its structured result."""
    definition_hash: Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")] | None = None
    """Hash over description, schemas and annotations as the source gave them; without it they are hashed as they stand."""


class CatalogModel(Headed):
    """Reviewed tools."""

    kind: Literal["Catalog"]
    """What the file holds."""
    metadata: MetadataModel
    """Who reviewed them."""
    tools: Annotated[list[ToolModel], Field(min_length=1)]
    """The tools."""
