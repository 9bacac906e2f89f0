"""Showing values and trees to a person, and values to a program that reads JSON."""

import math
from base64 import b64encode
from collections.abc import Callable, Iterator
from typing import Any, Final

from oap_core.cel.limits import TEXT_CHARACTERS
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


def plain(value: Value) -> object:
    """A value as JSON has it: times and types as text, bytes in base64, doubles that JSON lacks as text.

    A map with a key that is not text gets keys as an author writes them, so that `1` and `"1"` stay apart.
    """
    kind = type(value)
    if kind is tuple:
        return [plain(item) for item in value]
    if kind is dict:
        return {key: plain(item) for key, item in value.items()}
    if kind is KeyedMap:
        return {value_text(key, TEXT_CHARACTERS): plain(item) for key, item in value.items()}
    if kind is UInt:
        return int(value)
    if kind is float and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if kind is bytes:
        return b64encode(value).decode("ascii")
    if kind is Timestamp:
        return moments.timestamp_text(value)
    if kind is Duration:
        return moments.duration_text(value)
    return value.name if kind is TypeValue else value


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
