"""What an expression may speak about: variables with their types, constants, definitions, functions."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from oap_core.cel.definition import Definition
from oap_core.cel.functions import Registry
from oap_core.cel.library import FUNCTIONS
from oap_core.cel.types import Type
from oap_core.cel.values import Value


@dataclass(frozen=True, slots=True)
class Env:
    """The declarations that expressions are loaded against.

    Values are given later, per call. A declared variable that the activation then lacks is an error outcome. Raises
    ValueError where a name is both a variable and a definition.
    """

    variables: Mapping[str, Type] = field(default_factory=lambda: MappingProxyType({}))
    """Types by name. A dotted name (`a.b`) is one variable, and the longest declared name wins."""
    constants: Mapping[str, Value] = field(default_factory=lambda: MappingProxyType({}))
    """Values known at load, by root name: `{"constants": {"limit": 50}}`. They must be frozen values (`freeze`)."""
    functions: Registry = FUNCTIONS
    """Functions beside the operators and macros of the language; plugins add theirs with `extended`."""
    namespace: str = ""
    """Dotted name in which variables are looked up first, then in each of its parents: CEL calls it a container."""
    definitions: Mapping[str, Definition] = field(default_factory=lambda: MappingProxyType({}))
    """Loaded expressions (`Program`) by the name that stands for them, such as `variables.inside`."""
    declared: Mapping[str, Type] = field(init=False, repr=False, compare=False)
    """Types of variables and definitions together, by name."""

    def __post_init__(self) -> None:
        declared = self.variables
        if self.definitions:
            for name in self.definitions:
                if name in self.variables:
                    message = f"`{name}` is both a variable and a definition"
                    raise ValueError(message)
            declared = {**self.variables, **{name: found.type for name, found in self.definitions.items()}}
        object.__setattr__(self, "declared", declared)
