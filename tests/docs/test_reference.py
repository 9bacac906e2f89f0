"""The generated tables say everything that the code knows."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest
from pydantic import BaseModel

from docs.generate import configuration, effects, hooks, models, policy_format
from oap_core import plugins as plugins_module
from oap_core.hookspecs import oap_effects, oap_functions
from oap_core.kinds import Kind
from oap_core.policy.model import cases, catalog, exceptions, policy
from oap_core.policy.model.fields import FileModel, Headed
from oap_core.policy.offers import EFFECTS

DOCS: Final = Path(__file__).parents[2] / "docs"
FILES: Final[set[type[BaseModel]]] = {
    model
    for module in (cases, catalog, exceptions, policy)
    for model in vars(module).values()
    if isinstance(model, type) and issubclass(model, FileModel) and model not in (FileModel, Headed)
}


def rows(page: str, title: str) -> dict[str, list[str]]:
    """The cells of the rows below a heading, by what stands in the first one."""
    section = re.split(r"^#", page.partition(f"# {title}\n")[2], flags=re.MULTILINE)[0]
    cells = [re.split(r"(?<!\\) \| ", line.strip("| ")) for line in section.splitlines() if line.startswith("| `")]
    return {one[0].strip("`"): one[1:] for one in cells}


@pytest.mark.parametrize("model", sorted(FILES, key=str), ids=lambda model: model.__name__)
def test_every_key_of_a_file_is_on_the_page(model: type[BaseModel]) -> None:
    found = rows(policy_format.page(), policy_format.TITLES[model])
    assert list(found) == [field.alias or name for name, field in model.model_fields.items()]
    for name, field in model.model_fields.items():
        value, left_out, *_ = found[field.alias or name]
        assert value.strip()
        assert (left_out.strip() == "**required**") is field.is_required()


@pytest.mark.parametrize("model", list(configuration.TITLES), ids=lambda model: model.__name__)
def test_every_key_of_the_configuration_is_on_the_page(model: type[BaseModel]) -> None:
    found = rows(configuration.page(), configuration.TITLES[model])
    assert list(found) == list(model.model_fields)
    assert all(cells[-1].strip() for cells in found.values())


def test_every_model_of_a_file_has_a_place() -> None:
    assert set(policy_format.TITLES) == FILES
    assert [model for listed in policy_format.GROUPS.values() for model in listed] == list(policy_format.TITLES)


def test_links_within_a_page_lead_somewhere() -> None:
    for page in (policy_format.page(), configuration.page(), effects.page()):
        headings = {models.anchor(title) for title in re.findall(r"^#+ (.*)$", page, re.MULTILINE)}
        assert set(re.findall(r"\]\(#([^)]*)\)", page)) <= headings


def test_links_to_a_heading_of_another_page_lead_somewhere() -> None:
    for page in DOCS.rglob("*.md"):
        for target, heading in re.findall(r"\]\(([^)#:]+\.md)#([^)]+)\)", page.read_text(encoding="utf-8")):
            text = (page.parent / target).read_text(encoding="utf-8")
            assert heading in {models.anchor(title) for title in re.findall(r"^#+ (.*)$", text, re.MULTILINE)}


def test_types_are_told_in_words() -> None:
    found = rows(policy_format.page(), "Rule")
    assert found["id"][0] == "name"
    assert found["stage"][:2] == ["one of `prompt`, `call`, `result`", "`call`"]
    assert found["match"][0] == "[Match](#match)"
    assert rows(policy_format.page(), "Match")["tools"][0] == "list: tool pattern, not empty"
    assert rows(effects.page(), "Settings of ask")["quorum"][:2] == ["whole number from 1 to 20", "`1`"]
    assert rows(effects.page(), "Settings of ask")["timeout"][:2] == ["duration", "`10m`"]


def test_every_effect_and_every_kind_is_on_the_page() -> None:
    page = effects.page()
    there = rows(page, "Effects that there are")
    assert set(there) == set(effects.offered().effects)
    assert {"allow", "deny", "ask", "observe"} <= set(there)
    assert set(rows(page, "Effects of plugins to come")) == set(EFFECTS) - set(there)
    assert set(effects.KINDS) == set(Kind)


def test_every_hook_is_on_the_page_with_all_that_its_docstring_says() -> None:
    page = hooks.page()
    assert dict(hooks.specifications()) == {"oap_effects": oap_effects, "oap_functions": oap_functions}
    for name, hook in hooks.specifications():
        assert f"## {name}\n" in page
        assert tuple(hooks.parts(hook)) == hooks.SECTIONS
        for text in hooks.parts(hook).values():
            assert text in " ".join(page.split())


def test_every_reason_against_a_plugin_is_in_the_guide() -> None:
    source = Path(str(plugins_module.__file__)).read_text(encoding="utf-8")
    calls = r"self\._fail\(\s*name,|PluginProblem\(\s*name,|return \[|faults(?: =|\.append\() ?\[?"
    messages = [found for found in re.findall(rf'(?:{calls})\s*f?"(.+?)"', source) if "{fault}" not in found]
    guide = (DOCS / "guide" / "plugins.md").read_text(encoding="utf-8")
    told = [words(row) for row in re.findall(r"^\| [^|]+ \| (.+) \|$", guide, re.MULTILINE)]
    missing = [message for message in messages if not any(row <= words(message) for row in told if len(row) > 2)]
    assert len(messages) > 14
    assert missing == []


def words(message: str) -> set[str]:
    """The words of a message that are the same each time."""
    fixed = re.sub(r"\{[^}]*\}", " ", message)
    return set(re.findall(r"[a-zA-Z_]{2,}", fixed.partition(", with the nearest name")[0]))
