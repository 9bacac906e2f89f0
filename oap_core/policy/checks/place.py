"""Saying something about a part of a condition, where that part lies in the file."""

from __future__ import annotations

from dataclasses import dataclass

from oap_core.cel.program import Program
from oap_core.cel.tree import Node
from oap_core.policy.tree import Scalar, Span

__all__ = ["Condition"]


@dataclass(frozen=True, slots=True)
class Condition:
    """A loaded `when` and the value of the file that it stands in."""

    program: Program
    """What was loaded."""
    scalar: Scalar
    """The value."""
    file: str | None
    """The file."""

    def span(self, node: Node) -> Span:
        """Where a node of its own tree lies."""
        begin, end = self.scalar.place(node.start), self.scalar.place(node.end)
        return Span(*begin, *max(begin, end))
