"""Which projects a person means by the paths on a command line."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Final

from oap_core.cli.files import FileError, shown_name
from oap_core.config import find_config
from oap_core.config.load import FIRST_POLICIES
from oap_core.config.place import NAMES, configs_in
from oap_core.project import Project, load_project

__all__ = ["load_projects"]

_MOST_PROJECTS: Final = 1000


def load_projects(paths: tuple[str, ...], now: datetime) -> list[Project]:
    """Load what the paths name: configuration files, folders with or without one, and files with policies.

    A part of a project stands for the whole, which says what was asked about. A folder without a configuration of its
    own stands for the projects below it, where there are any. Without paths it is the project of the current folder.
    Raises `FileError` for a path that is not there.
    """
    if not paths:
        here = Path()
        found = find_config(here)
        if found is not None:
            return [load_project(found, found.parent, now)]
        policies = here / FIRST_POLICIES
        if policies.is_dir():
            below = list(_below(policies))
            return list(_several(policies, below, now)) if below else [load_project(None, here, now)]
        below = list(_below(here))
        if not below:
            raise FileError("error  there is no `oap.yaml` and no folder `policies` here; `oap init` makes both")
        return [load_project(config, config.parent, now) for config in below]
    projects: list[Project] = []
    parts: dict[Path | None, list[Path]] = {}
    for name in paths:
        path = Path(name)
        if not path.exists():
            raise FileError(f"error  {shown_name(name)} is not there")
        whole = path if path.is_file() and _configures(path) else _own(path)
        if whole is not None:
            projects.append(load_project(whole, whole.parent, now))
        elif path.is_dir() and (below := list(_below(path))):
            projects += _several(path, below, now)
        else:
            parts.setdefault(find_config(path if path.is_dir() else path.parent), []).append(path)
    # Parts of one project are looked at together, since they may speak about each other.
    for config, asked in parts.items():
        base = config.parent if config is not None else asked[0] if asked[0].is_dir() else asked[0].parent
        projects.append(load_project(config, base, now, tuple(asked)))
    return projects


def _configures(path: Path) -> bool:
    return path.name in NAMES or path.name == "pyproject.toml"


def _own(path: Path) -> Path | None:
    """The configuration file that a folder has itself."""
    return next(iter(configs_in(path)), None) if path.is_dir() else None


def _several(path: Path, below: list[Path], now: datetime) -> Iterator[Project]:
    """The projects below a folder, and what lies beside them."""
    for config in below:
        yield load_project(config, config.parent, now)
    if others := _others(path, below):
        yield load_project(find_config(path), path, now, others)


def _below(path: Path) -> Iterator[Path]:
    """The configuration files below a folder; what lies below one of them belongs to it."""
    count = 0
    for folder, folders, files in os.walk(path):
        named = any(name in files for name in (*NAMES, "pyproject.toml"))
        own = configs_in(Path(folder)) if named else []
        folders[:] = [] if own else sorted(one for one in folders if not one.startswith("."))
        if own:
            count += 1
            if count > _MOST_PROJECTS:
                # Whatever is left out would look as if it were right.
                where = shown_name(str(path))
                raise FileError(
                    f"error  there are more than {_MOST_PROJECTS:,} projects below {where}; name some of them"
                )
            yield own[0]


def _others(path: Path, below: list[Path]) -> tuple[Path, ...]:
    """Policy files below a folder that belong to none of the projects there."""
    owned = {config.parent for config in below}
    found = []
    for folder, folders, files in os.walk(path):
        current = Path(folder)
        if current in owned:
            folders[:] = []
            continue
        folders[:] = sorted(one for one in folders if not one.startswith("."))
        found += [current / name for name in sorted(files) if name.lower().endswith((".yaml", ".yml"))]
    return tuple(found)
