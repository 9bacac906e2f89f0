"""Regular expressions: RE2 alone, whose time grows with the text and never explodes.

A pattern is bounded in length, in the size of its program and in the memory that it may use. The work of one search is
bounded too, since a pattern with large repetitions is slow on a text that is made for it.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from oap_core.cel.failure import Code, EvalError
from oap_core.cel.functions import Function, Overload
from oap_core.cel.limits import REGEX_CHARACTERS
from oap_core.cel.types import BOOL, STRING

INSTRUCTIONS: Final = 12_000
"""Most instructions of a compiled pattern; an ordinary one has some dozens."""

WORK: Final = 500_000_000
"""Most that one search may take: instructions of the pattern times bytes of the text, at worst some seconds."""

WEIGHT_INSTRUCTIONS: Final = 100
"""Instructions of a pattern that, at worst, search as fast as other functions on text."""

COMPILE_UNITS: Final = 100
"""What making a pattern out of text costs during an evaluation, in units of the budget: at worst some 30 ms."""

_FIXED_MEMORY: Final = 8 << 20
_DYNAMIC_MEMORY: Final = 1 << 20
_DYNAMIC_PATTERNS: Final = 64
_NO_MATCH: Final = [(-1, -1)]


def compile_pattern(text: str) -> Callable[[str], bool]:
    """A search for the pattern anywhere in a text.

    Raises `EvalError` (bad_regex) where the text is not RE2, too long or too large. The search raises `EvalError`:
    too_large where it would take too long, invalid_argument for a text with a lone surrogate.
    """
    return _search(_compiled(text, _FIXED_MEMORY))


def pattern_weight(text: str) -> int:
    """By how much the cost of a search grows for the pattern: 1 for an ordinary one.

    Raises `EvalError` (bad_regex).
    """
    size: int = _compiled(text, _FIXED_MEMORY).programsize
    return 1 + size // WEIGHT_INSTRUCTIONS


def matches(text: str, pattern: str) -> bool:
    """Whether the pattern, which is not known before, is found anywhere in the text. Raises as `compile_pattern`."""
    if len(pattern) > REGEX_CHARACTERS:
        raise EvalError(Code.BAD_REGEX)
    return _dynamic_search(pattern)(text)


@lru_cache(maxsize=_DYNAMIC_PATTERNS)
def _dynamic_search(pattern: str) -> Callable[[str], bool]:
    return _search(_compiled(pattern, _DYNAMIC_MEMORY))


@lru_cache(maxsize=16)
def _compiled(text: str, memory: int) -> Any:
    """The pattern as RE2 has it. The checker and the compiler ask for the same one, a moment apart."""
    import re2

    if len(text) > REGEX_CHARACTERS:
        raise EvalError(Code.BAD_REGEX)
    options = re2.Options()
    options.max_mem = memory
    # It would print the pattern.
    options.log_errors = False
    # Without groups to report, a search never needs the slowest of RE2's engines.
    options.never_capture = True
    try:
        compiled = re2.compile(text, options)
    except (re2.error, UnicodeEncodeError):
        raise EvalError(Code.BAD_REGEX) from None
    if compiled.programsize > INSTRUCTIONS:
        raise EvalError(Code.BAD_REGEX)
    return compiled


def _search(compiled: Any) -> Callable[[str], bool]:
    """RE2's own search without the wrapper around it, which takes most of the time to translate offsets nobody wants."""
    most = WORK // compiled.programsize
    match, anchor = compiled._regexp.Match, type(compiled._regexp).Anchor.UNANCHORED  # noqa: SLF001

    def search(text: str) -> bool:
        try:
            data = text.encode()
        except UnicodeEncodeError:
            raise EvalError(Code.INVALID_ARGUMENT) from None
        size = len(data)
        if size > most:
            raise EvalError(Code.TOO_LARGE)
        return bool(match(anchor, data, 0, size) != _NO_MATCH)

    return search


FUNCTIONS: Final = (
    Function(
        "matches",
        (
            Overload((STRING, STRING), BOOL, matches, method=True, scans=True, units=COMPILE_UNITS),
            Overload((STRING, STRING), BOOL, matches, scans=True, units=COMPILE_UNITS),
        ),
        "Whether a regular expression in RE2 syntax is found anywhere in the string; `^` and `$` make it the whole. "
        "`\\d`, `\\w` and `\\s` are ASCII.",
        (
            ("'invoice-2026'.matches('[0-9]{4}$')", "true"),
            ("matches('abc', '^b')", "false"),
        ),
    ),
)
"""`matches`, as a method and as a function."""
