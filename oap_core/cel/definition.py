"""What one expression knows of another that it reads by a name, such as a variable of a policy.

A definition is a loaded expression under a name. Reading the name gives what its evaluation gave: it happens at most
once on one activation, on a full budget of its own, when the first reader comes. Every reader pays what the evaluation
used, as if the text stood in parentheses in place of the name, and gets its error as an error of the name. So it never
matters who else reads it, nor in which order.

The name hides one thing from the checker: a `has(args.x)` inside a definition guards the reads inside and no others.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

from oap_core.cel.codes import LoadCode
from oap_core.cel.failure import Failure
from oap_core.cel.functions import Registry
from oap_core.cel.limits import DEFINITION_NESTING
from oap_core.cel.report import Report
from oap_core.cel.tree import Ident, Node, walk
from oap_core.cel.types import Type
from oap_core.cel.values import Value

ANSWERS: Final = "\0answers"
"""Root under which closures find what definitions evaluated to; no expression can spell it."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What an evaluation costs at most."""

    units: int
    """Upper bound in units of `limits.EVALUATION_UNITS`, as far as the assumed sizes hold."""
    assumed: bool
    """Whether it rests on sizes that nobody declared. False as well where the declared sizes alone exceed the budget."""
    declared: int = field(default=0, compare=False)
    """The part of it that rests on declared sizes alone."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a definition evaluated to on one activation."""

    result: Value | Failure
    """Its value, or why there is none; the place is one in the definition's own text."""
    units: int
    """What the evaluation used, at most a whole budget: the charge of each reading."""


class Definition(Protocol):
    """A loaded expression that others may read by a name; `Program` is one."""

    @property
    def source(self) -> str:
        """The text it was made from."""

    @property
    def tree(self) -> Node:
        """The resolved syntax tree."""

    @property
    def type(self) -> Type:
        """What the checker knows of the result."""

    @property
    def cost(self) -> Estimate:
        """Static upper bound of what an evaluation, and so each reading, costs."""

    @property
    def functions(self) -> Registry:
        """The functions that the tree calls."""

    @property
    def definitions(self) -> "Mapping[str, Definition]":
        """The definitions that it reads itself, by name."""

    @property
    def depth(self) -> int:
        """Levels of nesting, with the definitions that it reads in place of their names."""

    @property
    def answer(self) -> Callable[[dict[str, Value]], Answer]:
        """Evaluates it on the roots of an activation, once; later calls give what is kept there."""


def read_definitions(root: Node, definitions: Mapping[str, Definition]) -> dict[str, Definition]:
    """Those that a resolved tree reads."""
    names = {node.name for node in walk(root) if type(node) is Ident} if definitions else set()
    return {name: definitions[name] for name in sorted(names) if name in definitions}


def all_definitions(definitions: Mapping[str, Definition]) -> Iterator[Definition]:
    """Each of these and everything that they read in turn, once each."""
    pending, seen = list(definitions.values()), set()
    while pending:
        one = pending.pop()
        if id(one) not in seen:
            seen.add(id(one))
            yield one
            pending.extend(one.definitions.values())


def examine_depth(root: Node, definitions: Mapping[str, Definition], report: Report) -> int:
    """The levels of a tree with definitions in place of their names; more than `limits.DEFINITION_NESTING` are blamed."""
    deepest = 0
    pending = [(root, 1)]
    while pending:
        node, level = pending.pop()
        if type(node) is Ident and node.name in definitions:
            # Going over to another closure takes more of the stack than one level does.
            level += definitions[node.name].depth + 1
            if level > DEFINITION_NESTING:
                message = f"with what `{node.name}` stands for, this nests deeper than {DEFINITION_NESTING} levels"
                report.blame(LoadCode.TOO_DEEP, node, message, "let fewer definitions read each other")
        deepest = max(deepest, level)
        pending.extend((child, level + 1) for child in node.children())
    return deepest
