"""From a resolved tree to one closure: each node by its type, children first."""

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from oap_core.cel.compile import access, arithmetic, calls, equality, literals, logic, macros, ordering
from oap_core.cel.compile.piece import Piece, Run, literal
from oap_core.cel.definition import Definition
from oap_core.cel.failure import EvalError
from oap_core.cel.functions import Registry
from oap_core.cel.limits import UNIT_CHARACTERS
from oap_core.cel.standard import STANDARD
from oap_core.cel.standard.regex import compile_pattern, pattern_weight
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
    Var,
)

_NO_DEFINITIONS: Final[Mapping[str, Definition]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Compiled:
    """A closure and what an evaluation must bring for it."""

    run: Run
    """Evaluates the expression."""
    variables: int
    """Slots for loop variables."""


def compile_tree(root: Node, functions: Registry, definitions: Mapping[str, Definition] = _NO_DEFINITIONS) -> Compiled:
    """Compile a resolved tree, or a part of one.

    The tree is at most `limits.NESTING` deep, so the recursion is too.
    """
    builder = _Builder(functions, definitions)
    piece = builder.build(root)
    return Compiled(piece.run, builder.variables)


class _Builder:
    """Compiles the nodes of one tree."""

    __slots__ = ("_definitions", "_functions", "variables")

    def __init__(self, functions: Registry, definitions: Mapping[str, Definition]) -> None:
        self._functions = functions
        self._definitions = definitions
        self.variables = 0

    def build(self, node: Node) -> Piece:
        return _BUILDERS[type(node)](self, node)

    def literal(self, node: Literal) -> Piece:
        return literal(node.value, node.start)

    def ident(self, node: Ident) -> Piece:
        definition = self._definitions.get(node.name)
        if definition is not None:
            return access.definition(definition, node.start)
        return access.variable(node.name, node.start)

    def var(self, node: Var) -> Piece:
        return access.loop_variable(node.slot, node.start)

    def select(self, node: Select) -> Piece:
        fields, current = [(node.field, node.anchor)], node.operand
        while type(current) is Select:
            fields.append((current.field, current.anchor))
            current = current.operand
        fields.reverse()
        if type(current) is Ident and current.name not in self._definitions:
            path = (current.name, *(field for field, _ in fields))
            offsets = (current.start, *(offset for _, offset in fields))
            return Piece(access.path_run(path, offsets), node.anchor, path=path)
        piece = self.build(current)
        for field, offset in fields:
            piece = access.select(piece, field, offset)
        return piece

    def has(self, node: Has) -> Piece:
        return access.has(self.build(node.operand), node.field, node.anchor)

    def index(self, node: Index) -> Piece:
        return access.index(self.build(node.operand), self.build(node.index), node.anchor)

    def unary(self, node: Unary) -> Piece:
        operand = self.build(node.operand)
        return arithmetic.invert(operand, node.anchor) if node.op == "!" else arithmetic.negate(operand, node.anchor)

    def binary(self, node: Binary) -> Piece:
        left, right, op = self.build(node.left), self.build(node.right), node.op
        if op in ("==", "!="):
            return equality.equal(left, right, node.anchor, negated=op == "!=")
        if op == "in":
            return equality.contained(left, right, node.anchor)
        if op in ("<", "<=", ">", ">="):
            return ordering.order(op, left, right, node.anchor)
        return arithmetic.binary(op, left, right, node.anchor)

    def logic(self, node: Logic) -> Piece:
        return logic.logic(node.op, tuple(map(self.build, node.terms)), node.anchor)

    def ternary(self, node: Ternary) -> Piece:
        return logic.ternary(
            self.build(node.condition), self.build(node.then), self.build(node.otherwise), node.condition.start
        )

    def list_literal(self, node: ListLiteral) -> Piece:
        return literals.list_literal(tuple(map(self.build, node.items)), node.start)

    def map_literal(self, node: MapLiteral) -> Piece:
        entries = tuple((self.build(key), self.build(value)) for key, value in node.entries)
        return literals.map_literal(entries, node.start)

    def macro(self, node: Macro) -> Piece:
        self.variables = max(self.variables, node.slot + 1)
        return macros.macro(
            node.kind,
            self.build(node.target),
            node.slot,
            None if node.predicate is None else self.build(node.predicate),
            None if node.transform is None else self.build(node.transform),
            node.anchor,
        )

    def call(self, node: Call) -> Piece:
        function = self._functions.get(node.function)
        if function is None:
            message = f"the function `{node.function}` is not registered"
            raise LookupError(message)
        arguments = tuple(map(self.build, node.children()))
        quick = _QUICK.get(node.function)
        if quick is not None and len(arguments) == 2 and function is STANDARD.get(node.function):
            known = arguments[1]
            short = known.known and type(known.value) is str and len(known.value) <= UNIT_CHARACTERS
            if short and not arguments[0].known:
                piece = quick(arguments[0], known.value, node.anchor)
                if piece is not None:
                    return piece
        return calls.call(function, arguments, node.anchor, method=node.target is not None)


def _starts_with(receiver: Piece, prefix: str, offset: int) -> Piece:
    return calls.text_test(receiver, str.startswith, prefix, offset)


def _ends_with(receiver: Piece, suffix: str, offset: int) -> Piece:
    return calls.text_test(receiver, str.endswith, suffix, offset)


def _contains(receiver: Piece, part: str, offset: int) -> Piece:
    return calls.search(receiver, operator.contains, part, 1, offset)


def _matches(receiver: Piece, pattern: str, offset: int) -> Piece | None:
    try:
        found, weight = compile_pattern(pattern), pattern_weight(pattern)
    except EvalError:
        # The checker has refused it, unless it stands where it may never be reached; there it fails when it is.
        return None
    return calls.search(receiver, lambda text, _pattern: found(text), pattern, weight, offset)


_QUICK: Final[dict[str, Callable[[Piece, str, int], Piece | None]]] = {
    "startsWith": _starts_with,
    "endsWith": _ends_with,
    "contains": _contains,
    "matches": _matches,
}

_BUILDERS: Final[dict[type[Node], Callable[[_Builder, Any], Piece]]] = {
    Literal: _Builder.literal,
    Ident: _Builder.ident,
    Var: _Builder.var,
    Select: _Builder.select,
    Has: _Builder.has,
    Index: _Builder.index,
    Unary: _Builder.unary,
    Binary: _Builder.binary,
    Logic: _Builder.logic,
    Ternary: _Builder.ternary,
    ListLiteral: _Builder.list_literal,
    MapLiteral: _Builder.map_literal,
    Macro: _Builder.macro,
    Call: _Builder.call,
}
