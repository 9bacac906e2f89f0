"""Where a part of a condition stands: in which text, and inside which loops."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from oap_core.cel.definition import Definition
from oap_core.cel.failure import EvalError, Failure
from oap_core.cel.parts import Parts
from oap_core.cel.report import Report
from oap_core.cel.tree import Macro, Node
from oap_core.cel.values import KeyedMap, Value

_COLLECTIONS: Final = frozenset({tuple, dict, KeyedMap})


@dataclass(frozen=True, slots=True)
class Scope:
    """The surroundings of a part."""

    definition: Definition
    """The expression in whose text it stands."""
    name: str | None
    """The name of that; None for the condition itself."""
    parts: Parts
    """Evaluates parts of that."""
    loops: tuple[Value, ...] = ()
    """Values of the loop variables around it, by slot."""

    def value(self, node: Node) -> Value | EvalError:
        """The value of a part that stands here, or why it has none."""
        return self.parts.evaluate(node, self.loops)

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset."""
        return Report(self.definition.source).place(offset)

    def failure(self, error: EvalError, node: Node) -> Failure:
        """An error of a part, with its place."""
        return Failure(error.code, *self.place(error.offset if error.offset >= 0 else node.anchor))

    def elements(self, node: Macro) -> tuple[Value, ...]:
        """What a macro goes over; nothing where that is no list and no map."""
        target: Value = self.value(node.target)
        return tuple(target) if type(target) in _COLLECTIONS else ()

    def inside(self, node: Macro, elements: tuple[Value, ...]) -> Iterator["Scope"]:
        """The surroundings within a macro, for each of its elements."""
        for element in elements:
            yield Scope(self.definition, self.name, self.parts, (*self.loops[: node.slot], element))
