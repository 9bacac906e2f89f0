"""A slip of the pen never makes a decision looser, where the engine alone has to see to it.

The example policies are assembled without their catalogs, so that hardly any misspelt name keeps a file from loading. Then
every decision about the calls of the tests has to be at least as strict as without the slip, both where the host says which
tools it has and what a server tells of them, and where it says nothing.

One slip can be seen by nobody: `has(args.bbc)` where nothing at all is known of the arguments of the tool. It is false, as
`has()` of an argument that the call leaves out has to be.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

import pytest

from oap_core.cel.types import ObjectType
from oap_core.policy.cases.situation import facts_of
from oap_core.policy.catalog import Catalog, ToolDefinition
from oap_core.policy.facts import Facts
from oap_core.policy.globs import ToolGlob
from oap_core.policy.ruleset import RuleSet
from oap_core.policy.tree import Mapping, Node, Sequence
from tests.policies.sets import NAMES, ExampleSet, example
from tests.policies.typos import Typo, typos

KNOWLEDGE: Final = ("nothing", "definitions")
"""What the host says about its tools."""


@dataclass(frozen=True)
class Trial:
    """A project without its catalog, with calls and how strict the decisions about them are."""

    one: ExampleSet
    catalog: Catalog
    calls: tuple[Facts, ...]
    spoken: tuple[frozenset[str], ...]
    """The files whose rules speak about each call."""
    strictness: dict[str, list[int]]

    def rules(self, typo: Typo) -> RuleSet | None:
        """The rules with a slip in them, or None where they do not load."""
        return self.one.with_roots({typo.file: typo.root}, catalog=False).rules

    def looser(self, typo: Typo, rules: RuleSet, known: str) -> str | None:
        """The tool of a call that a slip makes less strictly judged, or None."""
        told = _told(rules, self.catalog, known)
        # Only a slip in the name of a tool can make rules speak about another one.
        elsewhere = typo.what != "tool" and typo.file in {file for files in self.spoken for file in files}
        for facts, files, before in zip(self.calls, self.spoken, self.strictness[known], strict=True):
            if elsewhere and typo.file not in files:
                continue
            if _strictness(told, _seen(facts, self.catalog, known)) < before:
                assert facts.call is not None
                return str(facts.call.tool)
        return None


@cache
def trial(name: str) -> Trial:
    """One project, and one call of each sort that its tests have."""
    one = example(name)
    catalog = one.rules.catalog
    assert catalog is not None
    sorts: dict[object, Facts] = {}
    for written in one.tests:
        for case in written.cases():
            facts = facts_of(case, one.rules.vocabulary, [])
            assert facts is not None
            assert facts.call is not None
            judged = one.rules.decide(facts)
            matched = frozenset((outcome.rule.address, outcome.matched) for outcome in judged.outcomes)
            lifted = frozenset(waived.finding.rule.address for waived in judged.decision.waived)
            sorts.setdefault((facts.call.tool, matched, lifted, frozenset(facts.call.arguments)), facts)
    bare = replace(one, setup=replace(one.setup, mandatory_catalog=False))
    rules = bare.with_roots({}, catalog=False).rules
    assert rules is not None
    assert rules.catalog is None
    calls = tuple(sorts.values())
    strictness = {
        known: [_strictness(_told(rules, catalog, known), _seen(facts, catalog, known)) for facts in calls]
        for known in KNOWLEDGE
    }
    spoken = tuple(
        frozenset(planned.rule.policy.file or "" for planned in (*plan.enforced, *plan.shadow))
        for plan in map(one.rules.plan, calls)
    )
    return Trial(bare, catalog, calls, spoken, strictness)


def _told(rules: RuleSet, catalog: Catalog, known: str) -> RuleSet:
    seen = [ToolDefinition(tool.id, tool.schema, tool.description) for tool in catalog]
    return rules.seeing(seen) if known == "definitions" else rules


def _seen(facts: Facts, catalog: Catalog, known: str) -> Facts:
    """The facts, with what a server says about the tool where the host knows it."""
    assert facts.call is not None
    if known == "nothing":
        return facts
    tool = catalog.tools[facts.call.tool]
    return replace(facts, tool=ToolDefinition(tool.id, tool.schema, tool.description))


def _strictness(rules: RuleSet, facts: Facts) -> int:
    return rules.decide(facts).decision.verdict.rank


def slipped(name: str) -> Iterator[Typo]:
    """Every slip in the files of a project that makes a name that nothing has."""
    one, catalog = example(name), trial(name).catalog
    arguments = {key for tool in catalog if isinstance(tool.arguments, ObjectType) for key in tool.arguments.fields}
    for document in (*one.kind("Policy"), *one.kind("Exceptions")):
        assert document.root is not None
        for typo in typos(document):
            if typo.what == "args" and typo.after in arguments:
                continue
            if typo.what == "tool" and _another(typo, catalog):
                continue
            yield typo
            if typo.what == "tool" and "rules" in typo.place:
                # What the policy as a whole selects keeps most such files from loading.
                root = without_outer_match(typo.root)
                if root is not None:
                    yield replace(typo, root=root, place=f"{typo.place}, alone")


def without_outer_match(root: Node) -> Node | None:
    """A policy without its own selection, or None where a rule has none that could stand in for it."""
    assert isinstance(root, Mapping)
    rules = root.get("rules")
    if rules is None or not isinstance(rules.value, Sequence):
        return None
    if not all(isinstance(rule, Mapping) and rule.get("match") for rule in rules.value.items):
        return None
    return replace(root, entries=tuple(one for one in root if one.key != "match"))


def _another(typo: Typo, catalog: Catalog) -> bool:
    """Whether a misspelt pattern is a good one that selects other tools."""
    try:
        glob = ToolGlob(typo.after)
    except ValueError:
        return False
    return any(glob.selects(tool) for tool in catalog.tools)


@pytest.mark.guarantee("files-slips")
@pytest.mark.parametrize("name", NAMES)
def test_no_slip_loosens(name: str) -> None:
    tried = trial(name)
    looser: list[str] = []
    for typo in slipped(name):
        rules = tried.rules(typo)
        if rules is None:
            continue
        for known in KNOWLEDGE:
            if known == "nothing" and typo.guarded:
                continue
            if tool := tried.looser(typo, rules, known):
                looser.append(f"{typo.place} {typo.before} -> {typo.after} ({known}): {tool}")
    assert looser == []


def test_every_sort_of_name_is_misspelt() -> None:
    made: dict[str, int] = {}
    for name in NAMES:
        for typo in slipped(name):
            made[typo.what] = made.get(typo.what, 0) + 1
    assert all(made[what] > 50 for what in ("tool", "args", "constants", "variables")), made


def test_the_calls_have_every_verdict() -> None:
    for name in ("outreach", "payments", "workspace"):
        for known in KNOWLEDGE:
            assert len(set(trial(name).strictness[known])) == 3
