"""What to write instead of an operation or a selection that does not fit its operands, as code that can be copied.

Everything here returns None where there is no repair that is likely to be meant.
"""

from typing import Final

from oap_core.cel.check.conversion import NUMBERS, TO_TEXT, converted
from oap_core.cel.check.state import Checking
from oap_core.cel.foreign import PARTS_OF_A_MOMENT
from oap_core.cel.report import did_you_mean
from oap_core.cel.tree import Binary, Has, Index, Literal, Logic, Macro, Node, Select
from oap_core.cel.types import (
    DOUBLE,
    DURATION,
    INT,
    STRING,
    TIMESTAMP,
    ListType,
    MapType,
    ObjectType,
    Type,
    assignable,
)
from oap_core.cel.wording import code, operand

_MOST_COPIED: Final = 80
_COMPARISONS: Final = frozenset({"==", "!=", "<", "<=", ">", ">=", "in"})
_TAKES: Final = {
    "+": "`+` adds two numbers of one type, a duration to a moment, and joins two texts or two lists",
    "-": "`-` takes two numbers of one type, two moments, or a moment and a duration",
    "*": "`*` takes two numbers of one type",
    "/": "`/` takes two numbers of one type",
    "%": "`%` takes two whole numbers of one type",
}


def as_key(source: str, node: Node, kind: Type) -> str | None:
    """For a key that no map can have."""
    return f"write `string({code(source, node)})`" if kind.name == "double" else None


def as_index(source: str, node: Index, kind: Type, wanted: Type) -> str | None:
    """For an index of the wrong type."""
    text = converted(source, node.index, kind, wanted)
    return None if text is None else f"write `{operand(source, node.operand)}[{text}]`"


def as_negative(source: str, node: Node, kind: Type) -> str | None:
    """For `-` before something that has no negative."""
    text = converted(source, node, kind, INT) if type(node) is Literal or kind.name == "uint" else None
    return "`-` stands before a number" if text is None else f"write `-{text}`"


def for_arithmetic(source: str, node: Binary, left: Type, right: Type) -> str | None:
    """For an arithmetic operator between types that it does not take."""
    names = {left.name, right.name}
    if names <= NUMBERS:
        return _for_numbers(source, node, left, right)
    found = _for_sum(source, node, left, right) if node.op == "+" else None
    if found is None and node.op != "+":
        found = _for_quoted_number(source, node, left, right)
    if found is None and node.op == "-" and left == TIMESTAMP:
        found = _for_span(source, node, right)
    return found or _TAKES[node.op]


def _for_span(source: str, node: Binary, kind: Type) -> str:
    """A moment less something that is neither a moment nor a span."""
    text = converted(source, node.right, kind, DURATION) or 'duration("24h")'
    return f"a moment takes a duration: write `{operand(source, node.left)} - {text}`"


def _for_quoted_number(source: str, node: Binary, left: Type, right: Type) -> str | None:
    """A number and a text that holds one."""
    for changed, kind, wanted in ((node.right, right, left), (node.left, left, right)):
        if kind == STRING and wanted.name in NUMBERS and (text := converted(source, changed, kind, wanted)) is not None:
            other = operand(source, node.left if changed is node.right else node.right)
            pair = (other, text) if changed is node.right else (text, other)
            return f"write `{pair[0]} {node.op} {pair[1]}`"
    return None


def _for_numbers(source: str, node: Binary, left: Type, right: Type) -> str | None:
    for wanted in _common_numbers(node, left, right):
        one = converted(source, node.left, left, wanted)
        other = converted(source, node.right, right, wanted)
        if one is not None and other is not None:
            text = f"write `{one} {node.op} {other}`"
            break
    else:
        return _TAKES[node.op]
    if "number" in (left.name, right.name):
        uncertain, beside = (node.left, right) if left.name == "number" else (node.right, left)
        fraction = node.op == "%" or beside.name in ("int", "uint")
        arrival = "with a fraction" if fraction else "as a whole number"
        return f"`{code(source, uncertain)}` may arrive {arrival}: {text}"
    return text if node.op == "%" else f"numbers of different types do not mix: {text}"


def _common_numbers(node: Binary, left: Type, right: Type) -> list[Type]:
    """The types that both operands could be converted to, the likeliest first: a literal follows the other side."""
    if node.op == "%":
        return [INT]
    doubles = {left.name, right.name} & {"double", "number"}
    if doubles and node.op == "/":
        # Between ints it drops the fraction, which a double shows to be meant.
        return [DOUBLE]
    wanted = [DOUBLE] if doubles else [INT]
    for one, other in ((node.left, right), (node.right, left)):
        if type(one) is Literal and other.name != "number":
            wanted.insert(0, other)
    return wanted


def _for_sum(source: str, node: Binary, left: Type, right: Type) -> str | None:
    for one, kind, other, other_kind in (
        (node.left, left, node.right, right),
        (node.right, right, node.left, left),
    ):
        if kind == STRING and other_kind.name in TO_TEXT:
            text = converted(source, other, other_kind, STRING) or f"string({code(source, other)})"
        elif isinstance(kind, ListType) and assignable(other_kind, kind.element):
            text = f"[{code(source, other)}]"
        elif kind == TIMESTAMP and other_kind.name in NUMBERS | {"string"}:
            text = converted(source, other, other_kind, DURATION) or 'duration("24h")'
        else:
            continue
        pair = (operand(source, one), text) if one is node.left else (text, operand(source, one))
        return f"write `{pair[0]} + {pair[1]}`"
    return None


def for_field(state: Checking, node: Select, held: Type) -> str | None:
    """For `operand.field` where the operand has no fields."""
    inner, field = operand(state.source, node.operand), node.field
    if field in ("length", "size", "count", "len") and held.name in ("string", "list", "bytes"):
        return f"write `size({inner})`"
    if isinstance(held, ListType):
        return _for_field_of_elements(state, node, held)
    if held == TIMESTAMP and field.lower() in PARTS_OF_A_MOMENT:
        return f"write `{inner}.{PARTS_OF_A_MOMENT[field.lower()]}`"
    methods = {
        function.name: any(len(overload.params) == 1 for overload in function.overloads)
        for function in state.functions.values()
        if any(overload.method and assignable(held, overload.params[0]) for overload in function.overloads)
    }
    if field in methods:
        return f"`{field}` is a function: write `{inner}.{field}({'' if methods[field] else '...'})`"
    return did_you_mean(field, methods) or f"`{code(state.source, node.operand)}` is the value itself"


def _for_field_of_elements(state: Checking, node: Select, held: ListType) -> str:
    """For a field of a list, whose elements may have it."""
    inner, field, element = operand(state.source, node.operand), node.field, held.element
    declared = isinstance(element, ObjectType) and (field in element.fields or element.rest)
    if not declared and not isinstance(element, MapType):
        return f"write `{inner}.exists(e, ...)` to look at its elements, or `{inner}[0]`"
    condition = _about_element(state, node) or f"e.{field} ..."
    return f"write `{inner}.exists(e, {condition})` to look at its elements, or `{inner}[0].{field}`"


def _about_element(state: Checking, node: Select) -> str | None:
    """The comparison that a field of a list stands in, made to be about that field of one element, `e`."""
    around: Node = node
    while not (isinstance(around, Binary) and around.op in _COMPARISONS):
        outer = state.parent(around)
        if outer is None or isinstance(outer, Logic | Macro):
            return None
        around = outer
    if around.op == "in" and around.right is node:
        return f"e.{node.field} == {operand(state.source, around.left)}"
    text = state.source[around.start : around.end]
    start, end = node.start - around.start, node.end - around.start
    if len(text) > _MOST_COPIED or "\n" in text:
        return None
    return f"{text[:start]}e.{node.field}{text[end:]}"


def for_has(source: str, node: Has, held: Type) -> str | None:
    """For `has(operand.field)` where the operand has no fields."""
    if isinstance(held, ListType):
        return f"write `{operand(source, node.operand)}.exists(e, has(e.{node.field}))` to look at its elements"
    return None


def for_index(source: str, node: Index, held: Type) -> str | None:
    """For `operand[index]` where the operand cannot be indexed."""
    if held == STRING:
        return f"write `{operand(source, node.operand)}.charAt({code(source, node.index)})`"
    return None


def for_position(source: str, node: Index, held: ListType, key: Type) -> str | None:
    """For a list that is indexed by something else than a position."""
    if key.name in ("double", "number"):
        return as_index(source, node, key, INT)
    if assignable(key, held.element) and held.element.name == key.name:
        return f"write `{code(source, node.index)} in {operand(source, node.operand)}` to look for an element"
    if isinstance(held.element, ObjectType) and type(node.index) is Literal and node.index.value in held.element.fields:
        return f"write `{operand(source, node.operand)}[0].{node.index.value}` for a field of its first element"
    return f"positions count from 0: `{operand(source, node.operand)}[0]` is the first element"


def for_loop(source: str, node: Macro, target: Type) -> str | None:
    """For a macro over something that has no elements."""
    if target == STRING:
        return f"a text has no elements: write `{operand(source, node.target)}.contains(...)` or `.matches(...)`"
    return "write the condition without a loop" if target.name in NUMBERS | {"bool"} else None
