"""The macros of the language: calls that bind a name or ask for a field instead of reading its value."""

from collections.abc import Sequence
from typing import Final

from oap_core.cel.codes import LoadCode
from oap_core.cel.report import Report
from oap_core.cel.syntax.leftout import LEFT_OUT_MACROS, TWO_VARIABLES
from oap_core.cel.tree import Call, Has, Ident, Index, Literal, Macro, MacroKind, Node, Select, walk
from oap_core.cel.wording import code, operand

_KINDS: Final[dict[str, MacroKind]] = {
    "all": MacroKind.ALL,
    "exists": MacroKind.EXISTS,
    "exists_one": MacroKind.EXISTS_ONE,
    "existsOne": MacroKind.EXISTS_ONE,
    "map": MacroKind.MAP,
    "filter": MacroKind.FILTER,
}
_ROOTS: Final = frozenset(name.partition(".")[0] for name in LEFT_OUT_MACROS if "." in name)

_MOST_COPIED: Final = 80

NAMES: Final = frozenset(_KINDS) | {name.rpartition(".")[2] for name in LEFT_OUT_MACROS}
"""Method names that `expand_method` has to see."""


def expand_has(call: Call, report: Report) -> Node:
    """Make `has(operand.field)` of a call of `has`; anything else is reported and stays a call."""
    if len(call.args) != 1:
        message = f"`has` takes one argument, not {len(call.args)}"
        report.blame(LoadCode.MACRO, call, message, _several_asked(call, report.source) or "write `has(a.b)`")
        return call
    argument = call.args[0]
    if type(argument) is Select:
        return Has(call.start, call.end, argument.anchor, argument.operand, argument.field)
    advice = "write `has(a.b)`"
    source = report.source
    if type(argument) is Index:
        if type(argument.index) is Literal and type(argument.index.value) is int:
            advice = f"write `size({code(source, argument.operand)}) > {argument.index.value}` for a list"
        else:
            key = source[argument.index.start : argument.index.end]
            holder = source[argument.operand.start : argument.operand.end]
            if len(key) + len(holder) <= 60:
                advice = f"write `{key} in {holder}`"
    elif type(argument) is Ident:
        advice = "a variable is always there; `has(a.b)` asks for a field"
    elif type(argument) is Literal and type(argument.value) is str and argument.value.isidentifier():
        advice = f"write the variable that has the field, as in `has(a.{argument.value})`"
    elif type(argument) is Call and len(argument.children()) == 1 and type(argument.children()[0]) is Select:
        advice = f"write `has({code(source, argument.children()[0])})`"
    message = "`has` asks for a field, so its argument is a selection such as `a.b`"
    report.add(LoadCode.MACRO, argument.start, argument.end, message, advice)
    return call


def _several_asked(call: Call, source: str) -> str | None:
    """For `has(a, "b")`, and for `has(a.b, a.c)`."""
    if len(call.args) > 1 and all(type(part) is Select for part in call.args):
        return f"write `{' && '.join(f'has({code(source, part)})' for part in call.args)}`"
    if len(call.args) == 2 and type(call.args[1]) is Literal and type(call.args[1].value) is str:
        return f"write `{code(source, call.args[1])} in {operand(source, call.args[0])}`"
    return None


def expand_method(call: Call, target: Node, report: Report) -> Node:
    """Make a loop of a method call whose name is in `NAMES`; what is no macro stays a call.

    A macro with wrong arguments, or one that is left out, is reported.
    """
    kind = _KINDS.get(call.function)
    if kind is not None:
        return _loop(kind, call, target, report)
    name = call.function
    if type(target) is Ident and target.name in _ROOTS:
        name = f"{target.name}.{name}"
    advice = LEFT_OUT_MACROS.get(name)
    if advice is not None:
        report.blame(LoadCode.UNSUPPORTED, call, f"the macro `{name}` is left out here", advice)
    return call


def _loop(kind: MacroKind, call: Call, target: Node, report: Report) -> Node:
    args, count = call.args, len(call.args)
    if kind is not MacroKind.MAP and count == 3 and type(args[0]) is Ident and type(args[1]) is Ident:
        message = f"`{call.function}` with two loop variables is left out here"
        report.blame(LoadCode.UNSUPPORTED, call, message, TWO_VARIABLES)
        return call
    if count != 2 and not (kind is MacroKind.MAP and count == 3):
        message = f"`{call.function}` takes {_wanted(kind)}, not {count}"
        report.blame(LoadCode.MACRO, call, message, _usage(kind, call, target, report.source))
        return call
    variable = args[0]
    if type(variable) is not Ident:
        message = f"the first argument of `{call.function}` is the name of the loop variable"
        report.add(LoadCode.MACRO, variable.start, variable.end, message, _usage(kind, call, target, report.source))
        return call
    if kind is not MacroKind.MAP:
        return _macro(call, kind, target, variable.name, args[1:], None)
    return _macro(call, kind, target, variable.name, args[1:-1], args[-1])


def _macro(
    call: Call, kind: MacroKind, target: Node, variable: str, predicate: Sequence[Node], transform: Node | None
) -> Macro:
    condition = predicate[0] if predicate else None
    return Macro(call.start, call.end, call.anchor, kind, target, variable, condition, transform)


def _wanted(kind: MacroKind) -> str:
    return "two or three arguments" if kind is MacroKind.MAP else "two arguments"


def _usage(kind: MacroKind, call: Call, target: Node, source: str) -> str:
    """How the macro is written, with the author's own text."""
    held = operand(source, target) if target.end - target.start <= _MOST_COPIED else "list"
    what, name = "value" if kind is MacroKind.MAP else "condition", "x"
    if len(call.args) == 1 and call.end - call.start <= _MOST_COPIED:
        part = call.args[0]
        if type(part) is Literal and kind is not MacroKind.MAP:
            return f"write `{code(source, part)} in {held}`, or `{held}.{kind}({name}, {what})`"
        name = _loop_variable(part, target) or name
        what = what if type(part) is Ident else code(source, part)
    return f"write `{held}.{kind}({name}, {what})`"


def _loop_variable(part: Node, target: Node) -> str | None:
    """The name in a condition that is meant to be the loop variable: the first one that the list is not read from."""
    outer = {node.name for node in walk(target) if isinstance(node, Ident)}
    names = [node.name for node in walk(part) if isinstance(node, Ident) and node.name not in outer]
    return names[0] if names else None
