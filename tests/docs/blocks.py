"""Reads the fenced blocks of a page, and the examples in its `cel` blocks.

An example is an expression, over one line or several, behind which `// =>` says what comes of it: the expression that
its value equals, `error: code` for an evaluation that fails, or the codes of the diagnostics. It speaks about
`docs/examples/call.json`, or about the last block below the same heading that is marked `json input`. Marks of the block
say more:

- `schema`: types come from `docs/examples/schema.json`, or from the last block there that is marked `json schema`
- `condition`: it has to be boolean, as in a rule
- `plugins`: it may call the functions of OAP's own plugins
- `avoid`, `prefer`: on the page of a diagnostic, tested there

A `yaml`, `toml` or `python` block with the name of a file is a part of that file below `docs/examples`, and a `yaml`
block marked `policy` is a policy without its first lines.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

EXAMPLES: Final = Path(__file__).parents[2] / "docs" / "examples"
MARKS: Final = frozenset({"schema", "condition", "plugins", "avoid", "prefer"})

_BLOCK: Final = re.compile(r"^```(?P<info>\S.*)?\n(?P<text>(?:(?!```$).*\n)*)```$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """One fenced block."""

    language: str
    marks: frozenset[str]
    text: str
    line: int
    section: str


@dataclass(frozen=True)
class Example:
    """One expression and what comes of it."""

    expression: str
    expected: str
    document: dict[str, Any]
    schema: object
    condition: bool
    plugins: bool
    line: int


def blocks(text: str) -> Iterator[Block]:
    """Read every fenced block of a page."""
    for found in _BLOCK.finditer(text):
        language, *marks = (found["info"] or "").split()
        headings = re.findall(r"^## .*$", text[: found.start()], re.MULTILINE)
        line = text.count("\n", 0, found.start()) + 1
        yield Block(language, frozenset(marks), found["text"], line, headings[-1] if headings else "")


def examples(text: str) -> Iterator[Example]:
    """Read every example of a page. Raises ValueError for an expression of which nothing is said, or an unknown mark."""
    texts: dict[str, str] = {}
    section = ""
    for block in blocks(text):
        if block.section != section:
            section, texts = block.section, {}
        if block.language == "json":
            texts |= dict.fromkeys(block.marks, block.text)
        elif block.language == "cel":
            if not block.marks <= MARKS:
                raise ValueError(f"line {block.line}: unknown mark")
            if not block.marks & {"avoid", "prefer"}:
                document = json.loads(texts.get("input") or _example("call.json"))
                schema = json.loads(texts.get("schema") or _example("schema.json"))
                for expression, expected in _lines(block):
                    described = schema if "schema" in block.marks else None
                    condition, plugins = "condition" in block.marks, "plugins" in block.marks
                    yield Example(expression, expected, document, described, condition, plugins, block.line)


def _example(name: str) -> str:
    return (EXAMPLES / name).read_text(encoding="utf-8")


def _lines(block: Block) -> Iterator[tuple[str, str]]:
    expression = ""
    for line in block.text.splitlines():
        before, arrow, expected = line.partition("// =>")
        expression = f"{expression}\n{before}".strip()
        if arrow:
            yield expression, expected.strip()
            expression = ""
    if expression:
        raise ValueError(f"line {block.line}: nothing is said about the last expression")
