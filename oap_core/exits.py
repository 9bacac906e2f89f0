"""The eight ways in which one call leaves the pipeline, and the closed set of codes of each.

Spans, counters, records and denials all speak in these words; nothing that a model or a tool wrote becomes one.
"""

from __future__ import annotations

from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CODES", "Exit", "ExitCode"]


class Exit(Enum):
    """How one call left the pipeline."""

    UNKNOWN_TOOL = "unknown_tool"
    """The call names no tool of the frozen tool set."""
    DENIED = "denied"
    """A rule, a plugin or the core itself stopped the call before its arguments were validated."""
    ABORTED = "aborted"
    """The run ends with this call."""
    INVALID_ARGUMENTS = "invalid_arguments"
    """The arguments are no JSON object or do not fit the schema of the tool."""
    REFUSED = "refused"
    """The call needed a yes and did not get one."""
    PARKED = "parked"
    """The call waits for a person, or its tool took the work and answers later."""
    TAKEN_OVER = "taken_over"
    """Another holder owns the run, or nobody can tell who does; this one stops before any effect."""
    SETTLED = "settled"
    """The tool was dispatched and the call has a result."""

    @property
    def codes(self) -> frozenset[ExitCode]:
        """The codes with which a call can leave here."""
        return CODES[self]


class ExitCode(Enum):
    """Why a call left where it left; each code belongs to exactly one exit."""

    UNKNOWN = "unknown"
    CHANGED_IDENTITY = "changed_identity"

    UNDESCRIBABLE = "undescribable"
    POLICY = "policy"
    POLICY_ERROR = "policy_error"
    PLAN_REQUIRED = "plan_required"
    CONTENT = "content"
    RATE_LIMITED = "rate_limited"
    BREAKER_OPEN = "breaker_open"
    GATE_ERROR = "gate_error"
    UNRECORDED = "unrecorded"
    """The decision could not be written down, and no call runs without its record."""

    BAD_REWRITE = "bad_rewrite"
    ABORT_REQUESTED = "abort_requested"

    UNPARSABLE = "unparsable"
    MISSING = "missing"
    SCHEMA = "schema"

    NO_PROMPTER = "no_prompter"
    OPERATOR_REFUSED = "operator_refused"
    PROMPT_FAILED = "prompt_failed"
    APPROVAL_TIMEOUT = "approval_timeout"
    CANNOT_PARK = "cannot_park"
    CANCELLED = "cancelled"

    AWAITING_APPROVAL = "awaiting_approval"
    UNANSWERED = "unanswered"
    DEFERRED = "deferred"

    LOST = "lost"
    CANNOT_TELL = "cannot_tell"

    OK = "ok"
    TOOL_ERROR = "tool_error"
    TIMEOUT = "timeout"
    OUTCOME_UNKNOWN = "outcome_unknown"
    WITHHELD = "withheld"

    @property
    def exit(self) -> Exit:
        """The one exit that this code belongs to."""
        return _EXITS[self]


CODES: Final[Mapping[Exit, frozenset[ExitCode]]] = MappingProxyType(
    {
        Exit.UNKNOWN_TOOL: frozenset({ExitCode.UNKNOWN, ExitCode.CHANGED_IDENTITY}),
        Exit.DENIED: frozenset(
            {
                ExitCode.UNDESCRIBABLE,
                ExitCode.POLICY,
                ExitCode.POLICY_ERROR,
                ExitCode.PLAN_REQUIRED,
                ExitCode.CONTENT,
                ExitCode.RATE_LIMITED,
                ExitCode.BREAKER_OPEN,
                ExitCode.GATE_ERROR,
                ExitCode.UNRECORDED,
            }
        ),
        Exit.ABORTED: frozenset({ExitCode.BAD_REWRITE, ExitCode.ABORT_REQUESTED}),
        Exit.INVALID_ARGUMENTS: frozenset({ExitCode.UNPARSABLE, ExitCode.MISSING, ExitCode.SCHEMA}),
        Exit.REFUSED: frozenset(
            {
                ExitCode.NO_PROMPTER,
                ExitCode.OPERATOR_REFUSED,
                ExitCode.PROMPT_FAILED,
                ExitCode.APPROVAL_TIMEOUT,
                ExitCode.CANNOT_PARK,
                ExitCode.CANCELLED,
            }
        ),
        Exit.PARKED: frozenset({ExitCode.AWAITING_APPROVAL, ExitCode.UNANSWERED, ExitCode.DEFERRED}),
        Exit.TAKEN_OVER: frozenset({ExitCode.LOST, ExitCode.CANNOT_TELL}),
        Exit.SETTLED: frozenset(
            {
                ExitCode.OK,
                ExitCode.TOOL_ERROR,
                ExitCode.TIMEOUT,
                ExitCode.OUTCOME_UNKNOWN,
                ExitCode.WITHHELD,
            }
        ),
    }
)
"""The closed table: every exit with its codes."""

_EXITS: Final = {code: exit_ for exit_, codes in CODES.items() for code in codes}
