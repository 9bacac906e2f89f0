"""What stands behind the result of one evaluation: the data it read, the part that failed, what was meant perhaps.

This is for the person who tries an expression on data of their own. Nothing here may reach a record or a model: it
speaks about values, and the outcome itself never does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from oap_core.cel.activation import Activation
from oap_core.cel.failure import Code, EvalError
from oap_core.cel.functions import Registry
from oap_core.cel.limits import NESTING
from oap_core.cel.parts import Parts
from oap_core.cel.references import path_text, paths
from oap_core.cel.render import value_text
from oap_core.cel.report import did_you_mean
from oap_core.cel.tree import (
    Binary,
    Call,
    Has,
    Ident,
    Index,
    Literal,
    Logic,
    Macro,
    Node,
    Select,
    Ternary,
    Unary,
    Var,
    walk,
)
from oap_core.cel.trial.remedies import UNKNOWN, remedy
from oap_core.cel.values import TYPE_NAMES, KeyedMap, Value


@dataclass(frozen=True, slots=True)
class Blame:
    """The part of an expression that failed."""

    start: int
    """Where it begins, in code points of the source."""
    end: int
    """Where it ends."""
    advice: str | None
    """What the author can do about it, or None where nothing better is known than the meaning of the code. It speaks of
    types, and of the data in no other way."""
    seen: str | None = None
    """What to tell the person whose data it is instead: it may show the data."""

    @property
    def told(self) -> str | None:
        """The help for the person who tries the expression."""
        return self.seen or self.advice


Found = tuple[str | None] | tuple[str | None, str | None]
"""The advice of a `Blame`, and what is seen where there is something to see."""

_SHOWN_CHARACTERS: Final = 40
"""Of a value at fault."""

ABSENT: Final = object()
"""Stands for the value of a reference that the data does not have."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One reference of an expression and what the data has there."""

    path: str
    """The reference, such as `args.amount`."""
    value: Value
    """The value, or `ABSENT`."""


def readings(tree: Node, activation: Activation) -> tuple[Reading, ...]:
    """The value at each reference, sorted by reference; nothing where the data as a whole cannot be used."""
    if activation.failure is not None:
        return ()
    return tuple(Reading(path_text(path), _at(path, activation.roots)) for path in sorted(paths(tree)))


def _at(path: tuple[str, ...], roots: dict[str, Value]) -> Value:
    value: Value = roots
    for name in path:
        if type(value) is not dict or name not in value:
            return ABSENT
        value = value[name]
    return value


class Witness:
    """Looks again at the part of an expression that failed, on the data that it failed on."""

    def __init__(self, functions: Registry, activation: Activation) -> None:
        self._functions = functions
        self._activation = activation
        self._parts = Parts(functions, {}, activation.roots)

    def blame(self, tree: Node, offset: int, code: Code) -> Blame:
        """The part whose failure is shown at an offset, and what the author can do about it."""
        if code is Code.NOT_BOOLEAN:
            return self._no_boolean(tree)
        found = [node for node in walk(tree) if node.anchor == offset]
        node = min(found, key=lambda node: node.end - node.start, default=None)
        if code is Code.NO_SUCH_OVERLOAD and (node is None or self.value(node) is not ABSENT):
            # It is not this part that failed, but what it stands in: an operator that takes booleans alone.
            for operand in _conditions(tree, offset):
                value = self.value(operand)
                if value is not ABSENT and type(value) is not bool:
                    return self._no_boolean(operand)
        if node is None:
            return Blame(offset, offset + 1, None)
        return self._blamed(node, *_FOUND.get(code, Witness.call)(self, node, code))

    def _blamed(self, node: Node, advice: str | None, seen: str | None = None) -> Blame:
        return Blame(node.anchor, max(node.end, node.anchor + 1), advice, seen)

    def _no_boolean(self, node: Node) -> Blame:
        return Blame(node.start, node.end, f"this is {self.type_name(node)}, and has to be bool")

    def absent_key(self, node: Node, _code: Code) -> Found:
        """How to ask for the key first, or the nearest key."""
        if isinstance(node, Select):
            holder, key, advice = self.value(node.operand), node.field, "ask with `has()` first"
        elif isinstance(node, Index):
            holder, key, advice = self.value(node.operand), self.value(node.index), "ask with `in` first"
        else:
            return (None,)
        names = [name for name in holder if type(name) is str] if type(holder) in (dict, KeyedMap) else []
        return advice, did_you_mean(key, names) if type(key) is str else None

    def absent_variable(self, node: Node, _code: Code) -> Found:
        """That the variable is not there, or the nearest one."""
        if not isinstance(node, Ident):
            return (None,)
        given = [name for name in self._activation.roots if not name.startswith("\0")]
        return f"the input has no `{node.name}`", did_you_mean(node.name, given)

    def beyond(self, node: Node, code: Code) -> Found:
        """How long the list is."""
        if not isinstance(node, Index):
            return self.call(node, code)
        holder = self.value(node.operand)
        seen = f"the list has {len(holder)} elements, counted from 0" if type(holder) is tuple else None
        return "look at `size()` first; elements are counted from 0", seen

    def call(self, node: Node, code: Code) -> Found:
        """What the argument at fault has to be, and what it is."""
        function = self._functions.get(node.function) if isinstance(node, Call) else None
        if not isinstance(node, Call) or function is None:
            return (None,)
        parts = node.children()
        values = [UNKNOWN if (value := self.value(part)) is ABSENT else value for part in parts]
        found = remedy(function, values, code, method=node.target is not None)
        if found is None:
            return (None,)
        sentence, position = found
        if position is None or values[position] is UNKNOWN or type(parts[position]) is Literal:
            return (sentence,)
        return sentence, f"{sentence}; here it is {value_text(values[position], _SHOWN_CHARACTERS)}"

    def types(self, node: Node, _code: Code) -> Found:
        """Which types met."""
        shape = _SHAPES.get(type(node))
        names = [self.type_name(child) for child in node.children()]
        if shape is None or not any(names):
            return (None,)
        text = f"the types here are `{shape(node, [name or '?' for name in names])}`"
        if isinstance(node, Binary) and node.op in "+-*/%" and set(names) < {"int", "uint", "double"}:
            text += "; convert one of the two, for instance with `double()`"
        return (text,)

    def type_name(self, node: Node) -> str | None:
        """The name of the type of a part, or None where it has no value outside of its surroundings."""
        value = self.value(node)
        return None if value is ABSENT else TYPE_NAMES[type(value)].rpartition(".")[2].lower()

    def value(self, node: Node) -> Value:
        """The value of a part, or `ABSENT` where it fails or stands inside a loop."""
        outermost = min((part.slot for part in walk(node) if isinstance(part, Macro)), default=NESTING)
        if any(isinstance(part, Var) and part.slot < outermost for part in walk(node)):
            return ABSENT
        found = self._parts.evaluate(node)
        return ABSENT if type(found) is EvalError else found


def _conditions(tree: Node, offset: int) -> Iterator[Node]:
    """The operands that have to be boolean, of operators that show a failure at the offset."""
    for node in walk(tree):
        operands = node.terms if isinstance(node, Logic) else (node.condition,) if isinstance(node, Ternary) else ()
        if any(offset in (part.start, part.anchor) for part in (node, *operands)):
            yield from operands


_FOUND: Final[dict[Code, Callable[[Witness, Node, Code], Found]]] = {
    Code.NO_SUCH_KEY: Witness.absent_key,
    Code.NO_SUCH_VARIABLE: Witness.absent_variable,
    Code.INDEX_OUT_OF_RANGE: Witness.beyond,
    Code.NO_SUCH_OVERLOAD: Witness.types,
}


def _call(node: Call, types: list[str]) -> str:
    if node.target is None:
        return f"{node.function}({', '.join(types)})"
    return f"{types[0]}.{node.function}({', '.join(types[1:])})"


_SHAPES: Final[dict[type[Node], Callable[[Any, list[str]], str]]] = {
    Binary: lambda node, types: f"{types[0]} {node.op} {types[1]}",
    Unary: lambda node, types: f"{node.op}{types[0]}",
    Logic: lambda node, types: f" {node.op} ".join(types),
    Ternary: lambda _, types: f"{types[0]} ? {types[1]} : {types[2]}",
    Select: lambda node, types: f"{types[0]}.{node.field}",
    Has: lambda node, types: f"has({types[0]}.{node.field})",
    Index: lambda _, types: f"{types[0]}[{types[1]}]",
    Macro: lambda node, types: f"{types[0]}.{node.kind}(...)",
    Call: _call,
}
"""How the types of the operands stand around an operator."""
