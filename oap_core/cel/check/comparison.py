"""What to write instead of a comparison between types that do not go together, as code that can be copied.

Everything here returns None where there is no repair that is likely to be meant.
"""

from collections.abc import Callable
from typing import Final

from oap_core.cel.calendar import DAYS, MONTHS, position_of
from oap_core.cel.check.choices import choices
from oap_core.cel.check.conversion import NUMBERS, converted, field_for
from oap_core.cel.check.state import Checking
from oap_core.cel.tree import Binary, Call, Ident, ListLiteral, Literal, Logic, Node, Select, Unary
from oap_core.cel.types import DURATION, STRING, TIMESTAMP, ListType, ObjectType, Type, assignable
from oap_core.cel.wording import code, operand

_ORDERINGS: Final = frozenset({"<", "<=", ">", ">="})
_EQUALITIES: Final = frozenset({"==", "!="})
_SAMPLES: Final = {
    TIMESTAMP.name: 'a moment is written as in `timestamp("2026-12-01T00:00:00Z")`',
    DURATION.name: 'a span of time is written as in `duration("1h30m")`',
}
_ARITHMETIC: Final = frozenset({"+", "-", "*", "/", "%"})

_TYPES: Final = {
    **dict.fromkeys(("int", "integer", "long"), "int"),
    **dict.fromkeys(("double", "float"), "double"),
    **dict.fromkeys(("string", "str", "text"), "string"),
    **dict.fromkeys(("bool", "boolean"), "bool"),
    **dict.fromkeys(("list", "array", "tuple"), "list"),
    **dict.fromkeys(("map", "dict", "object"), "map"),
    **dict.fromkeys(("null", "null_type", "none", "nonetype", "undefined"), "null_type"),
    **dict.fromkeys(("timestamp", "datetime", "date", TIMESTAMP.name.lower()), TIMESTAMP.name),
    **dict.fromkeys(("duration", "timedelta", DURATION.name.lower()), DURATION.name),
    "uint": "uint",
    "bytes": "bytes",
    "type": "type",
}
"""Types as CEL names them, by the texts that name them in other languages."""

_CALENDARS: Final = {"getDayOfWeek": ("Sunday", DAYS), "getMonth": ("January", MONTHS)}
"""By function, what it counts from and the names of what it counts."""


def for_comparison(state: Checking, node: Binary, left: Type, right: Type) -> str | None:
    """For `==`, `!=` or an ordering between types that do not go together."""
    if "null_type" in (left.name, right.name):
        return (
            None
            if node.op in _ORDERINGS
            else _for_null(state, node.op, node.left if right.name == "null_type" else node.right)
        )
    if _is_chain(node):
        return _chained(state, node)
    for values, other in ((left.values, node.right), (right.values, node.left)):
        if values is not None and type(other) is Literal:
            return choices("it", values)
    rules = _ON_EQUALITY if node.op in _EQUALITIES else _ON_ORDERING
    return next((text for rule in rules if (text := rule(state.source, node, left, right)) is not None), None)


def _for_null(state: Checking, op: str, node: Node) -> str | None:
    if type(node) is Select:
        if any(read is node for read in state.optional):
            return f"write `{'!' if op == '==' else ''}has({code(state.source, node)})` to ask whether it is there"
        if type(state.types[id(node.operand)]) is ObjectType:
            return "it is required, so it is always there: leave the comparison out"
    if type(node) is Ident:
        return "a variable is always there; `has(a.b)` asks for a field"
    return "leave the comparison out"


def _is_chain(node: Binary) -> bool:
    return isinstance(node.left, Binary) and any({node.op, node.left.op} <= ops for ops in (_ORDERINGS, _EQUALITIES))


def _chained(state: Checking, node: Binary) -> str | None:
    """For `1 < a < 10` and `a == b == c`: each pair by itself, up to the outermost comparison of the chain."""
    source = state.source
    outer = state.parent(node)
    while isinstance(outer, Binary) and outer.left is node and _is_chain(outer):
        node, outer = outer, state.parent(outer)
    pairs: list[str] = []
    link: Node = node
    while isinstance(link, Binary) and link.op in _ORDERINGS | _EQUALITIES:
        before = link.left
        if _is_chain(link) and isinstance(before, Binary):
            before = before.right
            if type(before) is Literal and link.op in _EQUALITIES:
                return "two comparisons are joined with `&&` or `||`"
        pairs.append(f"{operand(source, before)} {link.op} {operand(source, link.right)}")
        if before is link.left:
            break
        link = link.left
    return f"write `{' && '.join(reversed(pairs))}`"


def _for_type(source: str, node: Binary, left: Type, right: Type) -> str | None:
    """`type(x)` compared with the name of a type as a text."""
    named = node.right if left.name == "type" else node.left if right.name == "type" else None
    if type(named) is not Literal or type(named.value) is not str:
        return None
    if named.value == "number":
        text = f"{operand(source, node.left if named is node.right else node.right)} in [int, double]"
        return f"write `{text}`" if node.op == "==" else f"write `!({text})`"
    kind = _TYPES.get(named.value.lower())
    return None if kind is None else f"write `{_with(source, node, named, kind)}`"


def _for_member(source: str, node: Binary, left: Type, right: Type) -> str | None:
    """A list compared with something that could be one of its elements."""
    if isinstance(left, ListType) and assignable(right, left.element):
        text = f"{operand(source, node.right)} in {operand(source, node.left)}"
    elif isinstance(right, ListType) and assignable(left, right.element):
        text = f"{operand(source, node.left)} in {operand(source, node.right)}"
    else:
        return None
    return f"write `{text}`" if node.op == "==" else f"write `!({text})`"


def _for_calendar(source: str, node: Binary, _left: Type, _right: Type) -> str | None:
    """A day of the week or a month compared with its name."""
    for counted, name in ((node.left, node.right), (node.right, node.left)):
        number = _number_of(counted, name)
        if number is not None:
            return (
                f"write `{_with(source, node, name, number)}`, counted from 0 for {_CALENDARS[_function(counted)][0]}"
            )
    return None


def _function(node: Node) -> str:
    return node.function if isinstance(node, Call) else ""


def _number_of(counted: Node, name: Node) -> str | None:
    """The number of a day or a month, by its name or the beginning of it, as a function counts it."""
    calendar = _CALENDARS.get(_function(counted))
    if calendar is None or type(name) is not Literal or type(name.value) is not str:
        return None
    position = position_of(name.value, calendar[1])
    return None if position is None else str(position)


def _for_field(source: str, node: Binary, left: Type, right: Type) -> str | None:
    """An object compared with something that could be one of its fields."""
    for whole, kind, other, other_kind in (
        (node.left, left, node.right, right),
        (node.right, right, node.left, left),
    ):
        field = field_for(kind, other, other_kind)
        if field is not None:
            return f"write `{_with(source, node, whole, f'{operand(source, whole)}.{field}')}`"
    return None


def _for_size(source: str, node: Binary, left: Type, right: Type) -> str | None:
    """A list, a map or a text put in order with a number, as if it were its own size."""
    for sized, kind, other, other_kind in (
        (node.left, left, node.right, right),
        (node.right, right, node.left, left),
    ):
        if other_kind.name != "int" or type(sized) is Literal:
            continue
        if isinstance(sized, ListLiteral):
            only = operand(source, sized.items[0]) if len(sized.items) == 1 else None
            return None if only is None else f"write `{_with(source, node, sized, only)}`"
        text = _with(source, node, sized, f"size({code(source, sized)})")
        if kind.name in ("list", "map") and not isinstance(kind, ObjectType):
            return f"write `{text}`"
        if kind == STRING and type(other) is Literal:
            number = _with(source, node, sized, f"int({code(source, sized)})")
            return f"write `{text}` for its length, or `{number}` for the number that it holds"
    return None


def _for_conversion(source: str, node: Binary, left: Type, right: Type) -> str | None:
    """The comparison with one side converted: a literal rather than the other, text rather than anything else."""
    if left.name == right.name:
        return None
    sides = [(node.left, left, right), (node.right, right, left)]
    sides.sort(key=lambda side: (type(side[0]) is not Literal, side[1] != STRING))
    for changed, kind, wanted in sides:
        other = node.right if changed is node.left else node.left
        if wanted.name == "bool" and isinstance(other, Binary | Logic | Unary):
            return None
        text = converted(source, changed, kind, wanted)
        if text is not None:
            return f"write `{_with(source, node, changed, text)}`"
        if type(changed) is Literal:
            # A literal that the other type does not have, so that converting the other side would find nothing either.
            return _SAMPLES.get(wanted.name)
    return None


def _with(source: str, node: Binary, changed: Node, text: str) -> str:
    """The operator with another text for one of its operands."""
    unchanged = node.right if changed is node.left else node.left
    binds_tighter = isinstance(unchanged, Binary) and unchanged.op in _ARITHMETIC
    other = code(source, unchanged) if binds_tighter else operand(source, unchanged)
    return f"{text} {node.op} {other}" if changed is node.left else f"{other} {node.op} {text}"


_Rule = Callable[[str, Binary, Type, Type], str | None]
_ON_EQUALITY: Final[tuple[_Rule, ...]] = (_for_type, _for_member, _for_calendar, _for_field, _for_conversion)
_ON_ORDERING: Final[tuple[_Rule, ...]] = (_for_size, _for_field, _for_conversion)


def for_membership(state: Checking, node: Binary, left: Type, member: Type) -> str | None:
    """For `in` with a left side that can be no member of the right one, whose members are of type `member`."""
    source = state.source
    inner, outer = operand(source, node.left), operand(source, node.right)
    if isinstance(left, ListType):
        if not assignable(left.element, member) and left.element.name != member.name:
            field = field_for(left.element, node.right, member)
            return None if field is None else f"write `{inner}.exists(e, e.{field} in {outer})`"
        return f"write `{inner}.exists(e, e in {outer})` or `{inner}.all(e, e in {outer})`"
    field = field_for(member, node.left, left)
    if field is not None and type(state.types[id(node.right)]) is ListType:
        return f"write `{outer}.exists(e, e.{field} == {inner})`"
    field = field_for(left, node.right, member)
    if field is not None:
        return f"write `{inner}.{field} in {outer}`"
    members = _converted_members(source, node, left, member)
    if members is not None:
        return f"write `{inner} in [{members}]`"
    text = None if isinstance(node.right, ListLiteral) else converted(source, node.left, left, member)
    return None if text is None else f"write `{text} in {outer}`"


def _converted_members(source: str, node: Binary, left: Type, member: Type) -> str | None:
    """The members of a list that is written out, each as the left side has it."""
    if not isinstance(node.right, ListLiteral):
        return None
    texts = [_number_of(node.left, item) or converted(source, item, member, left) for item in node.right.items]
    return None if not texts or len(texts) > 20 or None in texts else ", ".join(filter(None, texts))


def for_in(source: str, node: Binary, left: Type, right: Type) -> str | None:
    """For `in` with something on the right that holds nothing."""
    inner, outer = operand(source, node.left), operand(source, node.right)
    if right != STRING:
        return f"write `{inner} == {outer}`" if left.name == right.name or {left.name, right.name} <= NUMBERS else None
    text = f"{outer}.contains({code(source, node.left)})"
    return (
        f"write `{inner} == {outer}`, or `{text}` for a part of it"
        if type(node.right) is Literal
        else f"write `{text}`"
    )
