"""From catalog files to one catalog."""

from __future__ import annotations

from collections.abc import Sequence

from oap_core.diagnostic import Diagnostic
from oap_core.frozen import freeze_object
from oap_core.names import ToolId
from oap_core.policy.catalog import Catalog, ToolDefinition
from oap_core.policy.checks.characters import check_catalog_characters, known_words
from oap_core.policy.checks.schema import check_schema
from oap_core.policy.codes import FileCode
from oap_core.policy.load import Document
from oap_core.policy.model.catalog import CatalogModel, ToolModel
from oap_core.policy.report import blame
from oap_core.policy.tree import node_at, span_at
from oap_core.types import Reach

__all__ = ["catalog_of"]


def catalog_of(
    files: Sequence[tuple[Document, CatalogModel]], problems: list[Diagnostic], *, mandatory: bool = False
) -> Catalog | None:
    """The tools of all catalog files, or None where there is no such file and none is wanted."""
    found: dict[ToolId, ToolDefinition] = {}
    first: dict[ToolId, tuple[str | None, int]] = {}
    known = mandatory
    for document, model in files:
        known = True
        assert document.root is not None
        for number, tool in enumerate(model.tools):
            span = span_at(document.root, "tools", number, "id")
            if tool.id in found:
                file, line = first[tool.id]
                where = f"on line {line}" if file == document.file else f"in `{file}`"
                message = f"the tool `{tool.id}` is in the catalog twice; the first is {where}"
                problems.append(blame(FileCode.REPEATED_TOOL, span, message, file=document.file))
                continue
            first[tool.id] = (document.file, span.line)
            before = len(problems)
            for key in ("input_schema", "output_schema"):
                if getattr(tool, key) is not None:
                    node = node_at(document.root, "tools", number, key)
                    check_schema(key, node, document.file, problems, arguments=key == "input_schema")
            found[tool.id] = _definition(tool, right=len(problems) == before)
    words = known_words(found.values())
    for document, _ in files:
        check_catalog_characters(document, words, problems)
    return Catalog(found) if known else None


def _definition(tool: ToolModel, *, right: bool) -> ToolDefinition:
    """The tool as it is known; where a schema is not `right`, nothing is said about its arguments."""
    schema = tool.input_schema if right else None
    return ToolDefinition(
        tool.id,
        None if schema is None else freeze_object(schema),
        tool.description,
        Reach(tool.reach),
        frozenset(tool.tags),
        freeze_object(tool.annotations),
        None if tool.output_schema is None else freeze_object(tool.output_schema),
        tool.definition_hash,
    )
