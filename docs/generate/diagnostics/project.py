"""One code of a file as its page explains it, and the loading of the small projects that its examples are."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from oap_core.config import find_config
from oap_core.diagnostic import Diagnostic, Severity
from oap_core.policy.cases import prepare
from oap_core.policy.codes import FileCode
from oap_core.policy.report import ordered
from oap_core.project import load_project

NOW: Final = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
"""The moment at which examples are loaded, so that what has ended in them stays so."""

_MOST_LINES: Final = 30
_FIRST_LINES: Final = 12


@dataclass(frozen=True, slots=True)
class File:
    """A file of an example."""

    name: str
    """Its place in the project."""
    text: str
    """What it holds."""

    @property
    def shown(self) -> str:
        """What it holds, cut where it goes on for long in the same way."""
        lines = self.text.splitlines()
        if len(lines) <= _MOST_LINES:
            return self.text.rstrip("\n")
        left = len(lines) - _FIRST_LINES
        return "\n".join([*lines[:_FIRST_LINES], f"# ... and {left} more lines of this kind"])


Files = tuple[File, ...]


@dataclass(frozen=True, slots=True)
class FileEntry:
    """What the page of one code says."""

    code: FileCode
    """The code."""
    summary: str
    """What it means, in a sentence or two."""
    avoid: Files
    """A project with this finding and no other; empty where no file can show it."""
    prefer: Files
    """The project as it was meant, without any finding; empty where no file can show it."""
    why: str
    """Why this is told."""
    beside: Files = ()
    """Files that both projects have and that are right."""
    severity: Severity = Severity.ERROR
    """How much it weighs."""


@dataclass(frozen=True, slots=True)
class Found:
    """What loading a project told."""

    diagnostics: tuple[Diagnostic, ...]
    """Everything, the tests included."""
    sources: Mapping[str, str] = field(default_factory=dict)
    """The text of each file by its name."""


def found(files: Files) -> Found:
    """Load a project at `NOW` in a folder of its own, as `oap test` would, and give everything that is told."""
    with TemporaryDirectory() as folder, contextlib.chdir(folder), _installed(files, Path(folder)):
        for file in files:
            path = Path(file.name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(file.text, encoding="utf-8", newline="\n")
        base = Path()
        project = load_project(find_config(base), base, NOW)
        sources = dict(project.assembled.sources)
        if project.rules is None:
            return Found(project.diagnostics, sources)
        tests = prepare(project.assembled.tests, project.rules, base)
        return Found(ordered([*project.diagnostics, *tests.diagnostics]), {**sources, **tests.sources})


@contextlib.contextmanager
def _installed(files: Files, folder: Path) -> Iterator[None]:
    """Make each Python file of an example a plugin that is installed, under the name of its module."""
    names = [file.name.removesuffix(".py") for file in files if file.name.endswith(".py")]
    for name in names:
        metadata = folder / f"{name}-1.0.dist-info"
        metadata.mkdir()
        project = name.replace("_", "-")
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project}\nVersion: 1.0\n", encoding="utf-8")
        (metadata / "entry_points.txt").write_text(f"[oap.plugins]\n{name} = {name}\n", encoding="utf-8")
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in names:
            sys.modules.pop(name, None)
