"""How diagnostics show source text, types and lists of names."""

from collections.abc import Iterable
from typing import Final

from oap_core.cel.tree import Binary, Logic, Node, Ternary, Unary
from oap_core.cel.types import ListType, MapType, Type

_MOST_SHOWN: Final = 60
_LOOSE: Final = frozenset({Binary, Logic, Ternary, Unary})
"""Nodes that need parentheses where they become an operand."""

_SPOKEN: Final = {
    "google.protobuf.Timestamp": "timestamp",
    "google.protobuf.Duration": "duration",
    "null_type": "null",
    "number": "number (int or double)",
    "dyn": "a value of unknown type",
}


def code(source: str, node: Node) -> str:
    """The text of a node, whole and on one line, for a piece of code that the author can copy."""
    text = source[node.start : node.end]
    return text if "\n" not in text else " ".join(text.split())


def operand(source: str, node: Node) -> str:
    """The text of a node, in parentheses where it could not stand beside an operator or before a point."""
    text = code(source, node)
    return f"({text})" if type(node) in _LOOSE else text


def shown(source: str, node: Node) -> str:
    """The text of a node for a message: cut where it is long."""
    text = code(source, node)
    return text if len(text) <= _MOST_SHOWN else text[: _MOST_SHOWN - 3] + "..."


def named(kind: Type) -> str:
    """A type as a message calls it."""
    if isinstance(kind, ListType):
        return "list" if kind.element.name in ("dyn", "nothing") else f"list({named(kind.element)})"
    if isinstance(kind, MapType):
        return "map"
    return _SPOKEN.get(kind.name) or str(kind)


def listed(names: Iterable[str], most: int = 6) -> str:
    """Names in backticks, the first few of them."""
    ordered = sorted(set(names))
    text = ", ".join(f"`{name}`" for name in ordered[:most])
    return text if len(ordered) <= most else f"{text} and {len(ordered) - most} more"
