"""What is said about a regular expression that is known at load and that RE2 does not take."""

import re
from typing import Final

from oap_core.cel.check.state import Checking
from oap_core.cel.codes import LoadCode
from oap_core.cel.failure import EvalError
from oap_core.cel.limits import REGEX_CHARACTERS
from oap_core.cel.standard.regex import pattern_weight
from oap_core.cel.tree import Literal
from oap_core.cel.wording import shown

_ESCAPED: Final = re.compile(r"\\[\s\S]|\\Z")
_CLASS: Final = re.compile(r"\[\^?\]?[^\]]*+\]")
_UNKNOWN_ESCAPE: Final = re.compile(r"\\([GHKLNRTUVXYZceghijklmouy]|x(?!\{?[0-9A-Fa-f]))")
_REPEATED: Final = re.compile(r"\{([0-9]{1,9})(?:,([0-9]{1,9})?)?\}")
_MOST_REPEATED: Final = 1000


def weight(state: Checking, node: Literal) -> int:
    """Compile a literal pattern, as the compiler will, and give its weight; report it where it is no pattern."""
    pattern = node.value
    if type(pattern) is not str:
        return 1
    if len(pattern) > REGEX_CHARACTERS:
        message = f"the regular expression has {len(pattern)} characters and may have {REGEX_CHARACTERS}"
        state.blame(LoadCode.REGEX, node, message, "write several shorter ones, with `||` between them")
        return 1
    try:
        return pattern_weight(pattern)
    except EvalError:
        message = f"`{shown(state.source, node)}` is not a regular expression that RE2 takes"
        state.blame(LoadCode.REGEX, node, message, _advice(pattern))
        return 1


def _advice(pattern: str) -> str:
    """What is wrong, as far as the pattern shows it, and what to write."""
    plain = _ESCAPED.sub("", pattern)
    outside = _CLASS.sub("", plain)
    escape = _UNKNOWN_ESCAPE.search(pattern)
    if any(mark in plain for mark in ("(?=", "(?!", "(?<=", "(?<!")):
        return "RE2 has no lookahead or lookbehind: write a second condition with `&&`"
    if any(f"\\{digit}" in pattern for digit in "123456789") or "(?P=" in pattern or "\\k<" in pattern:
        return "RE2 has no references back to a group"
    if "(?>" in outside or any(f"{mark}+" in outside for mark in "+*?}"):
        return "RE2 has no atomic groups or possessive repetition, and needs none"
    if escape is not None:
        return f"RE2 has no escape `\\{escape[1]}`; a backslash that is meant as a character is `\\\\` in a raw string"
    if "\\p" in pattern or "\\P" in pattern or "[:" in plain:
        return "a class of characters has a name that RE2 does not know; `\\p{L}` is any letter, `[[:alpha:]]` an ASCII one"
    return _advice_on_repetition(pattern, plain, outside)


def _advice_on_repetition(pattern: str, plain: str, outside: str) -> str:
    if "[" in outside or outside.count("(") != outside.count(")"):
        return "a bracket is not closed, or not opened; write `\\\\(` for one that is meant as a character"
    if "(?" in outside:
        return "RE2 takes `(?:...)`, `(?P<name>...)` and the flags `(?i)`, `(?m)`, `(?s)` and `(?U)` behind `(?`"
    bounds = [(int(low), int(high or low)) for low, high in _REPEATED.findall(plain)]
    if any(low > high or high > _MOST_REPEATED for low, high in bounds):
        return f"a repetition goes from the smaller number to the larger, and to {_MOST_REPEATED} at most"
    if pattern[:1] in ("*", "+", "?") or any(mark in outside for mark in ("(*", "|*", "(+", "|+", "^*", "**")):
        return "`*`, `+` and `?` repeat what stands before them, and here is nothing: any text is `.*`"
    if any(high > 100 for _, high in bounds):
        return "large repetitions multiply; write smaller ones"
    return "see whether its ranges go from the smaller to the larger character, and whether it ends in a backslash"
