"""Checks on the source text of the product that no linter offers: size, names, and what is written under what."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

MODULE_LINES: Final = 450
FUNCTION_LINES: Final = 40
NAMES_THAT_SAY_NOTHING: Final = {"base", "common", "helper", "helpers", "manager", "misc", "shared", "util", "utils"}

Function = ast.FunctionDef | ast.AsyncFunctionDef


def long_modules(files: Iterable[Path], root: Path, limit: int = MODULE_LINES) -> list[str]:
    """Return the modules with more than `limit` lines."""
    sizes = ((_name(file, root), len(_read(file).splitlines())) for file in files)
    return [f"{name} has {size} lines" for name, size in sizes if size > limit]


def long_functions(files: Iterable[Path], root: Path, limit: int = FUNCTION_LINES) -> list[str]:
    """Return the functions that fill more than `limit` lines, their docstring and signature left out.

    One that only returns a table written out has no steps to follow, and may be as long as the table is.
    """
    return [
        f"{_name(file, root)}:{function.lineno} `{function.name}` has {size} lines"
        for file in files
        for function in ast.walk(_tree(file))
        if isinstance(function, Function) and (size := _body_lines(function)) > limit
    ]


def empty_names(files: Iterable[Path], root: Path) -> list[str]:
    """Return the modules and packages whose name does not say what they are for."""
    return [
        _name(file, root)
        for file in files
        if NAMES_THAT_SAY_NOTHING & {part.strip("_") for part in file.relative_to(root).with_suffix("").parts}
    ]


def modules_without_a_sentence(files: Iterable[Path], root: Path) -> list[str]:
    """Return the modules whose docstring does not begin with a sentence of its own."""
    return [_name(file, root) for file in files if not _begins_with_a_sentence(ast.get_docstring(_tree(file)))]


def undocumented_fields(files: Iterable[Path], root: Path) -> list[str]:
    """Return the public fields of public dataclasses that nothing explains.

    A docstring under the field explains it, and so does the docstring of the class where it speaks of it by name.
    """
    return [
        f"{_name(file, root)}:{field.lineno} `{owner.name}.{ast.unparse(field.target)}`"
        for file in files
        for owner in _public_dataclasses(_tree(file))
        for field in _bare_fields(owner)
    ]


def _body_lines(function: Function) -> int:
    body = function.body[1:] if _is_text(function.body[0]) else function.body
    if len(body) == 1 and isinstance(body[0], ast.Return):
        return 0
    return (function.end_lineno or 0) - body[0].lineno + 1 if body else 0


def _begins_with_a_sentence(docstring: str | None) -> bool:
    first, _, _ = (docstring or "").partition("\n\n")
    return first[:1].strip() != "" and not first[:1].islower() and ("." in first or first.endswith(("!", "?")))


def _public_dataclasses(tree: ast.Module) -> Iterator[ast.ClassDef]:
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            decorators = {ast.unparse(decorator).partition("(")[0] for decorator in node.decorator_list}
            if decorators & {"dataclass", "dataclasses.dataclass"}:
                yield node


def _bare_fields(owner: ast.ClassDef) -> Iterator[ast.AnnAssign]:
    for node, below in zip(owner.body, [*owner.body[1:], None], strict=True):
        if not isinstance(node, ast.AnnAssign) or ast.unparse(node.target).startswith("_"):
            continue
        # What the class sets by itself (`init=False`) concerns nobody who makes or reads one.
        if "ClassVar" in ast.unparse(node.annotation) or "init=False" in ast.unparse(node) or _is_text(below):
            continue
        if not re.search(rf"\b{ast.unparse(node.target)}\b", ast.get_docstring(owner) or ""):
            yield node


def _is_text(node: ast.stmt | None) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _tree(file: Path) -> ast.Module:
    return ast.parse(_read(file), str(file))


def _read(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def _name(file: Path, root: Path) -> str:
    return file.relative_to(root).as_posix()
