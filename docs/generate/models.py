"""Tables of keys, from the pydantic models of files: name, type, what holds where it is left out, and meaning.

The types are told in the words of the annotations in the source, since those name what a value is: a `Glob`, a
`Duration`, a list of them.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator, Mapping
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from oap_core.policy.model import fields

_PLAIN: Final = {
    "str": "text",
    "Text": "text",
    "int": "whole number",
    "bool": "true or false",
    "float": "number",
    "Any": "any value",
    "date": "date",
}
_VALUES: Final = {
    "Address": "rule address",
    "AnnotationValue": "text, number, true or false",
    "Day": "date",
    "Duration": "duration",
    "Expression": "CEL",
    "Glob": "tool pattern",
    "Moment": "moment",
    "Name": "name",
    "Source": "name of a source",
    "Number": "whole number, or `${name}`",
    "Template": "mapping, or `${name}`",
    "Tool": "tool id",
    "VariableName": "name of a constant or a variable",
}
_ONE_OF: Final = "one of "

Titles = Mapping[type[BaseModel], str]
"""Headings of the models that have a section on the page."""


def section(model: type[BaseModel], titles: Titles) -> Iterator[str]:
    """The heading, the sentence and the table of one model."""
    yield f"### {titles[model]}\n"
    yield f"{inspect.cleandoc(model.__doc__ or '')}\n"
    yield "| key | value | where it is left out | meaning |"
    yield "| --- | --- | --- | --- |"
    for name, field in model.model_fields.items():
        yield _row(field.alias or name, field, _Spoken(model, titles).of(name))
    yield ""


def anchor(title: str) -> str:
    """The name of a heading in links."""
    kept = "".join(char for char in title.lower() if char.isalnum() or char in " -_")
    return kept.replace(" ", "-")


def values() -> Iterator[str]:
    """A table of the types of single values that have a form of their own."""
    yield "| value | form |"
    yield "| --- | --- |"
    forms = dict(_forms())
    for name in sorted(forms, key=lambda name: _VALUES[name]):
        yield f"| {_VALUES[name]} | {_cell(forms[name])} |"
    yield ""


def _forms() -> Iterator[tuple[str, str]]:
    """The sentences with which a malformed value of a type is refused, or the docstring below the type."""
    text = Path(str(fields.__file__)).read_text(encoding="utf-8")
    for node, below in pairwise(ast.parse(text).body):
        if not (isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and isinstance(below, ast.Expr)):
            continue
        name = node.targets[0].id
        if name not in _VALUES or name in ("AnnotationValue", "Number", "Template"):
            continue
        schema = _pattern_message(getattr(fields, name))
        told = ast.literal_eval(below.value)
        yield name, schema or f"{told}"


def _pattern_message(kind: Any) -> str | None:
    for part in getattr(kind, "__metadata__", ()):
        schema = getattr(part, "json_schema", None)
        if isinstance(schema, dict) and "patternErrorMessage" in schema:
            return str(schema["patternErrorMessage"])
    return None


def _row(name: str, field: FieldInfo, kind: str) -> str:
    return f"| `{name}` | {kind} | {_left_out(field)} | {_cell(field.description or '')} |"


def _left_out(field: FieldInfo) -> str:
    if field.is_required():
        return "**required**"
    default = field.get_default(call_default_factory=True)
    if default is None or isinstance(default, BaseModel) or default in ({}, []):
        return ""
    if isinstance(default, bool):
        return f"`{str(default).lower()}`"
    if isinstance(default, list):
        return f"`[{', '.join(map(str, default))}]`"
    if hasattr(default, "total_seconds"):
        return f"`{fields.duration_text(default)}`"
    return f"`{default}`" if default != "" else "empty"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


class _Spoken:
    """Tells annotations in words."""

    def __init__(self, model: type[BaseModel], titles: Titles) -> None:
        self._titles = titles
        self._model = model
        self._annotations: dict[str, tuple[ast.expr, Any]] = {}
        for owner in reversed(model.__mro__):
            if issubclass(owner, BaseModel) and owner not in (BaseModel, fields.FileModel):
                module = import_module(owner.__module__)
                [found] = ast.parse(textwrap.dedent(inspect.getsource(owner))).body
                assert isinstance(found, ast.ClassDef)
                self._annotations |= {
                    node.target.id: (node.annotation, module)
                    for node in found.body
                    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
                }

    def of(self, name: str) -> str:
        """The words for one field."""
        annotation, module = self._annotations[name]
        return _cell(self._told(annotation, module))

    def _told(self, node: ast.expr, module: Any) -> str:
        if isinstance(node, ast.BinOp):
            parts = [self._told(one, module) for one in (node.left, node.right) if not _nothing(one)]
            return " or ".join(parts)
        if isinstance(node, ast.Name):
            return self._named(node.id, module)
        assert isinstance(node, ast.Subscript)
        assert isinstance(node.value, ast.Name)
        inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        outer = node.value.id
        if outer == "Literal":
            words = [f"`{ast.literal_eval(one)}`" for one in inner]
            return words[0] if len(words) == 1 else _ONE_OF + ", ".join(words)
        if outer == "Annotated":
            return _bounded(self._told(inner[0], module), ast.unparse(node))
        if outer == "list":
            return f"list: {self._told(inner[0], module)}"
        if outer == "dict":
            return f"mapping by name: {self._told(inner[1], module)}"
        raise ValueError(f"no words for {ast.unparse(node)}")

    def _named(self, name: str, module: Any) -> str:
        if name in _VALUES:
            return _VALUES[name]
        if name in _PLAIN:
            return _PLAIN[name]
        kind = getattr(module, name)
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            title = self._titles[kind]
            return f"[{title}](#{anchor(title)})"
        return self._told(_source_of(name, module), module)


def _bounded(told: str, annotation: str) -> str:
    """Add what bounds a value, as far as its annotation says so."""
    bounds = dict(re.findall(r"\b(ge|le|min_length)=(\d+)", annotation))
    if "ge" in bounds and "le" in bounds:
        return f"{told} from {bounds['ge']} to {bounds['le']}"
    return f"{told}, not empty" if bounds.get("min_length") == "1" and told.startswith("list") else told


def _nothing(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _source_of(name: str, module: Any) -> ast.expr:
    """What a name of a module stands for, as it is written where it is defined."""
    for origin in (module, import_module("oap_core.policy.model.policy")):
        text = Path(str(origin.__file__)).read_text(encoding="utf-8")
        for node in ast.parse(text).body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == name:
                value = node.value
                return _inside(value)
    raise ValueError(f"no source of {name}")


def _inside(node: ast.expr) -> ast.expr:
    """An expectation is written as a word or as a mapping, which its validator says and its annotation does not."""
    if isinstance(node, ast.Subscript) and "json_schema_input_type" in ast.unparse(node):
        written = ast.unparse(node).partition("json_schema_input_type=")[2].rstrip(")]")
        return ast.parse(written, mode="eval").body
    return node
