"""RE2, bounded: the one module that knows google-re2.

The time of a search grows with the text and never explodes; what a pattern may take in length, instructions and memory
is bounded here, and so is what one search may take.
"""

from collections.abc import Callable
from typing import Any, Final

from oap_core.cel.failure import Code, EvalError

INSTRUCTIONS: Final = 12_000
"""Most instructions of a compiled pattern; an ordinary one has some dozens."""

WORK: Final = 500_000_000
"""Most that one search may take: instructions of the pattern times bytes of the text, at worst some seconds."""

_NO_MATCH: Final = [(-1, -1)]


class Regex:
    """A compiled pattern. Immutable; any number of threads may search with it at once."""

    __slots__ = ("_search", "fullmatch", "instructions")

    def __init__(self, compiled: Any) -> None:
        self.instructions: int = compiled.programsize
        """Size of its program."""
        self.fullmatch: Callable[[bytes], object | None] = compiled.fullmatch
        """Gives None where the whole of a text in UTF-8 does not match."""
        self._search = direct_search(compiled) or plain_search(compiled)

    def found(self, text: str) -> bool:
        """Whether it matches anywhere in a text.

        Raises `EvalError`: too_large where the search would take too long, invalid_argument for a lone surrogate.
        """
        try:
            data = text.encode()
        except UnicodeEncodeError:
            raise EvalError(Code.INVALID_ARGUMENT) from None
        if len(data) * self.instructions > WORK:
            raise EvalError(Code.TOO_LARGE)
        return self._search(data)


def compiled(pattern: str, memory: int) -> Regex | None:
    """Compile a pattern within so many bytes of memory; None where RE2 does not take it or it is too large."""
    import re2

    options = re2.Options()
    options.max_mem = memory
    # It would print the pattern.
    options.log_errors = False
    # Without groups to report, a search never needs the slowest of RE2's engines.
    options.never_capture = True
    try:
        regex = Regex(re2.compile(pattern, options))
    except (re2.error, UnicodeEncodeError):
        return None
    return regex if regex.instructions <= INSTRUCTIONS else None


def direct_search(compiled: Any) -> Callable[[bytes], bool] | None:
    """RE2's own search, without the wrapper that takes most of the time to translate offsets nobody wants.

    None where this version of the library has no such search.
    """
    try:
        match, anchor = compiled._regexp.Match, type(compiled._regexp).Anchor.UNANCHORED  # noqa: SLF001
        if type(match(anchor, b"", 0, 0)) is not list:
            return None
    except (AttributeError, TypeError):
        return None
    return lambda data: bool(match(anchor, data, 0, len(data)) != _NO_MATCH)


def plain_search(compiled: Any) -> Callable[[bytes], bool]:
    """The search that the library documents."""
    search = compiled.search
    return lambda data: search(data) is not None
