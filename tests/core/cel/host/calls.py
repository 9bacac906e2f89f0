"""Calls host functions as an expression would: by name, and by the types of the arguments."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from oap_core.cel.failure import EvalError
from oap_core.cel.functions import Function, Overload
from oap_core.cel.host import host_functions
from oap_core.cel.values import TYPE_NAMES, Value


def _by_name(functions: tuple[Function, ...]) -> Mapping[str, Function]:
    return MappingProxyType({function.name: function for function in functions})


SYSTEMS: Final = MappingProxyType(
    {
        "posix": _by_name(host_functions(fold_case=False, windows=False)),
        "folding": _by_name(host_functions(fold_case=True, windows=False)),
        "windows": _by_name(host_functions(windows=True)),
    }
)
"""The functions for each kind of file system, whatever this machine has."""


def overload(name: str, arguments: tuple[Value, ...], on: str = "posix") -> Overload:
    """The one signature that takes these arguments."""
    types = [TYPE_NAMES[type(argument)] for argument in arguments]
    [found] = [one for one in SYSTEMS[on][name].overloads if [param.name for param in one.params] == types]
    return found


def call(name: str, *arguments: Value, on: str = "posix") -> Value:
    """The value of a call, or raise what it raises."""
    return overload(name, arguments, on).implementation(*arguments)


def answer(name: str, *arguments: Value, on: str = "posix") -> Value:
    """The value of a call, or the name of the code that it fails with."""
    try:
        return call(name, *arguments, on=on)
    except EvalError as failure:
        return f"fails: {failure.code}"


UNTOLD: Final = "fails: invalid_argument"
"""What `answer` gives where a function cannot tell."""
