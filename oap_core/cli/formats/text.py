"""Findings for a person: each with its source line and a caret below what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import click

from oap_core.cli.formats.findings import Findings
from oap_core.diagnostic import Diagnostic, Severity, printable, render

__all__ = ["written"]

_COLOURS: Final = {Severity.ERROR: "red", Severity.WARNING: "yellow"}
# As wide as `render` makes the number of the first line, and the same with the bar behind it.
_NUMBER: Final = 3
_GUTTER: Final = len("  1 | ")


def written(findings: Findings, *, colour: bool) -> str:
    """Give one block of lines a diagnostic and the summary below; with `colour` only the colours are added."""
    lines: dict[str, list[str]] = {}
    blocks: list[str] = []
    for found in findings.ordered():
        if found.file is not None and found.file not in lines:
            source = findings.sources.get(found.file)
            lines[found.file] = [] if source is None else source.split("\n")
        of_file = [] if found.file is None else lines[found.file]
        line = of_file[found.line - 1] if found.line <= len(of_file) else None
        blocks += _block(found, line, colour=colour)
    return "\n".join([*blocks, printable(findings.summary)])


def _block(found: Diagnostic, line: str | None, *, colour: bool) -> Iterator[str]:
    label = f"{found.severity.value}[{found.code}]"
    yield _styled(label, found, colour=colour, bold=True) + str(found).removeprefix(label)
    if line is not None:
        shown, marks = _excerpt(found, line)
        number = f"{found.line:>{_NUMBER}}"
        yield f"{number} | {shown}"
        yield f"{' ' * len(number)} | {_styled(marks, found, colour=colour)}"
    elif found.help is not None:
        yield f"  help: {printable(found.help)}"


def _excerpt(found: Diagnostic, line: str) -> tuple[str, str]:
    """Give the source line and the line of carets, without their margin.

    Only the line is rendered: to find it in the whole text anew each time would take the square of the mistakes.
    """
    alone = replace(found, line=1, end_line=1 if found.end_line == found.line else 2)
    _, shown, marks = render(alone, line).split("\n")
    return shown[_GUTTER:], marks[_GUTTER:]


def _styled(text: str, found: Diagnostic, *, colour: bool, bold: bool | None = None) -> str:
    return click.style(text, fg=_COLOURS[found.severity], bold=bold) if colour else text
