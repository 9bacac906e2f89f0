"""The effects `allow` and `deny`: the key that opens a call and the wall that stops it.

A rule of either effect is decided by its condition alone, so there is nothing to carry out at run time: the core
combines what matched. `deny` also stands at the stages `result` and `prompt`, where it withholds.
"""

from __future__ import annotations

from typing import Final

from oap_core import Effect, Kind, Stage, hookimpl

__all__ = ["OAP_API", "oap_effects"]

OAP_API: Final = 1
"""Version of the plugin interface that this is written against."""


@hookimpl
def oap_effects() -> tuple[Effect, ...]:
    """Declare `allow` and `deny`."""
    return (
        Effect("allow", Kind.GRANT, "oap-authorization"),
        Effect("deny", Kind.WALL, "oap-authorization", stages=frozenset(Stage)),
    )
