"""Findings for a program: one JSON object in ASCII, so that no encoding on the way can change it."""

from __future__ import annotations

import json
from typing import Final

from oap_core.cli.formats.findings import Findings
from oap_core.diagnostic import Diagnostic, Severity

__all__ = ["VERSION", "written"]

VERSION: Final = 1
"""Version of the form; it rises when a member goes away or changes its meaning, not when one is added."""


def written(findings: Findings) -> str:
    """Give one object with the version, the summary and the diagnostics; all texts are exact and uncut.

    Columns count code points from 1, and the end of a span is exclusive.
    """
    shown = {
        "version": VERSION,
        "summary": {
            "errors": findings.count(Severity.ERROR),
            "warnings": findings.count(Severity.WARNING),
            "text": findings.summary,
        },
        "diagnostics": [_object(found) for found in findings.ordered()],
    }
    return json.dumps(shown, indent=2)


def _object(found: Diagnostic) -> dict[str, object]:
    return {
        "code": str(found.code),
        "severity": found.severity.value,
        "message": found.message,
        "help": found.help,
        "file": found.file,
        "line": found.line,
        "column": found.column,
        "end_line": found.end_line,
        "end_column": found.end_column,
        "rule": found.rule,
    }
