"""The example policies are right, tested, covered, and fit to be copied."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from oap_core.diagnostic import Diagnostic
from oap_core.policy.assemble import assemble
from oap_core.policy.cases import Tally, prepare, run
from oap_core.policy.files import gather
from oap_core.policy.report import failed
from oap_core.policy.tree import Mapping, Scalar, Sequence
from oap_core.project import load_project
from tests.policies.sets import NAMES, NOW, ROOT, example

SHIPPED: Final = ROOT.parent / "oap_core" / "policy" / "starter"


@pytest.mark.guarantee("files-examples")
@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_found_in_them(name: str) -> None:
    folder = ROOT / name
    project = load_project(folder / "oap.yaml", folder, NOW)
    assert _told(project.diagnostics) == []
    assert project.rules is not None
    assert _told(prepare(project.assembled.tests, project.rules, folder).diagnostics) == []


def _told(diagnostics: tuple[Diagnostic, ...]) -> list[str]:
    return [f"{one.file}:{one.line} {one.message}" for one in diagnostics]


@pytest.mark.guarantee("files-examples")
@pytest.mark.parametrize("name", NAMES)
def test_every_case_passes_and_the_outcomes_are_covered(name: str) -> None:
    one = example(name)
    tally = Tally(one.rules)
    count = 0
    for result in run(one.tests, one.rules):
        count += 1
        assert not result.ending.bad, (result.case.name, result.reasons)
        tally.add(result)
    coverage = tally.coverage()
    assert count >= 50
    assert coverage.reaches(95), [gap.told for gap in coverage.gaps]


@pytest.mark.parametrize("name", NAMES)
def test_every_rule_says_what_it_is_for(name: str) -> None:
    """In a comment above it; walls and gates tell the model what to do, and critical ones tell the operator."""
    for document in example(name).kind("Policy"):
        assert isinstance(document.root, Mapping)
        rules = document.root.get("rules")
        assert rules is not None
        assert isinstance(rules.value, Sequence)
        lines = document.text.splitlines()
        for rule in rules.value.items:
            assert isinstance(rule, Mapping)
            found = {one.key: one.value.value for one in rule if isinstance(one.value, Scalar)}
            above = lines[rule.span.line - 2].strip()
            assert above.startswith("#"), found["id"]
            assert above.endswith((".", "?")), found["id"]
            assert found["effect"] not in ("deny", "ask") or "message" in found, found["id"]
            assert found["effect"] != "observe" or "note" in found, found["id"]


def test_each_names_the_schema_for_editors() -> None:
    files = [file for name in NAMES for file in (ROOT / name).rglob("*.yaml") if file.name != "fixtures.yaml"]
    assert len(files) > 20
    for file in files:
        first = file.read_text(encoding="utf-8").splitlines()[0]
        folder = file.parent / first.partition("$schema=")[2]
        assert first.startswith("# yaml-language-server: $schema=")
        assert folder.parent.resolve() == (ROOT / file.relative_to(ROOT).parts[0] / ".oap").resolve()


@pytest.mark.parametrize("name", NAMES)
def test_the_starter_loads_with_any_catalog(name: str) -> None:
    """It names no tool and no argument, so a host can put its own catalog beside it."""
    starter = ROOT / "starter" / "policies" / "starter.yaml"
    found = assemble(gather([starter, ROOT / name / "catalog.yaml"]), example("starter").setup)
    assert _told(found.diagnostics) == []


@pytest.mark.parametrize("reach", ["read", "write", "external", "unknown"])
@pytest.mark.parametrize(
    "properties",
    [
        "{}",
        "{id: {type: string}}",
        "{number: {type: integer}, path: {type: integer}}",
        "{paths: {type: array}, o: {type: object}}",
    ],
)
def test_the_starter_loads_where_all_tools_are_alike(tmp_path: Path, reach: str, properties: str) -> None:
    catalog = tmp_path / "catalog.yaml"
    head = "apiVersion: oap/v1\nkind: Catalog\nmetadata: {name: c, owner: o}\ntools:\n"
    schema = f"{{type: object, properties: {properties}, additionalProperties: false}}"
    catalog.write_text(f"{head}  - {{id: a/b, reach: {reach}, input_schema: {schema}}}\n", encoding="utf-8")
    found = assemble(gather([ROOT / "starter" / "policies" / "starter.yaml", catalog]), example("starter").setup)
    assert not failed(found.diagnostics), _told(found.diagnostics)


def test_what_init_writes_is_the_starter() -> None:
    """One text in two places: beside the other examples, and in the package that is installed."""
    ours = _texts(ROOT / "starter")
    assert ours == _texts(SHIPPED)
    assert "policies/starter.yaml" in ours


def _texts(folder: Path) -> dict[str, str]:
    files = [file for file in folder.rglob("*") if file.is_file() and ".oap" not in file.parts]
    return {file.relative_to(folder).as_posix(): file.read_text(encoding="utf-8") for file in files}
