"""Every hook of OAP: what a plugin may implement, when it is called, and what becomes of its answer.

A plugin is a module or an object that an entry point of the group `oap.plugins` names. It marks its implementations
with `hookimpl` and says in `OAP_API` which version of this interface it is written against. The configuration enables
it by name; a plugin that is only installed is never imported.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import pluggy

from oap_core.cel.functions import Function
from oap_core.kinds import Effect

__all__ = ["API", "GROUP", "PROJECT", "hookimpl", "hookspec", "oap_effects", "oap_functions"]

PROJECT: Final = "oap"
"""Name under which the marks of implementations are found."""
GROUP: Final = "oap.plugins"
"""Entry-point group in which distributions offer plugins."""
API: Final = 1
"""Version of this interface. It changes when an implementation that worked would no longer do."""

hookspec: Final = pluggy.HookspecMarker(PROJECT)
"""Marks a specification; for this module alone."""
hookimpl: Final = pluggy.HookimplMarker(PROJECT)
"""Marks the implementation of a hook in a plugin."""


@hookspec
def oap_effects() -> Iterable[Effect]:  # type: ignore[empty-body]  # a specification has no body
    """Declare the effects that rules may name.

    When:
        Once, while the plugins are loaded, before any policy is read.

    You get:
        Nothing. What an effect may do follows from its kind.

    You may return:
        Any number of `Effect`. The field `plugin` of each names your distribution, `model` is a pydantic model of the
        key `with`, or None where the effect takes no settings.

    If you raise:
        The start is aborted, and so it is for anything that is no `Effect`, for an effect of another plugin's name, and
        where two plugins declare one effect.
    """


@hookspec
def oap_functions() -> Iterable[Function]:  # type: ignore[empty-body]  # a specification has no body
    """Declare functions that conditions may call.

    When:
        Once, while the plugins are loaded, before any policy is read.

    You get:
        Nothing.

    You may return:
        Any number of `oap_core.cel.Function`: typed, total and free of side effects. An implementation returns a value
        of its declared type or raises `EvalError` with a code alone. One that looks at the outside world says so in its
        name and in `reads_world`.

    If you raise:
        The start is aborted, and so it is for anything that is no `Function`, and where a name is taken.
    """
