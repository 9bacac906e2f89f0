"""How much an evaluation can cost at most, told before anything runs.

The unit is that of `limits.EVALUATION_UNITS`, and the rules are those by which the compiled expression is charged: one
unit for an element that a macro goes over, for 1,000 characters searched or built, for 16 members compared or copied.
Sizes come from literals and from the schema (`maxItems`). Where nobody declares a size, one is assumed, and the
estimate says so.
"""

from collections.abc import Callable
from typing import Any, Final

from oap_core.cel.check import Checked
from oap_core.cel.check.operators import CONTAINERS, is_set
from oap_core.cel.definition import Estimate
from oap_core.cel.limits import EVALUATION_UNITS, UNIT_CHARACTERS, UNIT_ELEMENTS
from oap_core.cel.tree import Binary, Call, Ident, Literal, Macro, Node
from oap_core.cel.types import ListType, MapType, ObjectType, Type

ASSUMED_ELEMENTS: Final = 100
"""Elements of a list or map whose size nobody declares."""

ASSUMED_CHARACTERS: Final = 1000
"""Characters of a text that is not known at load, wherever it comes from."""


def estimate(root: Node, checked: Checked) -> Estimate:
    """Bound the cost of one evaluation of a checked tree.

    Sizes multiply where macros are nested, and so does what a definition costs: it is charged for each reading, inside
    a macro for each element.
    """
    if checked.plain:
        return Estimate(0, assumed=False)
    full = _Sizes(checked, ASSUMED_ELEMENTS, ASSUMED_CHARACTERS)
    units = full.cost(root)
    if not full.assumed:
        return Estimate(units, assumed=False, declared=units)
    declared = _Sizes(checked, 0, 0).cost(root)
    return Estimate(units, declared <= EVALUATION_UNITS, declared)


class _Sizes:
    """One estimate, under one assumption about what nobody declares."""

    __slots__ = ("_characters", "_charges", "_definitions", "_elements", "_types", "assumed")

    def __init__(self, checked: Checked, elements: int, characters: int) -> None:
        self._types = checked.types
        self._charges = checked.charges
        self._definitions = checked.definitions
        self._elements = elements
        self._characters = characters
        self.assumed = False

    def cost(self, node: Node) -> int:
        rule = _RULES.get(type(node))
        return sum(map(self.cost, node.children())) if rule is None else rule(self, node)

    def name(self, node: Ident) -> int:
        definition = self._definitions.get(node.name)
        if definition is None:
            return 0
        self.assumed = self.assumed or definition.cost.assumed
        return definition.cost.units if self._elements else definition.cost.declared

    def macro(self, node: Macro) -> int:
        body = sum(self.cost(part) for part in (node.predicate, node.transform) if part is not None)
        return self.cost(node.target) + self._count(self._types[id(node.target)]) * (1 + body)

    def call(self, node: Call) -> int:
        parts = node.children()
        units = sum(map(self.cost, parts))
        charge = self._charges.get(id(node))
        if charge is None:
            return units
        units += charge.units
        return units + charge.weight * (sum(map(self._scan, parts)) + self._scan(node)) if charge.scans else units

    def binary(self, node: Binary) -> int:
        units = self.cost(node.left) + self.cost(node.right)
        left, right = self._types[id(node.left)], self._types[id(node.right)]
        if node.op in ("==", "!="):
            if left.name in CONTAINERS and right.name in CONTAINERS:
                units += min(self._weight(left), self._weight(right)) // UNIT_ELEMENTS
        elif node.op == "+":
            units += self._joined(node, left, right)
        elif (
            node.op == "in"
            and right.name in ("list", "dyn")
            and not (isinstance(right, ListType) and is_set(node.right, right))
        ):
            units += self._count(right) // UNIT_ELEMENTS
            if left.name in CONTAINERS:
                units += self._weight(right) // UNIT_ELEMENTS
        return units

    def _joined(self, node: Binary, left: Type, right: Type) -> int:
        if {left.name, right.name} & {"string", "bytes"}:
            return (self._length(node.left) + self._length(node.right)) // UNIT_CHARACTERS
        if "list" in (left.name, right.name) or left.name == right.name == "dyn":
            return (self._count(left) + self._count(right)) // UNIT_ELEMENTS
        return 0

    def _scan(self, node: Node) -> int:
        """Units for working through the value of a node once, or for building it."""
        kind = self._types[id(node)]
        if kind.name in ("string", "bytes"):
            return self._length(node) // UNIT_CHARACTERS
        if kind.name in ("list", "map", "dyn"):
            return self._weight(kind) // UNIT_ELEMENTS
        return 0

    def _length(self, node: Node) -> int:
        """Characters of a text."""
        if type(node) is Literal:
            return len(node.value)
        if isinstance(node, Binary):
            return self._length(node.left) + self._length(node.right)
        self.assumed = True
        return self._characters

    def _count(self, kind: Type) -> int:
        """Elements that a macro goes over."""
        if isinstance(kind, ListType | MapType) and kind.most is not None:
            return kind.most
        if isinstance(kind, ObjectType) and kind.rest is None:
            return len(kind.fields)
        self.assumed = True
        return self._elements

    def _weight(self, kind: Type) -> int:
        """Values in a value of this type, itself included."""
        if isinstance(kind, ListType):
            return 1 + self._count(kind) * self._weight(kind.element)
        if isinstance(kind, MapType):
            return 1 + self._count(kind) * self._weight(kind.value)
        if isinstance(kind, ObjectType):
            declared = sum(self._weight(field.type) for field in kind.fields.values())
            return 1 + declared + (0 if kind.rest is None else self._count(kind))
        if kind.name == "dyn":
            self.assumed = True
            return 1 + self._elements
        return 1


_RULES: Final[dict[type[Node], Callable[[_Sizes, Any], int]]] = {
    Literal: lambda _sizes, _node: 0,
    Ident: _Sizes.name,
    Macro: _Sizes.macro,
    Call: _Sizes.call,
    Binary: _Sizes.binary,
}
