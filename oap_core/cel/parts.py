"""Evaluating parts of a loaded expression, for those who show a person why the whole came out as it did.

It is the engine itself that evaluates, by the compiled code of the part, so no answer can differ from the one that
decided but for the budget: each part gets one of its own.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from oap_core.cel.compile import Compiled, compile_tree
from oap_core.cel.compile.piece import UNITS, Frame, Roots
from oap_core.cel.definition import Definition
from oap_core.cel.failure import Code, EvalError
from oap_core.cel.functions import Registry
from oap_core.cel.limits import EVALUATION_UNITS
from oap_core.cel.tree import Node
from oap_core.cel.values import Value

_NO_LOOPS: Final[tuple[Value, ...]] = ()


class Parts:
    """The parts of one resolved tree on the data of one call."""

    __slots__ = ("_compiled", "_definitions", "_functions", "_roots", "used")

    def __init__(self, functions: Registry, definitions: Mapping[str, Definition], roots: Roots) -> None:
        self._functions = functions
        self._definitions = definitions
        self._roots = roots
        self._compiled: dict[int, tuple[Node, Compiled]] = {}
        """By identity of a node, which is kept alive by that."""
        self.used = 0
        """Units that all evaluations so far used, and one for each of them."""

    def evaluate(self, node: Node, loops: Sequence[Value] = _NO_LOOPS) -> Value | EvalError:
        """The value of a part, or why it has none. `loops` are the values of the loop variables around it, by slot."""
        try:
            compiled = self._of(node)
            spare = compiled.variables - len(loops)
            frame: Frame = [EVALUATION_UNITS, *loops, *[None] * max(spare, 0)]
            try:
                return compiled.run(self._roots, frame)
            except EvalError as error:
                return error
            finally:
                self.used += 1 + EVALUATION_UNITS - max(frame[UNITS], 0)
        except (Exception, SystemExit):  # noqa: BLE001  # as in `Program`: whatever this is, it is no answer, and its text stays here
            return EvalError(Code.INTERNAL)

    def _of(self, node: Node) -> Compiled:
        found = self._compiled.get(id(node))
        if found is None:
            found = self._compiled[id(node)] = (node, compile_tree(node, self._functions, self._definitions))
        return found[1]
