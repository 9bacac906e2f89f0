"""The tools that policies are written against, and what is known of a tool when a call of it is judged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from types import MappingProxyType

from oap_core.cel.schema import type_from_schema
from oap_core.cel.types import DYN, STRING, MapType, ObjectType, Type
from oap_core.frozen import EMPTY, JsonObject, thaw_json
from oap_core.names import ToolId
from oap_core.policy.digest import digest
from oap_core.types import Reach

__all__ = ["ANY_ARGUMENTS", "Catalog", "Standing", "ToolDefinition"]

ANY_ARGUMENTS: Type = MapType(STRING, DYN)
"""Arguments of which nothing is known."""


@dataclass(frozen=True)
class ToolDefinition:
    """What somebody says about one tool: a reviewer in the catalog, a host in its code, or a server in its listing."""

    id: ToolId
    """`source/name`."""
    schema: JsonObject | None = field(default=None, repr=False)
    """JSON Schema of the arguments, or None where there is none."""
    description: str = field(default="", repr=False)
    """What the source says about it."""
    reach: Reach = Reach.UNKNOWN
    """Its declared consequence."""
    tags: frozenset[str] = frozenset()
    """Words to select it by."""
    annotations: JsonObject = field(default_factory=lambda: EMPTY, repr=False)
    """What its source claims about it."""
    output_schema: JsonObject | None = field(default=None, repr=False)
    """JSON Schema of the structured result, or None where there is none."""
    reviewed_hash: str | None = None
    """The definition hash that the catalog recorded, where the definition as the source gave it is not kept."""

    def __hash__(self) -> int:
        # A schema has no hash, since a JSON object has none.
        return hash(self.id)

    @cached_property
    def definition_hash(self) -> str:
        """Hash over description, schemas and annotations."""
        if self.reviewed_hash is not None:
            return self.reviewed_hash
        return digest(
            {
                "description": self.description,
                "input_schema": None if self.schema is None else thaw_json(self.schema),
                "output_schema": None if self.output_schema is None else thaw_json(self.output_schema),
                "annotations": thaw_json(self.annotations),
            }
        )

    @cached_property
    def arguments(self) -> Type:
        """The type of its arguments; `ANY_ARGUMENTS` where the schema tells nothing."""
        if self.schema is None:
            return ANY_ARGUMENTS
        found = type_from_schema(self.schema, closed=True)
        return found if isinstance(found, ObjectType) else ANY_ARGUMENTS


class Standing(Enum):
    """How far what is known of a tool can be relied on."""

    CATALOGUED = "catalogued"
    """It is in the catalog, and what the host sees does not differ."""
    REGISTERED = "registered"
    """The host registered it in code, which is its catalog."""
    LISTED = "listed"
    """There is no catalog, and a server listed it: its schema is known, its claims are not believed."""
    UNKNOWN = "unknown"
    """There is no catalog, and nothing is known of it."""
    ABSENT = "absent"
    """There is a catalog and it is not in it: no grant matches it."""
    DIFFERS = "differs"
    """The host sees another definition than the catalog, or the first listing where there is none: no grant matches."""

    @property
    def grantable(self) -> bool:
        """Whether a grant may match such a tool."""
        return self not in (Standing.ABSENT, Standing.DIFFERS)

    @property
    def reviewed(self) -> bool:
        """Whether its tags, annotations and reach are those that somebody here has given it."""
        return self in (Standing.CATALOGUED, Standing.REGISTERED, Standing.DIFFERS)


@dataclass(frozen=True)
class Catalog:
    """Reviewed tools by id. Immutable."""

    tools: Mapping[ToolId, ToolDefinition]
    """The tools."""

    @classmethod
    def of(cls, tools: Iterable[ToolDefinition]) -> Catalog:
        """Build one. Raises ValueError where an id occurs twice."""
        found: dict[ToolId, ToolDefinition] = {}
        for tool in tools:
            if tool.id in found:
                raise ValueError(f"the tool `{tool.id}` is in the catalog twice")
            found[tool.id] = tool
        return cls(MappingProxyType(found))

    @cached_property
    def sources(self) -> frozenset[str]:
        """The sources of the tools."""
        return frozenset(tool.source for tool in self.tools)

    @cached_property
    def tags(self) -> frozenset[str]:
        """The tags that tools have."""
        return frozenset(tag for tool in self for tag in tool.tags)

    @cached_property
    def annotations(self) -> frozenset[str]:
        """The names of the annotations that tools have."""
        return frozenset(name for tool in self for name in tool.annotations)

    def __iter__(self) -> Iterator[ToolDefinition]:
        """Every tool."""
        return iter(self.tools.values())
