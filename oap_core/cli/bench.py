"""`oap bench`: measure what decisions cost on the calls of tests, or on calls from a file."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from time import perf_counter_ns
from typing import Final, NoReturn

import click

from oap_core.cli import bench_json, bench_text
from oap_core.cli.bench_text import Measured
from oap_core.cli.call_file import document_in
from oap_core.cli.files import read_text, shown_name
from oap_core.cli.formats import Findings, write
from oap_core.cli.projects import load_projects
from oap_core.cli.terminal import err, out
from oap_core.clock import SystemClock
from oap_core.diagnostic import Diagnostic
from oap_core.policy.cases import prepare
from oap_core.policy.cases.lone import read_call
from oap_core.policy.cases.situation import facts_of
from oap_core.policy.codes import TITLES
from oap_core.policy.facts import Facts
from oap_core.policy.report import failed, ordered
from oap_core.policy.ruleset import RuleSet
from oap_core.policy.timing import condition_times, decision_times, rules_by_tool
from oap_core.project import Project

INVALID: Final = 3
"""Exit code where policies, tests or calls are not valid, so that nothing was measured."""
NOTHING: Final = 4
"""Exit code where there is no call to decide."""

_DECISIONS: Final = 10_000
"""About how many decisions are timed where nobody says how often each call is decided."""
_LEAST_ROUNDS: Final = 10

_HELP: Final = """\
Measure what decisions cost: whole ones, the slowest conditions, and how many rules speak about a tool.

PATHS are configuration files, folders, or single files; without one it is the project of the current folder. The calls
are those of the tests. With --calls they come from a file of JSON lines, each a call as `oap explain` takes it; `-`
reads them from standard input.

Figures hold for this machine, these calls and this moment. Nothing is printed of what a call holds.

\b
Examples:
  oap bench
  oap bench policies/payments -n 200
  oap bench --calls calls.jsonl --json

\b
Exit codes:
  0  measured
  1  crash, or nobody reads the output
  2  wrong usage, or a file that cannot be read
  3  policies, tests or calls are not valid
  4  there is no call to decide
"""


@dataclass(frozen=True, slots=True)
class _Workload:
    """The calls of one project, or what is wrong with them."""

    calls: tuple[Facts, ...] = field(repr=False)
    diagnostics: tuple[Diagnostic, ...] = ()
    sources: dict[str, str] = field(default_factory=dict, repr=False)


@click.command(help=_HELP, short_help="Measure what decisions cost, rule by rule.")
@click.argument("paths", nargs=-1)
@click.option("-c", "--calls", "calls_name", metavar="FILE", help="Calls to decide, in JSON lines, instead of tests.")
@click.option("-n", "--rounds", metavar="N", type=click.IntRange(1, 1_000_000), help="Decide each call N times.")
@click.option("-j", "--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
def bench(paths: tuple[str, ...], calls_name: str | None, rounds: int | None, *, as_json: bool) -> None:
    """Measure and print."""
    now = SystemClock().now()
    text = None if calls_name is None else read_text(calls_name, "--calls")
    start = perf_counter_ns()
    projects = load_projects(paths, now)
    loaded = perf_counter_ns() - start
    found: list[Measured] = []
    for project, rules in _valid(projects):
        work = _tests(project, rules) if text is None else _lines(text, shown_name(calls_name or "-"), rules, now)
        if failed(work.diagnostics):
            _invalid(work.diagnostics, work.sources)
        if work.calls:
            found.append(_measured(project, rules, work.calls, rounds, now))
    if not found:
        err(bench_text.nothing(with_file=text is not None))
        raise SystemExit(NOTHING)
    out((bench_json if as_json else bench_text).written(found, loaded))


def _valid(projects: Iterable[Project]) -> list[tuple[Project, RuleSet]]:
    """The rule set of each project; ends the command where one has none."""
    found: list[tuple[Project, RuleSet]] = []
    for project in projects:
        if project.rules is None:
            _invalid(project.diagnostics, dict(project.assembled.sources))
        found.append((project, project.rules))
    return found


def _invalid(diagnostics: tuple[Diagnostic, ...], sources: dict[str, str]) -> NoReturn:
    summary = "nothing is measured, since not everything is valid"
    err(write(Findings(diagnostics, sources, summary), "text", colour=sys.stderr.isatty()))
    raise SystemExit(INVALID)


def _measured(
    project: Project, rules: RuleSet, calls: tuple[Facts, ...], rounds: int | None, now: datetime
) -> Measured:
    times = max(_LEAST_ROUNDS, _DECISIONS // len(calls)) if rounds is None else rounds
    return Measured(
        project,
        len(calls),
        times,
        decision_times(rules, calls, times),
        condition_times(rules, calls),
        rules_by_tool(rules, calls, now),
    )


def _tests(project: Project, rules: RuleSet) -> _Workload:
    """The calls of the tests that are not skipped."""
    prepared = prepare(project.assembled.tests, rules, project.config.base)
    sources = {**project.assembled.sources, **prepared.sources}
    if failed(prepared.diagnostics):
        return _Workload((), prepared.diagnostics, sources)
    cases = [case for test in prepared.tests if test.model.skip is None for case in test.cases()]
    made = [facts_of(case, rules.vocabulary, []) for case in cases]
    return _Workload(tuple(facts for facts in made if facts is not None))


def _lines(text: str, name: str, rules: RuleSet, now: datetime) -> _Workload:
    """The call of each line that is not empty."""
    file = name.strip("`")
    calls: list[Facts] = []
    problems: list[Diagnostic] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        found = read_call(document_in(line, file), rules.vocabulary, now)
        if isinstance(found, Facts):
            calls.append(found)
        else:
            problems += _moved(found, number)
    # Without the text, so that no line of it is shown: it may hold real calls.
    return _Workload(tuple(calls), ordered(problems))


def _moved(problems: Iterable[Diagnostic], number: int) -> Iterator[Diagnostic]:
    """The same in the line of the file, without its words: they may hold values of a real call."""
    titles = {str(code): title for code, title in TITLES.items()}
    for one in problems:
        said = titles.get(one.code, "a line that is no JSON")
        end = max(one.column, one.end_column)
        yield replace(one, message=said, help=None, line=number, end_line=number, end_column=end)
