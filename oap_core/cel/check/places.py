"""Which parts of an expression denote the same place in the data, so that a fact about one holds for the other.

`args.a`, `args["a"]` and `has(args.a)` speak about one place. So do the loop variables of two macros over one list, as
long as neither stands inside the other: each stands for "some element of that list". Evaluation is pure, so equal
expressions denote equal values; a call that reads the outside world is never equal to another.
"""

from collections.abc import Hashable, Mapping
from typing import Final

from oap_core.cel.functions import Function
from oap_core.cel.tree import (
    Binary,
    Call,
    Has,
    Ident,
    Index,
    Literal,
    Logic,
    Macro,
    MacroKind,
    Node,
    Select,
    Unary,
    Var,
)

NOWHERE: Final = -1


class Places:
    """The places of one resolved tree, by number."""

    __slots__ = ("_bases", "_functions", "_numbers", "_scope", "each", "mentions", "of", "parent")

    def __init__(self, root: Node, functions: Mapping[str, Function]) -> None:
        self._functions = functions
        self._numbers: dict[Hashable, int] = {}
        self._scope: list[int] = []
        self._bases: list[int] = []
        self.of: dict[int, int] = {}
        """Places of nodes by identity: of every part that is read, and of what every `has` asks for."""
        self.each: dict[int, int] = {}
        """By identity of a macro, the place of its loop variable."""
        self.parent: list[int] = []
        """By place, the place whose presence it implies; `NOWHERE` for a root."""
        self.mentions: list[int] = []
        """By place, a bit for each loop variable's place that it is reached through."""
        self._survey(root)

    def field(self, holder: Node, name: str) -> int:
        """The place of a field of what `holder` denotes."""
        return self._number(("field", self.of[id(holder)], name), self.of[id(holder)])

    def _survey(self, node: Node) -> int:
        """Number everything below a node. The tree is at most `limits.NESTING` deep."""
        if isinstance(node, Macro):
            return self._macro(node)
        below = [self._survey(child) for child in node.children()]
        place = self._place(node, below)
        self.of[id(node)] = place
        return place

    def _place(self, node: Node, below: list[int]) -> int:
        if isinstance(node, Ident):
            return self._number(("variable", node.name), NOWHERE)
        if isinstance(node, Var):
            # A macro that is misspelt binds nothing here, and what its variable stands for is not known.
            known = node.slot < len(self._scope)
            return self._scope[node.slot] if known else self._number(("stray", node.name), NOWHERE)
        if isinstance(node, Select | Has):
            return self._number(("field", below[0], node.field), below[0])
        if isinstance(node, Index):
            return self._indexed(node, *below)
        if isinstance(node, Literal):
            plain = type(node.value) in (bool, int, str, float)
            return self._number(("value", type(node.value), node.value if plain else id(node.value)), NOWHERE)
        if isinstance(node, Call):
            function = self._functions.get(node.function)
            if function is None or function.reads_world:
                return self._number(("call", id(node)), NOWHERE, *below)
            return self._number(("call", node.function, node.target is not None, *below), NOWHERE, *below)
        operator = node.op if isinstance(node, Unary | Binary | Logic) else ""
        return self._number((type(node), operator, *below), NOWHERE, *below)

    def _indexed(self, node: Index, operand: int, index: int) -> int:
        if type(node.index) is Literal and type(node.index.value) is str:
            return self._number(("field", operand, node.index.value), operand)
        return self._number(("element", operand, index), operand, index)

    def _macro(self, node: Macro) -> int:
        target = self._survey(node.target)
        base = self.of[id(unfiltered(node.target))]
        depth = self._bases.count(base)
        each = self._number(("each", base, depth), base)
        self.mentions[each] |= 1 << each
        self.each[id(node)] = each
        self._scope.append(each)
        self._bases.append(base)
        for part in (node.predicate, node.transform):
            if part is not None:
                self._survey(part)
        self._scope.pop()
        self._bases.pop()
        place = self._number(("macro", id(node)), NOWHERE, target)
        self.of[id(node)] = place
        return place

    def _number(self, key: Hashable, parent: int, *others: int) -> int:
        """The number of a place, a new one where it is met for the first time."""
        number = self._numbers.setdefault(key, len(self.parent))
        if number == len(self.parent):
            self.parent.append(parent)
            mentions = 0 if parent == NOWHERE else self.mentions[parent]
            for other in others:
                mentions |= self.mentions[other]
            self.mentions.append(mentions)
        return number


def unfiltered(target: Node) -> Node:
    """The list that the elements of a macro's target come from, behind every `filter`."""
    while isinstance(target, Macro) and target.kind is MacroKind.FILTER:
        target = target.target
    return target
