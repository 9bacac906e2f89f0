"""What a decision is made from: the call, the subject, the session and the moment, as the host gives them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from oap_core.cel.activation import Activation, Prepared, freeze, prepare
from oap_core.cel.failure import EvalError
from oap_core.frozen import EMPTY, JsonObject
from oap_core.policy.catalog import ToolDefinition
from oap_core.types import Stage, Subject, TextPart, ToolCall, ToolResult, View

__all__ = ["OUTCOMES", "Facts", "SessionFacts"]

OUTCOMES: Final = ("none", "ok", "error", "unknown")
"""How an earlier attempt of a call may have ended; `none` where there was none."""


@dataclass(frozen=True, slots=True)
class _Known:
    """The subject that acted last, and what conditions see of it and of the session."""

    subject: Subject
    variables: tuple[Prepared, Prepared]


_SESSION_FIELDS: Final = frozenset({"id", "issuer", "workspace", "labels", "started"})


@dataclass(frozen=True, slots=True)
class SessionFacts:
    """What rules may read of a session."""

    id: str = ""
    """Its id."""
    issuer: str = ""
    """Who gave out the id."""
    workspace: str | None = None
    """The folder that the agent works in, or None where there is none."""
    labels: frozenset[str] = frozenset()
    """The labels that results have left."""
    started: datetime | None = None
    """When it began, or None where the host does not say."""
    attributes: JsonObject = field(default_factory=lambda: EMPTY, repr=False)
    """What else the configuration declares about sessions."""
    _known: list[_Known] = field(default_factory=list, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name in ("id", "issuer"):
            if not isinstance(getattr(self, name), str):
                raise TypeError(f"the {name} of a session is a string")
        if self.workspace is not None and not isinstance(self.workspace, str):
            raise TypeError("the workspace of a session is a string")
        # What could change later would be seen by nobody: the session is frozen once for all its calls.
        if not isinstance(self.labels, frozenset) or not all(isinstance(label, str) for label in self.labels):
            raise TypeError("the labels of a session are a frozen set of strings")
        if self.started is not None and self.started.utcoffset() is None:
            raise ValueError("the start of a session has its offset from UTC")
        if not isinstance(self.attributes, JsonObject):
            raise TypeError("the attributes of a session are a frozen JSON object")
        if hidden := sorted(_SESSION_FIELDS & self.attributes.keys()):
            raise ValueError(f"an attribute of a session cannot be called `{hidden[0]}`")

    def variables(self, subject: Subject) -> tuple[object, object]:
        """The variables `subject` and `session`, frozen once for all calls that the subject makes in the session."""
        for known in self._known:
            if known.subject is subject:
                return known.variables
        found = (_shown_subject(subject), _shown_session(self))
        try:
            known = _Known(subject, (prepare(found[0]), prepare(found[1])))
        except EvalError:
            # Whoever freezes them with the rest of the call finds out why they cannot be.
            return found
        self._known[:] = [known]
        return known.variables


@dataclass(frozen=True, slots=True)
class Facts:
    """One call, result or prompt at one moment. Nothing in it comes from a model but the call and the prompt."""

    stage: Stage
    """What is judged."""
    now: datetime
    """The moment, with its offset."""
    subject: Subject
    """On whose authority."""
    session: SessionFacts = field(default_factory=SessionFacts)
    """In which session."""
    call: ToolCall | None = None
    """The call as it would run, or the one whose result this is; None for a prompt."""
    original: JsonObject | None = field(default=None, repr=False)
    """The arguments as the model asked them, where a rewriter changed them."""
    tool: ToolDefinition | None = None
    """What the host sees of the tool, or None where it only has the name."""
    registered: bool = False
    """Whether the host registered the tool in code, so that `tool` can be believed."""
    attempt: int = 1
    """Which attempt of the call it is."""
    previous_outcome: str = "none"
    """How the attempt before ended, one of `OUTCOMES`."""
    result: ToolResult | None = field(default=None, repr=False)
    """The result, at stage `result`."""
    prompt: str | None = field(default=None, repr=False)
    """The text, at stage `prompt`."""

    def __post_init__(self) -> None:
        if self.now.utcoffset() is None:
            raise ValueError("a moment without an offset means nothing here")
        if (self.stage is Stage.PROMPT) == (self.call is not None):
            raise ValueError("a prompt has no call, and everything else has one")
        if (self.stage is Stage.RESULT) != (self.result is not None):
            raise ValueError("a result stands exactly at stage `result`")
        if (self.stage is Stage.PROMPT) != (self.prompt is not None):
            raise ValueError("a prompt stands exactly at stage `prompt`")
        if self.original is not None and self.stage is not Stage.CALL:
            raise ValueError("only a call has an original view")
        if self.tool is not None and (self.call is None or self.tool.id != self.call.tool):
            raise ValueError("what the host sees of a tool is about the tool of the call")
        if self.previous_outcome not in OUTCOMES:
            raise ValueError(f"a previous outcome is one of {', '.join(OUTCOMES)}")

    def activation(self, tool: dict[str, Any] | Prepared | None, view: View = View.EFFECTIVE) -> Activation:
        """The frozen variables of one view; `tool` is what rules see of the tool."""
        subject, session = self.session.variables(self.subject)
        variables: dict[str, Any] = {"now": self.now, "subject": subject, "session": session}
        if self.call is not None:
            original = view is View.ORIGINAL and self.original is not None
            variables["args"] = self.original if original else self.call.arguments
            variables["tool"] = tool
            variables["call"] = {
                "id": self.call.id,
                "attempt": self.attempt,
                "previous_outcome": self.previous_outcome,
            }
        if self.result is not None:
            variables["result"] = _result(self.result)
        if self.prompt is not None:
            variables["prompt"] = {"text": self.prompt}
        return freeze(variables)


def _shown_subject(subject: Subject) -> dict[str, Any]:
    shown: dict[str, Any] = {"id": subject.id, "roles": sorted(subject.roles), **subject.attributes}
    if subject.on_behalf_of is not None:
        shown["on_behalf_of"] = subject.on_behalf_of
    return shown


def _shown_session(session: SessionFacts) -> dict[str, Any]:
    shown: dict[str, Any] = {
        **session.attributes,
        "id": session.id,
        "issuer": session.issuer,
        "labels": sorted(session.labels),
    }
    if session.workspace is not None:
        shown["workspace"] = session.workspace
    if session.started is not None:
        shown["started"] = session.started
    return shown


def _result(result: ToolResult) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "text": "\n".join(part.text for part in result.parts if isinstance(part, TextPart)),
        "is_error": result.is_error,
        "media_types": [part.media_type for part in result.parts if not isinstance(part, TextPart)],
    }
    if result.structured is not None:
        shown["structured"] = result.structured
    return shown
