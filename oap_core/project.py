"""A project: one configuration, the plugins that it enables and the policies that it names, loaded together."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from oap_core.config import Config, find_config, load_config
from oap_core.diagnostic import Diagnostic
from oap_core.errors import ConfigError, PolicyError
from oap_core.plugins import Plugins, load_plugins
from oap_core.policy.assemble import Assembled, assemble
from oap_core.policy.codes import FileCode
from oap_core.policy.files import gather
from oap_core.policy.report import blame, failed, ordered
from oap_core.policy.ruleset import RuleSet
from oap_core.policy.scope import Vocabulary
from oap_core.policy.setup import NOWHERE, Setup

__all__ = ["Project", "load_project", "load_rules", "set_up"]


@dataclass(frozen=True, slots=True)
class Project:
    """What became of a configuration and its policies."""

    config: Config
    """The configuration."""
    plugins: Plugins
    """The plugins that it enables."""
    assembled: Assembled = field(repr=False)
    """The policies, with the diagnostics of everything."""

    @property
    def rules(self) -> RuleSet | None:
        """The rule set, or None where an error was found anywhere."""
        return self.assembled.rules

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Everything that was found, in the configuration, the plugins and the policies."""
        return self.assembled.diagnostics


def load_project(config: Path | None, base: Path, now: datetime, policies: tuple[Path, ...] | None = None) -> Project:
    """Load everything that a configuration file names; without a file, what holds where there is none.

    `policies` stand in for those that the configuration names; policies that it requires may then be missing. Never
    raises for what a file or a plugin holds.
    """
    read = load_config(config, base, now)
    if policies is not None:
        read = replace(read, required={}, reserved_for={})
    plugins, setup, problems = set_up(read)
    paths = read.policies if policies is None else policies
    documents = gather([*paths, *(path for path, _ in read.catalog)])
    assembled = assemble(documents, replace(setup, now=now))
    diagnostics = ordered([*read.diagnostics, *problems, *assembled.diagnostics])
    sources = {**{one.file or "": one.text for one in read.documents}, **assembled.sources}
    rules = None if failed(diagnostics) else assembled.rules
    return Project(read, plugins, Assembled(rules, diagnostics, sources, assembled.tests, assembled.policies))


def set_up(config: Config) -> tuple[Plugins, Setup, list[Diagnostic]]:
    """Load the plugins of a configuration: what they offer, what that makes of rule sets, and what is wrong."""
    names = None if config.plugins is None else [name for name, _ in config.plugins]
    plugins = load_plugins(names, config.functions)
    places = dict(config.plugins or ())
    problems = []
    for problem in plugins.problems:
        place = places.get(problem.plugin, NOWHERE)
        code = FileCode.UNKNOWN_PLUGIN if problem.missing else FileCode.PLUGIN_FAILED
        problems.append(blame(code, place.span, problem.message, problem.help, file=place.file))
    setup = Setup(
        plugins.effects,
        Vocabulary(plugins.functions, config.subject, config.session),
        config.default,
        config.reservations,
        config.required,
        config.reserved_for,
        config.observe_until,
        plugins.versions,
        config.file_system,
        bool(config.catalog),
    )
    return plugins, setup, problems


def load_rules(path: Path, now: datetime) -> RuleSet:
    """The rule set of the configuration that a folder has, or of the policies in it.

    Raises ConfigError where the configuration or a plugin is unusable, and PolicyError where a policy is.
    """
    found = path if path.is_file() else find_config(path)
    project = load_project(found, path if path.is_dir() else path.parent, now)
    if project.rules is not None:
        return project.rules
    wrong = [*project.config.diagnostics, *(one for one in project.diagnostics if one.code.startswith("OAP6"))]
    if failed(wrong):
        raise ConfigError("the configuration cannot be used", ordered(wrong))
    raise PolicyError(project.diagnostics)
