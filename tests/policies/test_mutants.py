"""The tests of the example policies notice when the meaning of a rule changes.

Every policy and every exception is changed in one place at a time. A change counts as noticed where the files do not load
any more, or where a case fails. What is not noticed stands in `survivors.txt` with its reason, and nothing else does.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from oap_core.policy.cases import Written
from tests.policies.file_mutants import Mutant, mutants_of
from tests.policies.sets import NAMES, ExampleSet, example, survives

SURVIVORS: Final = Path(__file__).with_name("survivors.txt")


def listed() -> dict[str, str]:
    """The reason for each mutant that is expected to survive."""
    found: dict[str, str] = {}
    reason = ""
    for line in SURVIVORS.read_text(encoding="utf-8").splitlines():
        if line.startswith("= "):
            reason = line.removeprefix("= ")
        elif line and not line.startswith("#"):
            assert line not in found, f"`{line}` stands twice"
            found[line] = reason
    return found


def all_mutants(one: ExampleSet) -> Iterator[tuple[Mutant, str | None]]:
    """Every mutant of a project, with the policy that it changes; None where it changes an exception."""
    catalog = one.rules.catalog
    assert catalog is not None
    tools = sorted(map(str, catalog.tools))
    for kind in ("Policy", "Exceptions"):
        for document in one.kind(kind):
            for mutant in mutants_of(document, tools):
                yield mutant, mutant.name.partition(":")[0] if kind == "Policy" else None


def speaking(one: ExampleSet, mutant: Mutant, policy: str | None) -> list[Written]:
    """The tests that are about a policy, those first that name the changed rule.

    To leave others out can only let more mutants survive.
    """
    rule = mutant.name.split(": ")[1]
    found = [test for test in one.tests if policy is None or policy in test.policies]
    return sorted(found, key=lambda test: rule not in _named(test))


def _named(test: Written) -> set[str]:
    expected = [*(test.model.expect_each or ()), *([test.model.expect] if test.model.expect else ())]
    return {rule for each in expected for key in ("by", "observed", "waived") for rule in getattr(each, key) or ()}


@pytest.mark.guarantee("files-mutants")
@pytest.mark.parametrize("name", NAMES)
def test_what_survives_is_what_is_listed(name: str) -> None:
    one = example(name)
    found: set[str] = set()
    loaded = 0
    names: set[str] = set()
    for mutant, policy in all_mutants(one):
        names.add(mutant.name)
        rules = one.with_roots({mutant.file: mutant.root}).rules
        if rules is None:
            continue
        loaded += 1
        if survives(speaking(one, mutant, policy), rules):
            found.add(mutant.name)
    expected = set(listed()) & names
    assert found - expected == set(), "these changes are not noticed"
    assert expected - found == set(), "these changes are noticed by now"
    assert loaded >= 100
    # Those that do not even load count for nothing here.
    assert len(found) <= loaded / 8


@pytest.mark.guarantee("files-mutants")
def test_nine_of_ten_are_noticed() -> None:
    names = [mutant.name for each in NAMES for mutant, _ in all_mutants(example(each))]
    assert len(names) == len(set(names))
    assert len(names) >= 200
    assert set(listed()) <= set(names), "the list names changes that nobody makes"
    assert len(listed()) <= len(names) / 10
    assert all(reason.endswith(".") for reason in listed().values())


def test_the_examples_themselves_survive() -> None:
    for name in NAMES:
        one = example(name)
        rules = one.with_roots({}).rules
        assert rules is not None
        assert survives(one.tests, rules)
