"""Running the tests of several projects for `oap test`, and what came of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Final

from oap_core.cli.projects import load_projects
from oap_core.config import find_config
from oap_core.diagnostic import Diagnostic
from oap_core.policy.cases import CaseResult, Coverage, Prepared, Tally, Written, prepare, run
from oap_core.policy.files import shown
from oap_core.policy.report import failed, ordered
from oap_core.project import Project, load_project

__all__ = ["Chosen", "Report", "Subject", "subjects", "tested"]

_TEST_FILES: Final = ("_test.yaml", "_test.yml")


@dataclass(frozen=True, slots=True)
class Subject:
    """A project whose tests are run."""

    project: Project
    """The project."""
    file: str | None = None
    """The only file of it whose tests are run, or None for all of them."""


def subjects(paths: tuple[str, ...], now: datetime) -> list[Subject]:
    """What the paths of a command line name. A file of tests stands for itself, judged by the project around it.

    Raises `FileError` for a path that is not there.
    """
    if not paths:
        return [Subject(project) for project in load_projects((), now)]
    found: list[Subject] = []
    for name in paths:
        alone = _alone(Path(name), now) if name.endswith(_TEST_FILES) else None
        found += [Subject(project) for project in load_projects((name,), now)] if alone is None else [alone]
    return found


def _alone(path: Path, now: datetime) -> Subject | None:
    """A file of tests with the project that it belongs to, or None where it belongs to none."""
    if not path.is_file():
        return None
    config = find_config(path.parent)
    project = load_project(config, Path() if config is None else config.parent, now)
    return Subject(project, shown(path)) if shown(path) in project.assembled.sources else None


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which tests a person wants to see run."""

    keyword: str | None = None
    """A text that the name of the file or of the test holds, in any case of letters; None for every test."""
    fail_fast: bool = False
    """Whether to stop at the first case that fails."""

    def __call__(self, written: Written) -> bool:
        """Whether a test is wanted."""
        if self.keyword is None:
            return True
        return self.keyword.casefold() in f"{written.spot.document.file} > {written.model.name}".casefold()


@dataclass(frozen=True, slots=True)
class Report:
    """What became of all tests."""

    results: tuple[CaseResult, ...] = ()
    """Each case that was run or skipped, in the order of the files."""
    coverage: Coverage | None = None
    """What they cover; None where some were left out on purpose."""
    diagnostics: tuple[Diagnostic, ...] = ()
    """What is wrong or odd with the policies and the tests; with an error among them nothing was run."""
    sources: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The texts of the files by their names."""
    written: int = 0
    """Tests that there are, whether they were wanted or not."""
    stopped: bool = False
    """Whether the run stopped at a failure."""


def tested(subjects: Iterable[Subject], chosen: Chosen) -> Report:
    """Run the tests of projects. Nothing is run where an error is found in any of them."""
    ready: list[tuple[Project, Prepared]] = []
    whole = True
    problems: list[Diagnostic] = []
    about_tests: list[Diagnostic] = []
    sources: dict[str, str] = {}
    for subject in subjects:
        project = subject.project
        sources.update(project.assembled.sources)
        problems += project.diagnostics
        if project.rules is None:
            continue
        files = [one for one in project.assembled.tests if subject.file in (None, one.document.file)]
        whole = whole and subject.file is None
        prepared = prepare(files, project.rules, project.config.base)
        ready.append((project, prepared))
        about_tests += prepared.diagnostics
        sources.update(prepared.sources)
    count = sum(len(prepared.tests) for _, prepared in ready)
    if failed([*problems, *about_tests]):
        return Report((), None, ordered([*problems, *about_tests]), sources, count)
    results, coverage, stopped = _run(ready, chosen)
    # What is odd about policies is for `oap check` to say.
    return Report(results, coverage if whole else None, ordered(about_tests), sources, count, stopped)


def _run(
    ready: Iterable[tuple[Project, Prepared]], chosen: Chosen
) -> tuple[tuple[CaseResult, ...], Coverage | None, bool]:
    results: list[CaseResult] = []
    coverage = Coverage(0, ())
    for project, prepared in ready:
        assert project.rules is not None
        tally = Tally(project.rules)
        for result in run(prepared.tests, project.rules, chosen):
            tally.add(result)
            results.append(result)
            if chosen.fail_fast and result.ending.bad:
                return tuple(results), None, True
        coverage = coverage.plus(tally.coverage())
    return tuple(results), None if chosen.keyword is not None else coverage, False
