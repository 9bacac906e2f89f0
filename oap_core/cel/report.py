"""Collecting what is wrong with one expression, so that the author sees all of it at once."""

from collections.abc import Iterable
from dataclasses import replace
from difflib import get_close_matches
from itertools import islice
from typing import Final

from oap_core.cel.codes import LoadCode
from oap_core.cel.tree import Node
from oap_core.diagnostic import Diagnostic
from oap_core.errors import CelError

MOST_KEPT: Final = 50
"""Mistakes of one expression that are shown; nobody reads more, and the first ones explain the rest."""

_MOST_NAMES: Final = 500
"""Known names that are compared with a misspelt one."""

_LONGEST_NAME: Final = 60
"""Longest name that is compared, or offered."""


class Report:
    """The diagnostics of one source text, in the order they were found."""

    __slots__ = ("_found", "_left", "_places", "source")

    def __init__(self, source: str) -> None:
        self.source = source
        """The text that places refer to."""
        self._found: list[Diagnostic] = []
        self._places: set[tuple[LoadCode, int]] = set()
        """What was noted, by code and offset."""
        self._left: Diagnostic | None = None
        """The first mistake that is not shown."""

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, of an offset in code points."""
        # A source that is too long has a place as well, so nothing here may read all of it.
        return self.source.count("\n", 0, offset) + 1, offset - self.source.rfind("\n", 0, offset)

    def add(self, code: LoadCode, start: int, end: int, message: str, help: str | None = None) -> None:
        """Note one mistake between two offsets; the same place is blamed with the same code once."""
        if (code, start) in self._places:
            return
        self._places.add((code, start))
        if self._left is not None:
            return
        line, column = self.place(start)
        end_line, end_column = self.place(max(end, start))
        found = Diagnostic(code, message, line, column, end_line, end_column, help=help)
        if len(self._found) < MOST_KEPT:
            self._found.append(found)
        else:
            self._left = found

    def blame(self, code: LoadCode, node: Node, message: str, help: str | None = None) -> None:
        """Note one mistake of a node, shown from its anchor."""
        self.add(code, node.anchor, max(node.end, node.anchor + 1), message, help)

    @property
    def failed(self) -> bool:
        """Whether anything was found."""
        return bool(self._found)

    @property
    def full(self) -> bool:
        """Whether no further mistake would be shown, so that nobody needs to find words for one."""
        return self._left is not None

    def raise_if_failed(self) -> None:
        """Raise `CelError` with everything that was found, sorted by place; do nothing where there is nothing.

        Where there is more than is shown, the last diagnostic says how much.
        """
        if not self._found:
            return
        shown = sorted(self._found, key=lambda found: (found.line, found.column))
        if self._left is not None:
            more = len(self._places) - len(shown)
            message = f"{more} more mistake{' is' if more == 1 else 's are'} not shown"
            shown.append(replace(self._left, message=message, help=None))
        raise CelError(tuple(shown))


def did_you_mean(name: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """A help text that names the nearest known names, or None where nothing is near.

    Takes a bounded time however many names are known and however long they are.
    """
    near = nearest(name, known, cutoff)
    return f"did you mean {' or '.join(f'`{found}`' for found in near)}?" if near else None


def nearest(name: str, known: Iterable[str], cutoff: float = 0.6) -> list[str]:
    """At most two known names that are nearly this one: but for letter case and underscores, or by their letters.

    `cutoff` says how alike they have to be, up to 1.
    """
    if len(name) > _LONGEST_NAME:
        return []
    few = islice((one for one in known if one != name and len(one) <= _LONGEST_NAME), _MOST_NAMES)
    candidates = sorted(set(few))
    plain = _plain(name)
    same = [one for one in candidates if _plain(one) == plain]
    return same[:2] or get_close_matches(name, candidates, n=2, cutoff=cutoff)


def _plain(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower()
