"""The page of limits, from the constants in the code and the sentences below them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Final

HEAD: Final = """\
# Limits

Generated from the constants in the code by `poe docs`; edit those, not this page.

Everything that an expression and its data can make grow has a bound. Meeting one is an error: when the policy is
loaded, where the author can see it, or else when the call is judged, and then it counts against the call. Nothing is
ever cut, rounded or guessed in order to stay within a bound.
"""

SOURCES: Final = {
    "oap_core.cel.limits": "Expressions, data and evaluations",
    "oap_core.cel.cost": "Sizes that are assumed where no schema bounds them",
    "oap_core.cel.schema": "Schemas",
    "oap_core.strict_json": "JSON files",
}
"""Modules whose constants the page lists, with their headings."""


def page() -> str:
    """Return the whole page."""
    return "\n".join([HEAD, *(line for module, title in SOURCES.items() for line in _section(module, title))])


def _section(module: str, title: str) -> Iterator[str]:
    yield f"## {title}\n"
    yield "| limit | value | meaning |"
    yield "| --- | ---: | --- |"
    yield from (f"| `{name}` | {value:,} | {sentence} |" for name, value, sentence in constants(module))
    yield ""


def constants(module: str) -> Iterator[tuple[str, int, str]]:
    """Yield the whole numbers that a module defines by name, each with the sentence below it."""
    imported = import_module(module)
    body = ast.parse(Path(str(imported.__file__)).read_text(encoding="utf-8")).body
    for node, below in pairwise(body):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and isinstance(below, ast.Expr):
            value = getattr(imported, node.target.id)
            if type(value) is int and not node.target.id.startswith("_") and isinstance(below.value, ast.Constant):
                yield node.target.id, value, " ".join(str(below.value.value).split())
