"""Blaming parts that fail whenever they are evaluated, such as `timestamp("2026-13-01T00:00:00Z")`.

`false && 1 / 0 > 0` is false and has to stay loadable, as has `constants.max != 0 && args.n / constants.max > 5` where
the constant is 0. So a part is blamed only where it is evaluated for all data and nothing absorbs its error: rejecting
the expression then changes no outcome, since it would be an error every time.
"""

from oap_core.cel.check_state import Checking
from oap_core.cel.codes import LoadCode
from oap_core.cel.tree import Logic, Macro, Node, Ternary


def blame(root: Node, state: Checking) -> None:
    """Report the failing parts of `state` whose errors reach the root."""
    found = {id(node): (message, advice) for node, message, advice in state.failing}
    pending = [root]
    while pending:
        node = pending.pop()
        failing = found.get(id(node))
        if failing is not None:
            state.blame(LoadCode.ALWAYS_FAILS, node, *failing)
        if isinstance(node, Ternary):
            pending.append(node.condition)
        elif isinstance(node, Macro):
            pending.append(node.target)
        elif type(node) is not Logic:
            pending.extend(node.children())
