"""Plugins: which are installed, which are enabled, and what the enabled ones offer.

Installed is not trusted: a plugin is imported only where the configuration enables it by the name of its distribution.
Everything that is wrong with an enabled one aborts the start, each with one clear message.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib.metadata import Distribution, EntryPoint, entry_points
from types import MappingProxyType
from typing import Any, Final, get_args

import pluggy
from pydantic import BaseModel

from oap_core import hookspecs
from oap_core.cel.functions import Function, Registry
from oap_core.diagnostic import printable
from oap_core.errors import PluginError
from oap_core.kinds import Effect
from oap_core.policy.offers import EFFECTS
from oap_core.policy.setup import core_effects

__all__ = ["FIRST_PARTY", "Installed", "Plugin", "PluginProblem", "Plugins", "installed", "load_plugins"]

FIRST_PARTY: Final = tuple(sorted({*EFFECTS.values(), "oap-shell"}))
"""Distributions of OAP's own plugins: enabled, where they are installed, if the configuration says nothing."""
_MARK: Final = f"{hookspecs.PROJECT}_impl"
_SEPARATORS: Final = re.compile(r"[-_.]+")
_HOOKS: Final = tuple(name for name, value in vars(hookspecs).items() if hasattr(value, f"{hookspecs.PROJECT}_spec"))


@dataclass(frozen=True, slots=True)
class Installed:
    """A plugin that is installed; nothing of it was imported."""

    distribution: str
    """Name of its distribution, in the normal form of package names."""
    name: str
    """Name of its entry point."""
    version: str
    """Version of its distribution."""
    entry_point: EntryPoint = field(repr=False)
    """Where it is."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """A plugin that is loaded."""

    name: str
    """Name of its distribution, which is the author of its findings."""
    entry: str
    """Name of its entry point."""
    version: str
    """Version of its distribution."""
    effects: tuple[Effect, ...]
    """The effects that it declares."""
    functions: tuple[Function, ...]
    """The functions that it declares."""
    hooks: tuple[str, ...]
    """The hooks that it implements."""


@dataclass(frozen=True, slots=True)
class PluginProblem:
    """Why a plugin cannot be used."""

    plugin: str
    """Its name, as it was enabled."""
    message: str
    """What is wrong, in a sentence."""
    help: str | None = None
    """What to do about it."""
    missing: bool = False
    """Whether it is not there at all."""

    def error(self) -> PluginError:
        """The same as an exception."""
        return PluginError(self.message, self.plugin)


@dataclass(frozen=True, slots=True)
class Plugins:
    """The enabled plugins and what they offer together."""

    loaded: tuple[Plugin, ...] = ()
    """The plugins that work."""
    effects: Mapping[str, Effect] = field(default_factory=lambda: MappingProxyType(core_effects()))
    """Effects by name, those of the core included."""
    functions: Registry = field(default_factory=Registry)
    """Functions, those of the core included."""
    problems: tuple[PluginProblem, ...] = ()
    """Everything that is wrong; with one of these nothing may start."""

    @property
    def versions(self) -> dict[str, str]:
        """Versions by name."""
        return {plugin.name: plugin.version for plugin in self.loaded}


def installed() -> tuple[Installed, ...]:
    """Every plugin that is installed, by name. Imports none of them."""
    found = [
        Installed(_normal(name), point.name, _described(point.dist, "Version"), point)
        for point in entry_points(group=hookspecs.GROUP)
        # A folder whose description is damaged has no name; nobody can enable it.
        if point.dist is not None and (name := _described(point.dist, "Name"))
    ]
    return tuple(sorted(found, key=lambda one: (one.distribution, one.name)))


def load_plugins(
    enabled: Iterable[str] | None,
    functions: Registry,
    available: Iterable[Installed] | None = None,
) -> Plugins:
    """Import the enabled plugins and collect what they offer.

    `enabled` names distributions, or `distribution:entry_point`; None enables the first-party ones that are installed.
    `functions` are those of the core. Never raises for what a plugin does: look at `problems`.
    """
    there = tuple(installed() if available is None else available)
    names = [one.distribution for one in there if one.distribution in FIRST_PARTY] if enabled is None else enabled
    loader = _Loader(functions)
    for name in dict.fromkeys(names):
        distribution, _, entry = name.partition(":")
        wanted = [one for one in there if one.distribution == _normal(distribution) and entry in ("", one.name)]
        if not wanted:
            loader.problems.append(_missing(name, there))
        for one in wanted:
            if (one.distribution, one.name) not in loader.tried:
                loader.load(name, one)
    return Plugins(tuple(loader.loaded), MappingProxyType(loader.effects), loader.functions, tuple(loader.problems))


def _described(distribution: Distribution, key: str) -> str:
    if key not in distribution.metadata:
        return ""
    return distribution.metadata[key]


def _normal(name: str) -> str:
    return _SEPARATORS.sub("-", name).lower()


def _missing(name: str, there: Iterable[Installed]) -> PluginProblem:
    distribution, _, entry = name.partition(":")
    entries = [one.name for one in there if one.distribution == _normal(distribution)]
    if entries:
        known = ", ".join(f"`{distribution}:{one}`" for one in entries)
        return PluginProblem(
            name, f"`{printable(distribution)}` offers no plugin `{printable(entry)}`", known, missing=True
        )
    near = get_close_matches(_normal(distribution), {one.distribution for one in there}, n=1, cutoff=0.6)
    help_ = f"did you mean `{near[0]}`?" if near else "install it, or take its name away"
    return PluginProblem(name, f"the plugin `{printable(name)}` is not installed", help_, missing=True)


class _Loader:
    """Takes plugins in one by one."""

    def __init__(self, functions: Registry) -> None:
        self.loaded: list[Plugin] = []
        self.effects = core_effects()
        self.functions = functions
        self.problems: list[PluginProblem] = []
        self.tried: set[tuple[str, str]] = set()
        self._manager = pluggy.PluginManager(hookspecs.PROJECT)
        self._manager.add_hookspecs(hookspecs)

    def load(self, name: str, one: Installed) -> None:
        """Import a plugin and take in what it offers, or nothing of it."""
        self.tried.add((one.distribution, one.name))
        try:
            with _blaming(f"`{one.distribution}` cannot be imported"):
                plugin = one.entry_point.load()
            with _blaming(f"`{one.distribution}` cannot be looked at"):
                faults = _faults(plugin) or self._registered(one, plugin)
        except _RefusedError as refused:
            self._fail(name, str(refused))
            return
        for fault in faults:
            self._fail(name, f"`{one.distribution}`: {fault}")
        if faults:
            return
        try:
            with _blaming(f"`{one.distribution}` offers something that cannot be used"):
                self._taken_in(name, one, plugin)
        except _RefusedError as refused:
            self._fail(name, str(refused))

    def _taken_in(self, name: str, one: Installed, plugin: object) -> None:
        known = len(self.problems)
        effects = [_checked(effect) for effect in self._collected(name, plugin, "oap_effects", Effect)]
        functions = self._collected(name, plugin, "oap_functions", Function)
        self._enter_effects(name, one, effects)
        self._enter_functions(name, functions)
        if len(self.problems) == known:
            hooks = tuple(hook for hook in _HOOKS if hasattr(getattr(plugin, hook, None), _MARK))
            self.loaded.append(Plugin(one.distribution, one.name, one.version, tuple(effects), tuple(functions), hooks))

    def _registered(self, one: Installed, plugin: object) -> list[str]:
        try:
            self._manager.register(plugin, f"{one.distribution}:{one.name}")
        except (pluggy.PluginValidationError, ValueError):
            return ["one of its hooks asks for something that the hook does not give"]
        return []

    def _fail(self, name: str, message: str, help: str | None = None) -> None:
        self.problems.append(PluginProblem(name, message, help))

    def _collected(self, name: str, plugin: object, hook: str, kind: type[Any]) -> list[Any]:
        """What a hook of one plugin gives, each of the kind that is asked for."""
        implementation: Callable[[], object] | None = getattr(plugin, hook, None)
        if implementation is None:
            return []
        if inspect.iscoroutinefunction(implementation):
            self._fail(name, f"`{hook}` of `{name}` is asynchronous, and nobody waits while plugins are loaded")
            return []
        try:
            with _blaming(f"`{hook}` of `{name}` failed"):
                given = implementation()
                found = list(given) if isinstance(given, (list, tuple, set, frozenset)) else None
        except _RefusedError as refused:
            self._fail(name, str(refused))
            return []
        if found is None or not all(isinstance(one, kind) for one in found):
            self._fail(name, f"`{hook}` of `{name}` has to give a list of `{kind.__name__}`")
            return []
        return found

    def _enter_effects(self, name: str, one: Installed, effects: list[Effect]) -> None:
        for effect in effects:
            taken = self.effects.get(effect.name)
            if _normal(effect.plugin) != one.distribution:
                self._fail(name, f"the effect `{effect.name}` of `{name}` says that it belongs to `{effect.plugin}`")
            elif taken is not None:
                self._fail(
                    name, f"the effect `{effect.name}` is offered by `{taken.plugin}` and by `{one.distribution}`"
                )
            elif effect.model is not None and not issubclass(effect.model, BaseModel):
                self._fail(name, f"the settings of the effect `{effect.name}` are no pydantic model")
            elif effect.model is not None and (loose := _loose(effect.model)) is not None:
                message = f"the settings of the effect `{effect.name}` would pass over a misspelt key"
                self._fail(name, message, f'give `{loose}` the configuration `ConfigDict(extra="forbid")`')
            else:
                self.effects[effect.name] = effect

    def _enter_functions(self, name: str, functions: list[Function]) -> None:
        for function in functions:
            if self.functions.get(function.name) is not None:
                self._fail(name, f"the function `{function.name}` of `{name}` is there already")
            else:
                self.functions = self.functions.extended([function])


def _checked(effect: Effect) -> Effect:
    """The same effect, made here: one that was put together by other means may never have been looked at."""
    return Effect(
        effect.name,
        effect.kind,
        effect.plugin,
        effect.stages,
        effect.model,
        judges_original=effect.judges_original,
    )


def _loose(model: type[BaseModel]) -> str | None:
    """The name of a model that takes unknown keys: the model itself, or one of those that it holds."""
    pending: list[Any] = [model]
    seen: set[int] = set()
    while pending:
        kind = pending.pop()
        if id(kind) in seen:
            continue
        seen.add(id(kind))
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            if kind.model_config.get("extra") != "forbid":
                return kind.__name__
            pending.extend(field.annotation for field in kind.model_fields.values())
        else:
            pending.extend(get_args(kind))
    return None


def _faults(plugin: object) -> list[str]:
    """What is wrong with a plugin that was imported, before any hook of it is called."""
    if inspect.isclass(plugin):
        return ["its entry point names a class, and a plugin is a module or an object"]
    version = getattr(plugin, "OAP_API", None)
    if type(version) is not int:
        return [f"it does not say which plugin interface it is written for: `OAP_API = {hookspecs.API}`"]
    if version != hookspecs.API:
        return [f"it is written for the plugin interface {version}, and this is {hookspecs.API}"]
    faults = []
    for attribute in dir(plugin):
        try:
            value = getattr(plugin, attribute)
        except Exception as error:  # noqa: BLE001  # a property may do anything
            faults.append(f"its attribute `{attribute}` cannot be read: {_what(error)}")
            continue
        faults += _hook_faults(attribute, value)
    return faults


def _hook_faults(attribute: str, value: object) -> list[str]:
    mark = getattr(value, _MARK, None) if callable(value) else None
    if isinstance(mark, dict):
        if attribute not in _HOOKS:
            near = get_close_matches(attribute, _HOOKS, n=1, cutoff=0.5)
            advice = f", did you mean `{near[0]}`?" if near else ""
            return [f"there is no hook `{printable(attribute)}`{advice}"]
        if mark.get("specname") not in (None, attribute):
            return [f"`{attribute}` is marked as another hook, and each has its own name"]
        if mark.get("wrapper") or mark.get("hookwrapper"):
            return [f"`{attribute}` is a wrapper, and no plugin may change what others say"]
    elif attribute in _HOOKS and callable(value):
        return [f"`{attribute}` is not marked with `hookimpl`, so it would never be called"]
    elif attribute.startswith("oap_") and callable(value) and get_close_matches(attribute, _HOOKS, n=1, cutoff=0.8):
        near = get_close_matches(attribute, _HOOKS, n=1, cutoff=0.8)
        return [f"there is no hook `{printable(attribute)}`, did you mean `{near[0]}`?"]
    return []


class _RefusedError(Exception):
    """A plugin cannot be used, and why."""


@contextmanager
def _blaming(what: str) -> Iterator[None]:
    """Turn whatever a plugin raises into `_RefusedError`, an attempt to end the process included."""
    try:
        yield
    except KeyboardInterrupt:
        # That is the operator's and not the plugin's.
        raise
    except BaseException as error:  # noqa: BLE001  # whatever a plugin does is its own fault
        raise _RefusedError(f"{what}: {_what(error)}") from None


def _what(error: BaseException) -> str:
    """The kind of an exception and what it names; never its text, which could hold anything."""
    missing = getattr(error, "name", None) if isinstance(error, ImportError) else None
    kind = type(error).__name__
    return f"{kind} about `{printable(missing)}`" if isinstance(missing, str) else kind
