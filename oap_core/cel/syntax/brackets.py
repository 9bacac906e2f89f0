"""The brackets of an expression: which kinds there are, and what each may hold.

A kind is `(` around an operand, `f` behind a function, `[` of a list, `i` of an index, `{` of a map, and the empty
text for the expression as a whole.
"""

from typing import Final

CLOSED_BY: Final = {"(": ")", "f": ")", "[": "]", "i": "]", "{": "}", "": ""}
"""The closing bracket of each kind."""
MAY_BE_EMPTY: Final = frozenset({"f", "[", "{"})
"""Kinds that hold any number of elements, with commas between them."""
MAY_END_IN_COMMA: Final = frozenset({"[", "{"})
"""Kinds in which a comma may follow the last element."""


class Bracket:
    """A bracket that is still open, and what has been seen within it."""

    __slots__ = ("choice", "elements", "kind", "start", "valued")

    def __init__(self, kind: str, start: int) -> None:
        self.kind = kind
        """As the module says."""
        self.start = start
        """Where it was opened."""
        self.elements = 0
        """How many have been ended by a comma."""
        self.choice = -1
        """Where the `?` is that waits for its `:`, or -1."""
        self.valued = False
        """In a map: behind the `:` of an entry."""
