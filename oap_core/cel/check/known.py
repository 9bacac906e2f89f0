"""What arguments that are known at load show about a call: that it always fails, or that its pattern is no pattern."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from oap_core.cel.calendar import moment_text, span_text
from oap_core.cel.check import lookalikes, patterns
from oap_core.cel.check.conversion import is_written_out
from oap_core.cel.check.state import Charge, Checking
from oap_core.cel.check.value_types import value_type
from oap_core.cel.codes import LoadCode
from oap_core.cel.failure import MEANING, Code, EvalError
from oap_core.cel.functions import Function, Overload
from oap_core.cel.limits import LITERAL_ELEMENTS
from oap_core.cel.parse import parse
from oap_core.cel.report import Report
from oap_core.cel.tree import Call, ListLiteral, Literal, Node
from oap_core.cel.types import DYN, Type
from oap_core.cel.values import Value
from oap_core.cel.wording import code, literal, operand, shown

_UNKNOWN: Final = object()
"""Stands for the value of an argument that only the data tells."""

_MEANT: Final[dict[str, Callable[[str], str | None]]] = {"timestamp": moment_text, "duration": span_text}
"""Functions that read a text, and what finds the text that was meant."""

_POSITIONAL: Final = frozenset({"charAt", "indexOf", "lastIndexOf", "substring"})
"""Functions whose last number is a position; in `split` and `replace` it is a limit, and a negative one is none."""


def examine(state: Checking, node: Call, function: Function, overload: Overload | None) -> bool:
    """Blame what is wrong with the arguments that are known; tell whether the cost of the call is settled by that."""
    parts = node.args if node.target is None else (node.target, *node.args)
    last = parts[-1] if parts else None
    if type(last) is Literal and function.name == "matches":
        state.plain = False
        state.charges[id(node)] = Charge(scans=True, units=0, weight=patterns.weight(state, last))
        return True
    if overload is None or function.reads_world:
        return False
    if type(last) is Literal:
        if all(type(part) is Literal for part in parts):
            _try_call(state, node, parts, function, overload)
            return True
        if function.name in _POSITIONAL and type(last.value) is int and last.value < 0:
            message = f"`{shown(state.source, last)}` is no position"
            advice = "positions count from 0; `size(text)` minus a number counts from the end"
            _blame(state, last, [last], message, advice)
    if overload.samples:
        _try_values(state, node, parts, function, overload)
    return False


def _blame(state: Checking, node: Node, known: Sequence[Node], message: str, advice: str | None) -> None:
    """Report a call that always fails: everywhere where the arguments are written out, else where nothing absorbs it.

    A constant of the policy may be one that a condition around the call asks about first.
    """
    if all(_is_written_out(state.source, part) for part in known):
        state.blame(LoadCode.ALWAYS_FAILS, node, message, advice)
    else:
        state.blame_failing(node, message, advice)


def _is_written_out(source: str, node: Node) -> bool:
    parts = node.items if isinstance(node, ListLiteral) else (node,)
    return all(type(part) is Literal and is_written_out(source, part) for part in parts)


def _try_call(state: Checking, node: Call, parts: Sequence[Node], function: Function, overload: Overload) -> None:
    """Blame a call of which all arguments are known and which fails."""
    error = _error(overload.implementation, [_value(part) for part in parts])
    if error is not None:
        message = f"`{shown(state.source, node)}` always fails: {MEANING[error.code]}"
        advice = None if state.report.full else _meant(node, function) or _example(function, overload)
        _blame(state, node, parts, message, advice)


def _meant(node: Call, function: Function) -> str | None:
    """The call with the text that was meant for a moment or a span."""
    find, part = _MEANT.get(function.name), node.children()[0]
    meant = find(part.value) if find is not None and type(part) is Literal and type(part.value) is str else None
    return None if meant is None else f'write `{function.name}("{meant}")`'


def _try_values(state: Checking, node: Call, parts: Sequence[Node], function: Function, overload: Overload) -> None:
    """Blame an argument that makes the call fail, whatever the others are: beside every sample of the function."""
    for position, part in enumerate(parts):
        value = _value(part)
        if value is _UNKNOWN or (type(value) is tuple and len(value) > LITERAL_ELEMENTS):
            continue
        error = _error_beside_samples(overload, position, value)
        if error is None:
            continue
        text, at_fault = _one_at_fault(overload, position, part)
        message = f"`{shown(state.source, at_fault)}` makes `{function.name}` fail: {MEANING[error.code]}"
        advice = None
        if not state.report.full:
            meant = _similar(overload, position, text, inside=at_fault is not part)
            if meant is not None and at_fault is part:
                meant = _with(state, node, position, meant)
            written = _swapped(state, node, overload, position, value) or meant
            advice = _example(function, overload) if written is None else f"write `{written}`"
        _blame(state, at_fault, [part], message, advice)


def _one_at_fault(overload: Overload, position: int, part: Node) -> tuple[Value, Node]:
    """The text that is at fault, and the node that is it: in a list, the first element with which the call fails."""
    if isinstance(part, ListLiteral):
        for item in part.items:
            value = _value(item)
            if _error_beside_samples(overload, position, (value,)) is not None:
                return value, item
        return None, part
    value = _value(part)
    return (value if type(value) is str else None), part


def _similar(overload: Overload, position: int, text: Value, *, inside: bool) -> str | None:
    """A text that is like the given one and with which the call does not fail, as an expression writes it."""
    for similar in lookalikes.of(text) if type(text) is str else ():
        if _error_beside_samples(overload, position, (similar,) if inside else similar) is None:
            return literal(similar)
    return None


def _with(state: Checking, node: Call, position: int, text: str) -> str:
    """The call with another text for one argument."""
    parts = node.children()
    texts = [code(state.source, part) for part in parts]
    texts[position] = text
    if node.target is None:
        return f"{node.function}({', '.join(texts)})"
    return f"{operand(state.source, node.target)}.{node.function}({', '.join(texts[1:])})"


def _swapped(state: Checking, node: Call, overload: Overload, position: int, value: Value) -> str | None:
    """The call with its two arguments in the other order, where the value is taken there."""
    parts = node.children()
    if (
        position != 0
        or len(parts) != 2
        or overload.method
        or _error_beside_samples(overload, 1 - position, value) is not None
    ):
        return None
    return f"{node.function}({code(state.source, parts[1])}, {code(state.source, parts[0])})"


def _error_beside_samples(overload: Overload, position: int, value: Value) -> EvalError | None:
    """Why the call fails with the value and every sample of the other arguments; None where it does not."""
    error: EvalError | None = None
    for sample in overload.samples:
        error = _error(overload.implementation, [*sample[:position], value, *sample[position + 1 :]])
        if error is None:
            return None
    return error


def _error(implementation: Callable[..., Value], values: Sequence[Value]) -> EvalError | None:
    """Why a call fails; None where it does not, or where nobody knows."""
    if any(value is _UNKNOWN for value in values):
        return None
    try:
        implementation(*values)
    except EvalError as error:
        return error if error.code is not Code.BUDGET else None
    except (Exception, SystemExit):  # noqa: BLE001  # a faulty implementation is an error outcome when it runs
        return None
    return None


def _value(node: Node) -> Value:
    """The value of an argument that is a literal, or a list of literals."""
    if type(node) is Literal:
        return node.value
    if isinstance(node, ListLiteral) and all(type(item) is Literal for item in node.items):
        return tuple(_value(item) for item in node.items)
    return _UNKNOWN


def _example(function: Function, overload: Overload) -> str | None:
    """An example of the function that calls this very overload, in the quotes that most authors use."""
    for text, _ in function.examples:
        call = parse(text, Report(text))
        if isinstance(call, Call) and call.function == function.name and _fits(call, overload):
            plain = text.replace("'", '"') if '"' not in text and "\\" not in text else text
            return f"a call that works is `{plain}`"
    return None


def _fits(call: Call, overload: Overload) -> bool:
    parts = call.children()
    if (call.target is not None) is not overload.method or len(parts) != len(overload.params):
        return False
    return all(_kind(part).name in (param.name, DYN.name) for part, param in zip(parts, overload.params, strict=True))


def _kind(node: Node) -> Type:
    value: Any = _value(node)
    return DYN if value is _UNKNOWN else value_type(value)
