"""The values that flow between a host and the pipeline, and the closed words in which rules speak about them.

Everything here is checked where it is built and cannot change afterwards, so that nobody behind that point has to
check it again. What the rules say about a call is in `oap_core.decision`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, TypeAlias

from oap_core.frozen import EMPTY, JsonObject, freeze_object
from oap_core.names import ToolId, check_name

__all__ = [
    "MediaPart",
    "Part",
    "Reach",
    "SessionRef",
    "Stage",
    "Subject",
    "TextPart",
    "ToolCall",
    "ToolResult",
    "View",
]

_SUBJECT_FIELDS: Final = frozenset({"id", "roles", "on_behalf_of"})


class Stage(Enum):
    """The moment that a rule speaks about."""

    PROMPT = "prompt"
    """A text of the user enters the conversation."""
    CALL = "call"
    """The model proposes a tool call."""
    RESULT = "result"
    """A tool has answered and the model has not seen it yet."""


class View(Enum):
    """Which form of a call a rule was evaluated on."""

    ORIGINAL = "original"
    """The call as the model asked it."""
    EFFECTIVE = "effective"
    """The call after rewriting; where nothing was rewritten, the call as it is."""


class Reach(Enum):
    """The declared consequence of a tool."""

    READ = "read"
    """It changes nothing."""
    IDEMPOTENT = "idempotent"
    """It changes something, and a repetition with the same key changes nothing more."""
    WRITE = "write"
    """It changes something."""
    EXTERNAL = "external"
    """It changes something outside, where nobody here can look or undo."""
    UNKNOWN = "unknown"
    """Nobody has said; counts as unsafe to repeat."""

    @property
    def repeatable(self) -> bool:
        """Whether a second run does no harm: true for `read` and `idempotent` alone."""
        return self in (Reach.READ, Reach.IDEMPOTENT)


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call that a model proposed; its arguments cannot change. `ToolCall.of` builds one from plain values.

    Calls can be compared, and have no hash because a JSON object has none: a set or a cache goes by their ids. Raises
    TypeError or ValueError where a field is of another type or no valid name.
    """

    id: str
    """The call id that the model's reply gave, unique in that reply."""
    tool: ToolId
    """The tool that is to run."""
    arguments: JsonObject = field(repr=False)
    """The arguments as a frozen JSON object; kept out of `repr`, because that ends up in logs."""

    def __post_init__(self) -> None:
        check_name(self.id, "a call id")
        if not isinstance(self.tool, ToolId):
            raise TypeError("the tool of a call is a `ToolId`")
        if not isinstance(self.arguments, JsonObject):
            raise TypeError("the arguments of a call are a frozen JSON object")

    @classmethod
    def of(cls, call_id: str, tool: str, arguments: Mapping[str, object]) -> ToolCall:
        """Build a call from a tool id as text and arguments as any mapping of JSON values, which are copied."""
        return cls(call_id, ToolId(tool), freeze_object(arguments))


@dataclass(frozen=True, slots=True)
class TextPart:
    """A piece of text in a result or a prompt."""

    text: str = field(repr=False)
    """The text, unwrapped and of any length."""

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            raise TypeError("the text of a part is a string")


@dataclass(frozen=True, slots=True)
class MediaPart:
    """A piece of a result that is no text, such as an image."""

    media_type: str
    """The declared type, such as `image/png`; a claim of the tool that nobody has verified."""
    data: bytes = field(repr=False)
    """The content."""

    def __post_init__(self) -> None:
        check_name(self.media_type, "a media type")
        if not isinstance(self.data, bytes):
            raise TypeError("the data of a media part are bytes")


Part: TypeAlias = TextPart | MediaPart
"""One content part."""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool answered: content parts and, where the tool declares an output schema, a structured value.

    It says nothing about how the call left the pipeline; that is an `Exit` with its code.
    """

    parts: tuple[Part, ...]
    """The content in the order of the tool, possibly none."""
    is_error: bool = False
    """Whether the tool reports a failure of its own; a command with a non-zero exit status is none."""
    structured: JsonObject | None = field(default=None, repr=False)
    """The value that fits the declared output schema, or None where the tool gave none."""

    def __post_init__(self) -> None:
        if not isinstance(self.parts, tuple):
            raise TypeError("the parts of a result are a tuple")
        if not all(isinstance(part, (TextPart, MediaPart)) for part in self.parts):
            raise TypeError("the parts of a result are text and media parts")
        if not isinstance(self.is_error, bool):
            raise TypeError("`is_error` of a result is a boolean")
        if self.structured is not None and not isinstance(self.structured, JsonObject):
            raise TypeError("the structured value of a result is a frozen JSON object")

    @classmethod
    def of_text(cls, text: str, *, is_error: bool = False) -> ToolResult:
        """Build a result of one text part."""
        return cls((TextPart(text),), is_error)


@dataclass(frozen=True, slots=True)
class Subject:
    """On whose authority a call is made. It comes from the host, never from a model, a tool or an argument.

    Subjects can be compared, and have no hash because a JSON object has none. Raises TypeError or ValueError where a
    field is of another type or no valid name, or where an attribute would hide a field.
    """

    id: str
    """Who acts, as the host names it."""
    roles: frozenset[str] = frozenset()
    """The roles of the one who acts."""
    on_behalf_of: str | None = None
    """The id of the one for whom the subject acts, or None where it acts for itself."""
    attributes: JsonObject = field(default_factory=lambda: EMPTY, repr=False)
    """What else the configuration declares about subjects; none of them may hide a field of this class."""

    def __post_init__(self) -> None:
        check_name(self.id, "a subject id")
        if not isinstance(self.roles, frozenset):
            raise TypeError("the roles of a subject are a frozen set")
        for role in self.roles:
            check_name(role, "a role")
        if self.on_behalf_of is not None:
            check_name(self.on_behalf_of, "a subject id")
        if not isinstance(self.attributes, JsonObject):
            raise TypeError("the attributes of a subject are a frozen JSON object")
        if hidden := sorted(_SUBJECT_FIELDS & self.attributes.keys()):
            raise ValueError(f"an attribute of a subject cannot be called `{hidden[0]}`")


@dataclass(frozen=True, slots=True)
class SessionRef:
    """Names one session; two hosts that serve one agent name it alike."""

    issuer: str
    """Who gives out the session ids, so that two issuers cannot meet in one id."""
    id: str
    """The session id, unique for its issuer."""

    def __post_init__(self) -> None:
        check_name(self.issuer, "a session issuer")
        check_name(self.id, "a session id")
