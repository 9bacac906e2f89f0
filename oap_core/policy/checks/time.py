"""Walls and gates that a clock ends: `now < timestamp(...)` and its like, a warning, since time alone would loosen them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from oap_core.cel.definition import Definition
from oap_core.cel.tree import Binary, Call, Ident, Literal, Logic, Macro, MacroKind, Node, Ternary, Unary, walk
from oap_core.diagnostic import Diagnostic
from oap_core.kinds import Effect
from oap_core.policy.checks.place import Condition
from oap_core.policy.codes import FileCode
from oap_core.policy.report import warn

__all__ = ["check_time"]

_NOW: Final = "now"
_ENDS: Final = {True: (("<", "<=", "=="), (">", ">=", "==")), False: ((">", ">=", "!="), ("<", "<=", "!="))}
"""Operators between `now` and a fixed moment, and between a fixed moment and `now`, that time alone makes false for
good where they have to hold, and true for good where they must not."""
_GROWING: Final = frozenset({"getFullYear", "int", "timestamp"})
"""Functions whose result grows with the moment that they are given."""
_HELP: Final = "let the change of the policy end it, and say when to look at it in `metadata.review`"

Definitions = Mapping[str, Definition]


def check_time(condition: Condition, effect: Effect, problems: list[Diagnostic]) -> None:
    """Warn where `now` passing a fixed moment makes a wall or a gate stop matching by itself.

    What comes round again (`getHours`) and moments that the call or the session gives are not told of.
    """
    if not effect.kind.stops_calls:
        return
    program = condition.program
    for node, name in _Search().endings(program.tree, program.definitions, holding=True):
        through = "" if name is None else f" through `{name}`"
        message = f"`{effect.name}` ends by itself when `now` passes this moment{through}"
        problems.append(warn(FileCode.TIME_ENDS_WALL, condition.span(node), message, _HELP, file=condition.file))


class _Search:
    """Looks for comparisons that time ends; each definition is looked at once for each way of being read."""

    __slots__ = ("_seen",)

    def __init__(self) -> None:
        self._seen: dict[tuple[int, bool], bool] = {}

    def endings(self, node: Node, definitions: Definitions, *, holding: bool) -> Iterator[tuple[Node, str | None]]:
        """The comparisons of a tree, or the names that stand for them; `holding` says that the tree has to be true."""
        if isinstance(node, Logic):
            for term in node.terms:
                yield from self.endings(term, definitions, holding=holding)
        elif isinstance(node, Unary) and node.op == "!":
            yield from self.endings(node.operand, definitions, holding=not holding)
        elif isinstance(node, Ternary):
            for branch in (node.then, node.otherwise):
                yield from self.endings(branch, definitions, holding=holding)
            if (asked := _asked(node, holding=holding)) is not None:
                yield from self.endings(node.condition, definitions, holding=asked)
        elif isinstance(node, Macro) and node.kind in (MacroKind.ALL, MacroKind.EXISTS):
            assert node.predicate is not None
            yield from self.endings(node.predicate, definitions, holding=holding)
        elif type(node) is Ident and node.name in definitions:
            if self._by_name(definitions[node.name], holding=holding):
                yield node, node.name
        elif isinstance(node, Binary) and _ends(node, definitions, holding=holding):
            yield node, None

    def _by_name(self, definition: Definition, *, holding: bool) -> bool:
        key = (id(definition), holding)
        if key not in self._seen:
            found = self.endings(definition.tree, definition.definitions, holding=holding)
            self._seen[key] = any(True for _ in found)
        return self._seen[key]


def _asked(node: Ternary, *, holding: bool) -> bool | None:
    """Whether the condition of a ternary has to hold, or must not, for the whole to be as wanted; None for neither."""
    then, otherwise = (branch.value if isinstance(branch, Literal) else None for branch in (node.then, node.otherwise))
    if otherwise is not holding and isinstance(otherwise, bool):
        return True
    return False if then is not holding and isinstance(then, bool) else None


def _ends(node: Binary, definitions: Definitions, *, holding: bool) -> bool:
    forward, backward = _ENDS[holding]
    if node.op in forward and _grows(node.left, definitions) and _fixed(node.right, definitions):
        return True
    return node.op in backward and _grows(node.right, definitions) and _fixed(node.left, definitions)


def _grows(node: Node, definitions: Definitions) -> bool:
    """Whether a value is the moment, or grows with it for ever."""
    while True:
        if type(node) is Ident and node.name in definitions:
            definition = definitions[node.name]
            node, definitions = definition.tree, definition.definitions
        elif isinstance(node, Binary) and node.op in ("+", "-") and _fixed(node.right, definitions):
            node = node.left
        elif isinstance(node, Call) and node.function in _GROWING and node.children():
            first, *others = node.children()
            if not all(_fixed(other, definitions) for other in others):
                return False
            node = first
        else:
            return type(node) is Ident and node.name == _NOW


def _fixed(node: Node, definitions: Definitions) -> bool:
    """Whether a value is the same at every moment and for every call."""
    pending = [(node, definitions)]
    seen: set[int] = set()
    while pending:
        root, known = pending.pop()
        for part in walk(root):
            if type(part) is not Ident:
                continue
            if part.name not in known:
                return False
            definition = known[part.name]
            if id(definition) not in seen:
                seen.add(id(definition))
                pending.append((definition.tree, definition.definitions))
    return True
