"""What `oap cel --json` prints. Errors hold codes and places, and no value of the input."""

from __future__ import annotations

import json
from collections.abc import Iterable

from oap_core.cel.limits import EVALUATION_UNITS
from oap_core.cel.render import plain, tree_text
from oap_core.cel.trial import Trial
from oap_core.diagnostic import Diagnostic


def trial(trial: Trial, *, tree: bool) -> str:
    """One JSON object about an evaluation."""
    failure, cost = trial.failure, trial.program.cost
    shown: dict[str, object] = {"outcome": word(trial)}
    if failure is None:
        shown["value"] = plain(trial.result)
    else:
        place = {"line": failure.line, "column": failure.column} if failure.line else {"line": None, "column": None}
        shown["error"] = {"code": str(failure.code), "meaning": failure.meaning, **place}
    shown["type"] = trial.value_type
    shown["references"] = sorted(trial.program.references)
    shown["cost"] = {"units": cost.units, "assumed": cost.assumed, "budget": EVALUATION_UNITS}
    shown["warnings"] = [*filter(None, [trial.unusable]), *trial.misfits, *(found.message for found in trial.doubts)]
    if tree:
        shown["tree"] = tree_text(trial.program.tree).splitlines()
    return json.dumps(shown, indent=2)


def invalid(diagnostics: Iterable[Diagnostic]) -> str:
    """One JSON object about an expression that does not load."""
    return json.dumps({"outcome": "invalid", "diagnostics": [_diagnostic(found) for found in diagnostics]}, indent=2)


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
