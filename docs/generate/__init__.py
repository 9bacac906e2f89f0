"""Generates the pages of `docs/reference`: `python -m docs.generate`, or `poe docs`, writes them anew.

A page is a function without arguments that returns Markdown, in a module of its own here. To add one, enter it in
`PAGES`, under its place in `docs`; a test compares each committed page with what its function returns, so a stale page
fails. A page written by hand that shows `oap` at work is entered as `sessions.page(...)`, which replaces the output.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from docs.generate import (
    cel_conformance,
    command_line,
    configuration,
    diagnostics,
    effects,
    evaluation_errors,
    functions,
    guarantees,
    hooks,
    json_schema,
    limits,
    operators,
    policy_format,
    sessions,
)

ROOT: Final = Path(__file__).parents[1]

PAGES: Final[Mapping[str, Callable[[], str]]] = {
    "../README.md": sessions.page("README.md"),
    "guide/cel.md": sessions.page("docs/guide/cel.md"),
    "guide/plugins.md": sessions.page("docs/guide/plugins.md"),
    "guide/policies.md": sessions.page("docs/guide/policies.md"),
    "reference/cel-conformance.md": cel_conformance.page,
    "reference/cli.md": command_line.page,
    "reference/configuration.md": configuration.page,
    "reference/effects.md": effects.page,
    "reference/evaluation-errors.md": evaluation_errors.page,
    "reference/functions.md": functions.page,
    "reference/guarantees.md": guarantees.page,
    "reference/hooks.md": hooks.page,
    "reference/json-schema.md": json_schema.page,
    "reference/limits.md": limits.page,
    "reference/operators-and-macros.md": operators.page,
    "reference/policy-format.md": policy_format.page,
    **diagnostics.PAGES,
}


def render(pages: Mapping[str, Callable[[], str]] = PAGES) -> dict[str, str]:
    """Return the text of every page, each made once."""
    return {name: page() for name, page in pages.items()}


def stale(texts: Mapping[str, str], root: Path = ROOT) -> list[str]:
    """Return the names of the pages that are missing under `root` or differ there from their text."""
    return [name for name, text in texts.items() if _committed(root / name) != text]


def write(texts: Mapping[str, str], root: Path = ROOT) -> list[str]:
    """Write the pages that are stale under `root` and return their names."""
    changed = stale(texts, root)
    for name in changed:
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(texts[name], encoding="utf-8", newline="\n")
    return changed


def _committed(file: Path) -> str | None:
    return file.read_bytes().decode("utf-8") if file.exists() else None
