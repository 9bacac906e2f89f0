"""The page of effects, from the declarations of the core and of OAP's own plugins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pydantic import BaseModel

from docs.generate import models
from oap_core.cel.functions import Registry
from oap_core.cel.library import FUNCTIONS
from oap_core.kinds import Effect, Kind
from oap_core.names import CORE
from oap_core.plugins import FIRST_PARTY, Plugins, load_plugins
from oap_core.policy.offers import EFFECTS
from oap_core.types import Stage

HEAD: Final = """\
# Effects

Generated from the declarations of the effects by `poe docs`; edit those, not this page.

An effect is what a rule does when it matches. Its kind says what it can do at most:

| kind | what it does |
| --- | --- |"""

TABLE: Final = """
## Effects that there are

| effect | kind | stages | offered by | settings under `with` |
| --- | --- | --- | --- | --- |"""

COMING: Final = """
## Effects of plugins to come

A rule that names one of these is [an error](diagnostics/OAP303.md) that says which plugin offers it.

| effect | plugin |
| --- | --- |"""

SETTINGS: Final = """
## Settings
"""

KINDS: Final = {
    Kind.GRANT: "makes a call possible; nothing else can",
    Kind.WALL: "stops a call, or withholds a result or a prompt; no grant and no approval opens it",
    Kind.GATE: "stops a call until something else holds, such as a person's yes; it never grants",
    Kind.TRANSFORM: "changes what is seen, never whether this call runs",
    Kind.OBSERVE: "leaves a mark",
}


def offered() -> Plugins:
    """Give what the core and all of OAP's own plugins offer that are there."""
    return load_plugins(None, Registry.of(FUNCTIONS))


def page() -> str:
    """Return the whole page."""
    effects = sorted(offered().effects.values(), key=lambda effect: effect.name)
    titles = {_model(effect): f"Settings of {effect.name}" for effect in effects if effect.model is not None}
    kinds = [f"| {kind.value} | {meaning} |" for kind, meaning in KINDS.items()]
    rows = [_row(effect, titles) for effect in effects]
    known = {effect.name for effect in effects}
    coming = [f"| `{name}` | `{plugin}` |" for name, plugin in sorted(EFFECTS.items()) if name not in known]
    sections = [line for model in titles for line in models.section(model, titles)]
    return "\n".join([HEAD, *kinds, TABLE, *rows, *([COMING, *coming] if coming else []), SETTINGS, *sections])


def plugins() -> Iterator[str]:
    """The names of OAP's own plugins that are there."""
    yield from (plugin.name for plugin in offered().loaded if plugin.name in FIRST_PARTY)


def _model(effect: Effect) -> type[BaseModel]:
    assert effect.model is not None
    assert issubclass(effect.model, BaseModel)
    return effect.model


def _row(effect: Effect, titles: models.Titles) -> str:
    stages = ", ".join(f"`{stage.value}`" for stage in Stage if stage in effect.stages)
    by = "the core" if effect.plugin == CORE else f"`{effect.plugin}`"
    settings = "none"
    if effect.model is not None:
        title = titles[_model(effect)]
        settings = f"[{title.lower()}](#{models.anchor(title)})"
    return f"| `{effect.name}` | {effect.kind.value} | {stages} | {by} | {settings} |"
