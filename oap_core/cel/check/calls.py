"""Typing rules for calls: the overload that takes the arguments, and what literal arguments show at load."""

from itertools import product
from typing import Final

from oap_core.cel.check import repair
from oap_core.cel.check.state import Charge, Checking
from oap_core.cel.codes import LoadCode
from oap_core.cel.failure import MEANING, EvalError
from oap_core.cel.functions import Function, Overload
from oap_core.cel.limits import REGEX_CHARACTERS
from oap_core.cel.names import signatures
from oap_core.cel.standard.regex import pattern_weight
from oap_core.cel.tree import Call, Literal
from oap_core.cel.types import BOOL, DOUBLE, DYN, INT, NUMBER, STRING, Type, assignable, join
from oap_core.cel.wording import named, shown

"""What a search for a pattern costs that was compiled at load."""

_MOST_NUMBERS: Final = 4
"""Arguments of type `NUMBER` for which both possibilities are looked at in every combination."""


def call(state: Checking, node: Call) -> Type:
    """`function(args)` and `target.function(args)`."""
    visit, target = state.visit, node.target
    given = [visit(part) for part in node.args] if target is None else [visit(target), *map(visit, node.args)]
    function = state.functions.get(node.function)
    if function is None:
        return DYN
    method = target is not None
    result, overload = _resolved(function, given, method=method)
    if result is None:
        result = _either_number(function, given, method=method)
    if result is None:
        return _blame_arguments(state, node, function, given)
    if not _look_at_literals(state, node, function, overload):
        _charge(state, node, function, overload)
    return result


def _resolved(function: Function, given: list[Type], *, method: bool) -> tuple[Type | None, Overload | None]:
    """The result type of the overloads that take these types, and the overload where it is exactly one."""
    count = len(given)
    result: Type | None = None
    chosen: Overload | None = None
    for overload in function.overloads:
        params = overload.params
        if overload.method is not method or len(params) != count:
            continue
        exact = True
        for kind, param in zip(given, params, strict=True):
            if kind is not param:
                if not assignable(kind, param):
                    break
                exact = exact and kind.name == param.name
        else:
            if exact:
                return overload.result, overload
            chosen = overload if result is None else None
            result = overload.result if result is None else join(result, overload.result)
    return result, chosen


def _either_number(function: Function, given: list[Type], *, method: bool) -> Type | None:
    """The result type where each `NUMBER` may be an int or a double, None unless both are taken."""
    uncertain = given.count(NUMBER)
    if not 0 < uncertain <= _MOST_NUMBERS:
        return None
    result: Type | None = None
    for kinds in product((INT, DOUBLE), repeat=uncertain):
        remaining = iter(kinds)
        tried = [next(remaining) if kind == NUMBER else kind for kind in given]
        found, _ = _resolved(function, tried, method=method)
        if found is None:
            return None
        result = found if result is None else join(result, found)
    return result


def _blame_arguments(state: Checking, node: Call, function: Function, given: list[Type]) -> Type:
    """Report a call that no overload takes; say which argument is at fault where it is one."""
    method = node.target is not None
    shapes = _alike(node, function)
    if not shapes:
        return DYN
    parts = node.children()
    position = _culprit(shapes, given)
    if position is None:
        message = f"`{function.name}` does not take {', '.join(map(named, given))}"
        state.blame(LoadCode.NO_OVERLOAD, node, message, f"it is {signatures(node, function)}")
        return DYN
    wanted = list(dict.fromkeys(overload.params[position] for overload in shapes))
    part, kind = parts[position], given[position]
    message = (
        f"`{function.name}` takes {' or '.join(map(named, wanted))} here, "
        f"and `{shown(state.source, part)}` is {named(kind)}"
    )
    boolean = all(overload.result == BOOL for overload in shapes)
    advice = repair.for_call(state.source, node, position, kind, wanted, boolean=boolean)
    if advice is None and kind == NUMBER and (INT in wanted or DOUBLE in wanted):
        advice = repair.for_number(state.source, part)
    state.blame(
        LoadCode.NO_OVERLOAD,
        part if position or not method else node,
        message,
        advice or f"it is {signatures(node, function)}",
    )
    return DYN


def _culprit(shapes: list[Overload], given: list[Type]) -> int | None:
    """The argument that no overload takes, where all overloads take the others."""
    for position, kind in enumerate(given):
        if not any(assignable(kind, overload.params[position]) for overload in shapes):
            return position
    return None


def _charge(state: Checking, node: Call, function: Function, overload: Overload | None) -> None:
    """Note what the call costs: by its overload, or by the dearest where only the data tells which one runs."""
    possible = _alike(node, function) if overload is None else [overload]
    scans, units = any(one.scans for one in possible), max(one.units for one in possible)
    if scans or units:
        state.plain = False
        state.charges[id(node)] = Charge(scans, units)


def _alike(node: Call, function: Function) -> list[Overload]:
    """The overloads of the call's form."""
    method, count = node.target is not None, len(node.children())
    return [one for one in function.overloads if one.method is method and len(one.params) == count]


def _look_at_literals(state: Checking, node: Call, function: Function, overload: Overload | None) -> bool:
    """Find what is wrong with arguments that are known at load; tell whether the cost is settled by that."""
    parts = node.args if node.target is None else (node.target, *node.args)
    last = parts[-1] if parts else None
    if type(last) is not Literal:
        return False
    if function.name == "matches":
        state.plain = False
        state.charges[id(node)] = Charge(scans=True, units=0, weight=_check_pattern(state, last))
        return True
    if overload is not None and not function.reads_world and all(type(part) is Literal for part in parts):
        if not state.absorbed:
            _try_call(state, node, function, overload)
        return True
    return False


def _try_call(state: Checking, node: Call, function: Function, overload: Overload) -> None:
    values = [part.value for part in node.children() if type(part) is Literal]
    try:
        overload.implementation(*values)
    except EvalError as error:
        message = f"`{shown(state.source, node)}` always fails: {MEANING[error.code]}"
        examples = [example for example, _ in function.examples if ("'" in example) is (STRING in overload.params)]
        state.blame_failing(node, message, f"a call that works is `{examples[0]}`" if examples else None)
    except Exception:  # noqa: BLE001, S110  # a faulty implementation is an error outcome when it runs
        pass


def _check_pattern(state: Checking, node: Literal) -> int:
    """Compile a literal pattern, as the compiler will, and give its weight."""
    pattern = node.value
    if type(pattern) is not str:
        return 1
    if len(pattern) > REGEX_CHARACTERS:
        message = f"the regular expression has {len(pattern)} characters and may have {REGEX_CHARACTERS}"
        state.blame(LoadCode.REGEX, node, message)
        return 1
    try:
        return pattern_weight(pattern)
    except EvalError:
        message = f"`{shown(state.source, node)}` is not a regular expression that RE2 takes"
        state.blame(LoadCode.REGEX, node, message, _advice_on_pattern(pattern))
        return 1


def _advice_on_pattern(pattern: str) -> str | None:
    if any(mark in pattern for mark in ("(?=", "(?!", "(?<=", "(?<!")):
        return "RE2 has no lookahead or lookbehind: write a second condition with `&&`"
    if any(f"\\{digit}" in pattern for digit in "123456789"):
        return "RE2 has no references back to a group"
    if "(?>" in pattern or "++" in pattern or "*+" in pattern:
        return "RE2 has no atomic groups or possessive repetition, and needs none"
    if any(pattern.count(opening) != pattern.count(closing) for opening, closing in ("()", "[]")):
        return "a bracket is not closed, or not opened; write `\\\\(` for one that is meant as a character"
    return "a single `*`, `+`, `?` or `{` repeats what stands before it, at most 1000 times"
