"""Reading a path as the programs behind a tool would read it, and `within`, which compares folders by name alone.

A path that two programs would read in two ways has several readings; a path that some program would not take for a
path at all has none, and is an error.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from oap_core.cel.failure import Code, EvalError
from oap_core.cel.host.filesystem import FileSystem, agreed

PATH_CHARACTERS: Final = 32_768
"""Longest path; no system takes a longer one."""

NAME_CHARACTERS: Final = 255
"""Longest name of one file or folder; no file system holds a longer one."""

_UNREADABLE: Final = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
"""Control characters and lone surrogates: programs cut at them, drop them or fail on them."""

_NOT_ON_WINDOWS: Final = re.compile(
    r"""[<>:"|?*]  |  [ .]\Z  |  ~[0-9]                                  # forbidden, dropped, or a short name
    |  \A(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)\ *(?:\.|\Z)   # a device in every folder""",
    re.IGNORECASE | re.VERBOSE,
)
_PROCESS_LINKS: Final = frozenset({"root", "cwd", "fd", "exe", "map_files"})
_DEVICE_LINKS: Final = frozenset({"fd", "stdin", "stdout", "stderr"})


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a path; `..` still stands in it."""

    root: str | None
    """None for a relative path, "" for one from the top, else the drive in lower case (`c:`)."""
    names: tuple[str, ...]
    """The names in order, without `.` and without what doubled separators enclose."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a path leads by its names alone: `..` has taken back the name before it."""

    root: str | None
    """As in `Reading`."""
    climbs: int
    """How many folders a relative path climbs before its first name; 0 for any other."""
    names: tuple[str, ...]
    """The names from there."""


def readings(path: str, system: FileSystem) -> tuple[Reading, ...]:
    """Every way to read a path: one, or two where a POSIX path holds a backslash.

    Raises `EvalError` (invalid_argument, too_large) for what is not safely a path: the empty text; white space at
    either end; control characters; a leading `~`, `$` or doubled separator; `name:` at the start of a relative path,
    which is a URL, a drive or another machine; names longer than a file system holds; on Windows also a path without
    a drive from the top, device names, streams, short names, and dots or spaces at the end of a name.
    """
    if len(path) > PATH_CHARACTERS:
        raise EvalError(Code.TOO_LARGE)
    if not path or path[0] in "~$" or not is_legible(path):
        raise EvalError(Code.INVALID_ARGUMENT)
    if system.windows:
        return (_windows(path.replace("\\", "/")),)
    if "\\" in path:
        return _posix(path), _posix(path.replace("\\", "/"), foreign=True)
    return (_posix(path),)


def is_legible(text: str) -> bool:
    """Whether every program sees the same characters: no control characters, no white space to strip at the ends."""
    return text == text.strip() and not _UNREADABLE.search(text)


def _posix(path: str, *, foreign: bool = False) -> Reading:
    if path.startswith("//") or ":" in path.partition("/")[0]:
        raise EvalError(Code.INVALID_ARGUMENT)
    return Reading("" if path[0] == "/" else None, _names(path, windows=foreign))


def _windows(path: str) -> Reading:
    # From the top of the current drive, whichever that is, or a variable.
    if path[0] in "/%":
        raise EvalError(Code.INVALID_ARGUMENT)
    if path[1:3] == ":/" and path[0].isascii() and path[0].isalpha():
        return Reading(path[:2].lower(), _names(path[3:], windows=True))
    return Reading(None, _names(path, windows=True))


def _names(path: str, *, windows: bool) -> tuple[str, ...]:
    names = tuple(name for name in path.split("/") if name not in {"", "."})
    for name in names:
        if len(name) > NAME_CHARACTERS or (windows and name != ".." and _NOT_ON_WINDOWS.search(name)):
            raise EvalError(Code.INVALID_ARGUMENT)
    return names


def resolve(reading: Reading, start: Place | None = None) -> Place:
    """Take `.` and `..` out by the names alone; a relative path goes on from `start` where one is given.

    Raises `EvalError` (invalid_argument) for a path through one of the links that every machine has
    (`/proc/self/root`, `/dev/fd`): it leads elsewhere than its names say.
    """
    root, climbs, names = reading.root, 0, list[str]()
    if root is None and start is not None:
        root, climbs, names = start.root, start.climbs, list(start.names)
    for name in reading.names:
        if name != "..":
            if not root and _is_standing_link(names, name):
                raise EvalError(Code.INVALID_ARGUMENT)
            names.append(name)
        elif names:
            if not root and names[0].lower() == "proc":
                # Links of the kernel stand there under many names, and what lies above one is not what was left.
                raise EvalError(Code.INVALID_ARGUMENT)
            names.pop()
        elif root is None:
            climbs += 1
    return Place(root, climbs, tuple(names))


def _is_standing_link(names: list[str], name: str) -> bool:
    above, name = [above.lower() for above in names[:2]], name.lower()
    if not above:
        return name == ".vol"
    return (above[0] == "proc" and name in _PROCESS_LINKS) or (above == ["dev"] and name in _DEVICE_LINKS)


@lru_cache(maxsize=256)
def folder(path: str, system: FileSystem) -> Place:
    """The place of a folder that a policy or a session names.

    Raises `EvalError` (invalid_argument) unless the path is absolute and has one reading.
    """
    found = readings(path, system)
    if len(found) != 1 or found[0].root is None:
        raise EvalError(Code.INVALID_ARGUMENT)
    return resolve(found[0])


def within(path: str, root: str, base: str | None, system: FileSystem) -> bool:
    """Whether `path` names `root` or something below it, by the names alone and in every reading.

    A relative path goes on from `base`. Without a base it is taken to start at `root` or somewhere below it, so it is
    inside unless it climbs out, and where it climbs out it depends on the start: an error, never false.
    Raises `EvalError` (invalid_argument, too_large).
    """
    top = folder(root, system)
    start = top if base is None else folder(base, system)
    found = readings(path, system)
    answers: set[bool] = set()
    for reading in found:
        place = resolve(reading, start)
        answers.update(_is_inside(place, top, key) for key in (system.narrow, system.wide))
        if base is None and reading.root is None:
            answers |= {True}
    return agreed(answers)


def _is_inside(place: Place, top: Place, key: Callable[[str], str]) -> bool:
    above = place.names[: len(top.names)]
    if place.root != top.root or len(above) < len(top.names):
        return False
    return above == top.names or all(key(one) == key(other) for one, other in zip(above, top.names, strict=True))
