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
- Everything else may be anything.

A set is finite, or everything but a finite set.
"""

from collections.abc import Callable
from functools import reduce
from typing import Any, Final, NamedTuple

from oap_core.cel.references import path_of
from oap_core.cel.tree import Binary, Has, ListLiteral, Literal, Logic, Node, Select, Ternary, Unary
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

_Pair = tuple[Texts, Texts]
"""Texts for which a node may be anything but false, and texts for which it may be anything but true."""

_ANYTHING: Final[_Pair] = (_ANY, _ANY)
_TRUE: Final[_Pair] = (_ANY, _NONE)
_FALSE: Final[_Pair] = (_NONE, _ANY)


def tool_constraint(root: Node, path: tuple[str, ...]) -> frozenset[str] | None:
    """The only texts at `path` for which the outcome can be anything but false; None where any text can.

    The tree is a resolved one, at most `limits.NESTING` deep. The first name of the path may be a dotted variable.
    """
    not_false, _ = _visit(root, path)
    return None if not_false.inverted else not_false.members


def _visit(node: Node, path: tuple[str, ...]) -> _Pair:
    rule = _RULES.get(type(node))
    return _ANYTHING if rule is None else rule(node, path)


def _literal(node: Literal, _path: tuple[str, ...]) -> _Pair:
    if node.value is True:
        return _TRUE
    return _FALSE if node.value is False else _ANYTHING


def _has(node: Has, path: tuple[str, ...]) -> _Pair:
    if node.field != path[-1]:
        return _ANYTHING
    return _TRUE if _is_path(Select(node.start, node.end, node.anchor, node.operand, node.field), path) else _ANYTHING


def _unary(node: Unary, path: tuple[str, ...]) -> _Pair:
    if node.op != "!":
        return _ANYTHING
    not_false, not_true = _visit(node.operand, path)
    return not_true, not_false


def _logic(node: Logic, path: tuple[str, ...]) -> _Pair:
    pairs = [_visit(term, path) for term in node.terms]
    known = [pair for pair in pairs if pair is not _ANYTHING]
    if not known:
        return _ANYTHING
    unknown = [_ANYTHING] if len(known) < len(pairs) else []
    not_false = [pair[0] for pair in [*known, *unknown]]
    not_true = [pair[1] for pair in [*known, *unknown]]
    if node.op == "&&":
        return reduce(Texts.__and__, not_false), reduce(Texts.__or__, not_true)
    return reduce(Texts.__or__, not_false), reduce(Texts.__and__, not_true)


def _ternary(node: Ternary, path: tuple[str, ...]) -> _Pair:
    may_hold, may_not_hold = _visit(node.condition, path)
    then, otherwise = _visit(node.then, path), _visit(node.otherwise, path)
    failing = may_hold & may_not_hold
    return (
        (may_hold & then[0]) | (may_not_hold & otherwise[0]) | failing,
        (may_hold & then[1]) | (may_not_hold & otherwise[1]) | failing,
    )


def _binary(node: Binary, path: tuple[str, ...]) -> _Pair:
    op, left, right = node.op, node.left, node.right
    if op == "in":
        members = _texts(right) if _is_path(left, path) else None
        return _ANYTHING if members is None else _among(members)
    if op not in ("==", "!="):
        return _ANYTHING
    if type(right) is not Literal:
        left, right = right, left
    if type(right) is not Literal or not _is_path(left, path):
        return _ANYTHING
    value = right.value
    not_false, not_true = _among(frozenset((value,)) if type(value) is str else frozenset())
    return (not_false, not_true) if op == "==" else (not_true, not_false)


def _among(members: frozenset[str]) -> _Pair:
    inside = Texts(members, inverted=False)
    return inside, inside.complement()


def _is_path(node: Node, path: tuple[str, ...]) -> bool:
    found = path_of(node)
    return found is not None and (found == path or _parts(found) == _parts(path))


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


_RULES: Final[dict[type[Node], Callable[[Any, tuple[str, ...]], _Pair]]] = {
    Literal: _literal,
    Has: _has,
    Unary: _unary,
    Binary: _binary,
    Logic: _logic,
    Ternary: _ternary,
}
