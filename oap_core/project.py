"""A project: one configuration, the plugins that it enables and the policies that it names, loaded together."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from difflib import get_close_matches
from pathlib import Path

from oap_core.cel.codes import LoadCode
from oap_core.config import Config, find_config, load_config
from oap_core.diagnostic import Diagnostic, printable
from oap_core.errors import ConfigError, PolicyError
from oap_core.plugins import FIRST_PARTY, Plugins, load_plugins
from oap_core.policy.assemble import Assembled, assemble
from oap_core.policy.codes import FileCode
from oap_core.policy.files import gather, shown
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
    parts: tuple[Path, ...] = ()
    """The files and folders of it that somebody asked about; none where it is about all of it."""

    @property
    def rules(self) -> RuleSet | None:
        """The rule set, or None where an error was found anywhere."""
        return self.assembled.rules

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Everything that was found, in the configuration, the plugins and the policies."""
        return self.assembled.diagnostics

    def concerns(self, file: str | None) -> bool:
        """Whether a file is among what was asked about; the configuration always is."""
        own = {None if one.file is None else one.file for one in self.config.documents}
        if not self.parts or file is None or file in own:
            return True
        path = Path(os.path.abspath(file))  # noqa: PTH100  # links stay as they are named
        return any(path.is_relative_to(os.path.abspath(part)) for part in self.parts)  # noqa: PTH100


def load_project(config: Path | None, base: Path, now: datetime, asked: tuple[Path, ...] | None = None) -> Project:
    """Load everything that a configuration file names; without a file, what holds where there is none.

    `asked` are the files and folders that somebody asked about. Where they belong to the policies of the configuration,
    all of these are loaded, since they speak about each other; otherwise `asked` stand in for them, and policies that
    the configuration requires may be missing. Never raises for what a file or a plugin holds.
    """
    read = load_config(config, base, now)
    paths = [path for path, _ in read.policies]
    inside = asked is not None and config is not None and all(_among(one, read) for one in asked)
    if asked is not None and not inside:
        read = replace(read, required={}, reserved_for={})
        paths = list(asked)
    plugins, setup, problems = set_up(read)
    documents = gather([*paths, *(path for path, _ in read.catalog)])
    assembled = assemble(documents, replace(setup, now=now))
    found = _without_echoes(plugins, assembled.diagnostics)
    diagnostics = ordered([*read.diagnostics, *problems, *(_placed(one, read) for one in found)])
    sources = {**{one.file or "": one.text for one in read.documents}, **assembled.sources}
    rules = None if failed(diagnostics) else assembled.rules
    whole = Assembled(rules, diagnostics, sources, assembled.tests, assembled.policies)
    return Project(read, plugins, whole, asked if asked is not None and inside else ())


def _among(path: Path, config: Config) -> bool:
    """Whether a path is one that the configuration names, or lies below one."""
    asked = Path(os.path.abspath(path))  # noqa: PTH100  # links stay as they are named
    named = [one for one, _ in (*config.policies, *config.catalog)]
    return any(asked.is_relative_to(os.path.abspath(one)) for one in named)  # noqa: PTH100


def _without_echoes(plugins: Plugins, diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """What was found, but for what follows from a plugin that could not be used."""
    failed_plugins = bool(plugins.problems)
    for one in diagnostics:
        offered = one.help is not None and one.help.partition(" ")[0].strip("`") in FIRST_PARTY
        if not (failed_plugins and offered and one.code in (FileCode.UNKNOWN_EFFECT, LoadCode.UNKNOWN_FUNCTION)):
            yield one


def _placed(found: Diagnostic, config: Config) -> Diagnostic:
    """A file that is not there is told where the configuration names it."""
    if found.code != FileCode.MISSING_FILE:
        return found
    for path, place in (*config.policies, *config.catalog):
        if place.file is not None and found.file == shown(path):
            beside = [one.name for one in path.parent.iterdir()] if path.parent.is_dir() else []
            near = get_close_matches(path.name, beside, n=1, cutoff=0.6)
            help_ = f"did you mean `{near[0]}`?" if near else None
            return blame(FileCode.MISSING_FILE, place.span, found.message, help_, file=place.file)
    return found


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


def load_rules(path: Path | str, now: datetime) -> RuleSet:
    """The rule set of a configuration file, of the configuration that a folder has, or of the policies in it.

    Raises ValueError for a moment without an offset, ConfigError where the configuration or a plugin is unusable, and
    PolicyError where a policy is.
    """
    path = Path(path)
    if not path.exists():
        raise ConfigError(f"`{printable(str(path))}` is not there")
    if now.tzinfo is None:
        raise ValueError("the moment needs its offset from UTC, such as `datetime.now(UTC)`")
    found = path if path.is_file() else find_config(path)
    project = load_project(found, path if path.is_dir() else path.parent, now)
    if project.rules is not None:
        return project.rules
    wrong = [*project.config.diagnostics, *(one for one in project.diagnostics if one.code.startswith("OAP6"))]
    if failed(wrong):
        raise ConfigError("the configuration cannot be used", ordered(wrong))
    raise PolicyError(project.diagnostics)
