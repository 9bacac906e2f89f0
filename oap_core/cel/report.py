"""Collecting what is wrong with one expression, so that the author sees all of it at once."""

from collections.abc import Iterable
from difflib import get_close_matches

from oap_core.cel.codes import LoadCode
from oap_core.cel.tree import Node
from oap_core.diagnostic import Diagnostic
from oap_core.errors import CelError


class Report:
    """The diagnostics of one source text, in the order they were found."""

    __slots__ = ("_found", "source")

    def __init__(self, source: str) -> None:
        self.source = source
        """The text that places refer to."""
        self._found: list[Diagnostic] = []

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, of an offset in code points."""
        # A source that is too long has a place as well, so nothing here may read all of it.
        return self.source.count("\n", 0, offset) + 1, offset - self.source.rfind("\n", 0, offset)

    def add(self, code: LoadCode, start: int, end: int, message: str, help: str | None = None) -> None:
        """Note one mistake between two offsets; the same place is blamed with the same code once."""
        line, column = self.place(start)
        end_line, end_column = self.place(max(end, start))
        found = Diagnostic(code, message, line, column, end_line, end_column, help=help)
        if all((other.code, other.line, other.column) != (code, line, column) for other in self._found):
            self._found.append(found)

    def blame(self, code: LoadCode, node: Node, message: str, help: str | None = None) -> None:
        """Note one mistake of a node, shown from its anchor."""
        self.add(code, node.anchor, max(node.end, node.anchor + 1), message, help)

    @property
    def failed(self) -> bool:
        """Whether anything was found."""
        return bool(self._found)

    def raise_if_failed(self) -> None:
        """Raise `CelError` with everything that was found, sorted by place; do nothing where there is nothing."""
        if self._found:
            raise CelError(tuple(sorted(self._found, key=lambda found: (found.line, found.column))))


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """A help text that names the nearest known names, or None where nothing is near."""
    near = get_close_matches(name, sorted(set(known)), n=2, cutoff=0.6)
    return f"did you mean {' or '.join(f'`{found}`' for found in near)}?" if near else None
