"""The model of `kind: Exceptions`: who is let through which waivable rules, why, and until when."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from oap_core.policy.model.fields import Address, Expression, FileModel, Headed, Moment, Name, Text
from oap_core.policy.model.policy import MatchModel, MetadataModel

__all__ = ["ExceptionModel", "ExceptionsModel"]


class ExceptionModel(FileModel):
    """One exception."""

    id: Name
    """Its name, unique over all files."""
    waives: Annotated[list[Address], Field(min_length=1)]
    """Addresses of the waivable rules that it lifts."""
    match: MatchModel | None = None
    """Which tools it speaks about."""
    when: Expression | None = None
    """The condition, a boolean; where it cannot be evaluated the exception does not hold."""
    reason: Text
    """Why it is given."""
    approved_by: Text
    """Who agreed."""
    expires: Moment
    """When it ends."""
    ticket: Text | None = None
    """Where it was discussed."""
    owner: Text | None = None
    """Who answers for it, where that is another one than the owner of the file."""


class ExceptionsModel(Headed):
    """Exceptions that belong together."""

    kind: Literal["Exceptions"]
    """What the file holds."""
    metadata: MetadataModel
    """Who it belongs to."""
    exceptions: Annotated[list[ExceptionModel], Field(min_length=1)]
    """The exceptions."""
