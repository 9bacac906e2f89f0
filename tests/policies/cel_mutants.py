"""Changes to the meaning of a CEL expression, one at a time, made on its text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_TOKEN: Final = re.compile(
    r"""(?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
    |   (?P<has>has\([a-zA-Z_.]+\))
    |   (?P<macro>\.(?:all|exists)\()
    |   (?P<word>[A-Za-z_][A-Za-z0-9_]*)
    |   (?P<number>\d+(?:\.\d+)?)
    |   (?P<sign><=|>=|==|!=|&&|\|\||<|>|!|\+)
    |   (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_SIGNS: Final = {
    "<": ("<=", ">"),
    "<=": ("<", ">="),
    ">": (">=", "<"),
    ">=": (">", "<="),
    "==": ("!=",),
    "!=": ("==",),
    "&&": ("||",),
    "||": ("&&",),
    "!": ("",),
    "+": (),
}


def mutants(source: str) -> Iterator[tuple[str, str]]:
    """What was changed, in a few words, and the changed source."""
    counts: dict[str, int] = {}
    for found in _TOKEN.finditer(source):
        kind, token = found.lastgroup or "", found[0]
        for new in _instead(kind, token):
            number = counts[f"{token}>{new}"] = counts.get(f"{token}>{new}", 0) + 1
            place = "" if number == 1 else f" #{number}"
            yield f"{token} -> {new or 'nothing'}{place}", source[: found.start()] + new + source[found.end() :]


def _instead(kind: str, token: str) -> tuple[str, ...]:
    if kind == "sign":
        return _SIGNS[token]
    if kind == "has":
        return ("true", "false")
    if kind == "macro":
        return (".exists(" if token == ".all(" else ".all(",)
    if kind == "number":
        return (str(int(token) + 1),) if token.isdigit() else (str(float(token) + 0.01),)
    if kind == "text":
        return (f"{token[:-1]}x{token[-1]}",)
    return ()


def pattern_mutants(pattern: str) -> Iterator[tuple[str, str]]:
    """The same for a regular expression: each alternative is left out once, and so are its anchors and its flag."""
    for found in re.finditer(r"(?<=[(|])([A-Za-z0-9_.\\-]+)\||\|([A-Za-z0-9_.\\-]+)(?=\))", pattern):
        word = found[1] or found[2]
        yield f"without |{word}", pattern[: found.start()] + pattern[found.end() :]
    for anchor in ("(?i)", "^", "$"):
        if (pattern.startswith(anchor) and anchor != "$") or (anchor == "$" and pattern.endswith("$")):
            yield f"without {anchor}", pattern.removeprefix(anchor) if anchor != "$" else pattern[:-1]
