"""Choosing the overload that runs for the values of one call, by their exact Python types."""

from collections.abc import Callable, Collection
from typing import Final

from oap_core.cel.failure import Code, EvalError
from oap_core.cel.functions import Function, Overload
from oap_core.cel.types import DYN, Type
from oap_core.cel.values import TYPE_NAMES

Kinds = tuple[type, ...]
"""The types of the arguments of one call."""

Choose = Callable[[Kinds], Overload]
"""Gives the overload for values of these types. Raises `EvalError` (no_such_overload) where there is none."""

_MOST_REMEMBERED: Final = 256
"""Combinations of types that one call remembers; a condition rarely meets more than one."""

_BY_NAME: Final = {
    name: tuple(kind for kind, other in TYPE_NAMES.items() if other == name) for name in TYPE_NAMES.values()
}


def python_types(declared: Type) -> Collection[type]:
    """What a value of a declared type can be in Python; the elements of lists and maps are not looked at."""
    return TYPE_NAMES if declared.name == DYN.name else _BY_NAME[declared.name]


def shaped(function: Function, *, method: bool, count: int) -> tuple[Overload, ...]:
    """The overloads of one call shape."""
    return tuple(one for one in function.overloads if one.method is method and len(one.params) == count)


def chooser(overloads: tuple[Overload, ...], offset: int) -> Choose:
    """Choose among these: the first whose parameters all take the types."""
    accepted = [(one, tuple(frozenset(python_types(kind)) for kind in one.params)) for one in overloads]
    remembered: dict[Kinds, Overload] = {}

    def choose(kinds: Kinds) -> Overload:
        found = remembered.get(kinds)
        if found is not None:
            return found
        for overload, params in accepted:
            if all(kind in param for kind, param in zip(kinds, params, strict=True)):
                if len(remembered) < _MOST_REMEMBERED:
                    remembered[kinds] = overload
                return overload
        raise EvalError(Code.NO_SUCH_OVERLOAD, offset)

    return choose
