"""The functions that CEL itself has, and its string extension; operators and macros belong to the compiler."""

from typing import Final

from oap_core.cel.functions import Registry
from oap_core.cel.standard import conversions, dates, format, regex, sizes, strings, text

STANDARD: Final = Registry.of(
    (
        *sizes.FUNCTIONS,
        *text.FUNCTIONS,
        *regex.FUNCTIONS,
        *conversions.FUNCTIONS,
        *dates.FUNCTIONS,
        *strings.FUNCTIONS,
        *format.FUNCTIONS,
    )
)
"""Every function that expressions have without a host or a plugin."""
