"""What to say about a name that means nothing, and about a function that is called in the wrong shape."""

from collections.abc import Collection, Mapping, Sequence
from itertools import islice
from typing import Final

from oap_core.cel.codes import LoadCode
from oap_core.cel.environment import Env
from oap_core.cel.functions import Function, Overload
from oap_core.cel.report import Report, did_you_mean
from oap_core.cel.syntax.leftout import LEFT_OUT
from oap_core.cel.tree import Call, Ident, Literal, MacroKind, Node
from oap_core.cel.types import DYN, ObjectType
from oap_core.cel.values import TYPE_NAMES, KeyedMap, Value
from oap_core.cel.wording import code, listed, named, operand

_MACROS: Final = ("has", *(str(kind) for kind in MacroKind))

_TYPES: Final = frozenset(TYPE_NAMES.values())

_MOST_KEYS: Final = 1000
"""Members of a constant among which a similar name is looked for."""

_OTHER_LANGUAGES: Final = {
    "True": "true",
    "TRUE": "true",
    "False": "false",
    "FALSE": "false",
    "None": "null",
    "NULL": "null",
    "Null": "null",
    "nil": "null",
    "undefined": "null",
}
"""Names that other languages have for what CEL writes differently."""

_OTHER_FUNCTIONS: Final = {
    "len": "size(x)",
    "length": "size(x)",
    "count": "size(x)",
    "isEmpty": "size(x) == 0",
    "any": "x.exists(e, ...)",
    "some": "x.exists(e, ...)",
    "find": "x.filter(e, ...)",
    "every": "x.all(e, ...)",
    "includes": "x.contains(...)",
    "regex": "x.matches(...)",
    "match": "x.matches(...)",
    "search": "x.matches(...)",
    "strip": "x.trim()",
    "lower": "x.lowerAscii()",
    "toLowerCase": "x.lowerAscii()",
    "upper": "x.upperAscii()",
    "toUpperCase": "x.upperAscii()",
    "substr": "x.substring(from, to)",
    "str": "string(x)",
    "toString": "string(x)",
    "float": "double(x)",
    "boolean": "bool(x)",
    "date": 'timestamp("2026-12-01T00:00:00Z")',
    "datetime": 'timestamp("2026-12-01T00:00:00Z")',
    "defined": "has(x.field)",
    "exist": "x.exists(e, ...)",
    "hasKey": '"key" in x',
    "keys": "x.exists(key, ...)",
}
"""Functions that other languages have, and what CEL writes for them."""


def unknown_variable(node: Ident, fields: Sequence[str], env: Env, scope: Collection[str], report: Report) -> None:
    """Report a name that is neither a variable, nor a constant, nor a type. `fields` are selected from it."""
    report.blame(
        LoadCode.UNKNOWN_VARIABLE,
        node,
        f"unknown variable `{node.name}`",
        _advice_on_variable(node.name, fields, env, scope),
    )


def _advice_on_variable(name: str, fields: Sequence[str], env: Env, scope: Collection[str]) -> str | None:
    other = _OTHER_LANGUAGES.get(name)
    if other is not None:
        return f"CEL writes `{other}`"
    if env.functions.get(name) is not None or name in _MACROS:
        return f"`{name}` is a function and needs arguments"
    dotted = [known for known in (*env.variables, *_TYPES) if known.startswith(f"{name}.")]
    if dotted:
        near = did_you_mean(".".join([name, *fields]), dotted)
        return near or f"known are {listed(dotted)}"
    visible = [*scope, *env.variables, *env.constants]
    members = [
        f"{variable}.{name}"
        for variable, kind in env.variables.items()
        if isinstance(kind, ObjectType) and name in kind.fields
    ]
    if members:
        return f"did you mean {' or '.join(f'`{member}`' for member in members[:2])}?"
    quoted = "" if fields else f'a text needs quotes: `"{name}"`'
    known = f"known are {listed(visible)}" if visible else ""
    return did_you_mean(name, visible) or "; ".join(filter(None, (known, quoted))) or None


def unknown_constant(held: Literal, key: Value, part: Node, report: Report) -> None:
    """Report a member that a constant does not have."""
    known = _keys(held.value)
    message = f"`{code(report.source, held)}` has no member `{key}`"
    held_here = f"it has {listed(known)}" if known else None if len(held.value) else "it is empty"
    report.blame(LoadCode.UNKNOWN_CONSTANT, part, message, did_you_mean(str(key), known) or held_here)


def unknown_element(held: Literal, position: int, part: Node, report: Report) -> None:
    """Report a position that a constant list does not have."""
    size = len(held.value)
    message = f"`{code(report.source, held)}` has {size} element{'' if size == 1 else 's'} and none at {position}"
    advice = f"positions go from 0 to {size - 1}" if size else None
    report.blame(LoadCode.UNKNOWN_CONSTANT, part, message, advice)


def _keys(value: Mapping[str, Value] | KeyedMap) -> list[str]:
    return [key for key in islice(value, _MOST_KEYS) if type(key) is str]


def is_namespace(name: str, env: Env) -> bool:
    """Whether some registered or left-out function lives in the namespace."""
    start = f"{name}."
    return any(function.name.startswith(start) for function in env.functions) or any(
        left_out.startswith(start) for left_out in LEFT_OUT
    )


def unknown_function(node: Call, name: str, env: Env, report: Report, namespace: str | None = None) -> None:
    """Report a function that is not registered; one that CEL has and this engine leaves out is named as such."""
    left_out = LEFT_OUT.get(name)
    if left_out is not None:
        report.blame(LoadCode.UNSUPPORTED, node, f"`{name}` is left out here", left_out)
        return
    known = [*(function.name for function in env.functions), *_MACROS]
    advice = did_you_mean(f"{namespace}.{name}", known) if namespace is not None else None
    other = _OTHER_FUNCTIONS.get(name)
    if other is not None:
        advice = f"CEL writes `{other}`"
    report.blame(LoadCode.UNKNOWN_FUNCTION, node, f"unknown function `{name}`", advice or did_you_mean(name, known))


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
        message, advice = _wrong_count(node, function), f"it is {signatures(node, function)}"
    report.blame(LoadCode.CALL_SHAPE, node, message, advice)


def _as_function(node: Call, report: Report) -> str:
    return f"{node.function}({', '.join(code(report.source, part) for part in node.children())})"


def _as_method(node: Call, report: Report) -> str:
    first, *others = node.args
    rest = ", ".join(code(report.source, part) for part in others)
    return f"{operand(report.source, first)}.{node.function}({rest})"


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
