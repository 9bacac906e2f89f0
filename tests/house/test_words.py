"""One word for one thing: the words that the glossary replaces do not appear."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.house.places import ROOT, tracked_files
from tests.house.words import replaced_words, uses

GLOSSARY: Final = ROOT / "docs" / "glossary.md"
SEARCHED: Final = ("oap_core/", "plugins/", "docs/", "policies/", "README.md")
# The glossary names the words to replace them, and the promises keep the words of the documents they come from.
EXEMPT: Final = {GLOSSARY, ROOT / "docs" / "reference" / "guarantees.md"}


@pytest.mark.guarantee("design-one-word")
def test_replaced_words_do_not_appear() -> None:
    words = replaced_words(GLOSSARY.read_text(encoding="utf-8"))
    searched = [
        file
        for file in tracked_files()
        if file.relative_to(ROOT).as_posix().startswith(SEARCHED)
        and file not in EXEMPT
        and file.suffix in {".md", ".py", ".toml", ".yaml", ".yml", ".json"}
    ]
    assert len(searched) > 5
    assert uses(words, searched, ROOT) == []


def test_the_table_of_replaced_words_is_read() -> None:
    words = replaced_words(GLOSSARY.read_text(encoding="utf-8"))
    assert {"guardrail", "permission", "approval policy"} <= set(words)
    assert words == sorted(words)


def test_words_are_in_alphabetical_order() -> None:
    text, _, _ = GLOSSARY.read_text(encoding="utf-8").partition("## Words that do not appear")
    explained = [line.split(" | ")[0].removeprefix("| ") for line in text.splitlines() if line.startswith("| ")]
    assert explained[2:] == sorted(explained[2:])
    assert {"approval", "reach", "revision", "tool id", "verdict", "wrap"} <= set(explained)


@pytest.mark.guarantee("design-one-word")
@pytest.mark.parametrize(
    "text",
    ["a guardrail", "Guardrails!", "approval_policy = 1", "the approval-policy", "x.permission_denied", "PERMISSION"],
)
def test_a_use_is_found(tmp_path: Path, text: str) -> None:
    file = tmp_path / "page.md"
    file.write_text(f"# Fine\n{text}\n", encoding="utf-8")
    [use] = uses(["approval policy", "guardrail", "permission"], [file], tmp_path)
    assert use.startswith("page.md:2: ")


@pytest.mark.parametrize(
    "text", ["except PermissionError:", "an approval of the policy", "permissive", "unguardrailed"]
)
def test_a_longer_word_is_no_use(tmp_path: Path, text: str) -> None:
    file = tmp_path / "page.md"
    file.write_text(text, encoding="utf-8")
    assert uses(["approval policy", "guardrail", "permission"], [file], tmp_path) == []
