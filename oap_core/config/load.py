"""Reading the configuration, with the same diagnostics as policies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import MappingProxyType
from typing import Final

from pydantic_core import PydanticCustomError

from oap_core.cel.functions import Registry
from oap_core.cel.host import host_functions
from oap_core.cel.host.filesystem import FileSystem
from oap_core.cel.schema import type_from_schema
from oap_core.cel.standard import STANDARD
from oap_core.cel.types import Field
from oap_core.config.model import AttributeModel, ConfigModel
from oap_core.config.place import NAMES, configs_in
from oap_core.config.table import read_table
from oap_core.decision import Default
from oap_core.diagnostic import Diagnostic
from oap_core.policy.codes import FileCode
from oap_core.policy.files import read_file
from oap_core.policy.load import Document
from oap_core.policy.model.fields import day_or_moment
from oap_core.policy.report import blame, ordered, warn, without_echoes
from oap_core.policy.ruleset import Reservation
from oap_core.policy.scope import CORE_SESSION, CORE_SUBJECT
from oap_core.policy.setup import NOWHERE, Place
from oap_core.policy.shape import validate
from oap_core.policy.tree import Mapping as MappingNode
from oap_core.policy.tree import Node, Span, key_at, span_at

__all__ = ["FIRST_POLICIES", "LONGEST_OBSERVATION", "Config", "load_config"]

FIRST_POLICIES: Final = "policies"
"""Where policies are where nobody says anything."""
LONGEST_OBSERVATION: Final = timedelta(days=30)
"""How far ahead the end of an observation may lie."""


@dataclass(frozen=True, slots=True)
class Config:
    """The configuration in force, or the one that holds where there is no file."""

    base: Path
    """The folder that paths in it are relative to."""
    file: Path | None = None
    """The file, or None where there is none."""
    plugins: tuple[tuple[str, Place], ...] | None = None
    """Enabled plugins with where the file names each; None where it says nothing."""
    policies: tuple[tuple[Path, Place], ...] = ()
    """Files and folders with policies, and where the file names each."""
    catalog: tuple[tuple[Path, Place], ...] = ()
    """Files with the catalog."""
    default: Default = Default.DENY
    """What holds for a call that no grant matches."""
    subject: Mapping[str, Field] = field(default_factory=lambda: MappingProxyType({}))
    """Declared attributes of subjects."""
    session: Mapping[str, Field] = field(default_factory=lambda: MappingProxyType({}))
    """Declared attributes of sessions."""
    reservations: tuple[Reservation, ...] = ()
    """Tools that only some policies may grant."""
    reserved_for: Mapping[str, Place] = field(default_factory=dict)
    """Policies that tools are reserved for."""
    required: Mapping[str, Place] = field(default_factory=dict)
    """Policies that have to be there."""
    observe_until: datetime | None = None
    """Until when the host only observes."""
    fold_case: bool | None = None
    """Whether file names fold letter case."""
    windows: bool | None = None
    """Whether paths are those of Windows."""
    documents: tuple[Document, ...] = field(default=(), repr=False)
    """The file itself, with its problems."""
    diagnostics: tuple[Diagnostic, ...] = ()
    """Everything that is wrong with it; what is wrong is not in force."""

    @property
    def file_system(self) -> Mapping[str, bool]:
        """What functions on paths assume, with what the platform fills in."""
        system = FileSystem.of(fold_case=self.fold_case, windows=self.windows)
        return {"fold_case": system.fold_case, "windows": system.windows}

    @property
    def functions(self) -> Registry:
        """The functions of the core, for the file system that the configuration describes."""
        return STANDARD.extended(host_functions(fold_case=self.fold_case, windows=self.windows))


def load_config(path: Path | None, base: Path, now: datetime) -> Config:
    """Read a configuration file, or give what holds where there is none.

    Never raises for what the file holds: look at `diagnostics`. `now` is only compared with the end of an observation.
    """
    if path is None:
        return Config(base, policies=((base / FIRST_POLICIES, NOWHERE),))
    document = read_table(path) if path.suffix == ".toml" else read_file(path)
    problems = [*document.problems, *_beside(path, document.file)]
    root = document.root
    base = path.parent
    if root is None:
        return Config(base, path, documents=(document,), diagnostics=ordered(problems))
    if not isinstance(root, MappingNode):
        problems.append(blame(FileCode.WRONG_TYPE, root.span, "a configuration is a mapping", file=document.file))
        return Config(base, path, documents=(document,), diagnostics=ordered(problems))
    model = validate(ConfigModel, root, document.file)
    if isinstance(model, list):
        return Config(base, path, documents=(document,), diagnostics=ordered(without_echoes(problems, model)))
    return _config(path, document, root, model, now, problems)


def _beside(path: Path, file: str | None) -> list[Diagnostic]:
    """The other configuration files of the folder, of which nobody could say why they do not count."""
    others = [one for one in configs_in(path.parent) if one.name != path.name]
    if path.name not in NAMES and path.name != "pyproject.toml":
        return []
    names = " and ".join(f"`{one.name}`" for one in others)
    message = f"the folder has another configuration in {names}"
    return [blame(FileCode.REPEATED_POLICY, NOWHERE.span, message, "keep one of them", file=file)] if others else []


def _config(
    path: Path, document: Document, root: Node, model: ConfigModel, now: datetime, problems: list[Diagnostic]
) -> Config:
    file, base = document.file, path.parent

    def place(*steps: str | int) -> Place:
        return Place(file, span_at(root, *steps))

    names = model.policies or [FIRST_POLICIES]
    reserved_for = {
        name: place("reserved", number, "policies", position)
        for number, one in enumerate(model.reserved)
        for position, name in enumerate(one.policies)
    }
    return Config(
        base,
        path,
        None if model.plugins is None else tuple((name, place("plugins", i)) for i, name in enumerate(model.plugins)),
        tuple((_path(base, name), place("policies", i)) for i, name in enumerate(names)),
        tuple((_path(base, name), place("catalog", i)) for i, name in enumerate(model.catalog or ())),
        Default(model.default),
        _attributes("subject", model.subject.attributes, CORE_SUBJECT, root, file, problems),
        _attributes("session", model.session.attributes, CORE_SESSION, root, file, problems),
        tuple(Reservation(tuple(one.tools), frozenset(one.policies)) for one in model.reserved),
        reserved_for,
        {name: place("required", number) for number, name in enumerate(model.required)},
        _observation(model.observe_until, span_at(root, "observe_until"), file, now, problems),
        model.paths.fold_case,
        model.paths.windows,
        (document,),
        ordered(without_echoes(document.problems, problems)),
    )


def _path(base: Path, name: str) -> Path:
    return base / name


def _attributes(
    owner: str,
    declared: Mapping[str, AttributeModel],
    taken: Mapping[str, Field],
    root: Node,
    file: str | None,
    problems: list[Diagnostic],
) -> Mapping[str, Field]:
    found: dict[str, Field] = {}
    for name, model in declared.items():
        if name in taken:
            span = key_at(root, owner, "attributes", name)
            message = f"every {owner} has `{name}` already"
            problems.append(blame(FileCode.ATTRIBUTE, span, message, "take another name", file=file))
            continue
        for steps, message in _contradictions(model):
            span = span_at(root, owner, "attributes", name, *steps)
            problems.append(blame(FileCode.ATTRIBUTE, span, message, file=file))
        found[name] = Field(type_from_schema(_schema(model), closed=True), required=not model.optional)
    return MappingProxyType(found)


def _schema(model: AttributeModel) -> dict[str, object]:
    """The same as JSON Schema. Recursive, no deeper than a file is."""
    found: dict[str, object] = {"type": model.type}
    if model.items is not None:
        found["items"] = _schema(model.items)
    if model.properties is not None:
        found["properties"] = {name: _schema(one) for name, one in model.properties.items()}
        found["required"] = [name for name, one in model.properties.items() if not one.optional]
    if model.enum is not None:
        found["enum"] = model.enum
    return found


def _contradictions(model: AttributeModel) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """What does not fit together in a declaration, each with the way to it."""
    if model.items is not None:
        if model.type != "array":
            yield ("items",), "only an array has `items`"
        yield from ((("items", *steps), message) for steps, message in _contradictions(model.items))
    if model.properties is not None and model.type != "object":
        yield ("properties",), "only an object has `properties`"
    for name, one in (model.properties or {}).items():
        yield from ((("properties", name, *steps), message) for steps, message in _contradictions(one))
    for number, value in enumerate(model.enum or ()):
        if not isinstance(value, _PYTHON[model.type]) or (isinstance(value, bool) and model.type != "boolean"):
            yield ("enum", number), f"this is no {model.type}"


_PYTHON: Final[Mapping[str, type | tuple[type, ...]]] = MappingProxyType(
    {"string": str, "integer": int, "number": (int, float), "boolean": bool, "array": list, "object": dict}
)


def _observation(
    text: str | None, span: Span, file: str | None, now: datetime, problems: list[Diagnostic]
) -> datetime | None:
    """The end of an observation. One that is wrong counts as none, so that everything is enforced."""
    if text is None:
        return None
    try:
        until = day_or_moment(text)
    except PydanticCustomError:
        message = "`observe_until` has to be a date such as `2026-12-24`, or a moment such as `2026-12-24T18:00:00Z`"
        problems.append(blame(FileCode.BAD_VALUE, span, message, file=file))
        return None
    if until - now > LONGEST_OBSERVATION:
        latest = (now + LONGEST_OBSERVATION).astimezone(UTC).date()
        message = f"an observation ends at most {LONGEST_OBSERVATION.days} days ahead"
        problems.append(blame(FileCode.OBSERVE_TOO_LONG, span, message, f"say `{latest}` or earlier", file=file))
        return None
    if until <= now:
        message = "the observation is over, and everything is enforced"
        problems.append(warn(FileCode.EXPIRED, span, message, "take `observe_until` away", file=file))
        return None
    return until
