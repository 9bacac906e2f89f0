"""The exceptions of OAP, in a module of their own at the bottom so that every other module can raise them.

A denial is a value and never an exception. No message here holds the text of a third party's exception or a value of
a call.
"""

from __future__ import annotations

from collections.abc import Iterable

from oap_core.diagnostic import Diagnostic

__all__ = ["CelError", "ConfigError", "HostError", "OAPError", "PluginError", "PolicyError"]


class OAPError(Exception):
    """Catches everything that OAP raises on purpose; it is never raised itself."""


class PolicyError(OAPError):
    """Policies could not be loaded; carries all diagnostics at once, not the first one alone.

    `str()` gives one line a diagnostic, without source text; use `oap_core.diagnostic.render` for the caret form.
    """

    diagnostics: tuple[Diagnostic, ...]
    """Everything that is wrong, in the order of the text; never empty, and warnings may stand among the errors."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Raise ValueError where there is no diagnostic, because an error without a place helps nobody."""
        self.diagnostics = _tuple_of_diagnostics(diagnostics)
        if not self.diagnostics:
            raise ValueError("a policy error needs at least one diagnostic")
        # The arguments equal those of the constructor, so that a copy or a pickle builds the same error again.
        super().__init__(self.diagnostics)

    def __str__(self) -> str:
        return "\n".join(str(diagnostic) for diagnostic in self.diagnostics)


class CelError(PolicyError):
    """A CEL expression could not be loaded: it does not parse, does not check, or costs too much.

    It is about the expression alone. An expression that loaded and then fails on a call raises nothing: its outcome
    is an error, which counts against the call.
    """


class PluginError(OAPError):
    """A plugin broke its contract where that cannot be a finding, for instance at the start.

    During a call nothing raises across the hook border: a plugin that fails there is `unjudged`.
    """

    plugin: str
    """Name of the plugin, as the configuration spells it."""
    hook: str | None
    """Name of the hook, or None where no hook was involved, such as at an import."""

    def __init__(self, message: str, plugin: str, hook: str | None = None) -> None:
        super().__init__(message, plugin, hook)
        self.plugin = plugin
        self.hook = hook

    def __str__(self) -> str:
        place = f"`{self.plugin}`" if self.hook is None else f"`{self.plugin}`, hook `{self.hook}`"
        return f"plugin {place}: {self.args[0]}"


class ConfigError(OAPError):
    """The configuration is unusable, so nothing starts; carries diagnostics where the mistake has a place in a file."""

    diagnostics: tuple[Diagnostic, ...]
    """Everything that is wrong in the files, or an empty tuple where no file is to blame."""

    def __init__(self, message: str, diagnostics: Iterable[Diagnostic] = ()) -> None:
        self.diagnostics = _tuple_of_diagnostics(diagnostics)
        super().__init__(message, self.diagnostics)

    def __str__(self) -> str:
        return "\n".join([str(self.args[0]), *(str(diagnostic) for diagnostic in self.diagnostics)])


class HostError(OAPError):
    """The embedding program used the API against its contract, for instance two tools under one flat name."""


def _tuple_of_diagnostics(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    collected = tuple(diagnostics)
    if not all(isinstance(diagnostic, Diagnostic) for diagnostic in collected):
        raise TypeError("an error carries `Diagnostic` values only")
    return collected
