"""The registry of functions that expressions may call: names, typed overloads, documentation.

Checker, compiler, cost and the generated reference all read this one table. An implementation is total: it returns
a value of its declared type or raises `EvalError` with a code, for every input of its parameter types. It never
changes its arguments, keeps no state, and builds no value longer than `limits.TEXT_CHARACTERS`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from oap_core.cel.types import Type
from oap_core.cel.values import Value


@dataclass(frozen=True, slots=True)
class Overload:
    """One signature of a function and what runs for it."""

    params: tuple[Type, ...]
    """Types of the arguments, the receiver first for a method. `DYN` takes a value of any type."""
    result: Type
    """Type of the result; `DYN` where it depends on the arguments."""
    implementation: Callable[..., Value]
    """Called with the values alone."""
    method: bool = False
    """Called as `receiver.name(...)`."""
    scans: bool = False
    """Reads or builds text or lists as a whole: each call is charged by the size of its arguments and result."""
    units: int = 0
    """Charged for each call, whatever the size of its arguments."""
    extra: Callable[..., int] | None = None
    """Charged for each call besides, told by its arguments, for work that their size does not show. It never raises;
    the static estimate leaves it out."""
    samples: tuple[tuple[Value, ...], ...] = ()
    """Lists of arguments that show at load what is wrong with one that is written out: with a good argument in its
    place, the call works for at least one of these lists. A refused network is a mistake whatever the address is."""


@dataclass(frozen=True, slots=True)
class Function:
    """A function by its name, with all its overloads."""

    name: str
    """As written; a namespace is part of it (`strings.quote`)."""
    overloads: tuple[Overload, ...]
    summary: str
    """What it promises, in a sentence or two, for the reference."""
    examples: tuple[tuple[str, str], ...] = ()
    """Pairs of an expression and the expression that its value equals; the documentation's tests evaluate both."""
    group: str = "standard"
    """Heading in the reference: standard, strings, time, host, ..."""
    reads_world: bool = False
    """Looks at something outside its arguments (a file system): its result goes into the record."""


@dataclass(frozen=True, slots=True)
class Registry:
    """An immutable set of functions by name."""

    functions: Mapping[str, Function] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def of(cls, functions: Iterable[Function]) -> "Registry":
        """Build one. Raises ValueError where a name occurs twice."""
        found: dict[str, Function] = {}
        for function in functions:
            if function.name in found:
                message = f"the function `{function.name}` is registered twice"
                raise ValueError(message)
            found[function.name] = function
        return cls(MappingProxyType(found))

    def extended(self, functions: Iterable[Function]) -> "Registry":
        """A new registry with these as well. Raises ValueError where a name is taken."""
        return Registry.of([*self.functions.values(), *functions])

    def get(self, name: str) -> Function | None:
        """The function of that name, or None."""
        return self.functions.get(name)

    def __iter__(self) -> Iterator[Function]:
        """Every function."""
        return iter(self.functions.values())
