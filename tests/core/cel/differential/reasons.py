"""Why cel-python may raise where the specification asks for a value: the whole list, each with how it is recognised.

Only raising is excused, and only for an expression that has the construct and with the error that goes with it. A value
that differs is never excused.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

_CASCADE: Final = r"applied to .*CELEvalError"
"""An error that met an operator, which then took the two for an unknown overload."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One kind of error that cel-python should not have raised."""

    name: str
    """What is wrong with it."""
    constructs: frozenset[str]
    """One of these occurs in the expression."""
    said: re.Pattern[str]
    """How the outcome begins."""
    example: str
    """An expression over the schema that has a value, but not with cel-python."""

    def excuses(self, constructs: Collection[str], said: str) -> bool:
        """Whether an expression with these constructs may end so."""
        return not self.constructs.isdisjoint(constructs) and self.said.match(said) is not None


def _reason(name: str, constructs: tuple[str, ...], said: str, example: str) -> Reason:
    return Reason(name, frozenset(constructs), re.compile(said, re.DOTALL), example)


REASONS: Final = (
    _reason(
        "map with a condition is not known",
        ("map with a condition",),
        r"raised ValueError too many values to unpack",
        "2 in [1, 2].map(v, v > 1, v)",
    ),
    _reason(
        "values of different types do not compare",
        ("dyn ==", "dyn !="),
        rf"error (found no matching overload for Token\('RULE', 'relation_|no such overload|.*{_CASCADE})",
        "args.any != null",
    ),
    _reason(
        "a sum is a bare str, bytes or timedelta, which has no methods",
        ("string +", "bytes +", "duration +", "duration -", "timestamp - timestamp"),
        rf"error (no such overload|.*{_CASCADE})",
        '("a" + "b").contains("b")',
    ),
    _reason(
        "an error in the body of a macro is not absorbed by && or || around it",
        ("exists_one", "filter", "map"),
        r"error ",
        "[1].exists_one(v, args.nothing == 1) || true",
    ),
    _reason(
        "an error in a conditional cannot be printed, and the attempt ends the evaluation",
        ("?:",),
        r"raised IndexError pop from empty list",
        '[1, 2].exists(v, (args.nothing ? ["a"] : []).all(w, true)) || true',
    ),
)
"""The list."""


def excuse(constructs: Collection[str], said: str) -> Reason | None:
    """The reason for which cel-python may end so on such an expression, or None."""
    return next((reason for reason in REASONS if reason.excuses(constructs, said)), None)
