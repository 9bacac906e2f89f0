"""The forms in which a command prints what it has to say about files: for a person, a program or a CI service.

A format never loses a finding: each one names the code and the place of every diagnostic, however many there are and
whatever stands in them. Nothing here prints; a format gives a text, and the command that asked for it prints that.
"""

from __future__ import annotations

from typing import Final

from oap_core.cli.formats.findings import Findings

__all__ = ["FORMATS", "Findings", "write"]

FORMATS: Final[tuple[str, ...]] = ("text", "json", "github", "sarif")
"""The formats that `write` knows, the one for a person first."""


def write(findings: Findings, format: str, *, colour: bool) -> str:
    """Give the findings in one of `FORMATS`, without a line feed at the end.

    `colour` matters to `text` alone. Raises ValueError for a format that is none.
    """
    # Imported where they are asked for, so that no format pays for another.
    if format == "text":
        from oap_core.cli.formats import text

        return text.written(findings, colour=colour)
    if format == "json":
        from oap_core.cli.formats import as_json

        return as_json.written(findings)
    if format == "github":
        from oap_core.cli.formats import github

        return github.written(findings)
    if format == "sarif":
        from oap_core.cli.formats import sarif

        return sarif.written(findings)
    raise ValueError(f"the formats are {', '.join(FORMATS)}")
