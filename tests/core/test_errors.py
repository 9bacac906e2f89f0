from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from typing import Any

import pytest

from oap_core.diagnostic import Diagnostic, Severity
from oap_core.errors import CelError, ConfigError, HostError, OAPError, PluginError, PolicyError

FIRST = Diagnostic("CEL101", "not valid CEL here", 1, 3, 1, 4, file="a.yaml")
SECOND = Diagnostic("CEL201", "unknown variable `tol`", 2, 1, 2, 4, severity=Severity.WARNING)


@pytest.mark.parametrize("kind", [PolicyError, CelError, PluginError, ConfigError, HostError])
def test_one_base_catches_everything(kind: type[Exception]) -> None:
    assert issubclass(kind, OAPError)


def test_an_expression_that_does_not_load_is_a_policy_error() -> None:
    with pytest.raises(PolicyError) as caught:
        raise CelError([FIRST])
    assert caught.value.diagnostics == (FIRST,)


def test_a_policy_error_carries_all_diagnostics_in_order() -> None:
    error = PolicyError(one for one in (FIRST, SECOND))
    assert error.diagnostics == (FIRST, SECOND)
    assert str(error) == ("error[CEL101] a.yaml:1:3  not valid CEL here\nwarning[CEL201] 2:1  unknown variable `tol`")


def test_a_policy_error_without_a_diagnostic_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        PolicyError([])


@pytest.mark.parametrize("kind", [PolicyError, CelError])
def test_only_diagnostics_are_carried(kind: type[PolicyError]) -> None:
    with pytest.raises(TypeError, match="Diagnostic"):
        kind(["unknown variable"])  # type: ignore[list-item]  # on purpose


def test_a_plugin_error_names_plugin_and_hook() -> None:
    error = PluginError("the hook is misspelt", "oap-limits", "pre_tool_cal")
    assert (error.plugin, error.hook) == ("oap-limits", "pre_tool_cal")
    assert str(error) == "plugin `oap-limits`, hook `pre_tool_cal`: the hook is misspelt"


def test_a_plugin_error_may_be_about_no_hook() -> None:
    error = PluginError("it cannot be imported", "oap-limits")
    assert error.hook is None
    assert str(error) == "plugin `oap-limits`: it cannot be imported"


def test_a_config_error_may_point_into_a_file() -> None:
    assert ConfigError("no policies").diagnostics == ()
    assert str(ConfigError("no policies")) == "no policies"
    assert str(ConfigError("the configuration is unusable", [FIRST])) == f"the configuration is unusable\n{FIRST}"


@pytest.mark.parametrize(
    "error",
    [
        PolicyError([FIRST, SECOND]),
        CelError([FIRST]),
        PluginError("m", "p", "h"),
        ConfigError("m", [FIRST]),
        HostError("m"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_survives_a_copy_and_a_process_border(error: OAPError) -> None:
    moved = pickle.loads(pickle.dumps(error))  # noqa: S301  # our own bytes
    for other in (copy.copy(error), moved):
        assert type(other) is type(error)
        assert str(other) == str(error)
        assert vars(other) == vars(error)


def imported_by(module: str) -> Any:
    """Import a module in a fresh interpreter and give the names of all modules that this pulled in."""
    code = f"import sys, {module}; print(*sorted(sys.modules))"
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()


@pytest.mark.parametrize("module", ["errors", "types", "kinds", "decision", "combine", "clock"])
def test_the_foundation_pulls_in_nothing_heavy(module: str) -> None:
    pulled = {name.partition(".")[0] for name in imported_by(f"oap_core.{module}")}
    assert "oap_core" in pulled
    assert not pulled & {"pydantic", "celpy", "lark", "re2", "yaml", "jsonschema", "click", "pluggy", "asyncio"}


def test_errors_import_nothing_of_the_core_but_diagnostics() -> None:
    ours = {name for name in imported_by("oap_core.errors") if name.startswith("oap_core.")}
    assert ours == {"oap_core.diagnostic", "oap_core.errors"}
