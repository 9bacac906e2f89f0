"""The page of functions, from the registries that expressions are loaded with."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import fill
from typing import Final

from docs.generate.effects import offered
from oap_core.cel.functions import Function, Overload
from oap_core.cel.library import FUNCTIONS

HEAD: Final = """\
# Functions

Generated from the registries in `oap_core/cel` by `poe docs`; edit those, not this page.

Operators, macros and literals have [a page of their own](operators-and-macros.md). A function that cannot make sense of
a value ends the evaluation with [an error](evaluation-errors.md), and an error counts against the call. *Refuses* on
this page means exactly that. Each example shows an expression and what its value equals, and a test evaluates both.

The functions of plugins stand at the end. They can be called where [the configuration](configuration.md) enables the
plugin; where it says nothing, the plugins of OAP that are installed are enabled.
"""

GROUPS: Final = {
    "standard": "General",
    "conversions": "Conversions",
    "strings": "Strings",
    "time": "Time",
    "host": "Paths, URLs and addresses",
}
"""Headings by group; a group of a plugin is its own heading."""

_SPOKEN: Final = {"google.protobuf.Timestamp": "timestamp", "google.protobuf.Duration": "duration", "dyn": "any"}


def page() -> str:
    """Return the whole page."""
    return "\n".join([HEAD, *_groups(), *_plugins()])


def plugin_functions() -> dict[str, tuple[Function, ...]]:
    """Give the functions of OAP's own plugins by the name of the plugin."""
    return {plugin.name: plugin.functions for plugin in offered().loaded if plugin.functions}


def _plugins() -> Iterator[str]:
    for plugin, functions in plugin_functions().items():
        yield f"## Offered by `{plugin}`\n"
        for function in sorted(functions, key=lambda function: function.name):
            yield from _function(function, " plugins")


def _groups() -> Iterator[str]:
    groups: dict[str, list[Function]] = {name: [] for name in GROUPS}
    for function in FUNCTIONS:
        groups.setdefault(function.group, []).append(function)
    for name, functions in groups.items():
        yield f"## {GROUPS.get(name, name)}\n"
        for function in sorted(functions, key=lambda function: function.name.lower()):
            yield from _function(function)


def _function(function: Function, mark: str = "") -> Iterator[str]:
    yield f"### {function.name}\n"
    yield "```text"
    yield from (signature(function.name, overload) for overload in function.overloads)
    yield "```\n"
    yield f"{fill(function.summary, 120, break_on_hyphens=False)}\n"
    if function.reads_world:
        yield "It looks at the world outside of the call, so what it answered is part of the record of a decision.\n"
    yield f"```cel{mark}"
    yield from (f"{expression}  // => {value}" for expression, value in function.examples)
    yield "```\n"


def signature(name: str, overload: Overload) -> str:
    """Return one signature, a method with its receiver in front."""
    types = [_type(str(kind)) for kind in overload.params]
    shown = f"{types[0]}.{name}({', '.join(types[1:])})" if overload.method else f"{name}({', '.join(types)})"
    return f"{shown} -> {_type(str(overload.result))}"


def _type(name: str) -> str:
    for long, short in _SPOKEN.items():
        name = name.replace(long, short)
    return name
