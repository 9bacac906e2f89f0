"""The types of an expression, and every mistake that they show before anything runs.

The rules are those of CEL, with two additions: objects have declared fields of which some may be absent, and a
comparison that can never hold is a mistake. `DYN` fits everywhere, since what is not known is looked at when it runs.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from oap_core.cel.check import booleans, calls, fields, operators, presence, repair
from oap_core.cel.check.state import Charge, Checking, Rule
from oap_core.cel.check.value_types import value_type
from oap_core.cel.codes import LoadCode
from oap_core.cel.definition import Definition
from oap_core.cel.environment import Env
from oap_core.cel.failure import EvalError
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
    MacroKind,
    MapLiteral,
    Node,
    Select,
    Ternary,
    Unary,
    Var,
)
from oap_core.cel.types import BOOL, DYN, NOTHING, STRING, ListType, MapType, ObjectType, Type, join
from oap_core.cel.values import map_key
from oap_core.cel.wording import named, shown


@dataclass(frozen=True, slots=True)
class Checked:
    """The types of one resolved tree."""

    type: Type
    """Type of the result."""
    root: Node
    """The tree; it keeps the nodes alive that `types` knows by identity."""
    types: dict[int, Type]
    """Types of all nodes by identity."""
    charges: dict[int, Charge]
    """What calls are charged, by identity; one that costs nothing is left out."""
    definitions: Mapping[str, Definition]
    """What names stand for that are no variables."""
    plain: bool
    """Whether nothing in it loops, compares lists or is charged, so that it costs nothing to speak of."""

    def type_of(self, node: Node) -> Type:
        """The type of a node of this tree; `DYN` for any other node."""
        return self.types.get(id(node), DYN)


def check(root: Node, env: Env, report: Report, *, condition: bool) -> Checked:
    """Find the type of every node of a resolved tree and report all mistakes.

    With `condition`, a result that is known to be no boolean is a mistake too; one of unknown type is not, because it
    becomes an error outcome where the data makes it something else.
    """
    state = Checking(root, env, report, _RULES)
    result = state.visit(root)
    if condition and result is not BOOL:
        booleans.require(state, root, "the condition")
    if state.optional:
        presence.examine(root, state)
    return Checked(result, root, state.types, state.charges, state.definitions, state.plain)


def _literal(_state: Checking, node: Literal) -> Type:
    return value_type(node.value)


def _ident(state: Checking, node: Ident) -> Type:
    definition = state.definitions.get(node.name)
    if definition is not None and definition.cost.units:
        state.plain = False
    return state.variables.get(node.name, DYN)


def _var(state: Checking, node: Var) -> Type:
    return state.loops[node.slot] if node.slot < len(state.loops) else DYN


def _logic(state: Checking, node: Logic) -> Type:
    state.absorbed += 1
    wrong: list[tuple[Node, Type]] = []
    for term in node.terms:
        kind = state.visit(term)
        if kind is not BOOL and kind not in booleans.MAY_BE_BOOLEAN:
            wrong.append((term, kind))
    state.absorbed -= 1
    if not wrong:
        return BOOL
    if booleans.blame_choice(state, node):
        return DYN
    for term, kind in wrong:
        booleans.blame_term(state, node, term, kind)
    return BOOL


def _ternary(state: Checking, node: Ternary) -> Type:
    if state.visit(node.condition) is not BOOL:
        booleans.require(state, node.condition, f"`{shown(state.source, node.condition)}` before `?`")
    state.absorbed += 1
    result = join(state.visit(node.then), state.visit(node.otherwise))
    state.absorbed -= 1
    return result


def _list_literal(state: Checking, node: ListLiteral) -> Type:
    element = NOTHING
    for item in node.items:
        element = join(element, state.visit(item))
    return ListType(element, len(node.items))


def _map_literal(state: Checking, node: MapLiteral) -> Type:
    key_type, value_types = NOTHING, NOTHING
    for key, value in node.entries:
        kind = state.visit(key)
        if kind.name not in _KEYS:
            message = f"a key of a map is int, uint, bool or string, and `{shown(state.source, key)}` is {named(kind)}"
            state.blame(LoadCode.NO_OVERLOAD, key, message, repair.as_key(state.source, key, kind))
            kind = DYN
        key_type = join(key_type, kind)
        value_types = join(value_types, state.visit(value))
    if len(node.entries) > 1 and not state.absorbed:
        _find_repeated(state, node)
    return MapType(key_type, value_types, len(node.entries))


_KEYS: Final = frozenset({"int", "uint", "bool", "string", "dyn", "nothing"})


def _find_repeated(state: Checking, node: MapLiteral) -> None:
    seen: set[object] = set()
    for key, _ in node.entries:
        if type(key) is Literal:
            try:
                place = map_key(key.value)
            except EvalError:
                continue
            if place in seen:
                message = f"the map has the key `{shown(state.source, key)}` twice"
                state.blame_failing(key, message, "remove one of the two entries")
            seen.add(place)


def _macro(state: Checking, node: Macro) -> Type:
    state.plain = False
    target = state.visit(node.target)
    element = _element(state, node, target)
    state.loops.append(element)
    state.absorbed += 1
    if node.predicate is not None and state.visit(node.predicate) is not BOOL:
        booleans.require(state, node.predicate, f"what `{node.kind}` asks of each element")
    transformed = DYN if node.transform is None else state.visit(node.transform)
    state.absorbed -= 1
    state.loops.pop()
    if node.kind is MacroKind.MAP:
        return ListType(transformed, _most(target))
    return ListType(element, _most(target)) if node.kind is MacroKind.FILTER else BOOL


def _element(state: Checking, node: Macro, target: Type) -> Type:
    """The type of the loop variable."""
    if isinstance(target, ListType):
        return target.element
    if isinstance(target, MapType):
        return target.key
    if isinstance(target, ObjectType):
        return STRING
    if target.name not in ("dyn", "nothing"):
        message = f"`{node.kind}` goes over lists and maps, and `{shown(state.source, node.target)}` is {named(target)}"
        state.blame(LoadCode.NO_OVERLOAD, node, message, repair.for_loop(state.source, node, target))
    return DYN


def _most(target: Type) -> int | None:
    if isinstance(target, ListType | MapType):
        return target.most
    return len(target.fields) if isinstance(target, ObjectType) and target.rest is None else None


_RULES: Final[dict[type[Node], Rule]] = {
    Literal: _literal,
    Ident: _ident,
    Var: _var,
    Select: fields.select,
    Has: fields.has,
    Index: fields.index,
    Call: calls.call,
    Unary: operators.unary,
    Binary: operators.binary,
    Logic: _logic,
    Ternary: _ternary,
    ListLiteral: _list_literal,
    MapLiteral: _map_literal,
    Macro: _macro,
}
