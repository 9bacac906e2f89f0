"""The text of a clause with values in place of its operands."""

from collections.abc import Callable
from typing import Any, Final

from oap_core.cel.failure import EvalError
from oap_core.cel.render import value_text
from oap_core.cel.tree import Binary, Call, Index, Node, Unary
from oap_core.cel.values import Value

SHOWN: Final = 60
"""Characters of one value that are shown."""

Evaluate = Callable[[Node], Value | EvalError]
"""The value of a part of the clause."""


def values_text(node: Node, evaluate: Evaluate) -> str | None:
    """`50 > 50` for `args.amount > constants.limit`; None for a node without operands."""
    shape = _SHAPES.get(type(node))
    if shape is None:
        return None
    return shape(node, [_shown(evaluate(child)) for child in node.children()])


def _shown(value: Value | EvalError) -> str:
    return "?" if type(value) is EvalError else value_text(value, SHOWN)


def _call(node: Call, texts: list[str]) -> str:
    if node.target is None:
        return f"{node.function}({', '.join(texts)})"
    return f"{texts[0]}.{node.function}({', '.join(texts[1:])})"


_SHAPES: Final[dict[type[Node], Callable[[Any, list[str]], str]]] = {
    Binary: lambda node, texts: f"{texts[0]} {node.op} {texts[1]}",
    Call: _call,
    Index: lambda _, texts: f"{texts[0]}[{texts[1]}]",
    Unary: lambda node, texts: f"{node.op}{texts[0]}",
}
"""How the operands stand in the text."""
