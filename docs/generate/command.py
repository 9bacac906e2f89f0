"""Runs `oap` for the pages: always at one moment, so that what a page shows does not change with the day.

The plugin in `docs/examples/plugin` counts as installed. Called as `python -m docs.generate.command ARGUMENTS`.
"""

from __future__ import annotations

import contextlib
import os
import sys
import tomllib
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from docs.generate.diagnostics.project import NOW
from oap_core import clock
from oap_core.cli import main
from oap_core.clock import SystemClock

PLUGIN: Final = Path(__file__).parents[1] / "examples" / "plugin"
"""The example of a plugin."""


@contextlib.contextmanager
def installed() -> Iterator[None]:
    """Let the plugin be found as if it were installed."""
    project = tomllib.loads((PLUGIN / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    [(group, points)] = project["entry-points"].items()
    with TemporaryDirectory() as folder:
        metadata = Path(folder) / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
        metadata.mkdir()
        head = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
        (metadata / "METADATA").write_text(head, encoding="utf-8")
        lines = "".join(f"{name} = {place}\n" for name, place in points.items())
        (metadata / "entry_points.txt").write_text(f"[{group}]\n{lines}", encoding="utf-8")
        added = [folder, os.fspath(PLUGIN)]
        sys.path[:0] = added
        try:
            yield
        finally:
            sys.path[:] = [place for place in sys.path if place not in added]
            for place in points.values():
                sys.modules.pop(place, None)


class _StoppedClock(SystemClock):
    def now(self) -> datetime:
        """The moment of every page."""
        return NOW


if __name__ == "__main__":
    sys.argv[0] = "oap"
    # The verbs import it when they are called.
    clock.SystemClock = _StoppedClock  # type: ignore[misc]
    with installed():
        main()
