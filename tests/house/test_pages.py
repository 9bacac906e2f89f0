"""The pages lead somewhere, and the README's commands are those that are run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from tests.house.places import ROOT, tracked_files

README: Final = (ROOT / "README.md").read_text(encoding="utf-8")
LINK: Final = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")


def dead_links(page: Path, root: Path) -> list[str]:
    """Return the relative links of a page that lead to no file, and those that leave the repository."""
    targets = [target.partition("#")[0] for target in LINK.findall(page.read_text(encoding="utf-8"))]
    local = [target for target in targets if target and not re.match(r"[a-z]+:", target)]
    return [
        target
        for target in local
        if not (page.parent / target).exists() or not (page.parent / target).resolve().is_relative_to(root)
    ]


def commands(text: str) -> list[list[str]]:
    """Return the lines of each shell block."""
    return [block.strip().splitlines() for block in re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)]


def test_no_link_is_dead() -> None:
    pages = [file for file in tracked_files() if file.suffix == ".md"]
    assert ROOT / "README.md" in pages
    assert {str(page): dead_links(page, ROOT) for page in pages if dead_links(page, ROOT)} == {}


@pytest.mark.parametrize("target", ["missing.md", "missing.md#part", "../outside.md"])
def test_a_dead_link_is_found(tmp_path: Path, target: str) -> None:
    (tmp_path / "outside.md").touch()
    root = tmp_path / "root"
    root.mkdir()
    page = root / "page.md"
    page.write_text(f"[fine](page.md) [web](https://example.org) [here](#part) [dead]({target})", encoding="utf-8")
    assert dead_links(page, root) == [target.partition("#")[0]]


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached: set[Path] = set()
    waiting = [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in reached or page.suffix != ".md":
            continue
        reached.add(page)
        targets = [target.partition("#")[0] for target in LINK.findall(page.read_text(encoding="utf-8"))]
        waiting += [(page.parent / target).resolve() for target in targets if target and ":" not in target]
    pages = {file for file in tracked_files() if file.suffix == ".md" and file.is_relative_to(ROOT / "docs")}
    assert pages - reached == set()


def test_each_command_stands_alone() -> None:
    assert len(commands(README)) == 2
    for install, run in commands(README):
        assert install == "python3 -m pip install uv"
        assert run.startswith("UV_PYTHON_DOWNLOADS=never python3 -m uv run ")


def test_the_readme_names_the_tasks_that_exist() -> None:
    pyproject = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    tasks = set(re.findall(r"^\[tool\.poe\.tasks\.(\w+)\]$", pyproject, re.MULTILINE))
    assert set(re.findall(r"`?poe (\w+)`?", README)) == tasks
