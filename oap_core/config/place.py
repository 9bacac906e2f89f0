"""Where the configuration is."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Final

__all__ = ["NAMES", "find_config"]

NAMES: Final = ("oap.yaml", "oap.yml")
"""What a configuration file is called; `pyproject.toml` counts where it has `[tool.oap]`."""


def find_config(start: Path) -> Path | None:
    """The nearest configuration file in a folder or above it, or None.

    It looks above the folder only inside of a repository, up to the folder that holds `.git`: what lies further up
    belongs to somebody else.
    """
    folders = [start.absolute()]
    above = [*folders, *folders[0].parents]
    top = next((number for number, folder in enumerate(above) if (folder / ".git").exists()), None)
    if top is not None:
        folders = above[: top + 1]
    for folder in folders:
        for name in NAMES:
            if (folder / name).is_file():
                return folder / name
        if _speaks(folder / "pyproject.toml"):
            return folder / "pyproject.toml"
    return None


def _speaks(path: Path) -> bool:
    """Whether a `pyproject.toml` has `[tool.oap]`; one that is no TOML is looked at where it mentions it."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return False
    if "oap" not in text:
        return False
    try:
        tool = tomllib.loads(text).get("tool", {})
    except (tomllib.TOMLDecodeError, RecursionError):
        return "[tool.oap" in text
    return isinstance(tool, dict) and "oap" in tool
