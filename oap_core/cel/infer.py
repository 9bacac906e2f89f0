"""Which texts at one path an expression can hold for: what makes an index over rules possible.

`tool_constraint(root, ("tool", "id"))` gives a set S with this promise: whenever the activation has a text at the path
and the text is not in S, the expression evaluates to false, and to nothing else. So a rule may be skipped for every tool
outside S, and skipping it can hide neither a match nor an error.

The argument. For each node two sets of texts are computed, each possibly too large and never too small: those for
which the node may be anything but false, and those for which it may be anything but true. "Anything" includes every
error and every value that is no boolean. Take a text outside the first set of `a`: `a` is false, whatever else is in
the data.

- `path == "x"` with a text at the path reads it without error and compares two texts: false unless it is "x".
- `a && b` is false as soon as one side is false, even if the other fails or runs out of budget (the compiler absorbs
  every `EvalError`), so it may be anything but false only where both may: the intersection. It may be anything but true
  where either may: the union. `||` is the mirror image and `!` swaps the two sets.
- `c ? a : b` can be something else than false through a true `c` and `a`, a false `c` and `b`, or a failing `c`; a
  failing `c` is in both sets of `c`.
- A definition is what its own tree is, but its reader pays what it used, and fails where that is too much. So a third
  set is computed, possibly too small and never too large: texts for which the node costs nothing, since what costs
  something stands behind a part that settles the result first. For all other texts the name may be anything.
- Everything else may be anything.

A set is finite, or everything but a finite set.
"""

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any, Final, NamedTuple

from oap_core.cel.definition import Definition
from oap_core.cel.references import path_of
from oap_core.cel.tree import Binary, Has, Ident, Index, ListLiteral, Literal, Logic, Node, Select, Ternary, Unary
from oap_core.cel.values import KeyedMap, Value


class Texts(NamedTuple):
    """A set of texts: `members`, or all texts but these."""

    members: frozenset[str]
    inverted: bool

    def __or__(self, other: "Texts") -> "Texts":
        """Union."""
        if not (self.inverted or other.inverted):
            return Texts(self.members | other.members, inverted=False)
        if self.inverted and other.inverted:
            return Texts(self.members & other.members, inverted=True)
        finite, rest = (other, self) if self.inverted else (self, other)
        return Texts(rest.members - finite.members, inverted=True)

    def __and__(self, other: "Texts") -> "Texts":
        """Intersection."""
        return (self.complement() | other.complement()).complement()

    def complement(self) -> "Texts":
        """All texts that are not in this set."""
        return Texts(self.members, inverted=not self.inverted)


_NONE: Final = Texts(frozenset(), inverted=False)
_ANY: Final = Texts(frozenset(), inverted=True)
_FREE_WITH: Final = frozenset({str, int, float, bool, type(None)})
"""Types of values known at load with which a comparison costs nothing."""


class Possible(NamedTuple):
    """What can become of a node, by the text at the path."""

    not_false: Texts
    """It may be anything but false."""
    not_true: Texts
    """It may be anything but true."""
    free: Texts
    """It costs nothing, whatever becomes of it."""


_ANYTHING: Final = Possible(_ANY, _ANY, _NONE)
_TRUE: Final = Possible(_ANY, _NONE, _ANY)
_FALSE: Final = Possible(_NONE, _ANY, _ANY)


def tool_constraint(root: Node, path: tuple[str, ...], definitions: Mapping[str, Definition]) -> frozenset[str] | None:
    """The only texts at `path` for which the outcome can be anything but false; None where any text can.

    The tree is a resolved one, at most `limits.NESTING` deep, and `definitions` are those that it reads. The first name
    of the path may be a dotted variable.
    """
    not_false = _Inference(path, definitions, {}).visit(root).not_false
    return None if not_false.inverted else not_false.members


class _Inference:
    """Looks at one tree; those of definitions get their own, which know the same `seen`."""

    __slots__ = ("_definitions", "_parts", "_path", "_seen")

    def __init__(self, path: tuple[str, ...], definitions: Mapping[str, Definition], seen: dict[int, Possible]) -> None:
        self._path = path
        self._parts = _parts(path)
        self._definitions = definitions
        self._seen = seen
        """What was found out about definitions, by identity."""

    def visit(self, node: Node) -> Possible:
        rule = _RULES.get(type(node))
        return _ANYTHING if rule is None else rule(self, node)

    def literal(self, node: Literal) -> Possible:
        if node.value is True:
            return _TRUE
        return _FALSE if node.value is False else _ANYTHING._replace(free=_ANY)

    def name(self, node: Ident) -> Possible:
        definition = self._definitions.get(node.name)
        if definition is None:
            return _ANYTHING._replace(free=_ANY)
        found = self._seen.get(id(definition))
        if found is None:
            found = _Inference(self._path, definition.definitions, self._seen).visit(definition.tree)
            dear = found.free.complement()
            found = Possible(found.not_false | dear, found.not_true | dear, found.free)
            self._seen[id(definition)] = found
        return found

    def part(self, node: Select | Index) -> Possible:
        """A field or an element: anything, for what its operands cost."""
        return _ANYTHING._replace(free=reduce(Texts.__and__, (self.visit(child).free for child in node.children())))

    def has(self, node: Has) -> Possible:
        free = self.visit(node.operand).free
        asks = node.field == self._path[-1] and self._is_path(
            Select(node.start, node.end, node.anchor, node.operand, node.field)
        )
        return (_TRUE if asks else _ANYTHING)._replace(free=free)

    def unary(self, node: Unary) -> Possible:
        if node.op != "!":
            return _ANYTHING
        found = self.visit(node.operand)
        return Possible(found.not_true, found.not_false, found.free)

    def logic(self, node: Logic) -> Possible:
        terms = [self.visit(term) for term in node.terms]
        if node.op == "||":
            terms = [Possible(term.not_true, term.not_false, term.free) for term in terms]
        # Terms are looked at in their order, and none behind one that is false for sure.
        free = _ANY
        for term in reversed(terms):
            free = term.free & (term.not_false.complement() | free)
        not_false = reduce(Texts.__and__, (term.not_false for term in terms))
        not_true = reduce(Texts.__or__, (term.not_true for term in terms))
        return Possible(not_false, not_true, free) if node.op == "&&" else Possible(not_true, not_false, free)

    def ternary(self, node: Ternary) -> Possible:
        asked, then, otherwise = map(self.visit, node.children())
        may_hold, may_not_hold = asked.not_false, asked.not_true
        failing = may_hold & may_not_hold
        return Possible(
            (may_hold & then.not_false) | (may_not_hold & otherwise.not_false) | failing,
            (may_hold & then.not_true) | (may_not_hold & otherwise.not_true) | failing,
            asked.free & (may_hold.complement() | then.free) & (may_not_hold.complement() | otherwise.free),
        )

    def binary(self, node: Binary) -> Possible:
        op, left, right = node.op, node.left, node.right
        if op == "in":
            return self._contained(left, _texts(right))
        if op not in ("==", "!=", "<", "<=", ">", ">="):
            return _ANYTHING
        if type(right) is not Literal:
            left, right = right, left
        if type(right) is not Literal or type(right.value) not in _FREE_WITH:
            return _ANYTHING
        free = self.visit(left).free
        if op not in ("==", "!="):
            return _ANYTHING._replace(free=_NONE if type(right.value) is str else free)
        if not self._is_path(left):
            return _ANYTHING._replace(free=free)
        found = _among(frozenset((right.value,)) if type(right.value) is str else frozenset(), free)
        return found if op == "==" else Possible(found.not_true, found.not_false, free)

    def _contained(self, node: Node, members: frozenset[str] | None) -> Possible:
        if members is None:
            return _ANYTHING
        free = self.visit(node).free
        return _among(members, free) if self._is_path(node) else _ANYTHING._replace(free=free)

    def _is_path(self, node: Node) -> bool:
        """Whether a node reads the text at the path, by a definition that is another name for it perhaps."""
        found = path_of(node)
        if found is None:
            return False
        definitions = self._definitions
        while (definition := definitions.get(found[0])) is not None:
            meant = path_of(definition.tree)
            if meant is None:
                return False
            found, definitions = (*meant, *found[1:]), definition.definitions
        return _parts(found) == self._parts


def _among(members: frozenset[str], free: Texts) -> Possible:
    inside = Texts(members, inverted=False)
    return Possible(inside, inside.complement(), free)


def _parts(path: tuple[str, ...]) -> list[str]:
    """The names in a path; only the first, a variable, may be dotted."""
    return [*path[0].split("."), *path[1:]]


def _texts(node: Node) -> frozenset[str] | None:
    """The texts among the keys of a known map, or in a known list of texts alone.

    Of other lists nothing is said: looking through them is charged, so it can fail where the budget is used up.
    """
    if isinstance(node, ListLiteral):
        if not all(type(item) is Literal for item in node.items):
            return None
        values: tuple[Value, ...] = tuple(item.value for item in node.items if isinstance(item, Literal))
    elif isinstance(node, Literal) and type(node.value) in (tuple, dict, KeyedMap):
        values = tuple(node.value)
    else:
        return None
    if not _is_map(node) and not all(type(value) is str for value in values):
        return None
    return frozenset(value for value in values if type(value) is str)


def _is_map(node: Node) -> bool:
    return isinstance(node, Literal) and type(node.value) is not tuple


_RULES: Final[dict[type[Node], Callable[[_Inference, Any], Possible]]] = {
    Literal: _Inference.literal,
    Ident: _Inference.name,
    Select: _Inference.part,
    Index: _Inference.part,
    Has: _Inference.has,
    Unary: _Inference.unary,
    Binary: _Inference.binary,
    Logic: _Inference.logic,
    Ternary: _Inference.ternary,
}
