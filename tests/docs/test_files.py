"""The files that pages show are those of `docs/examples`, and those are right."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent
from typing import Final

import pytest

from docs.generate.command import installed
from docs.generate.diagnostics.examples import policy
from docs.generate.diagnostics.project import NOW, found
from oap_core.config import find_config
from oap_core.policy.cases import Ending, prepare, run
from oap_core.project import Project, load_project
from tests.docs.blocks import EXAMPLES, Block, blocks

DOCS: Final = Path(__file__).parents[2] / "docs"
FILE: Final = re.compile(r"[\w./-]+\.(?:yaml|toml|py)")
DIAGNOSTIC: Final = frozenset({"avoid", "prefer", "beside"})

SHOWN: Final = [
    pytest.param(block, id=f"{page.relative_to(DOCS)}:{block.line}")
    for page in sorted(DOCS.rglob("*.md"))
    for block in blocks(page.read_text(encoding="utf-8"))
    if block.language in {"yaml", "toml"} or (block.language == "python" and block.marks)
    if not block.marks & DIAGNOSTIC
]
RIGHT: Final = ("payments", "tickets")
"""Examples without a mistake."""
WRONG: Final = {"typos": {"OAP401", "CEL303", "OAP305"}, "too_wide": set[str]()}
"""Examples of what the commands say, with what is told of them."""


def loaded(name: str) -> Project:
    folder = EXAMPLES / name
    with installed():
        return load_project(find_config(folder), folder, NOW)


def endings(project: Project, base: Path) -> list[Ending]:
    assert project.rules is not None
    prepared = prepare(project.assembled.tests, project.rules, base)
    assert prepared.diagnostics == ()
    return [result.ending for result in run(prepared.tests, project.rules)]


def lines(text: str) -> list[str]:
    """The lines without blank ones and without their common indentation."""
    return [line for line in dedent(text).splitlines() if line.strip()]


@pytest.mark.parametrize("block", SHOWN)
def test_a_shown_file_is_a_part_of_an_example_or_a_policy(block: Block) -> None:
    [mark] = block.marks
    if mark == "policy":
        assert found((policy(block.text),)).diagnostics == ()
        return
    assert FILE.fullmatch(mark), "say which file of docs/examples it is, or that it is a policy"
    shown = lines(block.text)
    whole = [line for line in (EXAMPLES / mark).read_text(encoding="utf-8").splitlines() if line.strip()]
    assert shown in [lines("\n".join(whole[start : start + len(shown)])) for start in range(len(whole))]


def test_pages_show_files() -> None:
    assert len(SHOWN) > 20


@pytest.mark.parametrize("name", RIGHT)
def test_an_example_is_right_and_its_tests_pass(name: str) -> None:
    project = loaded(name)
    assert project.diagnostics == ()
    found = endings(project, EXAMPLES / name)
    assert len(found) > 1
    assert set(found) == {Ending.PASSED}


@pytest.mark.parametrize("name", WRONG)
def test_an_example_of_mistakes_has_those(name: str) -> None:
    project = loaded(name)
    assert {diagnostic.code for diagnostic in project.diagnostics} == WRONG[name]


def test_the_example_of_a_failing_test_fails() -> None:
    assert endings(loaded("too_wide"), EXAMPLES) == [Ending.PASSED, Ending.FAILED]


def test_every_example_is_tested() -> None:
    folders = {config.parent.name for config in EXAMPLES.glob("*/oap.yaml")}
    assert folders == {*RIGHT, *WRONG}
