"""One code as its page explains it, and the declarations that all of the examples share."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from oap_core.cel.codes import LoadCode
from oap_core.cel.environment import Env
from oap_core.cel.library import FUNCTIONS
from oap_core.cel.program import load
from oap_core.cel.schema import type_from_schema
from oap_core.cel.trial import declared
from oap_core.cel.types import ObjectType
from oap_core.diagnostic import Diagnostic
from oap_core.errors import CelError

SCHEMA: Final = Path(__file__).parents[2] / "examples" / "schema.json"
CONSTANTS: Final = {"refund_cap": 200, "customers": ("dana@example.org", "kim@example.org")}
_SHOWN: Final = 300


@dataclass(frozen=True, slots=True)
class Entry:
    """What the page of one code says."""

    code: LoadCode
    """The code."""
    summary: str
    """What it means, in a sentence or two."""
    avoid: str | None
    """A condition that has this mistake and no other, or None where no condition is to blame."""
    prefer: str | None
    """A condition that says what was meant and has no mistake, or None where no condition is to blame."""
    why: str
    """Why this is not let through."""


def shown(avoid: str) -> str:
    """Return a condition to avoid, cut where it is long."""
    return avoid if len(avoid) <= _SHOWN else f"{avoid[:80]} ... {avoid[-20:]}"


def environment() -> Env:
    """Return what the examples may speak about: the example schema, two constants, every function of the core."""
    described = type_from_schema(json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert isinstance(described, ObjectType)
    return Env(declared({}, described), {"constants": CONSTANTS}, FUNCTIONS)


def found(source: str) -> tuple[Diagnostic, ...]:
    """Return the mistakes of a condition."""
    try:
        load(source, environment())
    except CelError as error:
        return error.diagnostics
    return ()
