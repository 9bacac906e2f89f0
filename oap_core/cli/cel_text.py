"""What `oap cel` prints for a person."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import click

from oap_core.cel.codes import LoadCode
from oap_core.cel.cost import ASSUMED_CHARACTERS, ASSUMED_ELEMENTS
from oap_core.cel.evidence import ABSENT
from oap_core.cel.limits import EVALUATION_UNITS
from oap_core.cel.render import tree_text, value_text
from oap_core.cel.report import Report
from oap_core.cel.trial import Trial
from oap_core.cel.wording import listed
from oap_core.cli.cel_json import word
from oap_core.diagnostic import Diagnostic, printable, render

_COLOURS: Final = {"match": "green", "no match": "yellow", "error": "red"}
_VALUE_CHARACTERS: Final = 60
_ASSUMED: Final = (
    f", with lists of {ASSUMED_ELEMENTS} and texts of {ASSUMED_CHARACTERS:,} where the schema sets no limit"
)


def trial(trial: Trial, *, tree: bool) -> str:
    """Several lines about an evaluation."""
    return "\n".join(_lines(trial, tree=tree))


def _lines(trial: Trial, *, tree: bool) -> Iterator[str]:
    cost = trial.program.cost
    if trial.failure is None:
        yield _heading(word(trial).replace("_", " "))
        yield f"value  {value_text(trial.result)}"
    else:
        yield from _failure(trial)
    yield f"type   {trial.value_type}"
    yield from _readings(trial)
    yield f"cost   at most {cost.units:,} of {EVALUATION_UNITS:,} units{_ASSUMED if cost.assumed else ''}"
    if tree:
        yield "tree"
        yield from (f"  {line}" for line in tree_text(trial.program.tree).splitlines())


def _heading(text: str) -> str:
    return click.style(text.upper(), fg=_COLOURS.get(text), bold=True)


def _failure(trial: Trial) -> Iterator[str]:
    failure, place = trial.failure, trial.blamed()
    assert failure is not None
    yield f"{_heading('error')}  {failure.code}: {failure.meaning}"
    if place is not None:
        start, end, help = place
        report = Report(trial.program.source)
        found = Diagnostic("CEL500", failure.meaning, *report.place(start), *report.place(end), help=help)
        yield render(found, trial.program.source).partition("\n")[2]
    yield "an error counts against the call: an `allow` does not match, a `deny` or an `ask` does"


def _readings(trial: Trial) -> Iterator[str]:
    shown = trial.readings
    width = max((len(reading.path) for reading in shown), default=0)
    label = "reads"
    for reading in shown:
        value = "absent" if reading.value is ABSENT else value_text(reading.value, _VALUE_CHARACTERS)
        yield f"{label:5}  {reading.path:{width}}  {value}"
        label = ""


def invalid(diagnostics: Iterable[Diagnostic], source: str, variables: Iterable[str]) -> str:
    """Several lines about an expression that does not load; `variables` are those that it could have used."""
    found = tuple(diagnostics)
    lines = [_coloured(render(diagnostic, source)) for diagnostic in found]
    if any(diagnostic.code == LoadCode.UNKNOWN_VARIABLE for diagnostic in found):
        lines += _about_variables(source, set(variables))
    return "\n".join(lines)


def _about_variables(source: str, variables: set[str]) -> Iterator[str]:
    if not variables:
        yield "variables come from `--input FILE` or `--schema FILE`"
    else:
        yield f"there are {listed({*variables, 'now'}, 12)}"
    if _is_file(source):
        name = printable(source)
        yield f"to evaluate what stands in the file `{name}`: `oap cel - < {name}`"


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except (OSError, ValueError):
        return False


def _coloured(text: str) -> str:
    head, bracket, rest = text.partition("]")
    return click.style(head + bracket, fg="red", bold=True) + rest
