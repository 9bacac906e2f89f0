"""Policies: from files that a security team writes to a set of rules that decides about calls.

The names below are the public ones; each is imported from its module when it is first asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from oap_core.policy.assemble import Assembled
    from oap_core.policy.catalog import Catalog, Standing, ToolDefinition
    from oap_core.policy.explain import Explanation
    from oap_core.policy.facts import Facts, SessionFacts
    from oap_core.policy.judge import Judged, RuleOutcome
    from oap_core.policy.load import Document, read
    from oap_core.policy.reach import Reachable, reachable
    from oap_core.policy.ruleset import RuleSet
    from oap_core.policy.setup import Setup
    from oap_core.policy.store import InForce, Reloaded, RuleStore

_MODULES: Final = {
    "assemble": ("Assembled",),
    "catalog": ("Catalog", "Standing", "ToolDefinition"),
    "explain": ("Explanation",),
    "facts": ("Facts", "SessionFacts"),
    "judge": ("Judged", "RuleOutcome"),
    "load": ("Document", "read"),
    "reach": ("Reachable", "reachable"),
    "ruleset": ("RuleSet",),
    "setup": ("Setup",),
    "store": ("InForce", "Reloaded", "RuleStore"),
}

__all__ = [
    "Assembled", "Catalog", "Document", "Explanation", "Facts", "InForce", "Judged", "Reachable", "Reloaded",
    "RuleOutcome", "RuleSet", "RuleStore", "SessionFacts", "Setup", "Standing", "ToolDefinition", "reachable", "read",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    for module, names in _MODULES.items():
        if name in names:
            found = globals()[name] = getattr(import_module(f"oap_core.policy.{module}"), name)
            return found
    raise AttributeError(f"module `oap_core.policy` has no attribute `{name}`")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
