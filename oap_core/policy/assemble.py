"""From the files of a policy set to one rule set, or to everything that is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any, Final

from oap_core import __version__
from oap_core.diagnostic import Diagnostic
from oap_core.names import RuleAddress
from oap_core.policy.catalog import Catalog
from oap_core.policy.catalogs import catalog_of
from oap_core.policy.checks.characters import known_words
from oap_core.policy.checks.cost import check_cost, check_exceptions
from oap_core.policy.codes import FileCode
from oap_core.policy.compile import Compiled, compile_policy
from oap_core.policy.digest import digest
from oap_core.policy.documents import sorted_documents
from oap_core.policy.exceptions import compile_exceptions
from oap_core.policy.globs import ToolGlob
from oap_core.policy.load import Document
from oap_core.policy.model.cases import CaseModel, PolicyTestModel
from oap_core.policy.report import blame, failed, ordered, without_echoes
from oap_core.policy.rules import Match, Rule, RuleException
from oap_core.policy.ruleset import RuleSet
from oap_core.policy.setup import Setup
from oap_core.policy.tree import span_at

__all__ = ["Assembled", "TestFile", "assemble"]


@dataclass(frozen=True, slots=True)
class TestFile:
    """Tests of one file, with where they stand."""

    document: Document
    """The file."""
    path: tuple[str | int, ...]
    """The way to the list of tests in it."""
    cases: tuple[CaseModel, ...]
    """The tests."""
    policies: tuple[str, ...]
    """Policies whose rules are named without the policy."""


@dataclass(frozen=True, slots=True)
class Assembled:
    """What became of the files."""

    rules: RuleSet | None
    """The rule set, or None where an error was found."""
    diagnostics: tuple[Diagnostic, ...]
    """Everything that was found, by file and place."""
    sources: Mapping[str, str] = field(repr=False)
    """The text of each file by its name."""
    tests: tuple[TestFile, ...] = field(default=(), repr=False)
    """The tests of the files."""
    policies: tuple[Compiled, ...] = field(default=(), repr=False)
    """The policies with their models, for documentation."""


def assemble(documents: Iterable[Document], setup: Setup | None = None) -> Assembled:
    """Check and compile files together. Nothing is in force unless everything is right."""
    setup = Setup() if setup is None else setup
    found = tuple(documents)
    problems: list[Diagnostic] = []
    files = sorted_documents(found, problems)
    catalog = catalog_of(files.catalogs, problems, mandatory=setup.mandatory_catalog)
    if any(_may_be(document, "Catalog") for document in files.lost):
        # Nobody can say which tools that file has.
        catalog = None
    words = frozenset() if catalog is None else known_words(catalog)
    compiled = tuple(
        compile_policy(document, model, setup, catalog, problems, words) for document, model in files.policies
    )
    for document, model in files.partial:
        compile_policy(document, model, setup, catalog, problems, words, partial=True)
    _check_names(compiled, problems)
    by_address = {rule.address: rule for policy in compiled for rule in policy.rules}
    lost = any(_may_be(document, "Policy") for document in files.lost)
    written = None if lost else _written(compiled)
    exceptions = compile_exceptions(files.exceptions, by_address, written, setup, catalog, problems, words)
    _check_configuration(compiled, setup, problems, lost=lost)
    check_cost(by_address.values(), catalog, problems)
    check_exceptions(exceptions, problems)
    text = [problem for document in found for problem in document.problems]
    diagnostics = ordered(without_echoes(text, problems))
    sources = {document.file or "": document.text for document in found}
    tests = _tests(compiled, files.tests)
    if failed(diagnostics):
        return Assembled(None, diagnostics, sources, tests, compiled)
    rules = RuleSet(
        tuple(by_address[address] for address in sorted(by_address)),
        exceptions,
        MappingProxyType({one.policy.name: one.policy for one in compiled}),
        catalog,
        setup.default,
        setup.reservations,
        setup.observe_until,
        setup.vocabulary,
        _revision(by_address.values(), exceptions, catalog, setup),
    )
    return Assembled(rules, diagnostics, sources, tests, compiled)


def _may_be(document: Document, kind: str) -> bool:
    """Whether a file that could not be understood may have been of a kind: it says so, or says nothing."""
    found = _KIND.search(document.text)
    return found is None or found[1] == kind


def _written(compiled: Iterable[Compiled]) -> frozenset[RuleAddress]:
    """The addresses of all rules in the files, those that could not be compiled included."""
    return frozenset(RuleAddress(f"{one.policy.name}/{rule.id}") for one in compiled for rule in one.model.rules)


def _check_names(compiled: Iterable[Compiled], problems: list[Diagnostic]) -> None:
    first: dict[str, Compiled] = {}
    for one in compiled:
        name = one.policy.name
        if name not in first:
            first[name] = one
            continue
        assert one.document.root is not None
        message = f"the policy name `{name}` is taken by `{first[name].document.file}`"
        span = span_at(one.document.root, "metadata", "name")
        problems.append(blame(FileCode.REPEATED_POLICY, span, message, file=one.document.file))


def _check_configuration(compiled: Iterable[Compiled], setup: Setup, problems: list[Diagnostic], *, lost: bool) -> None:
    """Required policies are there, and reserved tools are granted by those who may.

    `lost` says that a policy may stand in a file that could not be understood.
    """
    names = {one.policy.name for one in compiled}
    for code, wanted, message in (
        (FileCode.REQUIRED_POLICY, setup.required, "the required policy `{}` is missing"),
        (FileCode.UNKNOWN_POLICY, setup.reserved_for, "tools are reserved for the policy `{}`, which is missing"),
    ):
        for name, place in wanted.items():
            if name not in names and not lost:
                near = get_close_matches(name, names, n=1, cutoff=0.6)
                help_ = f"did you mean `{near[0]}`?" if near else None
                problems.append(blame(code, place.span, message.format(name), help_, file=place.file))
    for one in compiled:
        for rule in one.rules:
            if rule.ref.kind.opens:
                _check_reserved(rule, setup, problems)


def _check_reserved(rule: Rule, setup: Setup, problems: list[Diagnostic]) -> None:
    for reservation in setup.reservations:
        if rule.policy.name in reservation.policies:
            continue
        for glob in reservation.tools:
            if all(_can_select(match, glob) for match in rule.matches):
                names = ", ".join(f"`{name}`" for name in sorted(reservation.policies))
                message = f"only {names} may grant `{glob}`, and the rule `{rule.address}` can"
                problems.append(blame(FileCode.RESERVED_TOOL, rule.span, message, file=rule.policy.file))
                break


def _can_select(match: Match, glob: ToolGlob) -> bool:
    """Whether there can be a tool that a selection and a pattern both select."""
    if match.tools is not None and not any(glob.meets(one) for one in match.tools):
        return False
    return match.sources is None or any(glob.meets(ToolGlob(f"{source}/*")) for source in match.sources)


def _tests(compiled: Iterable[Compiled], files: Iterable[tuple[Document, PolicyTestModel]]) -> tuple[TestFile, ...]:
    inline = [
        TestFile(one.document, ("tests",), tuple(one.model.tests), (one.policy.name,))
        for one in compiled
        if "tests" in one.model.model_fields_set
    ]
    apart = [
        TestFile(document, ("tests",), tuple(model.tests), tuple(model.policies or ())) for document, model in files
    ]
    return (*inline, *apart)


def _revision(rules: Iterable[Rule], exceptions: Iterable[RuleException], catalog: Catalog | None, setup: Setup) -> str:
    """One hash over everything that decides."""
    tools: Any = None
    if catalog is not None:
        tools = [
            # The schema counts beside the hash, which may be one that was recorded.
            [tool.id, tool.definition_hash, tool.reach.value, sorted(tool.tags), tool.annotations, tool.schema]
            for tool in sorted(catalog, key=lambda tool: tool.id)
        ]
    return digest(
        {
            "format": _FORMAT,
            "core": __version__,
            "rules": sorted([rule.address, rule.hash] for rule in rules),
            "exceptions": sorted([one.id, one.hash] for one in exceptions),
            "catalog": tools,
            "default": setup.default.value,
            "reserved": [[list(one.tools), sorted(one.policies)] for one in setup.reservations],
            "observe_until": None if setup.observe_until is None else setup.observe_until.isoformat(),
            "plugins": dict(setup.plugins),
            "paths": dict(setup.paths),
            "functions": sorted(function.name for function in setup.vocabulary.functions),
        }
    )


_FORMAT: Final = 1
_KIND: Final = re.compile(r"^kind:[ ]*[\"']?(\w+)", re.MULTILINE)
