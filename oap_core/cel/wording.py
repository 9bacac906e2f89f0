"""How diagnostics show source text, types, values and lists of names."""

import json
from collections.abc import Iterable
from typing import Final

from oap_core.cel.tree import Binary, Logic, Node, Ternary, Unary
from oap_core.cel.types import ListType, MapType, Scalar, Type

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
    """Names in backticks, the first few of them, long ones cut."""
    ordered = sorted(set(names))
    text = ", ".join(f"`{cut(name)}`" for name in ordered[:most])
    return text if len(ordered) <= most else f"{text} and {len(ordered) - most} more"


def cut(name: str) -> str:
    """A name for a message: cut where it is long."""
    return name if len(name) <= _MOST_SHOWN else name[: _MOST_SHOWN - 3] + "..."


def counted(count: int, what: str) -> str:
    """A number of things, with the word in the plural where they are not one: `1 element`, `no elements`."""
    return f"{count or 'no'} {what}{'' if count == 1 else 's'}"


def literal(value: Scalar) -> str | None:
    """A value as an expression writes it; None for a text that is long or cannot be seen."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False) if len(value) <= _MOST_SHOWN and value.isprintable() else None
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return repr(value)
