"""Which parts of the activation an expression may read."""

import re
from typing import Final

from oap_core.cel.limits import TEXT_CHARACTERS
from oap_core.cel.render import value_text
from oap_core.cel.tree import Has, Ident, Index, Literal, Node, Select

_PLAIN: Final = re.compile(r"(?!(?:in|true|false|null)\Z)[A-Za-z_][A-Za-z0-9_]*")
"""A name that may stand behind a point as it is."""

_IN_BACKTICKS: Final = re.compile(r"[A-Za-z0-9_./ -]+")
"""A name that may stand between backticks."""


def references(root: Node) -> frozenset[str]:
    """The longest path of each read, such as `args.options.network`.

    A member that is chosen by a literal text belongs to the path, in backticks or brackets where it is no plain
    name (``args.`a-b` ``, `args["$ref"]`). A path ends where an element is chosen by anything else: all of it may be read. Loop variables are
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
    """A path as an author may write it in an expression."""
    variable, *members = path
    return "".join([variable, *map(_member, members)])


def _member(name: str) -> str:
    if _PLAIN.fullmatch(name):
        return f".{name}"
    return f".`{name}`" if _IN_BACKTICKS.fullmatch(name) else f"[{value_text(name, TEXT_CHARACTERS)}]"
