"""`oap check`: find everything that is wrong with policies, exceptions, catalogs, tests and configurations."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import click

from oap_core.cli.files import shown_name
from oap_core.cli.formats import FORMATS, Findings, write
from oap_core.cli.projects import load_projects
from oap_core.cli.terminal import err, out
from oap_core.clock import SystemClock
from oap_core.diagnostic import Diagnostic, Severity
from oap_core.policy.cases.prepare import prepare
from oap_core.policy.codes import FileCode
from oap_core.policy.files import shown
from oap_core.policy.report import blame, failed, ordered
from oap_core.policy.tree import Span
from oap_core.project import Project

__all__ = ["check"]

INVALID: Final = 3
"""Exit code where something is wrong, and where nothing was there to check."""

WARNED: Final = 5
"""Exit code where there are warnings alone and they are asked to count."""

_UNREAD: Final = (FileCode.MISSING_FILE, FileCode.UNREADABLE)
_START: Final = Span(1, 1, 1, 1)

_HELP: Final = """\
Find what is wrong with policies, exceptions, catalogs, tests and the configuration.

PATHS are configuration files, folders, or single files; without one it is the project of the current folder. Folders
without a configuration of their own stand for the projects below them. A part of a project is checked with the rest of
it, and its own mistakes are told. Every mistake is told at once, each with its
place and, where there is one, a way out. Nothing is evaluated: `oap test` runs the tests.

\b
Examples:
  oap check
  oap check policies/payments.yaml
  oap check services --format github

\b
Exit codes:
  0  nothing is wrong; there may be warnings
  1  crash, or nobody reads the output
  2  wrong usage, or a path that is not there
  3  something is wrong, or there was no policy to check
  5  there are warnings, and --fail-on-warnings is given
"""


@click.command(help=_HELP, short_help="Find what is wrong with policies.")
@click.argument("paths", nargs=-1)
@click.option("-f", "--format", "form", type=click.Choice(FORMATS), default=FORMATS[0], help="How to print findings.")
@click.option("-W", "--fail-on-warnings", is_flag=True, help="End with exit code 5 where there is a warning.")
@click.pass_context
def check(ctx: click.Context, paths: tuple[str, ...], form: str, *, fail_on_warnings: bool) -> None:
    """Check projects and print what was found."""
    projects = load_projects(paths, SystemClock().now())
    found: list[Diagnostic] = []
    sources: dict[str, str] = {}
    beside = 0
    for project in projects:
        problems, texts = _looked_at(project)
        concerned = [one for one in problems if project.concerns(one.file)]
        beside += len(problems) - len(concerned)
        found += concerned
        found += [_nothing(project)] if _is_empty(project, paths) else []
        sources |= {name: text for name, text in texts.items() if project.concerns(name)}
    diagnostics = ordered(found)
    unread = {one.file for one in diagnostics if one.code in _UNREAD}
    read = [name for name, text in sources.items() if text or (name not in unread and Path(name).is_file())]
    summary = _summary(projects, len(read), diagnostics)
    colour = sys.stdout.isatty() if ctx.color is None else ctx.color
    out(write(Findings(diagnostics, sources, summary), form, colour=colour))
    if beside:
        err(f"note: there {_are(beside, 'more finding')} in other files of the project")
    if failed(diagnostics):
        ctx.exit(INVALID)
    for note in _notes(projects):
        err(note)
    if fail_on_warnings and diagnostics:
        ctx.exit(WARNED)


def _looked_at(project: Project) -> tuple[list[Diagnostic], dict[str, str]]:
    """Everything that was found in a project, its tests included, and the texts of its files."""
    problems, sources = list(project.diagnostics), dict(project.assembled.sources)
    if project.rules is not None:
        tests = prepare(project.assembled.tests, project.rules, project.config.base)
        problems += tests.diagnostics
        sources |= tests.sources
    return problems, sources


def _are(number: int, noun: str) -> str:
    return f"{'is' if number == 1 else 'are'} {_count(number, noun)}"


def _is_empty(project: Project, paths: tuple[str, ...]) -> bool:
    """Whether there was no policy, though none of the files that were named is known to be something else."""
    named = any(Path(path).is_file() and Path(path) != project.config.file for path in paths)
    return not project.assembled.policies and not failed(project.diagnostics) and not named


def _nothing(project: Project) -> Diagnostic:
    file = shown(project.config.file or project.config.base)
    message = "there is no policy here, so nothing was checked"
    if project.config.file is not None:
        names = ", ".join(shown_name(shown(path)) for path, _ in project.config.policies)
        message = f"there is no policy in {names}, so nothing was checked"
    help_ = "a policy is a YAML file with `kind: Policy`; `oap init` makes one"
    return blame(FileCode.EMPTY, _START, message, help_, file=file)


def _summary(projects: list[Project], files: int, diagnostics: tuple[Diagnostic, ...]) -> str:
    """What was read and what was found: `2 files, 9 rules, 13 errors, 1 warning`."""
    rules = {
        (policy.document.file, number)
        for project in projects
        for policy in project.assembled.policies
        if project.concerns(policy.document.file)
        for number in range(len(policy.model.rules))
    }
    counts = {severity: sum(one.severity is severity for one in diagnostics) for severity in Severity}
    errors, warnings = counts[Severity.ERROR], counts[Severity.WARNING]
    parts = [_count(files, "file"), _count(len(rules), "rule")]
    parts.append(_count(errors, "error") if errors else "no errors")
    if warnings:
        parts.append(_count(warnings, "warning"))
    return ", ".join(parts)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _notes(projects: list[Project]) -> list[str]:
    """What could not be checked, in a line each."""
    blind = [project for project in projects if project.rules is not None and project.rules.catalog is None]
    if not blind:
        return []
    where = "" if len(projects) == 1 else f" for {', '.join(shown_name(shown(one.config.base)) for one in blind)}"
    return [f"note: there is no catalog{where}, so names of tools and of their arguments are not checked"]
