"""Which first-party plugin offers an effect or a function, so that a message can say what to enable."""

from __future__ import annotations

from typing import Final

__all__ = ["EFFECTS", "FUNCTIONS"]

EFFECTS: Final = {
    "allow": "oap-authorization",
    "deny": "oap-authorization",
    "plan": "oap-plan",
    "scan": "oap-pii",
    "redact": "oap-pii",
    "restore": "oap-pii",
    "limit": "oap-limits",
    "breaker": "oap-breaker",
    "truncate": "oap-content",
    "label": "oap-content",
}
"""Distributions by effect."""

FUNCTIONS: Final = {"shell": "oap-shell", "shell_programs": "oap-shell"}
"""Distributions by function."""
