"""What a rule set needs beside its files: effects, functions, and the part of the configuration that decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Annotated, Final

from pydantic import Field

from oap_core.cel.library import FUNCTIONS
from oap_core.decision import Default
from oap_core.kinds import ASK, CORE_EFFECTS, Effect
from oap_core.policy.model.fields import Duration, FileModel, Text
from oap_core.policy.ruleset import Reservation
from oap_core.policy.scope import Vocabulary
from oap_core.policy.tree import Span

__all__ = ["NOWHERE", "AskSettings", "Place", "Setup", "core_effects"]


class AskSettings(FileModel):
    """Who is asked, how long the question stands, and what is shown."""

    approvers: Annotated[list[Text], Field(min_length=1)] = Field(default_factory=lambda: ["session-owner"])
    """Who may answer, as the host names them."""
    timeout: Duration = timedelta(minutes=10)
    """How long the question stands; no yes counts afterwards."""
    quorum: Annotated[int, Field(ge=1, le=20)] = 1
    """How many of them have to say yes."""
    show: Annotated[list[Text], Field(min_length=1)] | None = None
    """Arguments to show first, such as `args.to`. It hides none."""
    standing: bool = False
    """Whether a yes may stand for later calls of the tool in this session."""


def core_effects() -> dict[str, Effect]:
    """The effects that the core carries out, by name."""
    return {
        effect.name: replace(effect, model=AskSettings) if effect.name == ASK else effect for effect in CORE_EFFECTS
    }


@dataclass(frozen=True, slots=True)
class Place:
    """Where a file says something."""

    file: str | None
    """The file."""
    span: Span
    """The stretch of it."""


NOWHERE: Final = Place(None, Span(1, 1, 1, 1))
"""For what no file says."""


@dataclass(frozen=True, slots=True)
class Setup:
    """Everything that decides and stands in no policy file."""

    effects: Mapping[str, Effect] = field(default_factory=core_effects)
    """Effects by name, those of the core included."""
    vocabulary: Vocabulary = field(default_factory=lambda: Vocabulary(FUNCTIONS))
    """What conditions may speak about."""
    default: Default = Default.DENY
    """What holds for a call that no grant matches."""
    reservations: tuple[Reservation, ...] = ()
    """Which tools only some policies may grant."""
    required: Mapping[str, Place] = field(default_factory=dict)
    """Policies that have to be there, and where the configuration says so."""
    reserved_for: Mapping[str, Place] = field(default_factory=dict)
    """Policies that tools are reserved for, and where the configuration says so."""
    observe_until: datetime | None = None
    """Until when the host only observes."""
    plugins: Mapping[str, str] = field(default_factory=dict)
    """Versions of the enabled plugins by name."""
    paths: Mapping[str, bool] = field(default_factory=dict)
    """What functions on paths assume about the file system, as far as it changes their answers."""
    mandatory_catalog: bool = False
    """Whether the configuration names a catalog, so that an empty one is still a catalog."""
    now: datetime | None = None
    """The moment of loading, so that what has ended can be told of; None where nobody wants to know."""
