"""A plugin for OAP: the effect `notify` and the function `is_ticket`."""

from __future__ import annotations

import re
from typing import Final

from pydantic import BaseModel, ConfigDict, Field

from oap_core import Effect, Kind, hookimpl
from oap_core.cel import BOOL, STRING, Code, EvalError, Function, Overload

OAP_API: Final = 1

_TICKET: Final = re.compile(r"T-[0-9]{1,9}", re.ASCII)
_LONGEST: Final = 100


class NotifySettings(BaseModel):
    """Whom a rule with `notify` tells."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    channel: str = Field(min_length=1, description="The channel that is told.")


def is_ticket(text: str) -> bool:
    """Whether the text is the number of a ticket."""
    if len(text) > _LONGEST:
        raise EvalError(Code.INVALID_ARGUMENT)
    return _TICKET.fullmatch(text) is not None


@hookimpl
def oap_effects() -> list[Effect]:
    """Declare `notify`: it leaves a mark and never decides."""
    return [Effect("notify", Kind.OBSERVE, "acme-tickets", model=NotifySettings)]


@hookimpl
def oap_functions() -> list[Function]:
    """Declare `is_ticket`."""
    overload = Overload((STRING,), BOOL, is_ticket)
    return [
        Function(
            "is_ticket",
            (overload,),
            "Whether the text is the number of a ticket, such as `T-17`.",
            examples=(("is_ticket('T-17')", "true"),),
            group="tickets",
        )
    ]
