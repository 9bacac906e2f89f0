"""The page of the file format, from the models that files are read with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pydantic import BaseModel

from docs.generate import models
from oap_core.policy.documents import FIXTURES, KINDS, VERSION
from oap_core.policy.model.cases import (
    CallModel,
    CaseModel,
    ExpectModel,
    FixturesModel,
    PolicyTestModel,
    ResultModel,
)
from oap_core.policy.model.catalog import CatalogModel, ToolModel
from oap_core.policy.model.exceptions import ExceptionModel, ExceptionsModel
from oap_core.policy.model.policy import MatchModel, MetadataModel, PolicyModel, RuleModel

HEAD: Final = f"""\
# The format of policy files

Generated from the models in `oap_core/policy/model` by `poe docs`; edit those, not this page.

[Policies](../guide/policies.md) explains the format with examples. This page lists every key.

A file is YAML in UTF-8 and holds one mapping. It begins with `apiVersion: {VERSION}` and with `kind`, which is
{", ".join(f"`{kind}`" for kind in KINDS[:-1])} or `{KINDS[-1]}`. Only `{FIXTURES[0]}` has neither. Every key is known,
and nothing is converted: a text is no number. Anchors, references, tags, a second document and words that readers of
YAML understand differently (`no`, `on`, `0123`) are [errors](diagnostics.md). The settings under `with` are on the page
of [effects](effects.md).
"""

TITLES: Final[dict[type[BaseModel], str]] = {
    PolicyModel: "Policy",
    MetadataModel: "Metadata",
    MatchModel: "Match",
    RuleModel: "Rule",
    ExceptionsModel: "Exceptions",
    ExceptionModel: "Exception",
    CatalogModel: "Catalog",
    ToolModel: "Tool",
    PolicyTestModel: "Policy test",
    CaseModel: "Test",
    CallModel: "Call",
    ResultModel: "Result",
    ExpectModel: "Expectation",
    FixturesModel: "Fixtures",
}
"""Headings of the models, in the order of the page."""

GROUPS: Final[dict[str, tuple[type[BaseModel], ...]]] = {
    "Policies": (PolicyModel, MetadataModel, MatchModel, RuleModel),
    "Exceptions to rules": (ExceptionsModel, ExceptionModel),
    "The catalog of tools": (CatalogModel, ToolModel),
    "Tests of policies": (PolicyTestModel, CaseModel, CallModel, ResultModel, ExpectModel, FixturesModel),
}


def page() -> str:
    """Return the whole page."""
    return "\n".join([HEAD, *_groups(), "## Values\n", *models.values()])


def _groups() -> Iterator[str]:
    for title, listed in GROUPS.items():
        yield f"## {title}\n"
        for model in listed:
            yield from models.section(model, TITLES)
