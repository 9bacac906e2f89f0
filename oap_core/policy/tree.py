"""What a YAML file holds, with the place of every key and value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

__all__ = [
    "Entry",
    "Mapping",
    "Node",
    "Scalar",
    "ScalarValue",
    "Sequence",
    "Span",
    "key_at",
    "node_at",
    "scalar_at",
    "span_at",
]

ScalarValue: TypeAlias = bool | int | float | str | None


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a file; lines and columns count from 1, columns in code points, and the end is exclusive."""

    line: int
    """Line of the first character."""
    column: int
    """Column of the first character."""
    end_line: int
    """Line of the end."""
    end_column: int
    """Column behind the last character."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """A value without parts."""

    span: Span
    """Where it stands, quotes and block indicators included."""
    value: ScalarValue
    """The value, by the core schema of YAML 1.2."""
    places: tuple[tuple[int, int, int], ...] = field(default=(), repr=False, compare=False)
    """How a text lies in the file: (offset in the value, line, column) of each run that lies there as it is written.

    Ordered by offset; empty where the value is no text.
    """

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of the character at this offset of the value; its end where the offset is behind it."""
        line, column = self.span.line, self.span.column
        for start, run_line, run_column in self.places:
            if start > offset:
                break
            line, column = run_line, run_column + offset - start
        return line, column


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list."""

    span: Span
    """Where it stands."""
    items: tuple[Node, ...]
    """Its elements."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A key of a mapping with its value."""

    key: str
    """The key."""
    key_span: Span
    """Where the key stands."""
    value: Node
    """The value."""


@dataclass(frozen=True, slots=True)
class Mapping:
    """Keys and values. Of a key that stood twice the first one is kept, and the file has a problem."""

    span: Span
    """Where it stands."""
    entries: tuple[Entry, ...]
    """Its keys with their values, as the file has them."""

    def get(self, key: str) -> Entry | None:
        """The entry with this key, or None."""
        return next((entry for entry in self.entries if entry.key == key), None)

    def __iter__(self) -> Iterator[Entry]:
        """Every entry, as the file has them."""
        return iter(self.entries)


Node: TypeAlias = Scalar | Sequence | Mapping
"""A value with its place."""


def node_at(root: Node, *path: str | int) -> Node:
    """The value at a path of keys and positions. Raises LookupError where there is none."""
    node = root
    for step in path:
        if isinstance(node, Mapping) and isinstance(step, str):
            entry = node.get(step)
            if entry is None:
                raise LookupError(step)
            node = entry.value
        elif isinstance(node, Sequence) and isinstance(step, int):
            node = node.items[step]
        else:
            raise LookupError(step)  # noqa: TRY004  # there is nothing at this path, whatever the type
    return node


def scalar_at(root: Node, *path: str | int) -> Scalar:
    """The scalar at a path. Raises LookupError where there is none."""
    node = node_at(root, *path)
    if not isinstance(node, Scalar):
        raise LookupError(path)  # noqa: TRY004  # there is no scalar at this path
    return node


def span_at(root: Node, *path: str | int) -> Span:
    """Where the value at a path stands; where there is none, the last thing on the way to it."""
    for end in range(len(path), -1, -1):
        try:
            return node_at(root, *path[:end]).span
        except LookupError:
            continue
    return root.span


def key_at(root: Node, *path: str | int) -> Span:
    """Where the key at the end of a path stands; where there is none, what `span_at` says."""
    try:
        node = node_at(root, *path[:-1])
    except LookupError:
        return span_at(root, *path)
    entry = node.get(str(path[-1])) if isinstance(node, Mapping) else None
    return span_at(root, *path) if entry is None else entry.key_span
