"""What the rules of the type checker share while they look at one expression."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from oap_core.cel.codes import LoadCode
from oap_core.cel.environment import Env
from oap_core.cel.functions import Function
from oap_core.cel.report import Report
from oap_core.cel.tree import Index, Node, Select, walk
from oap_core.cel.types import Type


@dataclass(frozen=True, slots=True)
class Charge:
    """What one call of a function costs."""

    scans: bool
    """By the size of its arguments and its result."""
    units: int
    """Besides, whatever their size."""
    weight: int = 1
    """How many times over the size counts: more than once for a regular expression with large repetitions."""


class Checking:
    """One run of the checker: what is declared, what was found out, what is left to look at."""

    __slots__ = (
        "absorbed",
        "charges",
        "definitions",
        "functions",
        "loops",
        "optional",
        "parents",
        "plain",
        "report",
        "root",
        "rules",
        "source",
        "types",
        "variables",
    )

    def __init__(self, root: Node, env: Env, report: Report, rules: "Mapping[type[Node], Rule]") -> None:
        self.root = root
        self.rules = rules
        self.report = report
        self.source = report.source
        self.variables = env.declared
        self.definitions = env.definitions
        self.functions: Mapping[str, Function] = env.functions.functions
        self.types: dict[int, Type] = {}
        """Types of nodes by identity."""
        self.loops: list[Type] = []
        """Types of the loop variables in force, by slot."""
        self.optional: list[Select | Index] = []
        """Reads of fields that may be absent."""
        self.absorbed = 0
        """How many operators and macros around the place may absorb an error of it, or may not evaluate it at all."""
        self.charges: dict[int, Charge] = {}
        """What calls are charged, by identity; one that costs nothing is left out."""
        self.plain = True
        """Nothing so far loops, compares lists or is charged for a call."""
        self.parents: dict[int, Node] = {}
        """What nodes stand in, by identity; filled when it is first asked for, since only a mistake asks."""

    def visit(self, node: Node) -> Type:
        """The type of a node, `DYN` where it is not known or something in the node was blamed."""
        found = self.types[id(node)] = self.rules[type(node)](self, node)
        return found

    def parent(self, node: Node) -> Node | None:
        """What a node stands in; None for the root."""
        if not self.parents:
            self.parents = {id(child): outer for outer in walk(self.root) for child in outer.children()}
        return self.parents.get(id(node))

    def forgive(self, *nodes: Node) -> None:
        """Take reads out of those that need `has()`, because what is said about them gives the same advice."""
        self.optional = [read for read in self.optional if not any(read is node for node in nodes)]

    def blame(self, code: LoadCode, node: Node, message: str, help: str | None = None) -> None:  # as in Diagnostic
        """Report a mistake."""
        self.report.blame(code, node, message, help)

    def blame_failing(self, node: Node, message: str, help: str | None = None) -> None:  # as in Diagnostic
        """Report a part that fails whenever it is evaluated, unless something around it may absorb the error.

        `false && 1 / 0 > 0` is false and has to stay loadable, as has `constants.max != 0 && args.n / constants.max > 5`
        where the constant is 0. What is rejected here would be an error for all data, so no outcome changes by it. A
        call with arguments that are all written out is rejected everywhere: nobody means it, and no vector has it.
        """
        if not self.absorbed:
            self.report.blame(LoadCode.ALWAYS_FAILS, node, message, help)


Rule = Callable[[Checking, Any], Type]
"""How one kind of node gets its type."""
