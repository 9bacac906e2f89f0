"""Typing rules for calls: the overload that takes the arguments, and what a call is charged."""

from itertools import product
from typing import Final

from oap_core.cel.check import arguments, known
from oap_core.cel.check.state import Charge, Checking
from oap_core.cel.foreign import DEFAULTS
from oap_core.cel.functions import Function, Overload
from oap_core.cel.tree import Call
from oap_core.cel.types import DOUBLE, DYN, INT, NUMBER, Type, assignable, join

_MOST_NUMBERS: Final = 4
"""Arguments of type `NUMBER` for which both possibilities are looked at in every combination."""


def call(state: Checking, node: Call) -> Type:
    """`function(args)` and `target.function(args)`."""
    visit, target = state.visit, node.target
    given = [visit(part) for part in node.args] if target is None else [visit(target), *map(visit, node.args)]
    function = state.functions.get(node.function)
    if function is None:
        if node.function in DEFAULTS:
            state.forgive(*node.children())
        return DYN
    method = target is not None
    result, overload = _resolved(function, given, method=method)
    if result is None:
        result = _either_number(function, given, method=method)
    if result is None:
        arguments.blame(state, node, function, given)
        return DYN
    if not known.examine(state, node, function, overload):
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


def _charge(state: Checking, node: Call, function: Function, overload: Overload | None) -> None:
    """Note what the call costs: by its overload, or by the dearest where only the data tells which one runs."""
    possible = arguments.alike(node, function) if overload is None else [overload]
    scans, units = any(one.scans for one in possible), max(one.units for one in possible)
    if scans or units:
        state.plain = False
        state.charges[id(node)] = Charge(scans, units)
