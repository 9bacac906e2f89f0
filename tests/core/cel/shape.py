"""A tree as one line of text, for comparing what was parsed with what was meant."""

from __future__ import annotations

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
)
from oap_core.cel.values import UInt


def shape(node: Node, *, values: bool = True) -> str:
    """Write a tree with its operator first and everything in parentheses; names and literals stand for themselves.

    Without `values`, every literal is the word `literal`.
    """

    def part(node: Node) -> str:
        return shape(node, values=values)

    def several(head: str, *nodes: Node) -> str:
        return f"({' '.join([head, *map(part, nodes)])})"

    match node:
        case Ident():
            return node.name
        case Literal():
            if not values:
                return "literal"
            return f"{int(node.value)}u" if isinstance(node.value, UInt) else repr(node.value)
        case Select():
            return f"(. {part(node.operand)} {node.field})"
        case Has():
            return f"(has {part(node.operand)} {node.field})"
        case Call():
            target = "" if node.target is None else f"{part(node.target)} "
            return several(f"{target}{node.function}()", *node.args)
        case Binary() | Unary() | Logic():
            return several(node.op, *node.children())
        case Macro():
            return several(f"{node.kind} {node.variable}", *node.children())
        case Index() | Ternary() | ListLiteral() | MapLiteral():
            return several(
                {Index: "[]", Ternary: "?:", ListLiteral: "list", MapLiteral: "map"}[type(node)], *node.children()
            )
        case _:
            raise AssertionError(type(node))
