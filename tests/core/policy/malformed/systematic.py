"""Makes malformed files out of the good ones key by key, each with the place where it is wrong.

It knows lines, indentation and `fields.txt`, and nothing of what reads the files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.core.policy.malformed.bases import TEXTS

_LINE: Final = re.compile(r"(?P<indent> *)(?P<dash>- )?(?P<key>\w+):(?: (?P<value>.*))?")


@dataclass(frozen=True)
class Malformed:
    """One malformed file."""

    title: str
    base: str
    text: str
    expected: tuple[tuple[str, int, int], ...]
    """Code, line and column of everything that is wrong."""


@dataclass(frozen=True)
class Key:
    """One key in a good file."""

    path: str
    number: int
    """Its line, from 1."""
    column: int
    """Its column, from 1."""
    name: str
    value: str
    """What stands behind it on its line."""
    end: int
    """The last line that belongs to it."""
    dash: bool
    """Whether it is the first of an item."""
    head: tuple[int, int]
    """Line and column of the mapping that it stands in."""
    alone: bool
    """Whether that mapping has no other key."""

    @property
    def behind(self) -> int:
        """The column of a value behind it."""
        return self.column + len(self.name) + 2


def fields() -> dict[tuple[str, str], tuple[str, bool]]:
    """What each key of each file holds, and whether it is required."""
    found = {}
    for line in (Path(__file__).parent / "fields.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            file, path, kind = line.split(" ")
            found[file, path] = (kind.removesuffix("!"), kind.endswith("!"))
    return found


@dataclass
class _Above:
    """A key, or the dash of an item, that what follows stands below."""

    column: int
    path: str
    head: tuple[int, int] | None = None
    """Line and column of the first key below it."""


def keys(text: str) -> list[Key]:
    """Every key that stands on a line of its own, in order."""
    lines = text.splitlines()
    found: list[Key] = []
    way = [_Above(0, "")]
    block = len(text)
    for number, line in enumerate(lines, 1):
        indent = len(line) - len(line.lstrip(" "))
        match = _LINE.fullmatch(line)
        if indent > block or match is None:
            continue
        block = indent if (match["value"] or "")[:1] in {"|", ">"} else len(text)
        column = indent + (2 if match["dash"] else 0) + 1
        while way[-1].column >= (indent + 1 if match["dash"] else column):
            way.pop()
        if match["dash"]:
            way.append(_Above(indent + 1, f"{way[-1].path}[]"))
        above = way[-1]
        above.head = above.head or (number, column)
        path = f"{above.path}.{match['key']}" if above.path else match["key"]
        way.append(_Above(column, path))
        end = number
        while end < len(lines) and _deeper(lines[end], column):
            end += 1
        value, dash = match["value"] or "", bool(match["dash"])
        found.append(Key(path, number, column, match["key"], value, end, dash, above.head, alone=False))
    return [_counted(key, found) for key in found]


def _deeper(line: str, column: int) -> bool:
    return len(line) - len(line.lstrip(" ")) >= column


def _counted(key: Key, found: list[Key]) -> Key:
    others = sum(one.head == key.head for one in found)
    return Key(key.path, key.number, key.column, key.name, key.value, key.end, key.dash, key.head, others == 1)


class _Maker:
    """Makes the malformed files of one key."""

    def __init__(self, base: str, key: Key, kind: str, *, required: bool) -> None:
        self._base = base
        self._lines = TEXTS[base].splitlines()
        self._key = key
        self._kind = kind
        self._required = required

    def _made(self, what: str, lines: list[str], *expected: tuple[str, int, int]) -> Malformed:
        title = f"{self._base} {self._key.path} line {self._key.number}: {what}"
        return Malformed(title, self._base, "\n".join(lines) + "\n", tuple(sorted(expected, key=lambda one: one[1:])))

    def _line(self, name: str, value: str) -> str:
        start = self._lines[self._key.number - 1][: self._key.column - 1]
        return f"{start}{name}:{' ' if value else ''}{value}"

    def _with_line(self, line: str) -> list[str]:
        """The file with another line for the key, and what belongs to it as it was."""
        return [*self._lines[: self._key.number - 1], line, *self._lines[self._key.number :]]

    def _with_value(self, value: str) -> list[str]:
        """The file with another value for the key."""
        line = self._line(self._key.name, value)
        return [*self._lines[: self._key.number - 1], line, *self._lines[self._key.end :]]

    def all(self) -> Iterator[Malformed]:
        if self._kind != "named":
            yield self.misspelt()
        yield self.doubled()
        yield self.marked("&here ", "OAP103")
        yield self.marked(
            "!!str " if self._kind not in {"list", "filled", "map", "named", "free"} else "!thing ", "OAP104"
        )
        yield self.valued("*there", "OAP103", "a reference")
        if self._required and not self._key.alone:
            yield self.left_out()
        if self._kind != "version":
            yield self.empty()
        for value, code in _WRONG[self._kind].items():
            yield self.valued(value, code, f"`{value}`")

    def misspelt(self) -> Malformed:
        """A letter is missing."""
        key = self._key
        middle = len(key.name) // 2
        lines = self._with_line(self._line(key.name[:middle] + key.name[middle + 1 :], key.value))
        here = (key.number, key.column)
        if self._kind == "version":
            return self._made("misspelt", lines, ("OAP205", *here))
        missing = [("OAP202", *key.head)] if self._required else []
        return self._made("misspelt", lines, ("OAP201", *here), *missing)

    def doubled(self) -> Malformed:
        """It stands once more below everything that belongs to it."""
        key = self._key
        again = f"{' ' * (key.column - 1)}{key.name}: again"
        lines = [*self._lines[: key.end], again, *self._lines[key.end :]]
        return self._made("doubled", lines, ("OAP102", key.end + 1, key.column))

    def marked(self, mark: str, code: str) -> Malformed:
        """An anchor or a tag stands in front of the value."""
        key = self._key
        line = self._line(key.name, f"{mark}{key.value}".rstrip())
        return self._made(f"behind `{mark.strip()}`", self._with_line(line), (code, key.number, key.behind))

    def left_out(self) -> Malformed:
        """It is not there."""
        key = self._key
        lines = [*self._lines[: key.number - 1], *self._lines[key.end :]]
        if key.dash:
            following = lines[key.number - 1]
            lines[key.number - 1] = f"{following[: key.column - 3]}- {following[key.column - 1 :]}"
        return self._made("left out", lines, ("OAP205" if self._kind == "version" else "OAP202", *key.head))

    def empty(self) -> Malformed:
        """Nothing stands behind it."""
        key = self._key
        return self._made("empty", self._with_value(""), ("OAP203", key.number, key.behind - 1))

    def valued(self, value: str, code: str, what: str) -> Malformed:
        """Another value stands behind it."""
        return self._made(what, self._with_value(value), (code, self._key.number, self._key.behind))


_TEXTUAL: Final = {"[a]": "OAP203", "12": "OAP203", "{a: 1}": "OAP203", "true": "OAP203"}
_BOOL: Final = {'"true"': "OAP203", "1": "OAP203", "yes": "OAP106", "Off": "OAP106", "[true]": "OAP203"}
_LISTED: Final = {"12": "OAP203", "word": "OAP203", "{a: 1}": "OAP203", "false": "OAP203"}
_WRONG: Final = {
    "version": {"[a]": "OAP205", "12": "OAP205", "zzz": "OAP205", "on": "OAP106"},
    "name": {**_TEXTUAL, '"a b"': "OAP204", "core": "OAP204", "/x": "OAP204"},
    "tool": {**_TEXTUAL, "fs": "OAP204", "a/b/c": "OAP204"},
    "hash": {**_TEXTUAL, "sha256:12": "OAP204"},
    "text": {**_TEXTUAL, '""': "OAP204", "y": "OAP106", "12:30": "OAP106"},
    "label": {**_TEXTUAL, "No": "OAP106"},
    "expression": {**_TEXTUAL, '""': "OAP204", "on": "OAP106"},
    "day": {**_TEXTUAL, "2027-02-30": "OAP204", "soon": "OAP204", "no": "OAP106"},
    "moment": {**_TEXTUAL, "2027-01-01": "OAP204", "2027-13-01T00:00:00Z": "OAP204", "0755": "OAP106"},
    "duration": {**_TEXTUAL, "soon": "OAP204", "0s": "OAP204", "1_0": "OAP106"},
    "choice": {**_TEXTUAL, "zzz": "OAP204", "off": "OAP106"},
    "bool": _BOOL,
    "int": {'"2"': "OAP203", "2.5": "OAP203", "[2]": "OAP203", "true": "OAP203", "0x_1": "OAP106", "1e999": "OAP111"},
    "number": {"2.5": "OAP203", "[2]": "OAP203", "true": "OAP203", "99999999999999999999": "OAP111"},
    "list": _LISTED,
    "filled": {**_LISTED, "[]": "OAP204"},
    "map": {"12": "OAP203", "[a]": "OAP203", "true": "OAP203"},
    "named": {"12": "OAP203", "[a]": "OAP203", "true": "OAP203"},
    "free": {"12": "OAP203", "[a]": "OAP203", "true": "OAP203"},
}


def malformed() -> Iterator[Malformed]:
    """Every malformed file that can be made from the keys of the good ones."""
    known = fields()
    for base, text in TEXTS.items():
        for key in keys(text):
            if (base, key.path) in known:
                kind, required = known[base, key.path]
                yield from _Maker(base, key, kind, required=required).all()
