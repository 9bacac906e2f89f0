"""Showing values and trees to a person, and values to a program that reads JSON."""

import math
from base64 import b64encode
from collections.abc import Callable, Iterator
from typing import Any, Final

from oap_core.cel.limits import ACTIVATION_NODES, TEXT_CHARACTERS
from oap_core.cel.standard import moments
from oap_core.cel.tree import (
    Binary,
    Call,
    Has,
    Ident,
    Index,
    ListLiteral,
    Literal,
    Logic,
    Macro,
    MapLiteral,
    Node,
    Select,
    Ternary,
    Unary,
    Var,
)
from oap_core.cel.values import Duration, KeyedMap, Timestamp, TypeValue, UInt, Value
from oap_core.diagnostic import printable

_ESCAPES: Final = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def value_text(value: Value, most: int = 2000) -> str:
    """A value as an author would write it in CEL, on one line, cut after `most` characters.

    What is not cut can be evaluated again and gives the value. Nothing in it moves a cursor or hides.
    """
    pieces: list[str] = []
    length = 0
    for piece in _pieces(value, most):
        pieces.append(piece)
        length += len(piece)
        if length > most:
            return "".join(pieces)[:most] + "..."
    return "".join(pieces)


def _pieces(value: Value, most: int) -> Iterator[str]:
    """Recursive, no deeper than values are."""
    kind = type(value)
    if kind is tuple:
        yield "["
        for number, item in enumerate(value):
            yield ", " if number else ""
            yield from _pieces(item, most)
        yield "]"
    elif kind is dict or kind is KeyedMap:
        yield "{"
        for number, (key, item) in enumerate(value.items()):
            yield ", " if number else ""
            yield from _pieces(key, most)
            yield ": "
            yield from _pieces(item, most)
        yield "}"
    elif kind is str or kind is bytes:
        # One character makes one at least, so what lies behind the cut is not worth escaping.
        yield _quoted(value[: most + 1]) if kind is str else _bytes(value[: most + 1])
    else:
        yield _LEAVES[kind](value)


def _quoted(text: str) -> str:
    return f'"{"".join(_escaped(character) for character in text)}"'


def _escaped(character: str) -> str:
    # The escapes of `printable` are escapes of CEL as well.
    return _ESCAPES.get(character) or printable(character)


def _bytes(value: bytes) -> str:
    return 'b"' + "".join(f"\\x{byte:02x}" for byte in value) + '"'


def _double(number: float) -> str:
    if math.isfinite(number):
        return repr(number)
    return 'double("NaN")' if math.isnan(number) else f'double("{"-" if number < 0 else ""}Infinity")'


_LEAVES: Final[dict[type, Callable[[Any], str]]] = {
    type(None): lambda _: "null",
    bool: lambda value: "true" if value else "false",
    int: str,
    UInt: lambda value: f"{int(value)}u",
    float: _double,
    Timestamp: lambda value: f'timestamp("{moments.timestamp_text(value)}")',
    Duration: lambda value: f'duration("{moments.duration_text(value)}")',
    TypeValue: lambda value: value.name,
}


class UnshownError(ValueError):
    """A value that would make more text than anybody reads."""

    def __init__(self) -> None:
        super().__init__("the value is too large to show")


def plain(value: Value) -> object:
    """A value as JSON has it: times and types as text, bytes in base64, doubles that JSON lacks as text.

    A map with a key that is not text gets keys as an author writes them, so that `1` and `"1"` stay apart. Parts that
    an evaluation shares are written out each time, so a small value can stand for a huge text: raises `UnshownError`
    where there are more than `ACTIVATION_NODES` values or `TEXT_CHARACTERS` characters, which no activation exceeds.
    """
    return _Plain().value(value)


class _Plain:
    """Counts what is written out."""

    __slots__ = ("_characters", "_nodes")

    def __init__(self) -> None:
        self._characters = TEXT_CHARACTERS
        self._nodes = ACTIVATION_NODES

    def value(self, value: Value) -> object:
        """One value; recursive, no deeper than values are."""
        self._nodes -= 1
        if self._nodes < 0:
            raise UnshownError
        kind = type(value)
        if kind is tuple:
            return [self.value(item) for item in value]
        if kind is dict:
            return {self.text(key): self.value(item) for key, item in value.items()}
        if kind is KeyedMap:
            return {self.text(value_text(key, TEXT_CHARACTERS)): self.value(item) for key, item in value.items()}
        if kind is str:
            return self.text(value)
        if kind is bytes:
            self.count(len(value))
            return b64encode(value).decode("ascii")
        return _PLAIN[kind](value) if kind in _PLAIN else value

    def text(self, text: str) -> str:
        """A text that is counted."""
        self.count(len(text))
        return text

    def count(self, characters: int) -> None:
        """Raise `UnshownError` where these are too many."""
        self._characters -= characters
        if self._characters < 0:
            raise UnshownError


def _plain_double(number: float) -> object:
    if math.isfinite(number):
        return number
    return "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"


_PLAIN: Final[dict[type, Callable[[Any], object]]] = {
    UInt: int,
    float: _plain_double,
    Timestamp: moments.timestamp_text,
    Duration: moments.duration_text,
    TypeValue: lambda value: value.name,
}
"""Values without parts that JSON has no form for."""


def tree_text(root: Node) -> str:
    """The tree, one node a line, children indented below their parent."""
    lines: list[str] = []
    pending: list[tuple[Node, int]] = [(root, 0)]
    while pending:
        node, depth = pending.pop()
        lines.append("  " * depth + _LABELS[type(node)](node))
        pending.extend((child, depth + 1) for child in reversed(node.children()))
    return "\n".join(lines)


_LABELS: Final[dict[type[Node], Callable[[Any], str]]] = {
    Literal: lambda node: f"literal {value_text(node.value, 80)}",
    Ident: lambda node: f"variable {node.name}",
    Var: lambda node: f"loop variable {node.name}",
    Select: lambda node: f"field {node.field}",
    Has: lambda node: f"has {node.field}",
    Index: lambda _: "index",
    Call: lambda node: f"call {node.function}",
    Unary: lambda node: f"unary {node.op}",
    Binary: lambda node: f"binary {node.op}",
    Logic: lambda node: f"logic {node.op}",
    Ternary: lambda _: "ternary ? :",
    ListLiteral: lambda _: "list",
    MapLiteral: lambda _: "map",
    Macro: lambda node: f"macro {node.kind} {node.variable}",
}
