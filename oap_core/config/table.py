"""The table `[tool.oap]` of a `pyproject.toml` as a tree with places.

The library that reads TOML says nothing of places, so the keys are looked for in the text: a key that is written once
in its table is found exactly, everything else is shown at the head of the table.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, Final

from oap_core.policy.codes import FileCode
from oap_core.policy.files import read_bytes_of, shown
from oap_core.policy.load import TEXT_BYTES, Document
from oap_core.policy.report import blame
from oap_core.policy.tree import Entry, Mapping, Node, Scalar, Sequence, Span

__all__ = ["read_table"]

_HEAD: Final = re.compile(r"^[ \t]*\[{1,2}[ \t]*(?P<name>[^\]]+?)[ \t]*\]{1,2}", re.MULTILINE)
_KEY: Final = re.compile(r"^[ \t]*(?P<key>[A-Za-z0-9_.\"'-]+)[ \t]*=", re.MULTILINE)
_WHERE: Final = re.compile(r"\(at line (\d+), column (\d+)\)")


def read_table(path: Path) -> Document:
    """Read the table; what is wrong with the text is a problem of the document."""
    name = shown(path)
    data = read_bytes_of(path)
    if isinstance(data, Document):
        return data
    if len(data) > TEXT_BYTES:
        # A table could go on where nobody has read.
        message = f"the file is longer than {TEXT_BYTES} bytes"
        return Document(name, "", None, (blame(FileCode.TOO_LARGE, Span(1, 1, 1, 1), message, file=name),))
    try:
        text = data.decode("utf-8")
        table = tomllib.loads(text).get("tool", {}).get("oap", {})
    except UnicodeDecodeError:
        message = "the file is not UTF-8"
        return Document(name, "", None, (blame(FileCode.CHARACTER, Span(1, 1, 1, 1), message, file=name),))
    except (tomllib.TOMLDecodeError, AttributeError, RecursionError) as error:
        found = _WHERE.search(str(error))
        line, column = (int(found[1]), int(found[2])) if found else (1, 1)
        span = Span(line, column, line, column)
        return Document(name, "", None, (blame(FileCode.SYNTAX, span, "the file is not TOML here", file=name),))
    heads = {head["name"].replace(" ", ""): head for head in _HEAD.finditer(text)}
    head = heads.get("tool.oap")
    top = _span(text, head.start(), head.end()) if head else Span(1, 1, 1, 1)
    return Document(name, text, _node(table, ("tool", "oap"), text, top), ())


def _span(text: str, start: int, end: int) -> Span:
    line = text.count("\n", 0, start) + 1
    column = start - (text.rfind("\n", 0, start) + 1) + 1
    return Span(line, column, line, column + end - start)


def _node(value: Any, path: tuple[str, ...], text: str, span: Span) -> Node:
    if isinstance(value, dict):
        entries = []
        for key, item in value.items():
            found = _find(text, (*path, key)) or span
            entries.append(Entry(key, found, _node(item, (*path, key), text, found)))
        return Mapping(span, tuple(entries))
    if isinstance(value, list):
        return Sequence(span, tuple(_node(item, path, text, span) for item in value))
    if isinstance(value, (bool, int, float, str)):
        return Scalar(span, value)
    # A date of TOML is a text here, as it is in YAML.
    return Scalar(span, value.isoformat().replace("+00:00", "Z"))


def _find(text: str, path: tuple[str, ...]) -> Span | None:
    """Where a key stands: below the head of its table, or as the head of its own."""
    dotted = ".".join(path)
    for head in _HEAD.finditer(text):
        name = head["name"].replace(" ", "")
        if name == dotted:
            return _span(text, head.start("name"), head.end("name"))
        if not dotted.startswith(f"{name}."):
            continue
        wanted = dotted[len(name) + 1 :]
        following = _HEAD.search(text, head.end())
        end = following.start() if following else len(text)
        for key in _KEY.finditer(text, head.end(), end):
            if key["key"].strip("\"'") == wanted:
                return _span(text, key.start("key"), key.end("key"))
    return None
