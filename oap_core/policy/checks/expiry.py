"""Rules and exceptions whose end has passed: a warning, since they say something that no longer holds."""

from __future__ import annotations

from datetime import datetime

from oap_core.diagnostic import Diagnostic
from oap_core.policy.codes import FileCode
from oap_core.policy.report import warn
from oap_core.policy.rules import Rule, RuleException, active
from oap_core.policy.tree import Span

__all__ = ["check_expiry"]


def check_expiry(
    thing: Rule | RuleException, now: datetime | None, span: Span, file: str | None, problems: list[Diagnostic]
) -> None:
    """Warn where something is not active any more; `span` is the place of its `expires`, and None knows no time."""
    if now is not None and not active(thing, now):
        what = f"the rule `{thing.address}`" if isinstance(thing, Rule) else f"the exception `{thing.id}`"
        message = f"{what} has ended and does nothing any more"
        problems.append(warn(FileCode.EXPIRED, span, message, "take it away, or give it a new end", file=file))
