"""Where the configuration is."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path
from typing import Final

from oap_core.policy.files import read_bytes_of
from oap_core.policy.load import TEXT_BYTES, Document

__all__ = ["NAMES", "configs_in", "find_config"]

NAMES: Final = ("oap.yaml", "oap.yml")
"""What a configuration file is called; `pyproject.toml` counts where it has `[tool.oap]`."""


def find_config(start: Path) -> Path | None:
    """The nearest configuration file in a folder or above it, or None.

    It looks above the folder up to the one that holds `.git`, or else up to the current folder: what lies further up
    belongs to somebody else.
    """
    above = [start.absolute(), *start.absolute().parents]
    current = Path.cwd()
    top = next((number for number, folder in enumerate(above) if (folder / ".git").exists()), None)
    if top is None:
        top = above.index(current) if current in above else 0
    for folder in above[: top + 1]:
        if found := configs_in(folder):
            return found[0]
    return None


def configs_in(folder: Path) -> list[Path]:
    """The configuration files that a folder has itself: more than one is a mistake, for who loads the first to tell.

    Whatever has the name counts: a link that leads nowhere is an error, and no reason to go without.
    """
    found = [folder / name for name in NAMES if os.path.lexists(folder / name)]
    return [*found, folder / "pyproject.toml"] if _speaks(folder / "pyproject.toml") else found


def _speaks(path: Path) -> bool:
    """Whether a `pyproject.toml` has `[tool.oap]`; what cannot be understood is looked at where it may have it."""
    data = read_bytes_of(path)
    if isinstance(data, Document):
        # What is there and cannot be read may say anything.
        return os.path.lexists(path)
    if len(data) > TEXT_BYTES:
        # Nobody has read to its end.
        return True
    text = data.decode("utf-8", errors="replace").replace("\0", "")
    if "oap" not in text and "\\" not in text:
        return False
    try:
        tool = tomllib.loads(data.decode("utf-8")).get("tool", {})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError):
        return _MENTIONED.search(text) is not None
    return isinstance(tool, dict) and "oap" in tool


_MENTIONED: Final = re.compile(r"""\btool["']?\s*\.\s*["']?oap(?![\w-])|\[\s*["']?tool["']?\s*\]""")
"""What a table of ours may begin with in a text that is no TOML."""
