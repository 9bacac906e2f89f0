"""Builtins of the shell whose arguments set variables or are evaluated, and programs that hide what they run."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from oap_shell.inside import Call, Inside
from oap_shell.limits import refusal
from oap_shell.options import Options, read_options
from oap_shell.parts import Named

REFUSED: Final = frozenset(
    [
        # They run what their arguments or files hold, in ways that are not looked into.
        ".", "source", "alias", "unalias", "coproc", "watch", "parallel", "script", "scriptreplay", "strace", "ltrace",
        "unbuffer", "su", "runuser", "flock", "entr", "at", "batch", "run-parts", "taskset", "chrt", "unshare",
        "nsenter", "fakeroot", "fakechroot", "proot", "bwrap", "firejail", "systemd-run", "run0", "pkexec", "sg",
        "newgrp", "setpriv", "setarch", "linux32", "linux64", "prlimit", "choom", "numactl", "cpulimit", "catchsegv",
        "valgrind", "rlwrap", "xvfb-run", "dbus-run-session", "dbus-launch", "caffeinate", "sandbox-exec", "arch",
        "torsocks", "torify", "proxychains", "proxychains4", "tsocks", "faketime", "sem",
        "start-stop-daemon", "daemonize",
        "gosu", "su-exec", "tini", "dumb-init", "sudoedit", "visudo", "gnome-terminal", "xterm", "noglob", "nocorrect",
        "repeat", "foreach", "aoss", "chpst", "setuidgid", "envdir", "softlimit", "pgrphack", "setlock", "uxterm",
        "eatmydata", "cgexec", "annotate-output", "hyperfine", "winpty", "wsl", "ssh-agent", "gtime", "genv", "gxargs",
        "gnice", "gnohup", "gstdbuf", "gchroot", "pipexec", "coreutils", "chronic", "ifne", "pee", "zrun", "lckdo",
        "logsave", "i386", "x86_64", "uname26", "envuidgid", "cttyhack", "openvt", "hush", "capsh", "runcon", "gdb", "rr",
        "gnuenv", "gnunice", "gnunohup", "gnustdbuf", "gnutimeout", "gnuchroot", "daemon", "dtach", "uclampset", "tsp",
        # They change what other names or later text mean, or evaluate their arguments.
        "enable", "hash", "bind", "complete", "compgen", "compopt", "fc", "shopt", "mapfile", "readarray", "getopts",
        "let", "emulate", "setopt", "unsetopt", "zmodload", "autoload", "functions", "zle", "sched",
    ]
)  # fmt: skip
"""Names that are always an error."""

LOADER: Final = re.compile(r"ld[0-9]*(?:-[a-z0-9_.-]+)?\.so[0-9.]*")
"""How the programs are named that load others; they are an error as well."""

_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_COUNT: Final = re.compile(r"%[^%A-Za-z]*[hlLjzt]*n")
_SET: Final = re.compile(r"[-+][efuxvC]*o?")
_SETTINGS: Final = frozenset(["errexit", "nounset", "pipefail", "xtrace", "noglob", "noclobber", "verbose"])
_DECLARE: Final = Options("gxrp")
_EXPANDING: Final = frozenset(["declare", "typeset", "local"])
_READ: Final = Options("rse", "dinNptua")
_COMPARISONS: Final = frozenset(
    ["=", "==", "!=", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef", "<", ">"]
)
_ARITHMETIC: Final = frozenset(["-eq", "-ne", "-lt", "-le", "-gt", "-ge"])
_EVALUATING: Final = frozenset(["-v", "-R"])


def _declare(call: Call, name: str) -> Inside:
    """`export` and its kin: each name counts, with a value or without."""
    place = read_options(call, _DECLARE).place if len(call.words) > 1 and not _assigns(call, 1) else 1
    assignments = []
    for at in range(place, len(call.words)):
        word = call.words[at]
        variable, equals, value = word.prefix.partition("=")
        variable = variable.removesuffix("+")
        # What is not in quotes may bring further names, except in bash.
        if word.several or (word.value is None and not equals) or not _NAME.fullmatch(variable):
            raise refusal()
        # For a variable that is an array already, a value in parentheses is expanded once more.
        if name in _EXPANDING and (value.startswith("(") or (word.value is None and not value)):
            raise refusal()
        assignments.append(Named(word.start, variable))
    return _closed(call, Inside(assignments=tuple(assignments)))


def _assigns(call: Call, place: int) -> bool:
    return _NAME.fullmatch(call.words[place].prefix.partition("=")[0].removesuffix("+")) is not None


def _closed(call: Call, inside: Inside) -> Inside:
    if call.open_ended or call.holes:
        raise refusal()
    return inside


def _unset(call: Call, _name: str) -> Inside:
    return _named(call, read_options(call, Options("v")).place)


def _read(call: Call, _name: str) -> Inside:
    options = read_options(call, _READ)
    arrays = tuple(_name_of(start, value) for start, value in options.values("a"))
    named = _named(call, options.place).assignments
    words = arrays + named or (Named(call.words[0].start, "REPLY"),)
    return _closed(call, Inside(assignments=words))


def _named(call: Call, place: int) -> Inside:
    names = tuple(_name_of(call.words[at].start, call.literal(at)) for at in range(place, len(call.words)))
    return _closed(call, Inside(assignments=names))


def _name_of(start: int, name: str) -> Named:
    if not _NAME.fullmatch(name):
        raise refusal()
    return Named(start, name)


def _set(call: Call, _name: str) -> Inside:
    """Options that change neither what words mean nor the arguments of the shell."""
    place = 1
    while place < len(call.words):
        text = call.literal(place)
        if not _SET.fullmatch(text) or len(text) == 1:
            raise refusal()
        if text.endswith("o"):
            place += 1
            if place < len(call.words) and call.literal(place) not in _SETTINGS:
                raise refusal()
        place += 1
    return _closed(call, Inside())


def _printf(call: Call, _name: str) -> Inside:
    """`-v` and `%n` set variables, and the name behind `-v` is evaluated."""
    place = 2 if len(call.words) > 1 and call.words[1].value == "--" else 1
    if place >= len(call.words) or call.holes:
        return _closed(call, Inside())
    form = call.steady(place)
    further = call.open_ended or len(call.words) > place + 1
    if (place == 1 and form.startswith("-")) or (further and call.words[place].value is None) or _COUNT.search(form):
        raise refusal()
    return Inside()


def _plain_numbers(call: Call, _name: str) -> Inside:
    """`wait` and `jobs`: options of theirs set a variable, or run a command."""
    for place in range(1, len(call.words)):
        if call.steady(place).startswith("-"):
            raise refusal()
    return _closed(call, Inside())


def _test(call: Call, name: str) -> Inside:
    """`test`, `[` and `[[`: some operators evaluate what stands beside them, so none may be filled in.

    A word that is filled in has to be one word, beside a comparison that is written out or behind an operator that is.
    """
    words = call.words[1:-1] if name in ("[", "[[") else call.words[1:]
    if call.open_ended or (name in ("[", "[[") and call.words[-1].value != "]" * len(name)):
        raise refusal()
    values = [word.value for word in words]
    for at, word in enumerate(words):
        if word.value is not None:
            if word.value in _EVALUATING or (name == "[[" and word.value in _ARITHMETIC):
                raise refusal()
            continue
        # Between `[[` and `]]` nothing is split, and operators are told apart before anything is filled in.
        if name == "[[":
            continue
        before = values[at - 1] if at else None
        after = values[at + 1] if at + 1 < len(values) else None
        unary = before is not None and len(before) == 2 and before.startswith("-") and len(values) <= 3
        if word.several or not (unary or before in _COMPARISONS or after in _COMPARISONS):
            raise refusal()
    return Inside()


BUILTINS: Final[Mapping[str, Callable[[Call, str], Inside]]] = MappingProxyType(
    {
        **dict.fromkeys(["export", "declare", "typeset", "local", "readonly"], _declare),
        **dict.fromkeys(["test", "[", "[["], _test),
        **dict.fromkeys(["wait", "jobs"], _plain_numbers),
        "printf": _printf,
        "read": _read,
        "set": _set,
        "unset": _unset,
    }
)
"""What is found in the arguments of each, by its name."""
