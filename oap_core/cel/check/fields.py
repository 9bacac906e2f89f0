"""Typing rules for reading a part of something: `a.b`, `has(a.b)`, `a[b]`."""

from oap_core.cel.check import repair
from oap_core.cel.check.state import Checking
from oap_core.cel.codes import LoadCode
from oap_core.cel.names import positions
from oap_core.cel.report import did_you_mean
from oap_core.cel.tree import Has, Index, ListLiteral, Literal, Node, Select
from oap_core.cel.types import BOOL, DYN, NOTHING, STRING, ListType, MapType, ObjectType, Type, assignable, join
from oap_core.cel.wording import counted, listed, named, operand, shown

_UNKNOWN = frozenset({"dyn", "nothing"})
_POSITIONS = frozenset({"int", "uint", "dyn", "nothing"})
_NUMERIC_KEYS = frozenset({"int", "uint", "double", "number"})


def select(state: Checking, node: Select) -> Type:
    """`operand.field`."""
    held = state.visit(node.operand)
    if type(held) is ObjectType:
        declared = held.fields.get(node.field)
        if declared is None:
            return _undeclared(state, node, held, node.field)
        if not declared.required:
            state.optional.append(node)
        return declared.type
    if type(held) is MapType:
        return held.value if held.value is not NOTHING else DYN
    if held.name not in _UNKNOWN:
        message = f"`{shown(state.source, node.operand)}` is {named(held)} and has no fields"
        state.blame(LoadCode.NO_OVERLOAD, node, message, repair.for_field(state, node, held))
    return DYN


def has(state: Checking, node: Has) -> Type:
    """`has(operand.field)`."""
    held = state.visit(node.operand)
    if type(held) is ObjectType:
        if node.field not in held.fields:
            _undeclared(state, node, held, node.field)
    elif type(held) is not MapType and held.name not in _UNKNOWN:
        message = f"`{shown(state.source, node.operand)}` is {named(held)} and has no fields"
        state.blame(LoadCode.NO_OVERLOAD, node, message, repair.for_has(state.source, node, held))
    return BOOL


def _undeclared(state: Checking, node: Node, held: ObjectType, field: str) -> Type:
    if held.rest is not None:
        return held.rest
    name = shown(state.source, node.children()[0])
    near = did_you_mean(field, held.fields)
    advice = near or (f"it has {listed(held.fields)}" if held.fields else "it has no fields at all")
    state.blame(LoadCode.UNKNOWN_FIELD, node, f"`{name}` has no field `{field}`", advice)
    return DYN


def index(state: Checking, node: Index) -> Type:
    """`operand[index]`."""
    held, key = state.visit(node.operand), state.visit(node.index)
    if type(held) is ListType:
        return _element(state, node, held, key)
    if type(held) is MapType:
        if not (assignable(key, held.key) or {key.name, held.key.name} <= _NUMERIC_KEYS):
            message = f"the keys of `{shown(state.source, node.operand)}` are {named(held.key)}, not {named(key)}"
            state.blame(LoadCode.NO_OVERLOAD, node, message, repair.as_index(state.source, node, key, held.key))
        return held.value if held.value is not NOTHING else DYN
    if type(held) is ObjectType:
        return _member(state, node, held, key)
    if held.name not in _UNKNOWN:
        message = f"`{shown(state.source, node.operand)}` is {named(held)} and has no parts to index"
        state.blame(LoadCode.NO_OVERLOAD, node, message, repair.for_index(state.source, node, held))
    return DYN


def _element(state: Checking, node: Index, held: ListType, key: Type) -> Type:
    if key.name not in _POSITIONS:
        message = f"a list is indexed by position, and `{shown(state.source, node.index)}` is {named(key)}"
        state.blame(LoadCode.NO_OVERLOAD, node, message, repair.for_position(state.source, node, held, key))
        return DYN
    elif type(node.index) is Literal and type(node.index.value) is int and node.index.value < 0:
        inner = operand(state.source, node.operand)
        message = f"`{shown(state.source, node.index)}` is no position"
        advice = f"positions count from 0; the last element is `{inner}[size({inner}) - 1]`"
        state.blame(LoadCode.ALWAYS_FAILS, node, message, advice)
    elif type(node.index) is Literal and type(node.operand) is ListLiteral:
        size, position = len(node.operand.items), node.index.value
        if not 0 <= position < size:
            message = f"`{shown(state.source, node.operand)}` has {counted(size, 'element')} and none at {position}"
            state.blame_failing(node, message, positions(size))
    return held.element if held.element is not NOTHING else DYN


def _member(state: Checking, node: Index, held: ObjectType, key: Type) -> Type:
    if key.name in _UNKNOWN or key == STRING:
        if type(node.index) is not Literal:
            return _any_member(held)
        declared = held.fields.get(node.index.value)
        if declared is None:
            return _undeclared(state, node, held, node.index.value)
        if not declared.required:
            state.optional.append(node)
        return declared.type
    message = f"the keys of `{shown(state.source, node.operand)}` are string, not {named(key)}"
    state.blame(LoadCode.NO_OVERLOAD, node, message, f"it has {listed(held.fields)}" if held.fields else None)
    return DYN


def _any_member(held: ObjectType) -> Type:
    """The type of a member whose name only the data tells."""
    found = NOTHING if held.rest is None else held.rest
    for declared in held.fields.values():
        found = join(found, declared.type)
        if found is DYN:
            break
    return found if found is not NOTHING else DYN
