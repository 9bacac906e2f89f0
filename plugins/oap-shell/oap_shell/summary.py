"""Puts together what a command line does: every program, write, read and assignment, in the order of the line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Final

from oap_shell.builtins import BUILTINS, LOADER, REFUSED
from oap_shell.inside import Call, Inside
from oap_shell.limits import COMMANDS, LINE_BYTES, SHELL_BYTES, TEXTS, refusal
from oap_shell.parts import Named
from oap_shell.reader import KEYWORDS, read
from oap_shell.shells import SHELLS
from oap_shell.tree import confirm
from oap_shell.wrappers import WRAPPERS

_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029]|\r(?!\n)")
_PROGRAM: Final = re.compile(r"[A-Za-z0-9_./+@:,][A-Za-z0-9_./+@:,-]*\r?|\[\[?")
_KNOWN: Final[Mapping[str, Callable[[Call, str], Inside]]] = {**WRAPPERS, **SHELLS, **BUILTINS}

_EVALUATED: Final = frozenset(
    [
        "BASHOPTS", "BASH_ENV", "ENV", "PROMPT_COMMAND", "PS0", "PS1", "PS2", "PS4", "SHELLOPTS",
        # They are numbers for a shell, so what is assigned to them is arithmetic.
        "BASHPID", "BASH_MONOSECONDS", "BASH_SUBSHELL", "EPOCHREALTIME", "EPOCHSECONDS", "EUID", "HISTCMD", "LINENO",
        "MAILCHECK", "OPTIND", "PPID", "RANDOM", "SECONDS", "SRANDOM", "UID",
        # They say what a name leads to.
        "BASH_ALIASES", "BASH_CMDS",
        # What a text in `$"..."` is translated to is expanded.
        "TEXTDOMAIN", "TEXTDOMAINDIR",
    ]
)  # fmt: skip
"""Variables whose values a shell evaluates, or that make it evaluate others: nobody may set them."""

_TILDES: Final = frozenset(["HOME", "OLDPWD", "PWD"])
"""Variables that a `~` is replaced with."""

_LOCALES: Final = frozenset(["LANG", "LC_ALL", "LC_CTYPE"])
"""Variables that say how a shell takes bytes together to characters in its next lines."""

_Place = tuple[int, ...]
"""Where something stands; inside a text that a word holds, behind the place of that word."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What a command line does. Each list names a thing once, in the order in which they are first met in the line."""

    programs: tuple[str, ...]
    """Programs and builtins as they are written, after the removal of quotes."""
    writes: tuple[str, ...]
    """Files that are written by redirections, and by the few programs that name them where they run another."""
    reads: tuple[str, ...]
    """Files that redirections read."""
    assignments: tuple[str, ...]
    """Variables that are set, unset or handed on."""


@dataclass(slots=True)
class _Sheet:
    """The summary in the making."""

    programs: list[tuple[_Place, str]] = field(default_factory=list)
    writes: list[tuple[_Place, str]] = field(default_factory=list)
    reads: list[tuple[_Place, str]] = field(default_factory=list)
    assignments: list[tuple[_Place, str]] = field(default_factory=list)
    texts: list[tuple[_Place, str]] = field(default_factory=list)
    size: int = 0

    def enter(self, place: _Place, inside: Inside, holes: frozenset[str]) -> None:
        """Note what one call holds."""
        _note(self.assignments, place, inside.assignments)
        _note(self.writes, place, inside.writes)
        for text in inside.texts:
            if any(hole in text.text for hole in holes):
                raise refusal()
            self.texts.append(((*place, text.start), text.text))


def summarize(command: str) -> Summary:
    """What a command line does.

    Raises `EvalError` (invalid_argument) for every line that is not wholly understood.
    """
    if len(command) > LINE_BYTES or _CONTROL.search(command):
        raise refusal()
    try:
        line = command.encode("utf-8")
    except UnicodeEncodeError:
        raise refusal() from None
    if len(line) > LINE_BYTES:
        raise refusal()
    sheet = _Sheet(texts=[((), line.decode("latin-1"))])
    while sheet.texts:
        _read_text(sheet, *sheet.texts.pop())
    assigned = {name for _, name in sheet.assignments}
    # A `~` is taken for a path wherever one stands, and a line is read in UTF-8 to its end.
    if (
        not assigned.isdisjoint(_EVALUATED)
        or ("~" in command and not assigned.isdisjoint(_TILDES))
        or (not command.isascii() and not assigned.isdisjoint(_LOCALES))
    ):
        raise refusal()
    return Summary(_once(sheet.programs), _once(sheet.writes), _once(sheet.reads), _once(sheet.assignments))


def _read_text(sheet: _Sheet, place: _Place, text: str) -> None:
    if len(place) > TEXTS:
        raise refusal()
    reading = read(text)
    sheet.size += len(text) - reading.plain
    if sheet.size > SHELL_BYTES:
        raise refusal()
    confirm(text.encode("latin-1"), reading)
    _note(sheet.assignments, place, reading.assignments)
    _note(sheet.writes, place, reading.writes)
    _note(sheet.reads, place, reading.reads)
    for command in reading.commands:
        _look_into(sheet, place, Call(command.words))


def _look_into(sheet: _Sheet, place: _Place, outermost: Call) -> None:
    """Note the program of a call, and those of all calls inside it."""
    calls = [outermost]
    while calls:
        call = calls.pop()
        program = call.literal(0)
        if not _PROGRAM.fullmatch(program) or (program in KEYWORDS and program != "[["):
            raise refusal()
        sheet.programs.append(((*place, call.words[0].start), program))
        if len(sheet.programs) > COMMANDS:
            raise refusal()
        name = _lookup(program)
        if name in REFUSED or LOADER.fullmatch(name):
            raise refusal()
        look = _KNOWN.get(name)
        if look is not None:
            inside = look(call, name)
            sheet.enter(place, inside, call.holes)
            calls += inside.calls


def _lookup(program: str) -> str:
    """The name that a program is known by: some file systems fold case, and some systems add an ending."""
    return program.rstrip("\r").rpartition("/")[2].lower().removesuffix(".exe")


def _note(noted: list[tuple[_Place, str]], place: _Place, found: Iterable[Named]) -> None:
    noted += [((*place, named.start), named.name) for named in found]


def _once(noted: list[tuple[_Place, str]]) -> tuple[str, ...]:
    """The names in the order of their places, each once, as text again."""
    names = dict.fromkeys(name for _, name in sorted(noted, key=itemgetter(0)))
    try:
        return tuple(name.encode("latin-1").decode("utf-8") for name in names)
    except UnicodeDecodeError:
        raise refusal() from None
