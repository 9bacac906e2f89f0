"""Writing the files that a command makes, with an error in one line where that fails."""

from __future__ import annotations

import os
from pathlib import Path

from oap_core.cli.files import FileError, shown_name
from oap_core.policy.files import shown

__all__ = ["relative", "write_file"]


def write_file(path: Path, text: str) -> bool:
    """Write a text, with the folders above it; say whether that changed anything.

    Whoever reads the file meanwhile finds the old text or the new one, whole. Raises `FileError` where it cannot be
    written.
    """
    data = text.encode("utf-8")
    beside = path.with_name(f"{path.name}.new")
    try:
        if path.is_file() and path.read_bytes() == data:
            return False
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            # A link that waits under this name would lead the text to another file.
            beside.unlink(missing_ok=True)
            with beside.open("xb") as file:
                file.write(data)
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        reason = (error.strerror or "output error").lower()
        raise FileError(f"error  cannot write {shown_name(shown(path))}: {reason}") from None
    except ValueError:
        raise FileError(f"error  {shown_name(shown(path))} cannot be the name of a file") from None
    return True


def relative(path: Path, start: Path) -> str:
    """The way to a path from a folder, with slashes; the whole path where there is no way."""
    try:
        return Path(os.path.relpath(path, start)).as_posix()
    except ValueError:
        return path.absolute().as_posix()
