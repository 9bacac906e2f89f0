"""The stable codes of what can be wrong with an expression before it runs.

A code never changes its meaning and is never reused: authors search for it, tests and editors rely on it.
"""

from enum import StrEnum
from typing import Final


class LoadCode(StrEnum):
    """Why an expression was not loaded. 1xx: its text, 2xx: its names, 3xx: its types, 4xx: its cost."""

    SYNTAX = "CEL101"
    LITERAL = "CEL102"
    UNSUPPORTED = "CEL103"
    RESERVED = "CEL104"
    TOO_LONG = "CEL105"
    TOO_DEEP = "CEL106"
    TOO_MANY_ELEMENTS = "CEL107"
    MACRO = "CEL108"
    CHARACTER = "CEL109"
    PARSER = "CEL110"
    UNKNOWN_VARIABLE = "CEL201"
    UNKNOWN_FUNCTION = "CEL202"
    UNKNOWN_CONSTANT = "CEL203"
    CALL_SHAPE = "CEL204"
    NO_OVERLOAD = "CEL301"
    NOT_BOOLEAN = "CEL302"
    UNKNOWN_FIELD = "CEL303"
    MAYBE_ABSENT = "CEL304"
    NEVER_EQUAL = "CEL305"
    REGEX = "CEL306"
    ALWAYS_FAILS = "CEL307"
    COST = "CEL401"


TITLES: Final[dict[LoadCode, str]] = {
    LoadCode.SYNTAX: "not a CEL expression",
    LoadCode.LITERAL: "malformed literal",
    LoadCode.UNSUPPORTED: "part of CEL that is left out here",
    LoadCode.RESERVED: "reserved word used as a name",
    LoadCode.TOO_LONG: "expression too long",
    LoadCode.TOO_DEEP: "expression nested too deep",
    LoadCode.TOO_MANY_ELEMENTS: "literal with too many elements",
    LoadCode.MACRO: "macro with wrong arguments",
    LoadCode.CHARACTER: "character that does not belong into an expression",
    LoadCode.PARSER: "parser that failed for a reason of its own",
    LoadCode.UNKNOWN_VARIABLE: "unknown variable",
    LoadCode.UNKNOWN_FUNCTION: "unknown function",
    LoadCode.UNKNOWN_CONSTANT: "unknown constant",
    LoadCode.CALL_SHAPE: "function called in the wrong shape",
    LoadCode.NO_OVERLOAD: "operator or function does not take these types",
    LoadCode.NOT_BOOLEAN: "condition is not a boolean",
    LoadCode.UNKNOWN_FIELD: "unknown field",
    LoadCode.MAYBE_ABSENT: "optional field read without `has()`",
    LoadCode.NEVER_EQUAL: "comparison that can never hold",
    LoadCode.REGEX: "regular expression that RE2 does not take",
    LoadCode.ALWAYS_FAILS: "part that fails whatever the call is",
    LoadCode.COST: "expression that may cost more than its budget",
}
