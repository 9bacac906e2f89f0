"""Every literal program that shfmt, a parser of another make, sees in a line is reported, whenever the function answers."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from oap_shell.functions import shell

from oap_core.cel import EvalError

_HERE: Final = Path(__file__).parent
_SHFMT: Final = shutil.which("shfmt", path=str(Path(sys.executable).parent)) or shutil.which("shfmt")
_LINES: Final = 200
_SEED: Final = 7

pytestmark = pytest.mark.skipif(_SHFMT is None, reason="shfmt is not installed")


def _answered(lines: Iterator[str]) -> Iterator[tuple[str, set[str]]]:
    for line in lines:
        try:
            yield line, set(shell(line)["programs"])
        except EvalError:
            continue


def _tree(line: str) -> Any:
    """The syntax tree of a line; None where shfmt refuses it."""
    command = [_SHFMT or "shfmt", "--to-json", "-ln", "bash"]
    done = subprocess.run(  # noqa: S603  # it parses and runs nothing
        command, input=line, capture_output=True, check=False, encoding="utf-8"
    )
    return json.loads(done.stdout) if done.returncode == 0 else None


def _programs(tree: Any) -> set[str]:
    """The literal words in command position, whatever they are nested in."""
    found: set[str] = set()
    rest = [tree]
    while rest:
        node = rest.pop()
        if isinstance(node, list):
            rest += node
        elif isinstance(node, dict):
            rest += node.values()
            if node.get("Type") == "CallExpr" and node.get("Args"):
                found |= _literal(node["Args"][0])
            elif node.get("Type") == "DeclClause":
                found.add(node["Variant"]["Value"])
    return found


def _literal(word: dict[str, Any]) -> set[str]:
    """The word without its quotes; nothing where it is not literal or holds a backslash."""
    text = ""
    for part in word["Parts"]:
        pieces = part["Parts"] if part["Type"] == "DblQuoted" else [part]
        for piece in pieces or ():
            if piece["Type"] not in ("Lit", "SglQuoted") or "\\" in piece.get("Value", ""):
                return set()
            text += piece.get("Value", "")
    return {text}


def test_written_lines() -> None:
    cases = yaml.safe_load((_HERE / "answered.yaml").read_text(encoding="utf-8"))
    for line, reported in _answered(case["line"] for case in cases):
        tree = _tree(line)
        assert tree is not None, line
        # shfmt takes a carriage return before a line end for a part of it.
        assert _programs(tree) <= reported | {name.rstrip("\r") for name in reported}, line


def test_generated_lines(lines: Callable[[int], Iterator[str]]) -> None:
    seen: set[str] = set()
    for line, reported in islice(_answered(lines(_SEED)), _LINES):
        tree = _tree(line)
        if tree is not None:
            programs = _programs(tree)
            assert programs <= reported | {name.rstrip("\r") for name in reported}, line
            seen |= programs
    assert seen >= {"ls", "rm", "cat", "git"}
