"""`oap test`: run the tests of policies, and say what they do not cover."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from oap_core.cli import test_json, test_text
from oap_core.cli.files import FileError, shown_name
from oap_core.cli.formats import Findings, write
from oap_core.cli.formats.junit import junit
from oap_core.cli.projects import load_projects
from oap_core.cli.terminal import err, out
from oap_core.cli.test_run import Chosen, Report, tested
from oap_core.clock import SystemClock
from oap_core.policy.report import failed

__all__ = ["test"]

INVALID: Final = 3
"""Exit code where policies or tests are invalid, so that nothing was run."""
FAILED: Final = 4
"""Exit code where a test failed, none was run, or too little is covered."""

_HELP: Final = """\
Run the tests of policies.

PATHS are configuration files, folders, or single files; without one it is the project of the current folder. A test
stands in its policy under `tests`, or in a file of `kind: PolicyTest` with a name such as `refunds_test.yaml`. Before anything runs, everything that is wrong
with policies and tests is told, with its place.

A case passes where the rules decide as it expects. One in which a rule cannot be evaluated ends in an error, unless it
says `unjudged: true`. A case that says no `now` is judged at 2099-01-01T12:00:00Z, when everything that ends is over.
The subject is `tester` and the session is `test` in the workspace `/w`, where a case says nothing else.

\b
Examples:
  oap test
  oap test policies --cover 95
  oap test -k refund -v
  oap test --format junit --output report.xml

\b
Exit codes:
  0  every case passed
  1  crash, or nobody reads the output
  2  wrong usage, or a path that is not there
  3  policies or tests are invalid, and nothing was run
  4  a case failed, there was none to run, or less is covered than asked for
"""


@click.command(help=_HELP, short_help="Run the tests of policies.")
@click.argument("paths", nargs=-1)
@click.option("-k", "--keyword", metavar="TEXT", help="Run only tests whose file and name hold this text.")
@click.option("--cover", metavar="N", type=click.IntRange(0, 100), help="Fail where less than N % is covered.")
@click.option(
    "-f", "--format", "form", type=click.Choice(("text", "json", "junit")), default="text", help="How to print results."
)
@click.option("-o", "--output", metavar="FILE", help="Write the results there, and print text.")
@click.option("-x", "--fail-fast", is_flag=True, help="Stop at the first case that fails.")
@click.option("-v", "--verbose", is_flag=True, help="List every case.")
def test(
    paths: tuple[str, ...],
    keyword: str | None,
    cover: int | None,
    form: str,
    output: str | None,
    *,
    fail_fast: bool,
    verbose: bool,
) -> None:
    """Run tests and print what became of them."""
    if cover is not None and (keyword is not None or fail_fast):
        option = "--fail-fast" if keyword is None else "-k"
        raise click.UsageError(f"`--cover` is about all tests, and `{option}` leaves some out")
    report = tested(load_projects(paths, SystemClock().now()), Chosen(keyword, fail_fast=fail_fast))
    wrong = failed(report.diagnostics)
    if form != "text":
        written = test_json.written(report, cover) if form == "json" else junit(test_text.reports(report))
        _give(written, output)
    if form == "text" or output is not None:
        told = _findings(report) if wrong else test_text.written(report, cover, verbose=verbose)
        if report.diagnostics:
            # What prints takes the colours away where nobody would see them.
            shown = write(Findings(report.diagnostics, report.sources, told if wrong else ""), "text", colour=True)
            (out if wrong else err)(shown.rstrip("\n"))
        if not wrong:
            out(told)
        if form == "text" and output is not None:
            _give(click.unstyle(told), output)
    if wrong:
        raise SystemExit(INVALID)
    if test_text.verdict(report, cover) is not None:
        raise SystemExit(FAILED)


def _findings(report: Report) -> str:
    """The line below the findings."""
    errors = sum(failed([one]) for one in report.diagnostics)
    return f"{errors} error{'s' if errors != 1 else ''}, so no test was run"


def _give(text: str, output: str | None) -> None:
    if output is None:
        out(text)
        return
    try:
        Path(output).write_text(f"{text}\n", encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "the name is none that a file can have"
        raise FileError(f"error  --output: cannot write {shown_name(output)}: {reason}") from None
