"""What a command has to say about files, before any format is chosen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from oap_core.diagnostic import Diagnostic, Severity

__all__ = ["Findings"]


@dataclass(frozen=True, slots=True)
class Findings:
    """The diagnostics of one run with the texts that they speak about.

    The order of the diagnostics does not matter, and one that stands there twice is printed twice.
    """

    diagnostics: tuple[Diagnostic, ...]
    """Everything that was found; a `file` is a path as it is shown, or None."""
    sources: Mapping[str, str]
    """The text of each file by the name that the diagnostics carry; one that is missing is shown without source."""
    summary: str
    """One line about the whole run, such as `2 files, 9 rules, 13 errors`."""

    def ordered(self) -> list[Diagnostic]:
        """Give the diagnostics by file, line, column and code, those without a file first; equal runs give equal lists."""
        return sorted(self.diagnostics, key=_rank)

    def count(self, severity: Severity) -> int:
        """Count the diagnostics that weigh so much."""
        return sum(found.severity is severity for found in self.diagnostics)


def _rank(found: Diagnostic) -> tuple[object, ...]:
    place = (found.line, found.column, str(found.code), found.end_line, found.end_column)
    rest = (found.severity.value, found.message, found.help is not None, found.help or "", found.rule or "")
    return (found.file is not None, found.file or "", *place, *rest)
