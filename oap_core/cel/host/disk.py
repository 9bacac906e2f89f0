"""`within_on_disk`: containment of paths as the file system of this machine sees it now, links resolved.

Folders are compared by their identity and not by their names, so letter case, Unicode spellings and folders that are
mounted twice need no rules of their own.
"""

import os
import stat
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from oap_core.cel.failure import Code, EvalError
from oap_core.cel.host.filesystem import FileSystem, agreed
from oap_core.cel.host.paths import Reading, readings

LINKS: Final = 40
"""Most links that one path may lead through, as for Linux itself."""

STEPS: Final = 4096
"""Most names that one path may come to once its links are written out."""


@dataclass(slots=True)
class _Trail:
    """A place that exists: the names from the top down to it, and what each of them is."""

    root: str
    names: list[str]
    marks: list[tuple[int, int]]
    """Device and file number; one longer than `names`, since the top comes first."""
    is_folder: bool = True

    @classmethod
    def top(cls, root: str) -> "_Trail":
        return cls(root, [], [_mark(os.lstat(root + "/"))])

    def copy(self) -> "_Trail":
        return _Trail(self.root, list(self.names), list(self.marks), self.is_folder)

    def below(self, name: str) -> str:
        return "/".join([self.root, *self.names, name])

    def push(self, name: str, status: os.stat_result) -> None:
        self.names.append(name)
        self.marks.append(_mark(status))
        self.is_folder = stat.S_ISDIR(status.st_mode)

    def climb(self) -> None:
        if self.names:
            self.names.pop()
            self.marks.pop()


def within_on_disk(path: str, root: str, base: str | None, system: FileSystem) -> bool:
    """Whether `path`, with every link on the way resolved, is the folder `root` or lies below it at this moment.

    What does not exist yet is judged by the folder it would be made in. The answer may be out of date when the tool
    opens the path: whoever can change a folder on the way can put a link in its place in between.
    Raises `EvalError` (invalid_argument, too_large) where the file system gives no answer.
    """
    if system.windows != (os.name == "nt"):
        raise EvalError(Code.INVALID_ARGUMENT)
    try:
        top = _existing_folder(root, system)
        start = top if base is None else _existing_folder(base, system)
        answers: set[bool] = set()
        for reading in readings(path, system):
            trail = start.copy() if reading.root is None else _Trail.top(reading.root)
            _walk(trail, reading, system, partial=True)
            answers.add(top.marks[-1] in trail.marks)
            if base is None and reading.root is None:
                answers |= {True}
    except (OSError, ValueError):
        # Not allowed to look, a loop, a file where a folder should be; ValueError: a name that this system cannot encode.
        raise EvalError(Code.INVALID_ARGUMENT) from None
    return agreed(answers)


def _existing_folder(path: str, system: FileSystem) -> _Trail:
    found = readings(path, system)
    if len(found) != 1 or found[0].root is None:
        raise EvalError(Code.INVALID_ARGUMENT)
    trail = _Trail.top(found[0].root)
    _walk(trail, found[0], system, partial=False)
    if not trail.is_folder:
        raise EvalError(Code.INVALID_ARGUMENT)
    return trail


def _walk(trail: _Trail, reading: Reading, system: FileSystem, *, partial: bool) -> None:
    """Lead the trail along the names, through links, as far as they exist.

    `partial` allows the end to be missing: plain names alone, and not the target of a link, since a file that is
    written there would be made behind the link.
    """
    waiting = deque(reading.names)
    links = from_link = steps = 0
    while waiting:
        name = waiting.popleft()
        from_link, was_from_link = max(from_link - 1, 0), from_link > 0
        steps += 1
        if steps > STEPS or not trail.is_folder:
            raise EvalError(Code.INVALID_ARGUMENT)
        if name == "..":
            trail.climb()
            continue
        try:
            status = os.lstat(trail.below(name))
        except FileNotFoundError:
            if partial and not was_from_link and ".." not in waiting:
                return
            raise
        if not _is_link(status):
            trail.push(name, status)
            continue
        links += 1
        # The links of /proc lead elsewhere for every process.
        if links > LINKS or trail.names[:1] == ["proc"]:
            raise EvalError(Code.INVALID_ARGUMENT)
        target = _target(trail.below(name), system)
        if target.root is not None:
            trail.root, trail.names, trail.marks = target.root, [], _Trail.top(target.root).marks
        waiting.extendleft(reversed(target.names))
        from_link += len(target.names)


def _target(link: str, system: FileSystem) -> Reading:
    """Where a link leads; what it holds is read as strictly as a path of a call."""
    found = readings(str(Path(link).readlink()), system)
    if len(found) != 1:
        raise EvalError(Code.INVALID_ARGUMENT)
    return found[0]


def _is_link(status: os.stat_result) -> bool:
    """Raise for what redirects on Windows without being a link that can be read (junctions, cloud files)."""
    if stat.S_ISLNK(status.st_mode):
        return True
    if getattr(status, "st_reparse_tag", 0):
        raise EvalError(Code.INVALID_ARGUMENT)
    return False


def _mark(status: os.stat_result) -> tuple[int, int]:
    if not status.st_ino:
        raise EvalError(Code.INVALID_ARGUMENT)
    return status.st_dev, status.st_ino
