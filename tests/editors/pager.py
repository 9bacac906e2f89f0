"""A plugin of somebody else, with an effect and settings of its own, as editors should know them."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from oap_core import Effect, Kind, Stage, hookimpl
from oap_core.plugins import Installed

OAP_API: Final = 1


class Window(BaseModel):
    """When somebody may be disturbed."""

    model_config = ConfigDict(extra="forbid")

    begin: int = Field(ge=0, le=23, description="First hour of the day.")
    end: int = Field(ge=0, le=23, description="Last hour of the day.")


class PageSettings(BaseModel):
    """Who is paged, and how loudly."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    team: str
    """The team that is on call."""
    urgency: Literal["quiet", "loud"] = "quiet"
    """How it rings."""
    window: Window | None = None
    """When it rings at all."""


@hookimpl
def oap_effects() -> tuple[Effect, ...]:
    return (
        Effect("page", Kind.OBSERVE, "acme-pager", stages=frozenset({Stage.CALL, Stage.RESULT}), model=PageSettings),
    )


PAGER: Final = Installed("acme-pager", "pager", "2.0", EntryPoint("pager", __name__, "oap.plugins"))
