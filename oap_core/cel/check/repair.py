"""What to write instead: the help of the checker's diagnostics, as code that the author can copy.

Everything here returns None where there is no repair that is likely to be meant.
"""

import re
from typing import Final

from oap_core.cel.check.state import Checking
from oap_core.cel.report import did_you_mean
from oap_core.cel.tree import Binary, Call, Has, Index, Literal, Macro, Node, Select
from oap_core.cel.types import BOOL, DOUBLE, INT, STRING, ListType, MapType, ObjectType, Type, assignable
from oap_core.cel.values import UInt
from oap_core.cel.wording import code, operand

NUMBERS: Final = frozenset({"int", "uint", "double", "number"})
_TO_TEXT: Final = NUMBERS | {"bool", "bytes", "google.protobuf.Timestamp", "google.protobuf.Duration"}
_CONVERSIONS: Final = {
    "int": "int",
    "uint": "uint",
    "double": "double",
    "string": "string",
    "google.protobuf.Timestamp": "timestamp",
    "google.protobuf.Duration": "duration",
}
"""Functions that convert text to a type, by the name of the type."""

_NAME: Final = re.compile(r"(?!true\b|false\b|[bB]?[rR]?[\"'])[A-Za-z_]")
_WHOLE: Final = re.compile(r"-?[0-9]{1,18}")
_DECIMAL: Final = re.compile(r"-?[0-9]{1,18}(?:\.[0-9]{1,18})?")
_NOT_EMPTY: Final = {
    "string": '{0} != ""',
    "bytes": "size({1}) > 0",
    "list": "size({1}) > 0",
    "map": "size({1}) > 0",
    "int": "{0} != 0",
    "uint": "{0} != 0u",
    "double": "{0} != 0.0",
    "number": "{0} != 0",
}
"""What an author means who takes a value for a boolean, by the name of its type."""


def as_boolean(source: str, node: Node, kind: Type) -> str | None:
    """For a value that stands where a boolean is needed."""
    form = _NOT_EMPTY.get(kind.name)
    if form is None or isinstance(kind, ObjectType) or type(node) is Literal or node.end - node.start > 60:
        return None
    return f"write `{form.format(operand(source, node), code(source, node))}` if that is meant"


def as_key(source: str, node: Node, kind: Type) -> str | None:
    """For a key that no map can have."""
    return f"write `string({code(source, node)})`" if kind.name == "double" else None


def as_index(source: str, node: Index, kind: Type, wanted: Type) -> str | None:
    """For an index of the wrong type."""
    text = converted(source, node.index, kind, wanted)
    return None if text is None else f"write `{operand(source, node.operand)}[{text}]`"


def as_negative(source: str, node: Node, kind: Type) -> str | None:
    """For `-` before something that has no negative."""
    text = converted(source, node, kind, INT)
    return None if text is None else f"write `-{text}`"


def converted(source: str, node: Node, kind: Type, wanted: Type) -> str | None:
    """The code of `node`, of type `kind`, made to be of type `wanted`."""
    if kind.name == wanted.name:
        return operand(source, node) if kind == wanted else None
    if type(node) is Literal:
        return _literal(source, node, wanted)
    if kind.name == "string":
        function = _CONVERSIONS.get(wanted.name)
        return f'({operand(source, node)} == "true")' if wanted == BOOL else _applied(function, source, node)
    if wanted.name == "string" and kind.name in _TO_TEXT:
        return _applied("string", source, node)
    if kind.name in NUMBERS and wanted.name in NUMBERS:
        return _applied(wanted.name, source, node)
    return None


def _applied(function: str | None, source: str, node: Node) -> str | None:
    return None if function is None else f"{function}({code(source, node)})"


def _literal(source: str, node: Literal, wanted: Type) -> str | None:
    """A literal written as another type would have it. One that came from a constant has no text to change."""
    value, name = node.value, wanted.name
    if _NAME.match(code(source, node)):
        return _applied(_CONVERSIONS.get(name), source, node) if type(value) in (str, int, float) else None
    if type(value) is str:
        return f"b{code(source, node)}" if name == "bytes" else _unquoted(value, name)
    if type(value) is bytes:
        return code(source, node)[1:] if name == "string" else None
    if name == "string" and type(value) in (int, bool):
        return f'"{code(source, node)}"'
    if type(value) is int and name == "bool":
        return {0: "false", 1: "true"}.get(value)
    if type(value) in (int, UInt):
        return {"int": f"{int(value)}", "double": f"{int(value)}.0", "uint": f"{int(value)}u"}.get(name)
    if type(value) is float and name in ("int", "uint") and value.is_integer() and abs(value) < 2**53:
        return f"{int(value)}" + ("u" if name == "uint" else "")
    return None


def _unquoted(text: str, name: str) -> str | None:
    if name in ("google.protobuf.Timestamp", "google.protobuf.Duration"):
        return (
            f'{_CONVERSIONS[name]}("{text}")' if text.isprintable() and '"' not in text and "\\" not in text else None
        )
    if name == "bool":
        return text.lower() if text.lower() in ("true", "false") else None
    if name in ("int", "uint") and _WHOLE.fullmatch(text):
        return text + ("u" if name == "uint" else "")
    if name in ("double", "number") and _DECIMAL.fullmatch(text):
        return text if "." in text or name == "number" else f"{text}.0"
    return None


def _rewritten(source: str, node: Binary, left: Type, right: Type) -> str | None:
    """The comparison with one side converted: a literal rather than the other, text rather than anything else."""
    if left.name == right.name:
        return None
    sides = [(node.left, left, right), (node.right, right, left)]
    sides.sort(key=lambda side: (type(side[0]) is not Literal, side[1] != STRING))
    for changed, kind, wanted in sides:
        text = converted(source, changed, kind, wanted)
        if text is not None:
            other = operand(source, node.right if changed is node.left else node.left)
            return f"{text} {node.op} {other}" if changed is node.left else f"{other} {node.op} {text}"
        if type(changed) is Literal:
            # A literal that the other type does not have, so that converting the other side would find nothing either.
            return None
    return None


def for_comparison(source: str, node: Binary, left: Type, right: Type) -> str | None:
    """For `==`, `!=` or an ordering between types that do not go together."""
    if "null_type" in (left.name, right.name):
        return _for_null(source, node.op, node.left if right.name == "null_type" else node.right)
    special = (
        _for_member(source, node, left, right) if node.op in ("==", "!=") else _for_size(source, node, left, right)
    )
    text = special or _rewritten(source, node, left, right)
    return None if text is None else f"write `{text}`"


def _for_member(source: str, node: Binary, left: Type, right: Type) -> str | None:
    """A list compared with something that could be one of its elements."""
    if isinstance(left, ListType) and assignable(right, left.element):
        text = f"{operand(source, node.right)} in {operand(source, node.left)}"
    elif isinstance(right, ListType) and assignable(left, right.element):
        text = f"{operand(source, node.left)} in {operand(source, node.right)}"
    else:
        return None
    return text if node.op == "==" else f"!({text})"


def _for_size(source: str, node: Binary, left: Type, right: Type) -> str | None:
    """A list, a map or a text put in order with a number, as if it were its own size."""
    if right.name == "int" and (left.name in ("list", "map") or (left == STRING and type(node.right) is Literal)):
        return f"size({code(source, node.left)}) {node.op} {operand(source, node.right)}"
    if left.name == "int" and (right.name in ("list", "map") or (right == STRING and type(node.left) is Literal)):
        return f"{operand(source, node.left)} {node.op} size({code(source, node.right)})"
    return None


def _for_null(source: str, op: str, node: Node) -> str | None:
    if type(node) is not Select:
        return None
    return f"write `{'!' if op == '==' else ''}has({code(source, node)})` to ask whether it is there"


def for_arithmetic(source: str, node: Binary, left: Type, right: Type) -> str | None:
    """For an arithmetic operator between types that it does not take."""
    names = {left.name, right.name}
    if names <= NUMBERS:
        return _for_numbers(source, node, left, right)
    if node.op == "+":
        return _for_sum(source, node, left, right)
    if "google.protobuf.Timestamp" in names and names & NUMBERS:
        return f'a moment takes a duration: write `{operand(source, node.left)} {node.op} duration("24h")`'
    return None


def _for_numbers(source: str, node: Binary, left: Type, right: Type) -> str | None:
    for wanted in _common_numbers(node, left, right):
        one = converted(source, node.left, left, wanted)
        other = converted(source, node.right, right, wanted)
        if one is not None and other is not None:
            text = f"write `{one} {node.op} {other}`"
            break
    else:
        return None
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
    wanted = [DOUBLE] if {left.name, right.name} & {"double", "number"} else [INT]
    for one, other in ((node.left, right), (node.right, left)):
        if type(one) is Literal and other.name != "number":
            wanted.insert(0, other)
    return wanted


def _for_sum(source: str, node: Binary, left: Type, right: Type) -> str | None:
    for one, kind, other, other_kind in (
        (node.left, left, node.right, right),
        (node.right, right, node.left, left),
    ):
        if kind.name == "string" and other_kind.name in _TO_TEXT:
            text = converted(source, other, other_kind, STRING) or f"string({code(source, other)})"
        elif isinstance(kind, ListType) and assignable(other_kind, kind.element):
            text = f"[{code(source, other)}]"
        elif kind.name == "google.protobuf.Timestamp" and other_kind.name in NUMBERS | {"string"}:
            text = converted(source, other, other_kind, Type("google.protobuf.Duration")) or 'duration("24h")'
        else:
            continue
        pair = (operand(source, one), text) if one is node.left else (text, operand(source, one))
        return f"write `{pair[0]} + {pair[1]}`"
    return None


def for_in(source: str, node: Binary, right: Type) -> str | None:
    """For `in` with something on the right that holds nothing."""
    if right == STRING:
        return f"write `{operand(source, node.right)}.contains({code(source, node.left)})`"
    return f"write `{operand(source, node.left)} == {operand(source, node.right)}`" if right.name in NUMBERS else None


def for_field(state: Checking, node: Select, held: Type) -> str | None:
    """For `operand.field` where the operand has no fields."""
    inner, field = operand(state.source, node.operand), node.field
    if field in ("length", "size", "count", "len") and held.name in ("string", "list", "bytes"):
        return f"write `size({inner})`"
    if isinstance(held, ListType):
        element = held.element
        if isinstance(element, MapType) or (
            isinstance(element, ObjectType) and (field in element.fields or element.rest)
        ):
            return f"write `{inner}.exists(e, e.{field} ...)` to look at its elements, or `{inner}[0].{field}`"
        return f"write `{inner}.exists(e, ...)` to look at its elements, or `{inner}[0]`"
    methods = [
        function.name
        for function in state.functions.values()
        if any(overload.method and assignable(held, overload.params[0]) for overload in function.overloads)
    ]
    if field in methods:
        return f"`{field}` is a function: write `{inner}.{field}(...)`"
    return did_you_mean(field, methods)


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
    return None


def for_loop(source: str, node: Macro, target: Type) -> str | None:
    """For a macro over something that has no elements."""
    if target == STRING:
        return f"a text has no elements: write `{operand(source, node.target)}.contains(...)` or `.matches(...)`"
    return None


def for_call(source: str, node: Call, position: int, kind: Type, wanted: list[Type], *, boolean: bool) -> str | None:
    """For a call whose argument at `position`, of type `kind`, fits none of `wanted`.

    `boolean` tells whether the call gives a boolean.
    """
    parts = node.children()
    texts = [code(source, part) for part in parts]
    if isinstance(kind, ListType) and any(assignable(kind.element, one) for one in wanted):
        texts[position] = "e"
        macro = f"{'exists' if boolean else 'map'}(e, {_call_text(node, texts)})"
        return f"write `{operand(source, parts[position])}.{macro}` to look at its elements"
    text = converted(source, parts[position], kind, wanted[0]) if len(wanted) == 1 else None
    if text is None:
        return None
    if node.target is not None and position:
        texts[0] = operand(source, node.target)
    texts[position] = text
    return f"write `{_call_text(node, texts)}`"


def _call_text(node: Call, parts: list[str]) -> str:
    if node.target is None:
        return f"{node.function}({', '.join(parts)})"
    return f"{parts[0]}.{node.function}({', '.join(parts[1:])})"


def for_number(source: str, node: Node) -> str:
    """For a number of either type where only one of them will do."""
    text = code(source, node)
    return f"`{text}` may arrive as either: write `double({text})` or `int({text})`"
