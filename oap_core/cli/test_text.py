"""What `oap test` prints for a person."""

from __future__ import annotations

import json
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

import click

from oap_core.cel.failure import Failure
from oap_core.cel.trace import Clause
from oap_core.cli.formats.junit import CaseReport
from oap_core.cli.test_run import Report
from oap_core.decision import Verdict
from oap_core.diagnostic import Diagnostic, Severity, printable
from oap_core.policy.cases import Case, CaseResult, Coverage, Ending, Expected
from oap_core.policy.cases.compare import deciding, observed, waived
from oap_core.policy.cases.relevant import ended, relevant
from oap_core.policy.explain import Line

__all__ = ["combination", "details", "reports", "verdict", "written"]

_COLOURS: Final = {
    Ending.PASSED: "green",
    Ending.FAILED: "red",
    Ending.ERROR: "red",
    Ending.TODO: "yellow",
    Ending.SKIPPED: "yellow",
}
_WIDTH: Final = 100
_VALUES: Final = 100


def written(report: Report, cover: int | None, *, verbose: bool) -> str:
    """The files with their counts, the cases that failed, the sum, and what is not covered."""
    lines = [*_files(report.results, verbose=verbose)]
    for result in report.results:
        if result.ending.bad:
            lines += ["", *_failure(result)]
    if any(result.ending.bad for result in report.results):
        lines.append("")
    wrong = verdict(report, cover)
    lines.append(_summary(report, wrong))
    if report.coverage is not None and report.results:
        lines += _coverage(report.coverage)
    if wrong is not None:
        lines.append(_styled(wrong, "red"))
    return "\n".join(lines)


def verdict(report: Report, cover: int | None) -> str | None:
    """Why the run fails, in a line; None where it does not."""
    counts = Counter(result.ending for result in report.results)
    bad = [f"{counts[ending]:,} {word}" for ending, word in _BAD.items() if counts[ending]]
    if bad:
        return f"FAILED: {', '.join(bad)}{', and the rest was not run' if report.stopped else ''}"
    if not report.results:
        if report.written:
            return "FAILED: no test was run, because none has this text in its file or its name"
        return "FAILED: there is no test, so nothing was checked"
    if counts[Ending.SKIPPED] == len(report.results):
        return "FAILED: no case was run, because all of them are skipped"
    if cover is not None and report.coverage is None:
        return "FAILED: what a part of the tests covers says nothing about the whole"
    if cover is not None and report.coverage is not None and not report.coverage.reaches(cover):
        return f"FAILED: less than {cover} % of the outcomes are covered"
    return None


_BAD: Final = {Ending.FAILED: "failed", Ending.ERROR: "with an error"}


def _styled(text: str, colour: str, *, bold: bool = True) -> str:
    return click.style(text, fg=colour, bold=bold)


def _by_file(results: Iterable[CaseResult]) -> dict[str, list[CaseResult]]:
    files: dict[str, list[CaseResult]] = {}
    for result in results:
        files.setdefault(result.case.written.spot.document.file or "", []).append(result)
    return files


def _files(results: Iterable[CaseResult], *, verbose: bool) -> Iterator[str]:
    files = _by_file(results)
    width = max((len(printable(name)) for name in files), default=0)
    most = max((len(f"{len(found):,}") for found in files.values()), default=1)
    for name, found in files.items():
        counts = Counter(result.ending for result in found)
        said = ", ".join(
            _styled(f"{counts[ending]:,} {_WORDS[ending]}", _COLOURS[ending], bold=False)
            for ending in Ending
            if ending is not Ending.PASSED and counts[ending]
        )
        if not any(ending.bad for ending in counts):
            said = _styled("ok", "green") + (f", {said}" if said else "")
        noun = "case " if len(found) == 1 else "cases"
        yield f"{printable(name):{width}}  {len(found):{most},} {noun}  {said}"
        if verbose:
            yield from (f"  {_listed(result)}" for result in found)


_WORDS: Final = {Ending.FAILED: "failed", Ending.ERROR: "error", Ending.TODO: "todo", Ending.SKIPPED: "skipped"}


def _listed(result: CaseResult) -> str:
    why = f"  ({printable(result.reasons[0].text)})" if result.ending is Ending.SKIPPED else ""
    return f"{_styled(f'{result.ending.value:7}', _COLOURS[result.ending], bold=False)} {_name(result.case)}{why}"


def _name(case: Case) -> str:
    values = combination(case)
    return case.name if values is None else f"{case.name}  {values}"


def combination(case: Case) -> str | None:
    """The values of a matrix as JSON, cut where they are long; None where there is no matrix."""
    if not case.written.matrix:
        return None
    text = printable(json.dumps(case.values, ensure_ascii=False))
    return text if len(text) <= _VALUES else f"{text[:_VALUES]}..."


def _failure(result: CaseResult) -> Iterator[str]:
    spot = result.case.written.spot
    word = _styled(result.ending.value, _COLOURS[result.ending])
    yield f"  {word}  {click.style(_name(result.case), bold=True)}"
    yield f"     {printable(spot.document.file or '')}:{spot.span('name').line}"
    yield from details(result)


def details(result: CaseResult) -> Iterator[str]:
    """What was expected, what came out, and the rules that could have changed it."""
    expected, judged = result.expected, result.judged
    yield from (f"     {printable(reason.text)}" for reason in result.reasons if not reason.plain)
    if expected is None or judged is None or result.case.written.model.todo:
        return
    if result.ending is Ending.ERROR:
        yield "     where this is meant, the expectation says `unjudged: true`"
    yield f"     expected  {_expected(expected)}"
    verdict = judged.decision.verdict
    marks = [*_listing("observed", observed(judged)), *_listing("waived", waived(judged))]
    yield f"     got       {' '.join([_outcome(verdict, deciding(judged)), *marks])}"
    lines = relevant(result)
    width = max((len(line.rule.address) for line in lines), default=0)
    for line in lines:
        yield from _line(line, width, two_views=judged.facts.original is not None)
    if result.case.written.model.now is None:
        yield from (f"       {name} is over, since the test says no `now`" for name in ended(judged))


def _expected(expected: Expected) -> str:
    parts = ["" if expected.verdict is None else expected.verdict.value, *_listing("by", expected.by)]
    parts += [*_listing("observed", expected.observed), *_listing("waived", expected.waived)]
    parts.append("unjudged" if expected.unjudged else "")
    return " ".join(part for part in parts if part)


def _outcome(verdict: Verdict, by: Iterable[str]) -> str:
    return " ".join([verdict.value, *_listing("by", by)])


def _listing(word: str, names: Iterable[str]) -> Iterator[str]:
    listed = ", ".join(names)
    if listed:
        yield f"{word} {listed}"


def _line(line: Line, width: int, *, two_views: bool) -> Iterator[str]:
    effect = f"{line.rule.ref.effect}{' (shadow)' if line.rule.shadow else ''}"
    view = f"  ({line.view.value} call)" if two_views else ""
    said = "over" if not line.in_force else {True: "matched", False: "no", None: "ERROR"}[line.matched]
    waived_by = f"  lifted by {', '.join(line.waived_by)}" if line.waived_by else ""
    head = f"       {effect:15} {line.rule.address:{width}}  {said:7}{waived_by}{view}"
    if line.reason:
        head += f"  {printable(line.reason)}"
    yield head.rstrip()
    indent = " " * 10
    for clause in line.clauses:
        yield from (f"{indent}{text}" for text in _clause(clause))


def _clause(clause: Clause) -> Iterator[str]:
    place = f"{clause.in_definition}: " if clause.in_definition is not None else ""
    outcome = clause.outcome
    said = f"fails: {outcome.meaning}" if isinstance(outcome, Failure) else f"is {str(outcome).lower()}"
    note = f"  ({printable(clause.note)})" if clause.note else ""
    if clause.values is None:
        yield f"{printable(place + clause.text)}   {said}{note}"
    else:
        yield printable(place + clause.text)
        yield f"{printable(clause.values)}   {said}{note}"


def _summary(report: Report, wrong: str | None) -> str:
    counts = Counter(result.ending for result in report.results)
    total = len(report.results)
    parts = [f"{counts[Ending.PASSED]:,} passed"]
    parts += [f"{counts[ending]:,} {word}" for ending, word in _WORDS.items() if counts[ending]]
    text = f"{total:,} case{'s' if total != 1 else ''}: {', '.join(parts)}"
    return _styled(text, "green" if wrong is None else "red")


def _coverage(coverage: Coverage) -> Iterator[str]:
    count = f"({coverage.covered:,} of {coverage.total:,} outcomes)"
    if coverage.gaps:
        label = "not covered: "
        text = "; ".join(gap.told for gap in coverage.gaps)
        wrapped = textwrap.wrap(f"{text}  {count}", _WIDTH - len(label), break_long_words=False, break_on_hyphens=False)
        yield from (f"{label if not number else ' ' * len(label)}{line}" for number, line in enumerate(wrapped))
    else:
        yield f"every outcome of every rule was seen  {count}"
    for name, number in coverage.errors:
        yield f"could not be evaluated in {number:,} case{'s' if number != 1 else ''}: {name}"


def reports(report: Report) -> Iterator[CaseReport]:
    """Each case as JUnit has it; where nothing was run, each finding as a case with an error."""
    errors = [one for one in report.diagnostics if one.severity is Severity.ERROR]
    for found in errors:
        yield _finding(found)
    for result in report.results:
        yield _case(result)
    if not report.results and not errors:
        yield CaseReport("oap test", "tests", "", 1, "error", verdict(report, None) or "", "", None)


def _finding(found: Diagnostic) -> CaseReport:
    file = found.file or "oap"
    name = f"{found.code} {found.line}:{found.column}"
    return CaseReport(file, name, file, found.line, "error", found.message, found.help or "", None)


def _case(result: CaseResult) -> CaseReport:
    case = result.case
    file = case.written.spot.document.file or ""
    outcome = {Ending.PASSED: "passed", Ending.FAILED: "failed", Ending.ERROR: "error"}.get(result.ending, "skipped")
    message = result.reasons[0].text if result.reasons else ""
    if result.ending is Ending.TODO:
        message = f"known gap: {message}"
    shown = "\n".join(line.strip("\n") for line in details(result)) if result.ending.bad else ""
    return CaseReport(file, _name(case), file, case.written.spot.span("name").line, outcome, message, shown, None)
