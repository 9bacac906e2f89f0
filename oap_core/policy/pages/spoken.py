"""Whether a rule speaks about a tool of the catalog, as far as can be said before there is a call."""

from __future__ import annotations

from oap_core.policy.catalog import ToolDefinition
from oap_core.policy.rules import Rule
from oap_core.policy.selection import all_select
from oap_core.types import Stage

__all__ = ["spoken"]


def spoken(rule: Rule, tool: ToolDefinition) -> bool:
    """Whether the selections of a rule, and what its condition says of the tool alone, leave this tool over."""
    if rule.ref.stage is Stage.PROMPT or (rule.constraint is not None and tool.id not in rule.constraint):
        return False
    return all_select(rule.matches, tool.id, tool) is True
