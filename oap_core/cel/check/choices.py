"""Comparisons that never hold because of the values that there are: those that a schema lists, and whole numbers.

Only a schema lists values, so nothing here ever speaks about two constants of the language.
"""

from typing import Final

from oap_core.cel.check.state import Checking
from oap_core.cel.codes import LoadCode
from oap_core.cel.report import nearest
from oap_core.cel.tree import Binary, ListLiteral, Literal, Node
from oap_core.cel.types import INT, UINT, ListType, Scalar, Type
from oap_core.cel.wording import code, literal, operand, shown

_SCALARS: Final = frozenset({str, int, float, bool, type(None)})
_MOST_LOOKED_AT: Final = 1000
"""Listed values among which a similar one is looked for."""

_MOST_SHOWN: Final = 6


def compare(state: Checking, node: Binary, left: Type, right: Type) -> None:
    """Blame `==` or `!=` where a listed value, or a fraction, shows that the sides are never equal."""
    if left.values is not None and right.values is not None:
        if left.values.isdisjoint(right.values):
            one, other = shown(state.source, node.left), shown(state.source, node.right)
            message = f"no value of `{one}` is one of `{other}`, so they are never equal"
            advice = f"{choices(f'`{one}`', left.values)}, {choices(f'`{other}`', right.values)}"
            state.blame(LoadCode.NEVER_EQUAL, node, message, advice)
    elif left.values is not None:
        _require_listed(state, node.left, left.values, node.right, node.op)
    elif right.values is not None:
        _require_listed(state, node.right, right.values, node.left, node.op)
    else:
        _require_whole(state, node, node.left, left, node.right)
        _require_whole(state, node, node.right, right, node.left)


def contain(state: Checking, node: Binary, left: Type, right: ListType) -> None:
    """Blame the members of a list that the left side of `in` can never be, or a left side that is never among them."""
    if left.values is not None:
        if isinstance(node.right, ListLiteral):
            for item in node.right.items:
                _require_listed(state, node.left, left.values, item, None)
        elif type(node.right) is Literal and not any(_is_listed(left.values, value) for value in node.right.value):
            message = f"`{shown(state.source, node.left)}` is never among `{shown(state.source, node.right)}`"
            state.blame(LoadCode.NEVER_EQUAL, node, message, choices("it", left.values))
    elif right.element.values is not None:
        found = node.left
        if type(found) is Literal and type(found.value) in _SCALARS and found.value not in right.element.values:
            message = f"`{shown(state.source, found)}` is never among `{shown(state.source, node.right)}`"
            state.blame(LoadCode.NEVER_EQUAL, found, message, _meant("an element", right.element.values, found.value))


def _is_listed(values: frozenset[Scalar], value: object) -> bool:
    return type(value) not in _SCALARS or value in values


def _require_listed(state: Checking, node: Node, values: frozenset[Scalar], other: Node, op: str | None) -> None:
    """Blame a literal that is none of the values of `node`. `op` is the operator between them, None for `in`."""
    if type(other) is not Literal or _is_listed(values, other.value):
        return
    message = f"`{shown(state.source, node)}` is never `{shown(state.source, other)}`"
    if op == "!=":
        message += ", so `!=` holds for every call"
    state.blame(LoadCode.NEVER_EQUAL, other, message, _meant("it", values, other.value))


def _meant(what: str, values: frozenset[Scalar], given: Scalar) -> str | None:
    """The listed value that is like the given one, else what the values are."""
    if len(values) <= _MOST_LOOKED_AT and isinstance(given, str):
        near = nearest(given, sorted(value for value in values if isinstance(value, str)))
        texts = [text for value in near if (text := literal(value)) is not None]
        if texts:
            return f"did you mean {' or '.join(f'`{text}`' for text in texts)}?"
    return choices(what, values)


def choices(what: str, values: frozenset[Scalar]) -> str:
    """What something is, by its listed values."""
    texts = [] if len(values) > _MOST_LOOKED_AT else sorted(filter(None, map(literal, values)))
    if not texts:
        return f"{what} is one of {len(values):,} values"
    first = ", ".join(f"`{text}`" for text in texts[:_MOST_SHOWN])
    rest = len(values) - len(texts[:_MOST_SHOWN])
    return f"{what} is {'' if len(values) == 1 else 'one of '}{first}{f' and {rest} more' if rest else ''}"


def is_fraction_of_whole(number: Node, kind: Type, other: Node) -> bool:
    """Whether a whole number that only the data tells meets a fraction that is written out."""
    known = type(other) is Literal and type(other.value) is float and not other.value.is_integer()
    # A type that only equals these is a guess from one value, as `trial` makes it: the next one may have a fraction.
    return known and (kind is INT or kind is UINT) and type(number) is not Literal


def _require_whole(state: Checking, node: Binary, number: Node, kind: Type, other: Node) -> None:
    """Blame a comparison of whole numbers with a fraction."""
    if not is_fraction_of_whole(number, kind, other):
        return
    source = state.source
    message = f"`{shown(source, number)}` is a whole number and never `{shown(source, other)}`"
    advice = "compare with `<` or `>`, or with a whole number"
    if isinstance(number, Binary) and number.op == "/":
        halves = [state.types[id(side)].name for side in (number.left, number.right)]
        if halves == ["int", "int"]:
            text = f"{_as_double(source, number.left)} / {_as_double(source, number.right)}"
            advice = f"`/` between ints drops the fraction: write `{text} {node.op} {operand(source, other)}`"
    state.blame(LoadCode.NEVER_EQUAL, node, message, advice)


def _as_double(source: str, node: Node) -> str:
    return f"{code(source, node)}.0" if type(node) is Literal else f"double({code(source, node)})"
