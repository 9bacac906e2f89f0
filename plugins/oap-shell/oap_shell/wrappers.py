"""Programs that run another program which stands among their arguments: `env`, `sudo`, `xargs`, `find`, ...

Each is looked through: the program inside is found, or the call is an error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from oap_shell.inside import Call, Inside
from oap_shell.limits import refusal
from oap_shell.options import Options, read_options
from oap_shell.parts import Named, Word

_IDENTIFIER: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ENV: Final = Options("v0", "uC", frozenset(["debug", "null"]), frozenset(["unset", "chdir"]))
_XARGS: Final = Options(
    "0rtpx",
    "nLPdEasI",
    frozenset(["null", "no-run-if-empty", "verbose", "interactive", "exit"]),
    frozenset(["max-args", "max-lines", "max-procs", "delimiter", "arg-file", "max-chars"]),
)
_SUDO: Final = Options(
    "EHnSkbP",
    "ugpCDT",
    frozenset(["non-interactive", "preserve-env", "set-home", "stdin", "background", "preserve-groups"]),
    frozenset(["user", "group", "prompt", "chdir", "command-timeout"]),
)
_DOAS: Final = Options("nL", "u")
_COMMAND: Final = Options("pvV")
_TIME: Final = Options("p")
_NONE: Final = Options()

_PLAIN: Final[Mapping[str, tuple[Options, int]]] = MappingProxyType(
    {
        "builtin": (_NONE, 0),
        "busybox": (_NONE, 0),
        "chroot": (Options(long=frozenset(["skip-chdir"]), long_valued=frozenset(["userspec", "groups"])), 1),
        "ionice": (
            Options("t", "cn", frozenset(["ignore"]), frozenset(["class", "classdata"])),
            0,
        ),
        "nice": (Options("0123456789", "n", long_valued=frozenset(["adjustment"])), 0),
        "setsid": (Options("cfw", long=frozenset(["ctty", "fork", "wait"])), 0),
        "stdbuf": (Options("", "ioe", long_valued=frozenset(["input", "output", "error"])), 0),
        "timeout": (
            Options(
                "vfp",
                "ks",
                frozenset(["verbose", "foreground", "preserve-status"]),
                frozenset(["kill-after", "signal"]),
            ),
            1,
        ),
        "gtimeout": (
            Options("v", "ks", frozenset(["foreground", "preserve-status"]), frozenset(["kill-after", "signal"])),
            1,
        ),
        "toybox": (_NONE, 0),
    }
)
"""Options of the programs that need nothing else, and how many arguments come before the program inside."""

_ALONE: Final = frozenset(["env", "nice", "time", "exec", "command", "builtin"])
"""Those that may stand without a program inside and then do nothing that a rule has to know."""

_ACTIONS: Final = frozenset(["-exec", "-execdir", "-ok", "-okdir"])
_FILES: Final = frozenset(["-fprint", "-fprint0", "-fls", "-fprintf"])


def _run_plain(call: Call, name: str) -> Inside:
    known, before = _PLAIN[name]
    place = read_options(call, known).place
    for _ in range(before):
        call.steady(place)
        place += 1
    return _inner(call, place, name)


def _inner(call: Call, place: int, name: str, assignments: tuple[Named, ...] = ()) -> Inside:
    """The call that begins at a place; none where the program may stand alone."""
    if place >= len(call.words):
        if name not in _ALONE or call.open_ended:
            raise refusal()
        return Inside(assignments=assignments)
    call.literal(place)
    return Inside((call.rest(place),), assignments=assignments)


def _run_assigning(call: Call, name: str, known: Options) -> Inside:
    """`env`, `sudo` and `time`: assignments may stand before the program."""
    options = read_options(call, known)
    assignments: list[Named] = []
    if name == "env":
        assignments += [Named(start, _identifier(value)) for start, value in options.values("u", "unset")]
    place = options.place
    while place < len(call.words) and "=" in call.steady(place):
        variable = call.steady(place).partition("=")[0]
        assignments.append(Named(call.words[place].start, _identifier(variable)))
        place += 1
    return _inner(call, place, name, tuple(assignments))


def _identifier(name: str) -> str:
    if not _IDENTIFIER.fullmatch(name):
        raise refusal()
    return name


def _run_nohup(call: Call, name: str) -> Inside:
    inner = _inner(call, read_options(call, _NONE).place, name)
    # It writes this file where its output would go to a terminal.
    return Inside(inner.calls, writes=(Named(call.words[0].start, "nohup.out"),))


def _run_command(call: Call, name: str) -> Inside:
    options = read_options(call, _COMMAND)
    return Inside() if options.has("v", "V") else _inner(call, options.place, name)


def _run_exec(call: Call, name: str) -> Inside:
    """Not with options: for bash, the word behind `-a` is no program; for other shells, it is the one that runs."""
    return _inner(call, read_options(call, _NONE).place, name)


def _run_xargs(call: Call, _name: str) -> Inside:
    options = read_options(call, _XARGS)
    if options.place >= len(call.words):
        if call.open_ended:
            raise refusal()
        # What it runs where nothing is named.
        return Inside((Call((Word(call.words[0].start, "echo", "echo", "echo"),), open_ended=True),))
    holes = frozenset(value for _, value in options.values("I"))
    inner = call.rest(options.place, holes, open_ended=True)
    inner.literal(0)
    return Inside((inner,))


def _run_find(call: Call, _name: str) -> Inside:
    # An argument that nobody has seen may be `-exec`.
    if call.open_ended:
        raise refusal()
    calls: list[Call] = []
    writes: list[Named] = []
    place = 1
    while place < len(call.words):
        word = call.steady(place)
        if word in _ACTIONS:
            end = _end_of_action(call, place + 1, several=word in ("-exec", "-execdir"))
            inner = Call(call.words[place + 1 : end], call.holes | {"{}"})
            inner.literal(0)
            calls.append(inner)
            place = end
        elif word in _FILES:
            place += 1
            path = call.literal(place)
            # Behind a test such as `-name` this is no action, and the next word may be one.
            if path.startswith(("-", "(", ")", "!", ",")):
                raise refusal()
            writes.append(Named(call.words[place - 1].start, path))
        place += 1
    return Inside(tuple(calls), writes=tuple(writes))


def _end_of_action(call: Call, place: int, *, several: bool) -> int:
    """Where the `;` or `+` stands that ends the command of an action. A `+` does so behind `{}`, and not everywhere."""
    while True:
        word = call.steady(place)
        value = call.words[place].value
        if value == ";" or (several and value == "+" and call.words[place - 1].value == "{}"):
            return place
        if word[:1] in (";", "+"):
            raise refusal()
        place += 1


WRAPPERS: Final[Mapping[str, Callable[[Call, str], Inside]]] = MappingProxyType(
    {
        **dict.fromkeys(_PLAIN, _run_plain),
        "command": _run_command,
        "doas": lambda call, name: _run_assigning(call, name, _DOAS),
        "env": lambda call, name: _run_assigning(call, name, _ENV),
        "exec": _run_exec,
        "find": _run_find,
        "gfind": _run_find,
        "nohup": _run_nohup,
        "sudo": lambda call, name: _run_assigning(call, name, _SUDO),
        "time": lambda call, name: _run_assigning(call, name, _TIME),
        "xargs": _run_xargs,
    }
)
"""How each is looked through, by its name."""
