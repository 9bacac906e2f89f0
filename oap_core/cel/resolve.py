"""Settling what the names of an expression mean: loop variables, declared variables, constants, types, functions.

After this no name is looked up again: a loop variable knows its slot, a constant has become its value, and every
call names a registered function that takes as many arguments as it is given.
"""

from collections.abc import Callable
from itertools import takewhile
from operator import is_not
from typing import Any, Final

from oap_core.cel import callees, names, shapes
from oap_core.cel.environment import Env
from oap_core.cel.functions import Function
from oap_core.cel.report import Report
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
from oap_core.cel.values import TYPE_NAMES, KeyedMap, TypeValue, Value

_TYPES: Final = {name: TypeValue(name) for name in TYPE_NAMES.values()}
_MAPS: Final = frozenset({dict, KeyedMap})


def resolve(root: Node, env: Env, report: Report) -> Node:
    """Give the tree with every name settled; parts without names are taken over as they are.

    Whatever cannot be settled is reported, all of it, and stays in the tree as it was written. The tree is at most
    `limits.NESTING` deep, so the recursion is too.
    """
    return _Resolver(env, report).visit(root)


def _prefixes(namespace: str) -> tuple[str, ...]:
    parts = namespace.split(".") if namespace else []
    return (*(".".join(parts[:length]) + "." for length in range(len(parts), 0, -1)), "")


class _Resolver:
    """The names that are visible at one place of one expression."""

    __slots__ = ("constants", "env", "functions", "loops", "prefixes", "report", "scope", "variables")

    def __init__(self, env: Env, report: Report) -> None:
        self.env = env
        self.variables = env.declared
        self.prefixes = _prefixes(env.namespace)
        """What may stand before a name, the innermost namespace first."""
        self.constants = env.constants
        self.functions = env.functions
        self.report = report
        self.scope: dict[str, int] = {}
        """Slots of the loop variables in force, by name."""
        self.loops = 0
        """How many macros surround the place."""

    def visit(self, node: Node) -> Node:
        rule = _RULES.get(type(node))
        return node if rule is None else rule(self, node)

    def ident(self, node: Ident) -> Node:
        name = node.name
        if name in self.scope:
            return Var(node.start, node.end, node.anchor, name, self.scope[name])
        for prefix in self.prefixes:
            if prefix + name in self.variables:
                return node if not prefix else Ident(node.start, node.end, node.anchor, prefix + name)
        if name in self.constants:
            return Literal(node.start, node.end, node.anchor, self.constants[name])
        if name in _TYPES:
            return Literal(node.start, node.end, node.anchor, _TYPES[name])
        return names.unknown_variable(node, (), self.env, self.scope, self.report)

    def select(self, node: Select) -> Node:
        chain: list[Select] = [node]
        base = node.operand
        while type(base) is Select:
            chain.append(base)
            base = base.operand
        if type(base) is Ident and base.name not in self.scope:
            return self.dotted(base, chain)
        return self.fields(self.visit(base), base, chain)

    def dotted(self, base: Ident, chain: list[Select]) -> Node:
        """Resolve `base.f.g`: the longest declared name wins. `chain` has the outermost selection first."""
        path = [base.name, *takewhile(str.isidentifier, (part.field for part in reversed(chain)))]
        for prefix in self.prefixes:
            for length in range(len(path), 0, -1):
                name = prefix + ".".join(path[:length])
                if name in self.variables:
                    rest = chain[: len(chain) + 1 - length]
                    last = chain[len(rest)] if length > 1 else base
                    found = base if name == base.name else Ident(base.start, last.end, base.anchor, name)
                    return self.fields(found, last, rest)
        if base.name not in self.constants:
            name = ".".join(path)
            if name in _TYPES:
                return Literal(base.start, chain[0].end, base.anchor, _TYPES[name])
            if base.name not in _TYPES:
                names.unknown_variable(base, path[1:], self.env, self.scope, self.report)
                return chain[0]
        return self.fields(self.visit(base), base, chain)

    def fields(self, operand: Node, before: Node, chain: list[Select]) -> Node:
        """Apply selections, innermost last in `chain`, to what their operand `before` has become."""
        if operand is before and type(operand) is not Literal:
            return chain[0]
        for part in reversed(chain):
            if type(operand) is Literal and type(operand.value) in _MAPS:
                operand = self.member(operand, part.field, part)
            else:
                operand = Select(part.start, part.end, part.anchor, operand, part.field)
        return operand

    def member(self, operand: Literal, key: Value, part: Node) -> Node:
        """Look `key` up in a constant, as the selection or index `part` asks for."""
        value = operand.value
        if key in value:
            return Literal(operand.start, part.end, part.anchor, value[key])
        names.unknown_constant(operand, key, part, self.report)
        return part

    def has(self, node: Has) -> Node:
        operand = self.visit(node.operand)
        if type(operand) is Literal and type(operand.value) in _MAPS:
            return Literal(node.start, node.end, node.anchor, node.field in operand.value)
        return node if operand is node.operand else Has(node.start, node.end, node.anchor, operand, node.field)

    def index(self, node: Index) -> Node:
        operand, index = self.visit(node.operand), self.visit(node.index)
        if type(operand) is Literal and type(index) is Literal:
            held, key = operand.value, index.value
            if type(held) in _MAPS and type(key) in (str, int, bool):
                return self.member(operand, key, node)
            if type(held) is tuple and type(key) is int:
                if 0 <= key < len(held):
                    return Literal(operand.start, node.end, node.anchor, held[key])
                names.unknown_element(operand, key, node, self.report)
        if operand is node.operand and index is node.index:
            return node
        return Index(node.start, node.end, node.anchor, operand, index)

    def unary(self, node: Unary) -> Node:
        operand = self.visit(node.operand)
        return node if operand is node.operand else Unary(node.start, node.end, node.anchor, node.op, operand)

    def binary(self, node: Binary) -> Node:
        left, right = self.visit(node.left), self.visit(node.right)
        if left is node.left and right is node.right:
            return node
        return Binary(node.start, node.end, node.anchor, node.op, left, right)

    def several(self, nodes: tuple[Node, ...]) -> tuple[Node, ...]:
        """Resolve nodes that stand side by side; the same tuple where nothing in it changes."""
        found = tuple(map(self.visit, nodes))
        return found if any(map(is_not, found, nodes)) else nodes

    def logic(self, node: Logic) -> Node:
        terms = self.several(node.terms)
        return node if terms is node.terms else Logic(node.start, node.end, node.anchor, node.op, terms)

    def ternary(self, node: Ternary) -> Node:
        before = (node.condition, node.then, node.otherwise)
        after = self.several(before)
        return node if after is before else Ternary(node.start, node.end, node.anchor, *after)

    def list_literal(self, node: ListLiteral) -> Node:
        items = self.several(node.items)
        return node if items is node.items else ListLiteral(node.start, node.end, node.anchor, items)

    def map_literal(self, node: MapLiteral) -> Node:
        entries = tuple((self.visit(key), self.visit(value)) for key, value in node.entries)
        return MapLiteral(node.start, node.end, node.anchor, entries)

    def macro(self, node: Macro) -> Node:
        target = self.visit(node.target)
        slot, shadowed = self.loops, self.scope.get(node.variable)
        self.scope[node.variable] = slot
        self.loops += 1
        predicate = None if node.predicate is None else self.visit(node.predicate)
        transform = None if node.transform is None else self.visit(node.transform)
        self.loops -= 1
        if shadowed is None:
            del self.scope[node.variable]
        else:
            self.scope[node.variable] = shadowed
        return Macro(node.start, node.end, node.anchor, node.kind, target, node.variable, predicate, transform, slot)

    def call(self, node: Call) -> Node:
        target = node.target
        if target is not None:
            namespace = self.namespace(target)
            if namespace is not None:
                return self.call_in_namespace(node, namespace)
        function = self.functions.get(node.function)
        if function is None:
            callees.unknown_function(node, node.function, self.env, self.report)
            asked = callees.asks_presence(node)
            return self.call_of_unknown(node) if asked is None else self.has(asked)
        if not _fits(function, len(node.args) if target is None else len(node.args) + 1, method=target is not None):
            shapes.wrong_shape(node, function, self.report)
        resolved = None if target is None else self.visit(target)
        args = self.several(node.args)
        if resolved is target and args is node.args:
            return node
        return Call(node.start, node.end, node.anchor, node.function, resolved, args)

    def namespace(self, target: Node) -> str | None:
        """The dotted text of a call's target, where that can be the namespace of a function and is no variable."""
        fields: list[str] = []
        while type(target) is Select:
            fields.append(target.field)
            target = target.operand
        if type(target) is not Ident or target.name in self.scope:
            return None
        names_of_target = [target.name, *reversed(fields)]
        for length in range(1, len(names_of_target) + 1):
            if ".".join(names_of_target[:length]) in self.variables:
                return None
        if target.name in self.constants:
            return None
        return ".".join(names_of_target)

    def call_in_namespace(self, node: Call, namespace: str) -> Node:
        """Resolve a call whose target is no variable, so that it can only be a namespace, or a mistake."""
        name = f"{namespace}.{node.function}"
        function = self.functions.get(name)
        args = self.several(node.args)
        plain = Call(node.start, node.end, node.anchor, name, None, args)
        if function is None:
            if callees.is_namespace(namespace, self.env):
                callees.unknown_function(node, name, self.env, self.report)
            elif self.functions.get(node.function) is None:
                callees.unknown_function(node, node.function, self.env, self.report, namespace)
            else:
                # A known method on something unknown: the target alone is at fault, if it is.
                return Call(node.start, node.end, node.anchor, node.function, self.visit(node.target or node), args)
        elif not _fits(function, len(args), method=False):
            shapes.wrong_shape(plain, function, self.report)
        return plain

    def call_of_unknown(self, node: Call) -> Node:
        """Resolve the arguments of a call that was reported; an unknown macro's loop variable is no second mistake."""
        target = None if node.target is None else self.visit(node.target)
        name = callees.loop_name(node)
        if name is None or name.name in self.scope or name.name in self.variables:
            return Call(node.start, node.end, node.anchor, node.function, target, self.several(node.args))
        self.scope[name.name] = self.loops
        args = self.several(node.args)
        del self.scope[name.name]
        return Call(node.start, node.end, node.anchor, node.function, target, args)


def _fits(function: Function, count: int, *, method: bool) -> bool:
    """Whether the function has an overload for this many arguments, the receiver included."""
    for overload in function.overloads:  # noqa: SIM110  # a generator would cost more than the loop
        if overload.method is method and len(overload.params) == count:
            return True
    return False


_RULES: Final[dict[type[Node], Callable[[_Resolver, Any], Node]]] = {
    Ident: _Resolver.ident,
    Select: _Resolver.select,
    Has: _Resolver.has,
    Index: _Resolver.index,
    Call: _Resolver.call,
    Unary: _Resolver.unary,
    Binary: _Resolver.binary,
    Logic: _Resolver.logic,
    Ternary: _Resolver.ternary,
    ListLiteral: _Resolver.list_literal,
    MapLiteral: _Resolver.map_literal,
    Macro: _Resolver.macro,
}
