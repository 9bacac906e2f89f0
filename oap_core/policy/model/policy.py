"""The model of `kind: Policy`: what a policy file holds, before anything is known of plugins and tools."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from oap_core.policy.model.cases import CaseModel
from oap_core.policy.model.fields import (
    AnnotationValue,
    Day,
    Expression,
    FileModel,
    Glob,
    Headed,
    Moment,
    Name,
    Source,
    Text,
    VariableName,
)

__all__ = ["MatchModel", "MetadataModel", "PolicyModel", "RuleModel"]

Reaches = Literal["read", "idempotent", "write", "external", "unknown"]


class MetadataModel(FileModel):
    """Who the file belongs to and what it is for."""

    name: Name
    """Name of the policy; the first part of each rule's address."""
    owner: Text
    """Who answers for it: a team or a person."""
    description: Text | None = None
    """What it is for, in a sentence or two."""
    review: Day | None = None
    """The day by which somebody should look at it again. It changes no decision."""
    labels: dict[str, str] = Field(default_factory=dict)
    """Anything else, for people and their tools. It changes no decision."""


class MatchModel(FileModel):
    """Which tools a rule or a policy speaks about. Every key that is given has to hold, and of a list any entry."""

    tools: Annotated[list[Glob], Field(min_length=1)] | None = None
    """Patterns of tool ids, such as `fs/*`."""
    sources: Annotated[list[Source], Field(min_length=1)] | None = None
    """Names of sources, as the configuration has them."""
    tags: Annotated[list[Text], Field(min_length=1)] | None = None
    """Tags that the catalog gives to tools."""
    annotations: Annotated[dict[str, AnnotationValue], Field(min_length=1)] | None = None
    """Annotations in the catalog and the value that each has to have."""
    reach: Annotated[list[Reaches], Field(min_length=1)] | None = None
    """Declared consequences of tools, from the catalog."""


class RuleModel(FileModel):
    """One rule."""

    id: Name
    """Its name in the policy; the second part of its address."""
    effect: Text
    """What it does: `allow`, `deny`, `ask`, `observe`, or an effect of an enabled plugin."""
    stage: Literal["prompt", "call", "result"] = "call"
    """The moment that it speaks about."""
    match: MatchModel | None = None
    """Which tools it speaks about, within those of the policy."""
    when: Expression | None = None
    """The condition, a boolean; without one the rule always applies."""
    with_: dict[str, Any] | None = Field(default=None, alias="with")
    """Settings of the effect."""
    message: Text | None = None
    """What the model is told, with `{...}` holes that hold CEL."""
    note: Text | None = None
    """What the operator and the record are told, with `{...}` holes that hold CEL."""
    severity: Literal["low", "medium", "high", "critical"] = "medium"
    """How much it matters; it names and routes, and never decides."""
    mode: Literal["enforce", "shadow"] | None = None
    """Whether it decides (`enforce`), or is only recorded (`shadow`)."""
    waivable: bool = False
    """Whether an exception may lift it."""
    expires: Moment | None = None
    """When it ends; on grants and shadow rules alone."""


class PolicyModel(Headed):
    """A policy: rules that belong together."""

    kind: Literal["Policy"]
    """What the file holds."""
    metadata: MetadataModel
    """Who it belongs to."""
    match: MatchModel | None = None
    """Which tools all its rules speak about."""
    mode: Literal["enforce", "shadow"] = "enforce"
    """The mode of rules that say nothing."""
    constants: dict[VariableName, Any] = Field(default_factory=dict)
    """Values that conditions read as `constants.name`."""
    variables: dict[VariableName, Expression] = Field(default_factory=dict)
    """CEL expressions that conditions read as `variables.name`; each is evaluated at most once a call."""
    rules: Annotated[list[RuleModel], Field(min_length=1)]
    """The rules, in any order."""
    tests: list[CaseModel] = Field(default_factory=list)
    """Cases that `oap test` runs."""
