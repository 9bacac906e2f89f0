"""What an evaluation can end in: a value, a match, no match, or an error with a code and a place.

Nothing here carries a value of the activation, so nothing here can leak one into a message or a log.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Code(StrEnum):
    """Why an expression could not be evaluated. A closed set: each code has one sentence in `MEANING`."""

    NO_SUCH_KEY = "no_such_key"
    NO_SUCH_VARIABLE = "no_such_variable"
    NO_SUCH_OVERLOAD = "no_such_overload"
    INDEX_OUT_OF_RANGE = "index_out_of_range"
    DUPLICATE_KEY = "duplicate_key"
    DIVIDE_BY_ZERO = "divide_by_zero"
    OUT_OF_RANGE = "out_of_range"
    INVALID_ARGUMENT = "invalid_argument"
    BAD_REGEX = "bad_regex"
    BUDGET = "budget"
    TOO_LARGE = "too_large"
    TOO_DEEP = "too_deep"
    NOT_BOOLEAN = "not_boolean"
    UNREPRESENTABLE = "unrepresentable"
    INTERNAL = "internal"


MEANING: Final[dict[Code, str]] = {
    Code.NO_SUCH_KEY: "the map has no such key",
    Code.NO_SUCH_VARIABLE: "the variable was not given",
    Code.NO_SUCH_OVERLOAD: "the operator or function does not take values of these types",
    Code.INDEX_OUT_OF_RANGE: "the index lies outside the list or text",
    Code.DUPLICATE_KEY: "the map literal has one key twice",
    Code.DIVIDE_BY_ZERO: "division or remainder by zero",
    Code.OUT_OF_RANGE: "the result or value lies outside the range of its type",
    Code.INVALID_ARGUMENT: "the function cannot make sense of this value",
    Code.BAD_REGEX: "the regular expression is not valid RE2 or is too large",
    Code.BUDGET: "the evaluation used up its budget",
    Code.TOO_LARGE: "a value is larger than an evaluation may hold",
    Code.TOO_DEEP: "a value is nested deeper than an evaluation may hold",
    Code.NOT_BOOLEAN: "the condition is not a boolean",
    Code.UNREPRESENTABLE: "the data holds something that CEL values cannot represent exactly",
    Code.INTERNAL: "the evaluation failed for a reason of its own",
}


class EvalError(Exception):
    """Raised inside an evaluation and never out of it: `Program` turns it into a `Failure` or an `Outcome`.

    Host functions raise it with a code alone; the place is filled in by the call that failed.
    """

    __slots__ = ("code", "offset")

    def __init__(self, code: Code, offset: int = -1) -> None:
        super().__init__(code)
        self.code = code
        """Why."""
        self.offset = offset
        """Where, in code points from the start of the source; -1 while unknown."""


@dataclass(frozen=True, slots=True)
class Failure:
    """The result of an evaluation that produced no value."""

    code: Code
    """Why."""
    line: int
    """Where, from 1; 0 where the data as a whole is at fault."""
    column: int
    """Where, from 1, in code points; 0 where the data as a whole is at fault."""

    @property
    def meaning(self) -> str:
        """One sentence about the code; it never holds a value of the activation."""
        return MEANING[self.code]


@dataclass(frozen=True, slots=True)
class Outcome:
    """Whether a condition holds: `MATCH`, `NO_MATCH`, or an error. It has no truth value on purpose."""

    matched: bool | None
    """True, False, or None where it cannot be told."""
    failure: Failure | None = None
    """Set exactly where `matched` is None."""

    def __bool__(self) -> bool:
        """Refuse: an outcome has three cases, and an `if` knows only two."""
        message = "an Outcome has three cases; compare it with MATCH or NO_MATCH"
        raise TypeError(message)


MATCH: Final = Outcome(matched=True)
NO_MATCH: Final = Outcome(matched=False)
