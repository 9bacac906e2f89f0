"""`oap explain`: why a call is decided as it is, what a subject can reach, and which rules speak about a tool."""

from __future__ import annotations

import sys
from dataclasses import replace
from datetime import datetime
from difflib import get_close_matches
from pathlib import Path
from typing import Final, NoReturn

import click
from pydantic_core import PydanticCustomError

from oap_core.cli import explain_json, explain_text
from oap_core.cli.call_file import document_of
from oap_core.cli.files import FileError, shown_name
from oap_core.cli.formats import Findings, write
from oap_core.cli.projects import load_projects
from oap_core.cli.terminal import err, out
from oap_core.clock import SystemClock
from oap_core.diagnostic import Diagnostic, printable
from oap_core.names import ToolId
from oap_core.policy.cases.lone import read_call, read_subject
from oap_core.policy.cases.prepare import unknown_arguments
from oap_core.policy.explain import explain as explained
from oap_core.policy.facts import Facts, SessionFacts
from oap_core.policy.model.fields import day_or_moment
from oap_core.policy.nearest import nearest
from oap_core.policy.reach import known_tools, reachable
from oap_core.policy.ruleset import RuleSet
from oap_core.project import Project
from oap_core.types import Stage, Subject, TextPart, ToolCall, ToolResult

__all__ = ["explain"]

INVALID = 3
"""Exit code where the policies or the file of the call are not valid."""

_HELP = """\
Say why a call is decided as it is.

CALL is a file, JSON or YAML, or `-` for standard input. It holds `tool` and `args`, and what else is known: `subject`,
`session`, `now`, `attempt`, `previous_outcome`, `original` (the arguments as the model asked them), and `result` or
`prompt` where one of these is judged. What it leaves out is as in tests: the subject `tester`, the workspace `/w`.

With --reach it says which tools a subject can call, and with --rules which rules speak about a tool; both need no CALL.
What is printed holds values of the call.

\b
Examples:
  oap explain call.json
  oap explain call.json --policies policies/payments --at 2026-12-24T20:00:00Z
  oap explain --reach agent:desk
  oap explain --reach subject.json
  oap explain --rules payments/refund

\b
Exit codes:
  0  explained, whatever the verdict is
  1  crash, or nobody reads the output
  2  wrong usage, or a file that cannot be read
  3  the policies or the call are not valid
"""


@click.command(help=_HELP, short_help="Say why a call is decided as it is.")
@click.argument("call", required=False)
@click.option("-p", "--policies", "paths", multiple=True, metavar="PATH", help="Project, folder or file of policies.")
@click.option("--reach", "subject_name", metavar="SUBJECT", help="Id of a subject, or a file with `subject`.")
@click.option("--rules", "tool_name", metavar="TOOL", help="List the rules that speak about a tool.")
@click.option("--at", "at", metavar="TIME", help="Judge at this moment, such as 2026-12-24T20:00:00Z.")
@click.option("-j", "--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
def explain(
    call: str | None,
    paths: tuple[str, ...],
    subject_name: str | None,
    tool_name: str | None,
    at: str | None,
    *,
    as_json: bool,
) -> None:
    """Print why."""
    if [call, subject_name, tool_name].count(None) != 2:
        raise click.UsageError("name a CALL, or one of --reach SUBJECT and --rules TOOL")
    now = SystemClock().now() if at is None else _moment(at)
    rules = _rules(load_projects(paths, now))
    if call is not None:
        _explain_call(rules, call, now, forced=at is not None, as_json=as_json)
    elif subject_name is not None:
        _explain_reach(rules, subject_name, now, as_json=as_json)
    elif tool_name is not None:
        _explain_rules(rules, tool_name, now, as_json=as_json)


def _moment(text: str) -> datetime:
    try:
        return day_or_moment(text)
    except PydanticCustomError:
        raise click.UsageError("--at takes a moment such as `2026-12-24T20:00:00Z`") from None


def _rules(projects: list[Project]) -> RuleSet:
    if len(projects) > 1:
        names = ", ".join(printable(str(one.config.base)) for one in projects[:5])
        raise click.UsageError(f"there are several projects here, and one decides: say --policies with one of {names}")
    project = projects[0]
    if project.rules is None:
        _invalid(project.diagnostics, dict(project.assembled.sources))
    if not project.rules.rules:
        raise FileError("error  there is no rule here; `oap init` begins with some")
    return project.rules


def _invalid(diagnostics: tuple[Diagnostic, ...], sources: dict[str, str]) -> NoReturn:
    summary = "nothing is explained, since not everything is valid"
    err(write(Findings(diagnostics, sources, summary), "text", colour=sys.stderr.isatty()))
    raise SystemExit(INVALID)


def _explain_call(rules: RuleSet, name: str, now: datetime, *, forced: bool, as_json: bool) -> None:
    document = document_of(name)
    facts = read_call(document, rules.vocabulary, now)
    if not isinstance(facts, Facts):
        _invalid(facts, {document.file or "": document.text})
    if forced:
        facts = replace(facts, now=now)
    _note_arguments(rules, facts)
    near = None if facts.call is None else _meant(rules, facts.call.tool)
    out((explain_json if as_json else explain_text).explanation(explained(rules.decide(facts)), near))


def _note_arguments(rules: RuleSet, facts: Facts) -> None:
    """Say which arguments the tool of the catalog does not have, as tests are told."""
    definition = None if facts.call is None or rules.catalog is None else rules.catalog.tools.get(facts.call.tool)
    if facts.call is None or definition is None:
        return
    given = dict.fromkeys((*facts.call.arguments, *(facts.original or ())))
    for _, message, help_ in unknown_arguments(given, definition):
        err(f"note: {message}" if help_ is None else f"note: {message}; {help_}")


def _meant(rules: RuleSet, tool: ToolId) -> ToolId | None:
    """The tool of the catalog that is probably meant by one that it does not have."""
    if rules.catalog is None or tool in rules.catalog.tools:
        return None
    near = nearest(tool, rules.catalog.tools)
    return None if near is None else ToolId(near)


def _explain_reach(rules: RuleSet, name: str, now: datetime, *, as_json: bool) -> None:
    subject, session = _subject(rules, name, now)
    _note_attributes(rules, subject, session)
    found = [reachable(rules, subject, session, now, tool) for tool in known_tools(rules)]
    out(explain_json.reach(found) if as_json else explain_text.reach(found, rules.default))


def _subject(rules: RuleSet, name: str, now: datetime) -> tuple[Subject, SessionFacts]:
    if name != "-" and not _is_file(name):
        if _looks_like_a_file(name):
            raise FileError(f"error  {shown_name(name)} is not there; a subject id or a file is asked for")
        try:
            return Subject(name), SessionFacts("test", "test", "/w", started=now)
        except ValueError as error:
            raise click.UsageError(f"{shown_name(name)} can be no subject: {error}") from None
    document = document_of(name)
    facts = read_subject(document, rules.vocabulary, now)
    if not isinstance(facts, Facts):
        _invalid(facts, {document.file or "": document.text})
    return facts.subject, facts.session


def _is_file(name: str) -> bool:
    try:
        path = Path(name)
        return path.exists() and not path.is_dir()
    except (OSError, ValueError):
        return False


def _looks_like_a_file(name: str) -> bool:
    """Whether somebody who writes this means a file; a subject may be a URI."""
    if "://" in name:
        return False
    stem, dot, suffix = name.rpartition(".")
    near = bool(stem and dot) and bool(get_close_matches(suffix.lower(), _SUFFIXES, n=1, cutoff=0.75))
    return near or any(separator in name for separator in ("/", "\\"))


_SUFFIXES: Final = ("json", "yaml", "yml")


def _note_attributes(rules: RuleSet, subject: Subject, session: SessionFacts) -> None:
    """Say which attributes that everybody has are not given: what reads one is an error."""
    missing = [
        f"`{owner}.{name}`"
        for owner, declared, given in (
            ("subject", rules.vocabulary.subject, subject.attributes),
            ("session", rules.vocabulary.session, session.attributes),
        )
        for name, field in declared.items()
        if field.required and name not in given
    ]
    if missing:
        shown = ", ".join(missing[:_MOST_NAMES]) + (
            f" and {rest} more" if (rest := len(missing) - _MOST_NAMES) > 0 else ""
        )
        what = "it" if len(missing) == 1 else "them"
        err(f"note: asked without {shown}, so what needs {what} counts as false or unknown")


_MOST_NAMES: Final = 8


def _explain_rules(rules: RuleSet, name: str, now: datetime, *, as_json: bool) -> None:
    if "*" in name:
        raise click.UsageError(f"--rules takes a tool id, not a pattern: {shown_name(name)}")
    try:
        tool = ToolId(name)
    except ValueError as error:
        raise click.UsageError(f"{error}") from None
    if rules.catalog is not None and tool not in rules.catalog.tools:
        near = _meant(rules, tool)
        hint = "" if near is None else f"; did you mean `{near}`?"
        err(f"note: the catalog has no tool `{tool}`{hint}")
    call = ToolCall.of("explain", tool, {})
    subject = Subject("explain")
    plans = {
        Stage.CALL: rules.plan(Facts(Stage.CALL, now, subject, call=call)),
        Stage.RESULT: rules.plan(Facts(Stage.RESULT, now, subject, call=call, result=ToolResult((TextPart(""),)))),
    }
    out((explain_json if as_json else explain_text).rules(tool, plans))
