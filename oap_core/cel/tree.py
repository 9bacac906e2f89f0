"""The frozen syntax tree of an expression, with the place of every node.

`parse` makes it from source, `resolve` settles what names mean, `check`, `cost`, `infer` and `compile` read it.
Places are offsets in code points: `start` of the first, `end` behind the last. `anchor` is where an error of the node
is shown: the operator, the field name or the function name, not the beginning of the left operand.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from oap_core.cel.values import Value


class MacroKind(StrEnum):
    """The standard macros that loop; `has` is a node of its own."""

    ALL = "all"
    EXISTS = "exists"
    EXISTS_ONE = "exists_one"
    MAP = "map"
    FILTER = "filter"


@dataclass(frozen=True, slots=True)
class Node:
    """Any part of an expression."""

    start: int
    """Offset of the first code point."""
    end: int
    """Offset behind the last code point."""
    anchor: int
    """Offset at which an error of this node is shown."""

    def children(self) -> tuple["Node", ...]:
        """Every direct part, in source order."""
        return ()


@dataclass(frozen=True, slots=True)
class Literal(Node):
    """A value known at load: written out, or a constant of the policy after `resolve`."""

    value: Value


@dataclass(frozen=True, slots=True)
class Ident(Node):
    """A name; after `resolve`, a declared variable of the activation."""

    name: str


@dataclass(frozen=True, slots=True)
class Var(Node):
    """The loop variable of a surrounding macro, by its name. Only `resolve` makes these."""

    name: str
    slot: int
    """Depth of the macro that binds it, from 0."""


@dataclass(frozen=True, slots=True)
class Select(Node):
    """`operand.field`."""

    operand: Node
    field: str

    def children(self) -> tuple[Node, ...]:
        """The operand."""
        return (self.operand,)


@dataclass(frozen=True, slots=True)
class Has(Node):
    """`has(operand.field)`."""

    operand: Node
    field: str

    def children(self) -> tuple[Node, ...]:
        """The operand."""
        return (self.operand,)


@dataclass(frozen=True, slots=True)
class Index(Node):
    """`operand[index]`."""

    operand: Node
    index: Node

    def children(self) -> tuple[Node, ...]:
        """The operand and the index."""
        return (self.operand, self.index)


@dataclass(frozen=True, slots=True)
class Call(Node):
    """`function(args)` or `target.function(args)`."""

    function: str
    """After `resolve` the registered name; a function in a namespace (`strings.quote`) has no target."""
    target: Node | None
    args: tuple[Node, ...]

    def children(self) -> tuple[Node, ...]:
        """The target, where there is one, and the arguments."""
        return self.args if self.target is None else (self.target, *self.args)


@dataclass(frozen=True, slots=True)
class Unary(Node):
    """`!operand` or `-operand`; the operator is in `op`."""

    op: str
    operand: Node

    def children(self) -> tuple[Node, ...]:
        """The operand."""
        return (self.operand,)


@dataclass(frozen=True, slots=True)
class Binary(Node):
    """`left op right`; op is one of + - * / % == != < <= > >= in."""

    op: str
    left: Node
    right: Node

    def children(self) -> tuple[Node, ...]:
        """Left and right."""
        return (self.left, self.right)


@dataclass(frozen=True, slots=True)
class Logic(Node):
    """`a && b && ...` or `a || b || ...`, flattened into its terms; op is && or ||."""

    op: str
    terms: tuple[Node, ...]

    def children(self) -> tuple[Node, ...]:
        """The terms."""
        return self.terms


@dataclass(frozen=True, slots=True)
class Ternary(Node):
    """`condition ? then : otherwise`."""

    condition: Node
    then: Node
    otherwise: Node

    def children(self) -> tuple[Node, ...]:
        """Condition and both branches."""
        return (self.condition, self.then, self.otherwise)


@dataclass(frozen=True, slots=True)
class ListLiteral(Node):
    """`[items]`."""

    items: tuple[Node, ...]

    def children(self) -> tuple[Node, ...]:
        """The items."""
        return self.items


@dataclass(frozen=True, slots=True)
class MapLiteral(Node):
    """`{key: value, ...}`, with its entries in source order."""

    entries: tuple[tuple[Node, Node], ...]

    def children(self) -> tuple[Node, ...]:
        """Key and value of each entry in turn."""
        return tuple(node for entry in self.entries for node in entry)


@dataclass(frozen=True, slots=True)
class Macro(Node):
    """`target.kind(variable, predicate)`, `target.map(variable, transform)` or `target.map(variable, predicate, transform)`."""

    kind: MacroKind
    target: Node
    variable: str
    predicate: Node | None
    """None for the two-argument `map`."""
    transform: Node | None
    """Set for `map` alone."""
    slot: int = -1
    """Depth of this macro among its kind, from 0; -1 before `resolve`."""

    def children(self) -> tuple[Node, ...]:
        """Target, predicate and transform, where there are any."""
        return tuple(node for node in (self.target, self.predicate, self.transform) if node is not None)


def walk(node: Node) -> Iterator[Node]:
    """Every node below and including this one, parents first, in source order, without recursion."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(reversed(current.children()))
