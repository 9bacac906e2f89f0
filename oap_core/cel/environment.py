"""What an expression may speak about: variables with their types, constants, functions."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from oap_core.cel.functions import Registry
from oap_core.cel.library import FUNCTIONS
from oap_core.cel.types import Type
from oap_core.cel.values import Value


@dataclass(frozen=True, slots=True)
class Env:
    """The declarations that expressions are loaded against.

    Values are given later, per call. A declared variable that the activation then lacks is an error outcome.
    """

    variables: Mapping[str, Type] = field(default_factory=lambda: MappingProxyType({}))
    """Types by name. A dotted name (`a.b`) is one variable, and the longest declared name wins."""
    constants: Mapping[str, Value] = field(default_factory=lambda: MappingProxyType({}))
    """Values known at load, by root name: `{"constants": {"limit": 50}}`. They must be frozen values (`freeze`)."""
    functions: Registry = FUNCTIONS
    """Functions beside the operators and macros of the language; plugins add theirs with `extended`."""
    namespace: str = ""
    """Dotted name in which variables are looked up first, then in each of its parents: CEL calls it a container."""
