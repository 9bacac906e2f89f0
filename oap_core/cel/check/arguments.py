"""What is said about a call that no overload takes: which argument is at fault, and what to write instead."""

from typing import Final

from oap_core.cel.check.conversion import NUMBERS, converted, field_for
from oap_core.cel.check.state import Checking
from oap_core.cel.codes import LoadCode
from oap_core.cel.functions import Function, Overload
from oap_core.cel.shapes import signatures
from oap_core.cel.tree import Call
from oap_core.cel.types import BOOL, DOUBLE, DURATION, INT, NUMBER, STRING, ListType, Type, assignable
from oap_core.cel.wording import code, named, operand, shown

_MOST_TYPES: Final = 4
"""Types that a message names for one argument."""

_MEMBERSHIP: Final = frozenset({"contains", "indexOf", "lastIndexOf"})
"""Functions on texts that are looked for in lists as well."""

_ON_ANY_TEXT: Final = frozenset({"standard", "conversions", "strings"})
"""Groups of functions for which a number is at times meant as its text. A number is never meant as a path or a host."""


def alike(node: Call, function: Function) -> list[Overload]:
    """The overloads of the call's form."""
    method, count = node.target is not None, len(node.children())
    return [one for one in function.overloads if one.method is method and len(one.params) == count]


def blame(state: Checking, node: Call, function: Function, given: list[Type]) -> None:
    """Report a call that no overload takes; say which argument is at fault where it is one."""
    shapes = alike(node, function)
    if not shapes:
        # What is wrong with its shape has been said.
        return
    signature = f"it is {signatures(node, function)}"
    position = _culprit(shapes, given)
    if position is None:
        message = f"`{function.name}` does not take {', '.join(map(named, given))}"
        state.blame(LoadCode.NO_OVERLOAD, node, message, signature)
        return
    part, kind = node.children()[position], given[position]
    wanted = list(dict.fromkeys(overload.params[position] for overload in shapes))
    message = f"`{function.name}` takes {_several(wanted)} here, and `{shown(state.source, part)}` is {named(kind)}"
    advice = _advice(state, node, function, position, given, wanted) or signature
    state.blame(LoadCode.NO_OVERLOAD, node if node.target is part else part, message, advice)


def _culprit(shapes: list[Overload], given: list[Type]) -> int | None:
    """The argument that no overload takes, where all overloads take the others."""
    for position, kind in enumerate(given):
        if not any(assignable(kind, overload.params[position]) for overload in shapes):
            return position
    return None


def _several(wanted: list[Type]) -> str:
    text = " or ".join(map(named, wanted[:_MOST_TYPES]))
    return text if len(wanted) <= _MOST_TYPES else f"{text}, among others,"


def _advice(
    state: Checking, node: Call, function: Function, position: int, given: list[Type], wanted: list[Type]
) -> str | None:
    kind = given[position]
    if isinstance(kind, ListType):
        boolean = all(overload.result == BOOL for overload in alike(node, function))
        return _for_list(state.source, node, position, given, wanted, boolean=boolean)
    if function.name == "format" and position == 0 and len(given) == 2:
        return f'write `"%s".format([{code(state.source, node.children()[0])}])`'
    if function.name == "duration" and kind.name == "int":
        text = converted(state.source, node.children()[position], kind, DURATION)
        return None if text is None else f"write `{text}`"
    found = _converted(state.source, node, function, position, kind, wanted)
    if found is None and kind == NUMBER and (INT in wanted or DOUBLE in wanted):
        text = code(state.source, node.children()[position])
        return f"`{text}` may arrive as either: write `double({text})` or `int({text})`"
    return found


def _for_list(
    source: str, node: Call, position: int, given: list[Type], wanted: list[Type], *, boolean: bool
) -> str | None:
    """For a list where one of its elements is meant, or where something is looked for in it."""
    kind, parts = given[position], node.children()
    held = operand(source, parts[position])
    element = kind.element if isinstance(kind, ListType) else kind
    if position == 0 and node.function in _MEMBERSHIP and len(parts) == 2:
        if assignable(given[1], element):
            return f"write `{operand(source, parts[1])} in {held}`"
        field = field_for(element, parts[1], given[1])
        return None if field is None else f"write `{held}.exists(e, e.{field} == {operand(source, parts[1])})`"
    if not any(assignable(element, one) for one in wanted):
        return None
    texts = [code(source, part) for part in parts]
    texts[position] = "e"
    macro = f"{'exists' if boolean else 'map'}(e, {_call_text(node, texts)})"
    return f"write `{held}.{macro}` to look at its elements"


def _converted(
    source: str, node: Call, function: Function, position: int, kind: Type, wanted: list[Type]
) -> str | None:
    """The call with the argument converted, where that can be meant."""
    if len(wanted) != 1 or (wanted[0] == STRING and not _is_taken_as_text(function, kind)):
        return None
    parts = node.children()
    texts = [code(source, part) for part in parts]
    text = converted(source, parts[position], kind, wanted[0])
    if text is None:
        return None
    if node.target is not None and position:
        texts[0] = operand(source, node.target)
    texts[position] = text
    return f"write `{_call_text(node, texts)}`"


def _is_taken_as_text(function: Function, kind: Type) -> bool:
    return function.group in _ON_ANY_TEXT and (kind.name in NUMBERS or kind.name in ("bool", "bytes"))


def _call_text(node: Call, parts: list[str]) -> str:
    if node.target is None:
        return f"{node.function}({', '.join(parts)})"
    return f"{parts[0]}.{node.function}({', '.join(parts[1:])})"
