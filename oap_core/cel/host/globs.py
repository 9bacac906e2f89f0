"""`glob`: whether a path looks like a pattern, by the names alone and in every reading of the path."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from oap_core.cel.failure import Code, EvalError
from oap_core.cel.host.filesystem import FileSystem, agreed
from oap_core.cel.host.paths import Place, folder, is_legible, readings, resolve
from oap_core.cel.host.patterns import DEEP, Segment, alternatives, expression, matcher


class Anchor(Enum):
    """From where a pattern counts."""

    ANYWHERE = "anywhere"
    """It begins with `**`: the folders before do not matter."""
    TOP = "top"
    """It is absolute."""
    START = "start"
    """It is relative, and so must the path be."""


@dataclass(frozen=True, slots=True)
class Matcher:
    """A pattern, ready for paths."""

    anchor: Anchor
    """Where the pattern starts."""
    narrow: Callable[[str], bool]
    """Takes names under their narrow keys."""
    wide: Callable[[str], bool]
    """Takes names under their wide keys."""


def glob(path: str, pattern: str, base: str | None, system: FileSystem) -> bool:
    """Whether the whole of `path` has the shape of `pattern`, after `.`, `..` and doubled separators are gone.

    `?` is one character and `*` any number of them within a name, a leading dot among them; `**` is any number of
    names, none included; `[a-z]`, `[!a-z]` one character; `{a,b}` either. Relative paths and relative patterns go on
    from `base`. Without a base, a relative path is judged by the names that it spells out where the pattern begins
    with `**`, and a path and a pattern of which one alone is relative are an error.
    Raises `EvalError` (invalid_argument, too_large).
    """
    start = None if base is None else folder(base, system)
    shape = _matcher(pattern, start, system)
    answers: set[bool] = set()
    for reading in readings(path, system):
        place = resolve(reading, start)
        _require_same_start(place, shape.anchor)
        names = (place.root, *place.names) if place.root and shape.anchor is Anchor.TOP else place.names
        narrow, wide = _text(names, system.narrow), _text(names, system.wide)
        answers.add(shape.narrow(narrow))
        # Names and patterns without letters that are in doubt, which is nearly all of them, are matched once.
        if wide != narrow or shape.wide is not shape.narrow:
            answers.add(shape.wide(wide))
    return agreed(answers)


def _text(names: Sequence[str], key: Callable[[str], str]) -> str:
    return "".join([f"/{key(name)}" for name in names])


def _require_same_start(place: Place, anchor: Anchor) -> None:
    is_relative = place.root is None
    if (anchor is Anchor.TOP and is_relative) or (anchor is Anchor.START and (not is_relative or place.climbs)):
        raise EvalError(Code.INVALID_ARGUMENT)


@lru_cache(maxsize=256)
def _matcher(pattern: str, start: Place | None, system: FileSystem) -> Matcher:
    if pattern[:1] == "~" or not is_legible(pattern):
        raise EvalError(Code.INVALID_ARGUMENT)
    shapes = alternatives(pattern)
    anchors = {_anchor(shape[0], system) for shape in shapes}
    if len(anchors) != 1:
        raise EvalError(Code.INVALID_ARGUMENT)
    anchor = anchors.pop()
    if anchor is Anchor.TOP:
        shapes = [(*_drive(shape[0]), *shape[1:]) for shape in shapes]
    if anchor is Anchor.START and start is not None:
        anchor = Anchor.TOP
        before = tuple(tuple(name) for name in (start.root, *start.names) if name)
        shapes = [(*before, *shape) for shape in shapes]
    narrow, wide = expression(shapes, system.narrow), expression(shapes, system.wide)
    match = matcher(narrow)
    return Matcher(anchor, match, match if wide == narrow else matcher(wide))


def _anchor(first: Segment, system: FileSystem) -> Anchor:
    if first == DEEP:
        return Anchor.ANYWHERE
    if system.windows:
        # Without a drive it would count from the top of whichever drive is the current one.
        if not first:
            raise EvalError(Code.INVALID_ARGUMENT)
        return Anchor.TOP if len(first) == 2 and first[1] == ":" else Anchor.START
    return Anchor.START if first else Anchor.TOP


def _drive(first: Segment) -> tuple[Segment, ...]:
    """The first segment of an absolute pattern as paths have it: in lower case, or not at all."""
    if not first:
        return ()
    letter, colon = first
    if not isinstance(letter, str) or not (letter.isascii() and letter.isalpha()):
        raise EvalError(Code.INVALID_ARGUMENT)
    return ((letter.lower(), colon),)
