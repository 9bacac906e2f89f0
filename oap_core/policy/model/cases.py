"""The model of tests: inline in a policy, or in a file of `kind: PolicyTest`, and of the fixtures that they share."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from oap_core.policy.model.fields import FileModel, Headed, Moment, Number, Template, Text

__all__ = ["CallModel", "CaseModel", "ExpectModel", "FixturesModel", "PolicyTestModel"]

Verdicts = Literal["allow", "ask", "plan", "deny"]


class CallModel(FileModel):
    """The call that is judged."""

    tool: Text
    """Id of the tool."""
    args: Template = Field(default_factory=dict)
    """Its arguments."""
    original: Template | None = None
    """The arguments as the model asked them, where a rewriter changed them."""
    attempt: Number = 1
    """Which attempt it is."""
    previous_outcome: Literal["none", "ok", "error", "unknown"] = "none"
    """How the attempt before ended."""


class ResultModel(FileModel):
    """The result that is judged, for rules at the stage `result`."""

    text: str = ""
    """Its text."""
    is_error: bool = False
    """Whether the tool reports a failure."""
    structured: Template | None = None
    """Its structured value."""


class ExpectModel(FileModel):
    """What has to come out."""

    verdict: Verdicts | None = None
    """The verdict."""
    by: Annotated[list[Text], Field(min_length=1)] | None = None
    """Rules that have to be among those that decide; `default` says that nothing granted."""
    waived: Annotated[list[Text], Field(min_length=1)] | None = None
    """Rules that an exception has to lift."""
    observed: Annotated[list[Text], Field(min_length=1)] | None = None
    """Rules of kind observe, and shadow rules, that have to match."""
    unjudged: bool | None = None
    """Whether it is meant that a rule cannot be evaluated; without it such a case ends in an error."""
    message: Text | None = None
    """What the model is told, exactly."""


def _expectation(value: object) -> object:
    return {"verdict": value} if isinstance(value, str) else value


Expectation = Annotated[ExpectModel, BeforeValidator(_expectation, json_schema_input_type=Verdicts | ExpectModel)]
"""What has to come out; a word alone is the verdict."""


class CaseModel(FileModel):
    """One test; with a matrix, one for each combination."""

    name: Text
    """What it shows."""
    call: CallModel | None = None
    """The call; not given for a prompt."""
    prompt: Text | None = None
    """The prompt that is judged, for rules at the stage `prompt`."""
    result: ResultModel | None = None
    """The result that is judged; the call says which tool gave it."""
    subject: Template | None = None
    """Who calls: `id`, `roles`, `on_behalf_of` and declared attributes; `tester` without roles where nothing is said."""
    session: Template | None = None
    """The session: `id`, `issuer`, `labels`, `workspace` (`/w`), `started` (`now`) and declared attributes."""
    now: Moment | None = None
    """The moment of the call. Without it everything that ends is over, and it is noon in UTC on a Thursday."""
    matrix: dict[str, Annotated[list[Any], Field(min_length=1)]] | None = None
    """Values by name; each combination is a case, and `${name}` stands for the value."""
    expect: Expectation | None = None
    """What has to come out in every case."""
    expect_each: Annotated[list[Expectation], Field(min_length=1)] | None = None
    """What has to come out of each combination, in their order."""
    todo: bool = False
    """A known gap: the expectation must fail, and the run fails once it holds."""
    skip: Text | None = None
    """Why it is not run."""


class PolicyTestModel(Headed):
    """Tests in a file of their own. Any name will do; by custom it ends in `_test.yaml`."""

    kind: Literal["PolicyTest"]
    """What the file holds."""
    policies: Annotated[list[Text], Field(min_length=1)] | None = None
    """Names of the policies whose rules `by` may name without the policy; the first one that has the rule counts."""
    tests: list[CaseModel]
    """The tests."""


class FixturesModel(FileModel):
    """`fixtures.yaml`: values that tests beside it name as `${name}`."""

    fixtures: dict[str, Any]
    """The values by name."""
