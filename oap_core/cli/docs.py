"""`oap docs`: write a page about each policy."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import click

from oap_core.cli.files import FileError, shown_name
from oap_core.cli.formats import Findings, write
from oap_core.cli.projects import load_projects
from oap_core.cli.terminal import err, out
from oap_core.cli.written import write_file
from oap_core.clock import SystemClock
from oap_core.policy.files import shown
from oap_core.policy.pages import MARK, pages
from oap_core.policy.report import failed, ordered
from oap_core.project import Project

INVALID: Final = 3
"""Exit code where something is wrong with the policies."""
STALE: Final = 4
"""Exit code where pages are not as they would be written now."""
FOLDER: Final = "docs/policies"
"""Where pages are written to where nobody says anything."""

_HELP: Final = """\
Write a page about each policy, and an index that leads to them.

A page says in words what the rules do, which tools they speak about, who owns them, which exceptions lift them and what
is tested. The index lists every tool of the catalog with what opens it and what stops it. PATHS are configurations,
folders or policy files; without one, the project of the current folder counts. Several projects get a folder each.

Equal files give equal pages, so that pages can be kept beside the policies and compared. A page that no policy needs
any more is told, and is yours to delete.

\b
Examples:
  oap docs
  oap docs --output site/policies
  oap docs --check

\b
Exit codes:
  0  the pages are written, or with --check: they are as they should be
  1  crash, or nobody reads the output
  2  wrong usage, or a file that cannot be read or written
  3  something is wrong with the policies
  4  with --check: a page is missing, not as it would be written now, or of no policy any more
"""


@click.command(help=_HELP, short_help="Write a page about each policy.")
@click.argument("paths", nargs=-1)
@click.option("-o", "--output", metavar="DIR", default=FOLDER, show_default=True, help="Folder to write into.")
@click.option("--check", is_flag=True, help="Write nothing; tell which pages are not as they should be.")
def docs(paths: tuple[str, ...], output: str, *, check: bool) -> None:
    """Write the pages, or compare them."""
    projects = load_projects(paths, SystemClock().now())
    _refuse_errors(projects)
    files = {
        folder / page.name: page.text
        for folder, project in zip(_folders(projects, Path(output)), projects, strict=True)
        for page in pages(project.assembled)
    }
    left = [path for path in _ours(Path(output)) if path not in files]
    if check:
        _compare(files, left)
        return
    _refuse_foreign(files)
    changed = [path for path, text in files.items() if write_file(path, text)]
    for path in changed:
        out(f"wrote {shown_name(shown(path))}")
    same = len(files) - len(changed)
    if same:
        out(f"{_pages(same)} as {'it was' if same == 1 else 'they were'}")
    for path in left:
        err(f"warning  {shown_name(shown(path))} is about no policy any more; delete it")


def _refuse_errors(projects: list[Project]) -> None:
    """End the command where a project has errors or no policy."""
    diagnostics = ordered(one for project in projects for one in project.diagnostics)
    if failed(diagnostics):
        sources = {name: text for project in projects for name, text in project.assembled.sources.items()}
        err(
            write(
                Findings(diagnostics, sources, "no page is written, since the policies are wrong"), "text", colour=False
            )
        )
        raise SystemExit(INVALID)
    for project in projects:
        if not project.assembled.policies:
            raise FileError(f"error  there is no policy in {shown_name(shown(project.config.base))}")


def _folders(projects: list[Project], output: Path) -> Iterator[Path]:
    """A folder for the pages of each project: the one that is asked for, or one below it where there are several."""
    bases = [project.config.base.absolute() for project in projects]
    if len(bases) == 1:
        yield output
        return
    above = os.path.commonpath(bases)
    for base in bases:
        yield output / os.path.relpath(base, above)


def _ours(folder: Path) -> Iterator[Path]:
    """The pages in a folder, and below it, that this command wrote at some time."""
    return (path for path in sorted(folder.rglob("*.md")) if path.is_file() and _is_ours(path))


def _is_ours(path: Path) -> bool:
    """Whether this command wrote a page at some time."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.readline(len(MARK) + 1).rstrip("\n") == MARK
    except OSError as error:
        raise FileError(f"error  cannot read {shown_name(shown(path))}: {(error.strerror or '').lower()}") from None


def _refuse_foreign(files: Iterable[Path]) -> None:
    """End the command where a page would take the place of a file that somebody else wrote."""
    for path in files:
        if path.exists() and not (path.is_file() and _is_ours(path)):
            raise FileError(f"error  {shown_name(shown(path))} is there and was not made by `oap docs`; move it away")


def _compare(files: dict[Path, str], left: list[Path]) -> None:
    """Tell which pages are not as they would be written; ends the command where there is one."""
    stale = [f"{shown_name(shown(path))} is {fault}" for path, text in files.items() if (fault := _fault(path, text))]
    stale += [f"{shown_name(shown(path))} is about no policy any more" for path in left]
    for line in stale:
        err(line)
    if stale:
        err("`oap docs` writes the pages anew")
        raise SystemExit(STALE)
    out(f"{_pages(len(files))} as {'it' if len(files) == 1 else 'they'} should be")


def _fault(path: Path, text: str) -> str | None:
    try:
        return None if path.read_bytes() == text.encode("utf-8") else "not as it would be written now"
    except FileNotFoundError:
        return "missing"
    except OSError as error:
        raise FileError(f"error  cannot read {shown_name(shown(path))}: {(error.strerror or '').lower()}") from None


def _pages(number: int) -> str:
    return "1 page is" if number == 1 else f"{number:,} pages are"
