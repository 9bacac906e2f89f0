"""What to say about a function that is called in the wrong shape, and how its calls look."""

from typing import Final

from oap_core.cel.codes import LoadCode
from oap_core.cel.functions import Function, Overload
from oap_core.cel.report import Report
from oap_core.cel.tree import Call
from oap_core.cel.types import BOOL, DYN, ListType
from oap_core.cel.wording import code, named, operand

_MOST_COPIED: Final = 120


def wrong_shape(node: Call, function: Function, report: Report) -> None:
    """Report a method that is called as a function, the other way round, or a wrong number of arguments."""
    method = node.target is not None
    count = len(node.children())
    other = any(overload.method is not method and len(overload.params) == count for overload in function.overloads)
    if other and method:
        message, advice = f"`{function.name}` is no method", f"write `{_as_function(node, report)}`"
    elif other and node.args:
        message, advice = f"`{function.name}` is a method", f"write `{_as_method(node, report)}`"
    else:
        message = _wrong_count(node, function)
        advice = _as_list(node, function, report.source) or f"it is {signatures(node, function)}"
    report.blame(LoadCode.CALL_SHAPE, node, message, advice)


def _as_function(node: Call, report: Report) -> str:
    return f"{node.function}({', '.join(code(report.source, part) for part in node.children())})"


def _as_method(node: Call, report: Report) -> str:
    first, *others = node.args
    rest = ", ".join(code(report.source, part) for part in others)
    return f"{operand(report.source, first)}.{node.function}({rest})"


def _as_list(node: Call, function: Function, source: str) -> str | None:
    """Several arguments where one list is taken, or where each may be asked about by itself."""
    if node.end - node.start > _MOST_COPIED:
        return None
    parts = node.children()
    texts = [code(source, part) for part in parts]
    shapes = _alike(node, function)
    for overload in shapes:
        before = len(overload.params) - 1
        if type(overload.params[-1]) is ListType and len(parts) > before + 1:
            return f"write `{_call(node, source, [*texts[:before], _list(texts[before:])])}`"
    if (
        len(shapes) == 1
        and shapes[0].method
        and len(shapes[0].params) == 2
        and shapes[0].result == BOOL
        and len(parts) > 2
    ):
        return f"write `{_list(texts[1:])}.exists(e, {_call(node, source, [texts[0], 'e'])})`"
    return None


def _list(texts: list[str]) -> str:
    return f"[{', '.join(texts)}]"


def _call(node: Call, source: str, texts: list[str]) -> str:
    if node.target is None:
        return f"{node.function}({', '.join(texts)})"
    return f"{operand(source, node.target)}.{node.function}({', '.join(texts[1:])})"


def _wrong_count(node: Call, function: Function) -> str:
    counts = sorted({len(overload.params) - overload.method for overload in _alike(node, function)})
    wanted = " or ".join(map(str, counts)) if counts != [0] else "no"
    given = len(node.args)
    return f"`{function.name}` takes {wanted} argument{'' if counts == [1] else 's'} and is given {given or 'none'}"


def _alike(node: Call, function: Function) -> list[Overload]:
    """The overloads that are methods or functions as the call is; all where there are none."""
    method = node.target is not None
    return [overload for overload in function.overloads if overload.method is method] or list(function.overloads)


def signatures(node: Call, function: Function, most: int = 4) -> str:
    """A function's overloads in the form of the call, as an author would call them, with types for the arguments."""
    texts = list(dict.fromkeys(_signature(function.name, overload) for overload in _alike(node, function)))
    return " or ".join(f"`{text}`" for text in texts[:most]) + (", among others" if len(texts) > most else "")


def _signature(name: str, overload: Overload) -> str:
    params = ["any" if param == DYN else named(param) for param in overload.params]
    return f"{params[0]}.{name}({', '.join(params[1:])})" if overload.method else f"{name}({', '.join(params)})"
