"""Which parts of the activation an expression may read."""

import re
from typing import Final

from oap_core.cel.tree import Has, Ident, Index, Literal, Node, Select

_PLAIN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def references(root: Node) -> frozenset[str]:
    """The longest path of each read, such as `args.options.network`.

    A member that is chosen by a literal text belongs to the path, in backticks where it is no plain name
    (``args.`a-b` ``). A path ends where an element is chosen by anything else: all of it may be read. Loop variables are
    left out, since what they go over is in the set. The tree is a resolved one.
    """
    return frozenset(map(path_text, paths(root)))


def paths(root: Node) -> frozenset[tuple[str, ...]]:
    """The same as the names themselves: a variable, which may be dotted, and members."""
    found: set[tuple[str, ...]] = set()
    pending = [root]
    while pending:
        node = pending.pop()
        path = path_of(node.operand) if isinstance(node, Has) else path_of(node)
        if path is not None and isinstance(node, Has):
            path = (*path, node.field)
        if path is None:
            pending.extend(node.children())
        else:
            found.add(path)
    return frozenset(found)


def path_of(node: Node) -> tuple[str, ...] | None:
    """The variable and the members that a node selects; None where it is no such chain. The variable may be dotted."""
    members: list[str] = []
    while type(node) is not Ident:
        if isinstance(node, Select):
            members.append(node.field)
            node = node.operand
        elif isinstance(node, Index) and type(node.index) is Literal and type(node.index.value) is str:
            members.append(node.index.value)
            node = node.operand
        else:
            return None
    return (node.name, *reversed(members))


def path_text(path: tuple[str, ...]) -> str:
    """A path as an author would write it."""
    variable, *members = path
    return ".".join([variable, *(name if _PLAIN.fullmatch(name) else f"`{name}`" for name in members)])
