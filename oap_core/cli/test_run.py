"""Running the tests of several projects for `oap test`, and what came of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from oap_core.diagnostic import Diagnostic
from oap_core.policy.cases import CaseResult, Coverage, Prepared, Tally, Written, prepare, run
from oap_core.policy.report import failed, ordered
from oap_core.project import Project

__all__ = ["Chosen", "Report", "tested"]


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


def tested(projects: Iterable[Project], chosen: Chosen) -> Report:
    """Run the tests of projects, of the files that were asked about. Nothing is run where an error is found."""
    ready: list[tuple[Project, Prepared]] = []
    whole = True
    problems: list[Diagnostic] = []
    about_tests: list[Diagnostic] = []
    sources: dict[str, str] = {}
    for project in projects:
        sources.update(project.assembled.sources)
        problems += project.diagnostics
        if project.rules is None:
            continue
        files = [one for one in project.assembled.tests if project.concerns(one.document.file)]
        whole = whole and not project.parts
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
