"""What `oap test` prints for a program: one JSON object in ASCII."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, Final

import click

from oap_core.cli import test_text
from oap_core.cli.formats import as_json
from oap_core.cli.formats.findings import Findings
from oap_core.cli.test_run import Report
from oap_core.policy.cases import CaseResult, Coverage, Ending
from oap_core.policy.cases.compare import deciding, observed, waived

__all__ = ["VERSION", "written"]

VERSION: Final = 1
"""Version of the form; it rises when a member goes away or changes its meaning, not when one is added."""


def written(report: Report, cover: int | None) -> str:
    """Every case with what it expects and what came out, the coverage, and the findings as `oap check` has them."""
    counts = Counter(result.ending for result in report.results)
    findings = json.loads(as_json.written(Findings(report.diagnostics, report.sources, "")))
    shown = {
        "version": VERSION,
        "summary": {
            "cases": len(report.results),
            **{ending.value: counts[ending] for ending in Ending},
            "stopped": report.stopped,
            "failure": None if findings["summary"]["errors"] else test_text.verdict(report, cover),
        },
        "cases": [_case(result) for result in report.results],
        "coverage": None if report.coverage is None else _coverage(report.coverage),
        "diagnostics": findings["diagnostics"],
    }
    return json.dumps(shown, indent=2)


def _case(result: CaseResult) -> dict[str, Any]:
    case, spot = result.case, result.case.written.spot
    shown: dict[str, Any] = {
        "file": spot.document.file,
        "line": spot.span("name").line,
        "name": case.written.model.name,
        "case": case.number,
        "values": case.values,
        "outcome": result.ending.value,
        "reasons": [reason.text for reason in result.reasons],
    }
    if result.judged is not None:
        shown["verdict"] = result.judged.decision.verdict.value
        shown["by"] = list(deciding(result.judged))
        shown["observed"] = list(observed(result.judged))
        shown["waived"] = list(waived(result.judged))
    if result.ending.bad:
        shown["details"] = click.unstyle("\n".join(test_text.details(result)))
    return shown


def _coverage(coverage: Coverage) -> dict[str, Any]:
    return {
        "outcomes": coverage.total,
        "covered": coverage.covered,
        "missing": [
            {"name": gap.name, "exception": gap.exception, "outcome": "matched" if gap.matched else "not matched"}
            for gap in coverage.gaps
        ],
        "errors": [{"name": name, "cases": number} for name, number in coverage.errors],
    }
