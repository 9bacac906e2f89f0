"""Patterns of tool ids: `*` stands for any run of characters and does not cross the slash.

Everything else stands for itself: letters keep their case, a dot is a dot. Two more questions are answered here than
whether a pattern selects a tool: whether two patterns can select one, and whether a pattern is a slip of the pen away
from a tool.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Self

from oap_core.names import check_name

__all__ = ["ToolGlob", "slip"]

_ELSEWHERE: Final = frozenset("?[]{}!\\")


class ToolGlob(str):
    """A pattern `source/name`. Raises TypeError for anything but a string and ValueError for a malformed one."""

    __slots__ = ()

    def __new__(cls, text: str) -> Self:
        """Check the text."""
        check_name(text, "a tool pattern")
        if text == "*":
            raise ValueError("`*` does not cross the slash: every tool is `*/*`")
        source, _, name = text.partition("/")
        if text.count("/") != 1 or not source or not name:
            raise ValueError(f"a tool pattern is `source/name` with one slash: `{text}`")
        if special := next((char for char in text if char in _ELSEWHERE), None):
            raise ValueError(f"`{special}` means nothing in a tool pattern: only `*` stands for other characters")
        if "**" in text:
            raise ValueError("`**` means nothing in a tool pattern: one `*` is enough")
        return super().__new__(cls, text)

    @property
    def literal(self) -> bool:
        """Whether it names one tool."""
        return "*" not in self

    @property
    def source(self) -> str | None:
        """The one source that it speaks about, or None where that is a pattern."""
        source = self.partition("/")[0]
        return None if "*" in source else source

    def selects(self, tool: str) -> bool:
        """Whether a tool id fits."""
        return self == tool if self.literal else _compiled(self).fullmatch(tool) is not None

    def meets(self, other: ToolGlob) -> bool:
        """Whether there can be a tool id that both select."""
        return all(_meet(one, two) for one, two in zip(self.split("/"), other.split("/"), strict=True))


@lru_cache(maxsize=4096)
def _compiled(pattern: str) -> re.Pattern[str]:
    # Atomic groups: a star takes the shortest run up to the next literal for good, so that no pattern tries many
    # splits. The last literal of a part has to end it, and is looked for from behind.
    return re.compile("/".join(map(_part_pattern, pattern.split("/"))))


def _part_pattern(part: str) -> str:
    first, *others = map(re.escape, part.split("*"))
    if not others:
        return first
    *middle, last = others
    found = "".join(f"(?>[^/]*?{literal})" for literal in middle)
    return f"{first}{found}[^/]*{last}"


@lru_cache(maxsize=4096)
def _meet(one: str, other: str) -> bool:
    """Whether two patterns of one part can fit one text.

    Bit j of `reached` says that what was read of `one` can fit the first j characters of `other`.
    """
    places, stars = _places(other)
    whole = (1 << len(other) + 1) - 1
    reached = 1 | (stars & 1) << 1
    for char in one:
        if char == "*":
            # It takes any run of the other, so everything behind the first place can be reached.
            reached = whole & ~((reached & -reached) - 1)
        else:
            reached = (reached & places.get(char, 0)) << 1 | reached & stars
            reached |= (reached & stars) << 1
        if not reached:
            return False
    return bool(reached >> len(other))


@lru_cache(maxsize=4096)
def _places(pattern: str) -> tuple[dict[str, int], int]:
    """Where each character stands in a pattern, as bits, and where its stars do."""
    places: dict[str, int] = {}
    for number, char in enumerate(pattern):
        places[char] = places.get(char, 0) | 1 << number
    return places, places.pop("*", 0)


def slip(pattern: ToolGlob, tool: str) -> bool:
    """Whether a pattern that selects nothing known may be a misspelling of one that selects this tool.

    In the source and in the name, one character may be wrong, missing, too many or exchanged with its neighbour, two in
    a part of eight or more; letters may have another case. It says false where the pattern selects the tool.
    """
    if pattern.selects(tool):
        return False
    parts = zip(pattern.casefold().split("/"), tool.casefold().split("/"), strict=False)
    return all(_near(one, other) for one, other in parts)


@lru_cache(maxsize=65536)
def _near(pattern: str, text: str) -> bool:
    allowed = 2 if len(pattern.replace("*", "")) >= 8 else 1
    if pattern == "*":
        return True
    return _distance(pattern, text) <= allowed


_FAR: Final = 3


def _distance(pattern: str, text: str) -> int:
    """Fewest edits (insert, delete, replace, swap of neighbours) to make a text that the pattern fits."""
    before_last: list[int] = []
    last = list(range(len(text) + 1))
    for i, a in enumerate(pattern, 1):
        row = [last[0] + (a != "*")]
        for j, b in enumerate(text, 1):
            if a == "*":
                row.append(min(last[j], row[j - 1]))
                continue
            # One number for another is another tool, such as the second database, and no slip.
            exchanged = _FAR if a.isdigit() and b.isdigit() and a != b else int(a != b)
            missing, extra = (_FAR if one.isdigit() else 1 for one in (b, a))
            best = min(last[j] + extra, row[j - 1] + missing, last[j - 1] + exchanged)
            if i > 1 and j > 1 and a == text[j - 2] and pattern[i - 2] == b:
                best = min(best, before_last[j - 2] + 1)
            row.append(best)
        before_last, last = last, row
    return last[-1]
