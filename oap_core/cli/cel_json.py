"""What `oap cel --json` prints. Errors hold codes and places, and no value of the input."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Final

from oap_core.cel.failure import Failure
from oap_core.cel.limits import EVALUATION_UNITS
from oap_core.cel.program import Program
from oap_core.cel.render import UnshownError, plain, tree_text
from oap_core.cel.report import Report
from oap_core.cel.trial import Trial
from oap_core.diagnostic import Diagnostic


def trial(trial: Trial, *, tree: bool) -> str:
    """One JSON object about an evaluation."""
    failure = trial.failure
    shown: dict[str, object] = {"outcome": word(trial)}
    warnings = [_warning(sentence) for sentence in trial.misfits] + [_diagnostic(found) for found in trial.doubts]
    if failure is None:
        try:
            shown["value"] = plain(trial.result)
        except UnshownError as error:
            warnings.append(_warning(str(error)))
    else:
        shown["error"] = _error(trial, failure)
    shown["type"] = trial.value_type
    return _written({**shown, **_about(trial.program), "warnings": warnings}, trial.program, tree=tree)


def valid(program: Program, *, tree: bool) -> str:
    """One JSON object about an expression that loads and was not evaluated."""
    return _written({"outcome": "valid", "type": str(program.type), **_about(program)}, program, tree=tree)


def invalid(diagnostics: Iterable[Diagnostic]) -> str:
    """One JSON object about an expression that does not load."""
    return json.dumps({"outcome": "invalid", "diagnostics": [_diagnostic(found) for found in diagnostics]}, indent=2)


def _about(program: Program) -> dict[str, object]:
    cost = program.cost
    return {
        "references": sorted(program.references),
        "cost": {"units": cost.units, "assumed": cost.assumed, "budget": EVALUATION_UNITS},
    }


def _written(shown: dict[str, object], program: Program, *, tree: bool) -> str:
    if tree:
        shown = {**shown, "tree": tree_text(program.tree).splitlines()}
    return json.dumps(shown, indent=2)


def _error(trial: Trial, failure: Failure) -> dict[str, object]:
    blame = trial.blame
    if blame is None:
        return {"code": str(failure.code), "message": failure.meaning, **_NOWHERE, "help": trial.unusable}
    report = Report(trial.program.source)
    (line, column), (end_line, end_column) = report.place(blame.start), report.place(blame.end)
    return {
        "code": str(failure.code),
        "message": failure.meaning,
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
        "help": blame.advice,
    }


_NOWHERE: Final = dict.fromkeys(("line", "column", "end_line", "end_column"))
"""The place of what is about the data as a whole."""


def _warning(sentence: str) -> dict[str, object]:
    """A warning about the data, in the form of one about the expression."""
    return {"code": None, "message": sentence, **_NOWHERE, "help": None}


def word(trial: Trial) -> str:
    """The outcome in a word: match, no_match, error, or value where the value is no boolean."""
    if trial.failure is not None:
        return "error"
    if type(trial.result) is not bool:
        return "value"
    return "match" if trial.result else "no_match"


def _diagnostic(found: Diagnostic) -> dict[str, object]:
    return {
        "code": str(found.code),
        "message": found.message,
        "line": found.line,
        "column": found.column,
        "end_line": found.end_line,
        "end_column": found.end_column,
        "help": found.help,
    }
