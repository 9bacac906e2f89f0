"""What host functions cost beyond the size of their arguments, so that a loop over hostile ones stays in its budget."""

from typing import Final

from oap_core.cel.host.patterns import ALTERNATIVES, PATTERN_CHARACTERS

_PATTERN_UNIT: Final = 25
"""Characters of a pattern, counted in each of its alternatives, for one unit."""


def foreign_units(*arguments: object) -> int:
    """A unit for each character of a text that is not ASCII alone: such names go through the rules of three standards."""
    units = 0
    for argument in arguments:
        texts = argument if isinstance(argument, tuple) else (argument,)
        units += sum(len(text) for text in texts if isinstance(text, str) and not text.isascii())
    return units


def pattern_units(_path: str, pattern: str, _base: str = "") -> int:
    """By the length of a pattern in all its alternatives, which is what making a matcher of it takes."""
    if len(pattern) > PATTERN_CHARACTERS:
        return 0
    several = "{" in pattern
    most = min(ALTERNATIVES, 2 ** min(pattern.count(","), 6) * (1 + pattern.count(","))) if several else 1
    return len(pattern) * most // _PATTERN_UNIT
