"""The bounds that every expression, activation and evaluation stays within (design.md section 7).

A bound that is met is an error: a load error where the author can see it, an error outcome where only the
data can. No bound is ever met by cutting, rounding or guessing.
"""

from typing import Final

SOURCE_BYTES: Final = 8192
"""Longest source of one expression, in UTF-8 bytes."""

NESTING: Final = 64
"""Deepest nesting of one expression; a chain of `+`, of `.field` or of `? :` counts one level a link."""

DEFINITION_NESTING: Final = 128
"""Deepest nesting of one expression with the definitions that it reads in place of their names."""

LITERAL_ELEMENTS: Final = 200
"""Most elements of one list or map literal; larger sets belong into the `constants` of a policy."""

REGEX_CHARACTERS: Final = 1000
"""Longest regular expression."""

EVALUATION_UNITS: Final = 10_000
"""Budget of one evaluation. One iteration of a macro costs a unit, and so do 1,000 characters searched or built."""

UNIT_CHARACTERS: Final = 1000
"""Characters (or bytes) of text searched or built for one unit."""

UNIT_ELEMENTS: Final = 16
"""List elements compared, searched or copied for one unit."""

TEXT_CHARACTERS: Final = 4_000_000
"""Longest string or bytes value that an evaluation may build, and most characters of text in one activation."""

ACTIVATION_NODES: Final = 200_000
"""Most values (leaves, lists and maps together) in one activation."""

ACTIVATION_DEPTH: Final = 64
"""Deepest nesting of lists and maps in one activation."""

INT_MIN: Final = -(2**63)
INT_MAX: Final = 2**63 - 1
UINT_MAX: Final = 2**64 - 1
