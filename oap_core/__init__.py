"""The core of OAP: what every tool call of an agent passes before anything happens.

The names below are the public ones of the foundation; each is imported from its module when it is first asked for, so
that `import oap_core` alone costs next to nothing. Conditions have a package of their own, `oap_core.cel`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from oap_core.clock import Clock, FrozenClock, SystemClock
    from oap_core.combine import combine_call, combine_content
    from oap_core.decision import (
        Cause,
        Decision,
        Default,
        Finding,
        Judgement,
        Mode,
        RuleRef,
        RuleSeverity,
        Verdict,
        Waived,
        Waiver,
    )
    from oap_core.diagnostic import Diagnostic, Severity, render
    from oap_core.errors import CelError, ConfigError, HostError, OAPError, PluginError, PolicyError
    from oap_core.exits import Exit, ExitCode
    from oap_core.hookspecs import hookimpl
    from oap_core.kinds import Effect, Kind
    from oap_core.names import RuleAddress, ToolId
    from oap_core.types import MediaPart, Reach, SessionRef, Stage, Subject, TextPart, ToolCall, ToolResult, View

__version__ = "0.1.0"

_MODULES: Final = {
    "clock": ("Clock", "FrozenClock", "SystemClock"),
    "combine": ("combine_call", "combine_content"),
    "decision": (
        "Cause", "Decision", "Default", "Finding", "Judgement", "Mode", "RuleRef", "RuleSeverity", "Verdict", "Waived",
        "Waiver",
    ),
    "diagnostic": ("Diagnostic", "Severity", "render"),
    "errors": ("CelError", "ConfigError", "HostError", "OAPError", "PluginError", "PolicyError"),
    "exits": ("Exit", "ExitCode"),
    "hookspecs": ("hookimpl",),
    "kinds": ("Effect", "Kind"),
    "names": ("RuleAddress", "ToolId"),
    "types": (
        "MediaPart", "Reach", "SessionRef", "Stage", "Subject", "TextPart", "ToolCall", "ToolResult", "View",
    ),
}  # fmt: skip

__all__ = [
    "Cause", "CelError", "Clock", "ConfigError", "Decision", "Default", "Diagnostic", "Effect", "Exit", "ExitCode",
    "Finding", "FrozenClock", "HostError", "Judgement", "Kind", "MediaPart", "Mode", "OAPError", "PluginError",
    "PolicyError", "Reach", "RuleAddress", "RuleRef", "RuleSeverity", "SessionRef", "Severity", "Stage", "Subject",
    "SystemClock", "TextPart", "ToolCall", "ToolId", "ToolResult", "Verdict", "View", "Waived", "Waiver",
    "combine_call", "combine_content", "hookimpl", "render",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    for module, names in _MODULES.items():
        if name in names:
            found = globals()[name] = getattr(import_module(f"oap_core.{module}"), name)
            return found
    raise AttributeError(f"module `oap_core` has no attribute `{name}`")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
