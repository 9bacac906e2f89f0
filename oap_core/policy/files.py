"""Finding and reading the files of a policy set, within bounds."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from oap_core.diagnostic import printable
from oap_core.policy.codes import FileCode
from oap_core.policy.load import TEXT_BYTES, Document, read_bytes
from oap_core.policy.report import blame
from oap_core.policy.tree import Span

__all__ = ["MOST_FILES", "gather", "read_bytes_of", "read_file", "shown"]

MOST_FILES: Final = 10_000
"""Files that are read for one rule set."""
_SUFFIXES: Final = (".yaml", ".yml")
_START: Final = Span(1, 1, 1, 1)


def gather(paths: Iterable[Path]) -> tuple[Document, ...]:
    """Read the files at these paths and the YAML files of these folders, in the order of their names.

    Nothing is left out quietly: what cannot be read is a document with a problem. Folders and files whose names begin
    with a point are not looked at. A link is followed, each folder once.
    """
    documents: list[Document] = []
    seen: set[str] = set()
    for path in paths:
        for file in _files(path):
            real = _real(file)
            if real in seen:
                continue
            seen.add(real)
            if len(documents) >= MOST_FILES:
                message = f"these are more than {MOST_FILES:,} files"
                documents.append(_unread(path, FileCode.TOO_LARGE, message))
                return tuple(documents)
            documents.append(read_file(file))
    return tuple(documents)


def read_file(path: Path) -> Document:
    """Read one file as YAML; what cannot be read is a document with a problem."""
    data = read_bytes_of(path)
    return data if isinstance(data, Document) else read_bytes(data, shown(path))


def read_bytes_of(path: Path) -> bytes | Document:
    """The content of a regular file, or a document with the reason why there is none.

    More than `TEXT_BYTES` and one are never read, so that what is too long can be told.
    """
    try:
        # A pipe or a device would never end.
        if not stat.S_ISREG(path.stat().st_mode):
            reason = "it is a folder" if path.is_dir() else "it is no regular file"
            return _unread(path, FileCode.UNREADABLE, f"{_name(path)} cannot be read: {reason}")
        with path.open("rb") as file:
            return file.read(TEXT_BYTES + 1)
    except FileNotFoundError:
        return _unread(path, FileCode.MISSING_FILE, f"{_name(path)} is not there")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "the name is none that a file can have"
        return _unread(path, FileCode.UNREADABLE, f"{_name(path)} cannot be read: {reason.lower()}")


def shown(path: Path) -> str:
    """The name of a file as messages show it: relative where it lies below the current folder."""
    absolute = Path(os.path.abspath(path))  # noqa: PTH100  # links stay as they are named
    current = Path.cwd()
    return (absolute.relative_to(current) if absolute.is_relative_to(current) else absolute).as_posix()


def _real(path: Path) -> str:
    """The file that a path leads to; the path itself where it is none that a file can have."""
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):
        return str(path)


def _name(path: Path) -> str:
    return f"`{printable(shown(path))}`"


def _unread(path: Path, code: FileCode, message: str) -> Document:
    return Document(shown(path), "", None, (blame(code, _START, message, file=shown(path)),))


def _files(path: Path) -> Iterator[Path]:
    """The file itself, or the files in a folder and below it."""
    try:
        folder = path.is_dir()
    except (OSError, ValueError):
        folder = False
    if not folder:
        yield path
        return
    seen: set[str] = set()
    pending = [path]
    while pending:
        current = pending.pop()
        real = _real(current)
        if real in seen:
            continue
        seen.add(real)
        try:
            names = sorted(os.listdir(current))  # noqa: PTH208  # names that are no paths are shown, not lost
        except OSError:
            # A folder that cannot be listed may hold a wall.
            yield current
            continue
        folders = []
        for name in names:
            if name.startswith("."):
                continue
            entry = current / name
            try:
                folder = entry.is_dir()
            except OSError:
                # Nobody can say whether it is a folder, which may hold a wall.
                yield entry
                continue
            if folder:
                folders.append(entry)
            elif entry.suffix.lower() in _SUFFIXES:
                yield entry
        pending.extend(reversed(folders))
