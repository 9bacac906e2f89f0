"""The bounds that a rule set stays within, beside those of one file and of one condition."""

from __future__ import annotations

from typing import Final

__all__ = ["TOOL_UNITS"]

TOOL_UNITS: Final = 250_000
"""Most that the conditions of one tool at one stage may cost together, by their static estimates, in units of
`oap_core.cel.limits.EVALUATION_UNITS`: 25 conditions that each use up a whole budget."""
