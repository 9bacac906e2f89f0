"""Typing rules for operators: arithmetic, comparison, `in`, and the two that stand before their operand."""

from functools import reduce
from typing import Final

from oap_core.cel.check import booleans, choices, comparison, repair
from oap_core.cel.check.conversion import converted
from oap_core.cel.check.state import Checking
from oap_core.cel.codes import LoadCode
from oap_core.cel.failure import MEANING, Code
from oap_core.cel.report import did_you_mean
from oap_core.cel.tree import Binary, ListLiteral, Literal, Node, Unary
from oap_core.cel.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    NUMBER,
    STRING,
    TIMESTAMP,
    UINT,
    ListType,
    MapType,
    ObjectType,
    Type,
    join,
)
from oap_core.cel.wording import listed, named, shown

_UNKNOWN: Final = frozenset({"dyn", "nothing"})
_NUMBERS: Final = frozenset({"int", "uint", "double", "number"})
_MOMENTS: Final = frozenset({TIMESTAMP.name, DURATION.name})
_ORDERED: Final = _NUMBERS | _MOMENTS | {"string", "bytes", "bool"}
CONTAINERS: Final = _UNKNOWN | {"list", "map"}
"""Names of the types whose values may have members."""

_HASHED: Final = frozenset({"string", "int", "uint", "double"})
_ORDERINGS: Final = frozenset({"<", "<=", ">", ">="})
_ORDERS: Final = "numbers, texts, bytes, booleans, moments and durations have an order, each among their own"

_Table = dict[tuple[str, str], Type]


def _with_unknown(exact: _Table) -> _Table:
    """The table, and what comes out where the type of one side or of both is not known."""
    found = dict(exact)
    for unknown in _UNKNOWN:
        for side in {name for pair in exact for name in pair}:
            on_left = [result for (left, _), result in exact.items() if left == side]
            on_right = [result for (_, right), result in exact.items() if right == side]
            found[side, unknown] = reduce(join, on_left)
            found[unknown, side] = reduce(join, on_right)
        found.update({(unknown, other): DYN for other in _UNKNOWN})
        found.update({(unknown, NUMBER.name): DYN, (NUMBER.name, unknown): DYN})
    return found


def _numeric(*kinds: Type) -> _Table:
    return {(kind.name, kind.name): kind for kind in kinds}


_ANY_LIST: Final = ListType(DYN)
_ARITHMETIC: Final[dict[str, _Table]] = {
    "+": _with_unknown(
        {
            **_numeric(INT, UINT, DOUBLE, STRING, BYTES, DURATION),
            (TIMESTAMP.name, DURATION.name): TIMESTAMP,
            (DURATION.name, TIMESTAMP.name): TIMESTAMP,
            ("list", "list"): _ANY_LIST,
        }
    ),
    "-": _with_unknown(
        {
            **_numeric(INT, UINT, DOUBLE, DURATION),
            (TIMESTAMP.name, TIMESTAMP.name): DURATION,
            (TIMESTAMP.name, DURATION.name): TIMESTAMP,
        }
    ),
    "*": _with_unknown(_numeric(INT, UINT, DOUBLE)),
    "/": _with_unknown(_numeric(INT, UINT, DOUBLE)),
    "%": _with_unknown(_numeric(INT, UINT)),
}


def unary(state: Checking, node: Unary) -> Type:
    """`!operand` and `-operand`."""
    kind = state.visit(node.operand)
    if node.op == "!":
        if kind is BOOL or kind == BOOL or kind.name in _UNKNOWN:
            return BOOL
        booleans.blame_negation(state, node, kind)
        return DYN
    if kind.name in ("int", "double", "number"):
        return kind
    if kind.name not in _UNKNOWN:
        message = f"`-` takes int or double, and `{shown(state.source, node.operand)}` is {named(kind)}"
        state.blame(LoadCode.NO_OVERLOAD, node, message, repair.as_negative(state.source, node.operand, kind))
    return DYN


def binary(state: Checking, node: Binary) -> Type:
    """`left op right`."""
    left, right = state.visit(node.left), state.visit(node.right)
    op = node.op
    if op == "==" or op == "!=":  # noqa: PLR1714  # a set would cost more on the commonest path
        if left is not right:
            if not comparable(left, right):
                _blame_equality(state, node, left, right)
            elif left.values is not None or right.values is not None or left.name != right.name:
                choices.compare(state, node, left, right)
        if left.name in CONTAINERS and right.name in CONTAINERS:
            state.plain = False
        return BOOL
    if op == "in":
        return _contained(state, node, left, right)
    if op in _ORDERINGS:
        return _ordered(state, node, left, right)
    return _computed(state, node, left, right)


def comparable(one: Type, other: Type) -> bool:
    """Whether values of the two types can be equal."""
    a, b = one.name, other.name
    if a == b or a in _UNKNOWN or b in _UNKNOWN:
        return True
    if a in _NUMBERS:
        return b in _NUMBERS
    return (a == "null_type" and b in _MOMENTS) or (b == "null_type" and a in _MOMENTS)


def _blame_equality(state: Checking, node: Binary, left: Type, right: Type) -> None:
    one, other = shown(state.source, node.left), shown(state.source, node.right)
    if right.name == "null_type":
        message = f"`{one}` is {named(left)}, which is never null"
    elif left.name == "null_type":
        message = f"`{other}` is {named(right)}, which is never null"
    else:
        message = f"`{one}` is {named(left)} and `{other}` is {named(right)}, so they are never equal"
    state.blame(LoadCode.NEVER_EQUAL, node, message, comparison.for_comparison(state, node, left, right))
    if "null_type" in (left.name, right.name):
        # The help for the comparison is `has()` itself, so that the read needs no second mention.
        state.forgive(node.left, node.right)


def _ordered(state: Checking, node: Binary, left: Type, right: Type) -> Type:
    a, b = left.name, right.name
    if a in _UNKNOWN or b in _UNKNOWN:
        known, kind = (node.right, right) if a in _UNKNOWN else (node.left, left)
        if kind.name not in _ORDERED and kind.name not in _UNKNOWN:
            message = f"`{node.op}` knows no order of {named(kind)}, the type of `{shown(state.source, known)}`"
            state.blame(LoadCode.NO_OVERLOAD, node, message, _ORDERS)
    elif not (a in _ORDERED and (a == b or (a in _NUMBERS and b in _NUMBERS))):
        message = f"`{node.op}` does not compare {named(left)} with {named(right)}"
        advice = comparison.for_comparison(state, node, left, right)
        state.blame(LoadCode.NO_OVERLOAD, node, message, advice or _ORDERS)
        return DYN
    return BOOL


def _contained(state: Checking, node: Binary, left: Type, right: Type) -> Type:
    if isinstance(right, ListType):
        state.plain = state.plain and is_set(node.right, right)
        _blame_unless_comparable(state, node, left, right.element, "elements")
        if left.values is not None or right.element.values is not None:
            choices.contain(state, node, left, right)
        elif left.name != right.element.name and type(node.right) is ListLiteral and type(node.left) is not Literal:
            _blame_strangers(state, node, left, right, node.right)
    elif isinstance(right, MapType):
        _blame_unless_comparable(state, node, left, right.key, "keys")
    elif isinstance(right, ObjectType):
        _blame_unless_comparable(state, node, left, STRING, "keys")
        _check_field_name(state, node, right)
    elif right.name in _UNKNOWN:
        state.plain = False
    else:
        message = f"`in` looks into lists and maps, and `{shown(state.source, node.right)}` is {named(right)}"
        state.blame(LoadCode.NO_OVERLOAD, node, message, comparison.for_in(state.source, node, left, right))
    return BOOL


def _blame_strangers(state: Checking, node: Binary, left: Type, right: ListType, members: ListLiteral) -> None:
    """Blame the literals in a list that the left side of `in` can never be: of other types, or fractions."""
    one = shown(state.source, node.left)
    for item in members.items:
        kind, other = state.types[id(item)], shown(state.source, item)
        if choices.is_fraction_of_whole(node.left, left, item):
            message = f"`{one}` is a whole number and never `{other}`"
            state.blame(LoadCode.NEVER_EQUAL, item, message, "leave it out")
        elif right.element.name in _UNKNOWN and type(item) is Literal and not comparable(left, kind):
            message = f"`{one}` is {named(left)} and `{other}` is {named(kind)}, so they are never equal"
            text = converted(state.source, item, kind, left)
            state.blame(LoadCode.NEVER_EQUAL, item, message, "leave it out" if text is None else f"write `{text}`")


def is_set(node: Node, kind: ListType) -> bool:
    """Whether a list is known at load and of one simple type, so that looking something up in it costs nothing."""
    if kind.element.name not in _HASHED:
        return False
    return type(node) is Literal or (
        isinstance(node, ListLiteral) and all(type(item) is Literal for item in node.items)
    )


def _blame_unless_comparable(state: Checking, node: Binary, left: Type, member: Type, what: str) -> None:
    if comparable(left, member):
        return
    one, other = shown(state.source, node.left), shown(state.source, node.right)
    message = f"`{one}` is {named(left)} and the {what} of `{other}` are {named(member)}, so it is never among them"
    state.blame(LoadCode.NEVER_EQUAL, node, message, comparison.for_membership(state, node, left, member))


def _check_field_name(state: Checking, node: Binary, held: ObjectType) -> None:
    """Blame a field name that a closed object does not have."""
    if held.rest is not None or type(node.left) is not Literal or type(node.left.value) is not str:
        return
    name = node.left.value
    if name not in held.fields:
        advice = did_you_mean(name, held.fields) or (f"it has {listed(held.fields)}" if held.fields else None)
        message = f"`{shown(state.source, node.right)}` has no field `{name}`"
        state.blame(LoadCode.UNKNOWN_FIELD, node.left, message, advice)


def _computed(state: Checking, node: Binary, left: Type, right: Type) -> Type:
    result = _ARITHMETIC[node.op].get((left.name, right.name))
    if result is None:
        message = f"`{node.op}` does not take {named(left)} and {named(right)}"
        state.blame(LoadCode.NO_OVERLOAD, node, message, repair.for_arithmetic(state.source, node, left, right))
        return DYN
    if node.op in ("/", "%") and _is_zero(node.right):
        message = f"`{shown(state.source, node)}` always fails: {MEANING[Code.DIVIDE_BY_ZERO]}"
        state.blame_failing(node, message)
    elif node.op == "+" and result.name not in _NUMBERS:
        state.plain = False
        if isinstance(left, ListType) and isinstance(right, ListType):
            most = None if left.most is None or right.most is None else left.most + right.most
            return ListType(join(left.element, right.element), most)
    return result


def _is_zero(node: Node) -> bool:
    return type(node) is Literal and isinstance(node.value, int) and type(node.value) is not bool and node.value == 0
