"""Searching with regular expressions: `matches`, for patterns known at load and for those that are not."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from oap_core.cel.failure import Code, EvalError
from oap_core.cel.functions import Function, Overload
from oap_core.cel.limits import REGEX_CHARACTERS
from oap_core.cel.regexes import Regex, compiled
from oap_core.cel.types import BOOL, STRING

WEIGHT_INSTRUCTIONS: Final = 100
"""Instructions of a pattern that, at worst, search as fast as other functions on text."""

COMPILE_UNITS: Final = 100
"""What making a pattern out of text costs during an evaluation, in units of the budget: at worst some 30 ms."""

DYNAMIC_WORK_UNIT: Final = 10_000
"""Instructions times characters for one unit, where the pattern is not known at load."""

_FIXED_MEMORY: Final = 1 << 20
_DYNAMIC_MEMORY: Final = 1 << 20
_DYNAMIC_PATTERNS: Final = 64


def compile_pattern(text: str) -> Callable[[str], bool]:
    """A search for the pattern anywhere in a text.

    Raises `EvalError` (bad_regex) where the text is not RE2, too long or too large. The search raises as
    `Regex.found`.
    """
    return _known(text).found


def pattern_weight(text: str) -> int:
    """By how much the cost of a search grows for the pattern: 1 for an ordinary one.

    Raises `EvalError` (bad_regex).
    """
    return 1 + _known(text).instructions // WEIGHT_INSTRUCTIONS


def matches(text: str, pattern: str) -> bool:
    """Whether the pattern, which is not known before, is found anywhere in the text. Raises as `compile_pattern`."""
    if len(pattern) > REGEX_CHARACTERS:
        raise EvalError(Code.BAD_REGEX)
    return _dynamic(pattern).found(text)


def search_units(text: str, pattern: str) -> int:
    """What a search costs besides, with a pattern that comes with the call: somebody else may have chosen it."""
    if len(pattern) > REGEX_CHARACTERS:
        return 0
    try:
        return len(text) * _dynamic(pattern).instructions // DYNAMIC_WORK_UNIT
    except EvalError:
        return 0


@lru_cache(maxsize=_DYNAMIC_PATTERNS)
def _dynamic(pattern: str) -> Regex:
    return _required(pattern, _DYNAMIC_MEMORY)


@lru_cache(maxsize=16)
def _known(pattern: str) -> Regex:
    """A pattern of a condition. The checker and the compiler ask for the same one, a moment apart."""
    if len(pattern) > REGEX_CHARACTERS:
        raise EvalError(Code.BAD_REGEX)
    return _required(pattern, _FIXED_MEMORY)


def _required(pattern: str, memory: int) -> Regex:
    regex = compiled(pattern, memory)
    if regex is None:
        raise EvalError(Code.BAD_REGEX)
    return regex


FUNCTIONS: Final = (
    Function(
        "matches",
        (
            Overload((STRING, STRING), BOOL, matches, method=True, scans=True, units=COMPILE_UNITS, extra=search_units),
            Overload((STRING, STRING), BOOL, matches, scans=True, units=COMPILE_UNITS, extra=search_units),
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
