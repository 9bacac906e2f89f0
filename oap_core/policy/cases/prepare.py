"""Getting the tests of a project ready: everything that is wrong with them is told at once, before any of them runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from oap_core.cel.types import ObjectType
from oap_core.diagnostic import Diagnostic, printable
from oap_core.policy.assemble import TestFile
from oap_core.policy.cases.expand import expand
from oap_core.policy.cases.expectation import Resolver
from oap_core.policy.cases.fixtures import Fixtures
from oap_core.policy.cases.situation import facts_of
from oap_core.policy.cases.written import Case, Spot, Written
from oap_core.policy.catalog import Catalog, ToolDefinition
from oap_core.policy.codes import FileCode
from oap_core.policy.facts import Facts
from oap_core.policy.nearest import nearest
from oap_core.policy.report import ordered, warn
from oap_core.policy.ruleset import RuleSet
from oap_core.policy.tree import key_at

__all__ = ["Prepared", "prepare", "unknown_arguments"]


@dataclass(frozen=True, slots=True)
class Prepared:
    """The tests of a project, and what is wrong with them."""

    tests: tuple[Written, ...]
    """Tests that can be run; where an error was found they are not to be."""
    diagnostics: tuple[Diagnostic, ...]
    """Everything that was found, by file and place."""
    sources: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The texts of the files with fixtures, by their names."""


def prepare(files: Iterable[TestFile], rules: RuleSet, base: Path) -> Prepared:
    """Make the tests of these files ready. Fixtures are looked for up to the folder `base`."""
    problems: list[Diagnostic] = []
    fixtures = Fixtures(base, problems)
    check = _Check(rules, problems)
    tests: list[Written] = []
    for file in files:
        check.policies(file)
        found = expand(file, fixtures.of(file.document.file), problems)
        for written in found:
            check.test(written)
        tests += found
    return Prepared(tuple(tests), ordered(problems), fixtures.sources)


class _Check:
    """Compares tests with the rule set that they are about."""

    def __init__(self, rules: RuleSet, problems: list[Diagnostic]) -> None:
        self._rules = rules
        self._problems = problems
        self._resolver = Resolver(rules)

    def policies(self, file: TestFile) -> None:
        spot = Spot(file.document, ())
        known = self._rules.policies
        for number, name in enumerate(file.policies):
            if name not in known:
                near = nearest(name, known, told=len(self._problems))
                help_ = f"did you mean `{near}`?" if near else None
                message = f"there is no policy `{printable(name)}`"
                self._problems.append(spot.blame(FileCode.UNKNOWN_POLICY, ("policies", number), message, help_))

    def test(self, written: Written) -> None:
        for case in written.cases():
            facts = facts_of(case, self._rules.vocabulary, self._problems)
            if facts is None:
                continue
            expected = self._resolver.expected(case, self._problems)
            if expected is not None:
                self._problems.extend(self._resolver.impossible(case, expected))
            if self._rules.catalog is not None and facts.call is not None:
                self._problems.extend(_against(case, facts, self._rules.catalog, len(self._problems)))


def _against(case: Case, facts: Facts, catalog: Catalog, told: int) -> Iterator[Diagnostic]:
    """What the catalog says about the call of a case."""
    assert facts.call is not None
    spot, tool = case.written.spot, facts.call.tool
    definition = catalog.tools.get(tool)
    if definition is None:
        near = nearest(tool, catalog.tools, told=told)
        help_ = f"did you mean `{near}`?" if near else None
        yield spot.blame(FileCode.UNKNOWN_TOOL, ("call", "tool"), f"the catalog has no tool `{tool}`", help_)
        return
    yield from _arguments(spot, "args", facts.call.arguments, definition)
    if facts.original is not None:
        yield from _arguments(spot, "original", facts.original, definition)


def _arguments(spot: Spot, key: str, given: Mapping[str, object], tool: ToolDefinition) -> Iterator[Diagnostic]:
    """Arguments that the tool does not have: a test may be about them, and more often they are misspelt."""
    for name, message, help_ in unknown_arguments(given, tool):
        assert spot.document.root is not None
        span = key_at(spot.document.root, *spot.path, "call", key, name)
        yield warn(FileCode.ARGUMENTS, span, message, help_, file=spot.document.file)


def unknown_arguments(given: Iterable[str], tool: ToolDefinition) -> Iterator[tuple[str, str, str | None]]:
    """The names of arguments that a tool does not have, each with a sentence, and a help where another one is near."""
    known = tool.arguments
    if not isinstance(known, ObjectType) or known.rest is not None:
        return
    for name in given:
        if name not in known.fields:
            near = nearest(name, known.fields)
            help_ = f"did you mean `{near}`?" if near else None
            yield name, f"`{tool.id}` has no argument `{printable(name)}`", help_
