"""Findings for GitHub Actions: one workflow command a diagnostic, which becomes an annotation on the changed lines.

A runner obeys whatever a step prints at the start of a line, so nothing that a file holds or is called may start one.
"""

from __future__ import annotations

import unicodedata
from typing import Final

from oap_core.cli.formats.findings import Findings
from oap_core.cli.formats.wording import title, told, visible
from oap_core.diagnostic import Diagnostic, printable

__all__ = ["written"]

_DATA: Final = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY: Final = _DATA | str.maketrans({":": "%3A", ",": "%2C"})
_INVISIBLE: Final = frozenset({"Cc", "Cs", "Zl", "Zp"})


def written(findings: Findings) -> str:
    """Give one line a diagnostic, and the summary as a last line that is no command.

    The message says code and place once more, because the log shows it without its properties.
    """
    lines = [_command(found) for found in findings.ordered()]
    return "\n".join([*lines, _inert(printable(findings.summary))])


def _command(found: Diagnostic) -> str:
    listed = ",".join(f"{name}={value.translate(_PROPERTY)}" for name, value in _properties(found).items())
    place = f"{found.line}:{found.column}"
    if found.file is not None:
        place = f"{visible(found.file)}:{place}"
    return f"::{found.severity.value} {listed}::" + f"{found.code} {place}  {told(found)}".translate(_DATA)


def _properties(found: Diagnostic) -> dict[str, str]:
    named = title(found.code)
    properties = {} if found.file is None else {"file": _name(found.file)}
    properties |= {"line": str(found.line), "endLine": str(found.end_line)}
    # GitHub takes columns for a span within one line alone.
    if found.line == found.end_line:
        properties |= {"col": str(found.column), "endColumn": str(found.end_column)}
    return {**properties, "title": str(found.code) if named is None else f"{found.code} {named}"}


def _name(file: str) -> str:
    """The name of a file as it is, since GitHub finds the file by it; only what could end or garble a line is escaped."""
    return "".join(
        printable(char) if unicodedata.category(char) in _INVISIBLE and char not in "\r\n" else char for char in file
    )


def _inert(line: str) -> str:
    """A line that no runner takes for a command, in the form of today or in the older one with brackets."""
    return line.replace("::", ": :").replace("##[", "## [")
