"""Finds what a file says about the machine that it was written on, or about where packages come from."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

# Written in halves, so that this file does not contain what it looks for.
REGISTRIES: Final = (
    "pypi" + ".org",
    "python" + "hosted.org",
    "npm" + "js.org",
    "deb." + "debian.org",
    "proxy.golang" + ".org",
)


NAMED_IN_EXAMPLES: Final = (Path("/home/u"), Path("/srv"), Path("/w"))
"""Folders that examples speak about; a checkout below one of them cannot be told from an example."""


@dataclass(frozen=True, slots=True)
class Traces:
    """Texts that no file may contain."""

    texts: tuple[str, ...]
    """Absolute folders of this machine, and hosts of package registries."""

    @classmethod
    def here(cls, root: Path) -> Traces:
        """Return what would give this machine away: where the checkout lies, and which interpreter runs.

        A folder at the top (`/usr`) is on every machine and no trace, and neither is one that examples speak about.
        """
        folders = {Path(sys.prefix), Path(sys.base_prefix)}
        if not any(root.is_relative_to(named) for named in NAMED_IN_EXAMPLES):
            folders |= {root, root.parent / "shared"}
        return cls((*sorted(str(folder) for folder in folders if len(folder.parts) > 2), *REGISTRIES))


def traces(files: Iterable[Path], root: Path, looked_for: Traces) -> list[str]:
    """Return `file:line` for each line of a text file that contains one of the texts."""
    found = []
    for file in files:
        try:
            text = file.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        found += [
            f"{file.relative_to(root).as_posix()}:{number}"
            for number, line in enumerate(text.splitlines(), start=1)
            if any(trace in line for trace in looked_for.texts)
        ]
    return found
