"""The core of OAP: what every tool call of an agent passes before anything happens.

The names below are the public ones of the foundation; each is imported from its module when it is first asked for, so
that `import oap_core` alone costs next to nothing. Conditions have a package of their own, `oap_core.cel`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from oap_core.clock import Clock, FrozenClock, SystemClock
    from oap_core.combine import combine_call, combine_content
    from oap_core.decision import Decision, Finding, Judgement, RuleRef, Verdict
    from oap_core.diagnostic import Diagnostic
    from oap_core.errors import CelError, ConfigError, HostError, OAPError, PluginError, PolicyError
    from oap_core.exits import Exit, ExitCode
    from oap_core.kinds import Effect, Kind
    from oap_core.names import RuleAddress, ToolId
    from oap_core.types import Reach, SessionRef, Stage, Subject, ToolCall, ToolResult, View

__version__ = "0.1.0"

__all__ = [
    "CelError", "Clock", "ConfigError", "Decision", "Diagnostic", "Effect", "Exit", "ExitCode", "Finding", "FrozenClock",
    "HostError", "Judgement", "Kind", "OAPError", "PluginError", "PolicyError", "Reach", "RuleAddress", "RuleRef",
    "SessionRef", "Stage", "Subject", "SystemClock", "ToolCall", "ToolId", "ToolResult", "Verdict", "View",
    "combine_call", "combine_content",
]  # fmt: skip

_MODULES: Final = {
    "clock": ("Clock", "FrozenClock", "SystemClock"),
    "combine": ("combine_call", "combine_content"),
    "decision": ("Decision", "Finding", "Judgement", "RuleRef", "Verdict"),
    "diagnostic": ("Diagnostic",),
    "errors": ("CelError", "ConfigError", "HostError", "OAPError", "PluginError", "PolicyError"),
    "exits": ("Exit", "ExitCode"),
    "kinds": ("Effect", "Kind"),
    "names": ("RuleAddress", "ToolId"),
    "types": ("Reach", "SessionRef", "Stage", "Subject", "ToolCall", "ToolResult", "View"),
}


def __getattr__(name: str) -> Any:
    for module, names in _MODULES.items():
        if name in names:
            return getattr(import_module(f"oap_core.{module}"), name)
    raise AttributeError(f"module `oap_core` has no attribute `{name}`")
