"""What `oap cel` prints for a person."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import click

from oap_core.cel.codes import LoadCode
from oap_core.cel.cost import ASSUMED_CHARACTERS, ASSUMED_ELEMENTS
from oap_core.cel.failure import Failure
from oap_core.cel.limits import EVALUATION_UNITS
from oap_core.cel.program import Program
from oap_core.cel.render import tree_text, value_text
from oap_core.cel.report import Report
from oap_core.cel.trial import Trial
from oap_core.cel.trial.evidence import ABSENT
from oap_core.cel.types import DURATION, TIMESTAMP
from oap_core.cli.cel_json import word
from oap_core.diagnostic import Diagnostic, printable, render

_COLOURS: Final = {"match": "green", "valid": "green", "no match": "yellow", "error": "red"}
_SHORT: Final = {TIMESTAMP.name: "timestamp", DURATION.name: "duration"}
_VALUE_CHARACTERS: Final = 60
_ASSUMED: Final = f", assuming lists of {ASSUMED_ELEMENTS} and texts of {ASSUMED_CHARACTERS:,}"


def trial(trial: Trial, *, tree: bool) -> str:
    """Several lines about an evaluation."""
    return "\n".join(_lines(trial, tree=tree))


def valid(program: Program, *, tree: bool) -> str:
    """Several lines about an expression that loads and was not evaluated."""
    reads = program.references
    lines = [_heading("valid"), f"type   {_type(str(program.type))}"]
    lines += [f"{label:5}  {path}" for label, path in zip(["reads", *[""] * len(reads)], sorted(reads), strict=False)]
    return "\n".join([*lines, *_about(program, tree=tree)])


def _lines(trial: Trial, *, tree: bool) -> Iterator[str]:
    failure = trial.failure
    if failure is None:
        yield _heading(word(trial).replace("_", " "))
        yield f"value  {value_text(trial.result)}"
    else:
        yield from _failure(trial, failure)
    yield f"type   {_type(trial.value_type)}"
    yield from _readings(trial)
    yield from _about(trial.program, tree=tree)


def _about(program: Program, *, tree: bool) -> Iterator[str]:
    cost = program.cost
    yield f"cost   at most {cost.units:,} of {EVALUATION_UNITS:,} units{_ASSUMED if cost.assumed else ''}"
    if tree:
        yield "tree"
        yield from (f"  {line}" for line in tree_text(program.tree).splitlines())


def _type(name: str) -> str:
    """The name of a type; before a long one stands the short one that people call it by."""
    return f"{_SHORT[name]} ({name})" if name in _SHORT else name


def _heading(text: str) -> str:
    return click.style(text.upper(), fg=_COLOURS.get(text), bold=True)


def _failure(trial: Trial, failure: Failure) -> Iterator[str]:
    yield f"{_heading('error')}  {failure.code}: {failure.meaning}"
    if trial.unusable is not None:
        yield f"       {trial.unusable}"
    blame = trial.blame
    if blame is not None:
        report = Report(trial.program.source)
        start, end = report.place(blame.start), report.place(blame.end)
        found = Diagnostic("CEL500", failure.meaning, *start, *end, help=blame.told)
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


def warnings(trial: Trial) -> Iterator[str]:
    """What is odd about the data, each warning in a line or a few."""
    for sentence in trial.misfits:
        yield _coloured(f"warning  {sentence}", "yellow")
    for found in trial.doubts:
        yield _coloured(render(found, trial.program.source), "yellow")


def invalid(diagnostics: Iterable[Diagnostic], source: str, *, no_data: bool) -> str:
    """Several lines about an expression that does not load."""
    found = tuple(diagnostics)
    lines = [_coloured(render(diagnostic, source), "red") for diagnostic in found]
    if any(diagnostic.code == LoadCode.UNKNOWN_VARIABLE for diagnostic in found):
        if _is_file(source):
            name = printable(source)
            lines.append(f"to evaluate what stands in the file `{name}`: `oap cel - < {name}`")
        elif no_data:
            lines.append("variables come from `--input FILE` or `--schema FILE`")
    return "\n".join(lines)


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except (OSError, ValueError):
        return False


def _coloured(text: str, colour: str) -> str:
    head, space, rest = text.partition(" ")
    return click.style(head, fg=colour, bold=True) + space + rest
