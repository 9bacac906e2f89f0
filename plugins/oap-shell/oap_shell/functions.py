"""`shell` and `shell_programs` as conditions call them: their types, what they cost, and their reference texts."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from oap_core.cel import STRING, Field, Function, ListType, ObjectType, Overload
from oap_shell.limits import SHELL_BYTES, refusal
from oap_shell.summary import summarize

_GROUP: Final = "shell"
_SEVERAL: Final = ListType(STRING)
_SUMMARY: Final = ObjectType(
    fields=MappingProxyType({name: Field(_SEVERAL) for name in ("programs", "writes", "reads", "assignments")})
)
_UNITS: Final = 20
_NOWHERE: Final = "/dev/null"


def shell(command: str) -> dict[str, tuple[str, ...]]:
    """What a command line runs, writes, reads and assigns, under the names of the four.

    Raises `EvalError` (invalid_argument) for every line that is not wholly understood.
    """
    summary = summarize(command)
    return {
        "programs": summary.programs,
        "writes": summary.writes,
        "reads": summary.reads,
        "assignments": summary.assignments,
    }


def shell_programs(command: str) -> tuple[str, ...]:
    """The programs of a command line that does no more than run them.

    Raises `EvalError` (invalid_argument) where `shell` does, and where there is no program, an assignment, or a
    redirection that writes anything but `/dev/null`.
    """
    summary = summarize(command)
    if not summary.programs or summary.assignments or any(path != _NOWHERE for path in summary.writes):
        raise refusal()
    return summary.programs


def _effort(command: str) -> int:
    """By the length. Two readers look at each character, and what is in no quotes may take the second one long."""
    return min(len(command), SHELL_BYTES) // 8 + len(command) // 64


FUNCTIONS: Final = (
    Function(
        "shell",
        (Overload((STRING,), _SUMMARY, shell, scans=True, units=_UNITS, extra=_effort),),
        "What a command line of bash or a POSIX shell does, as an object of four lists: `programs` that it runs, "
        "`writes` and `reads`, the files of its redirections, and `assignments`, the variables that it sets, unsets or "
        "exports. Each list names a thing once, as written after quotes and backslashes are removed (`/bin/rm` stays "
        "`/bin/rm`), in the order of the line. Programs inside substitutions, `sh -c`, `env`, `sudo`, `xargs`, `find "
        "-exec` and their like are found too. Refuses every line that two readers do not understand in the same way, "
        "programs and targets that are not literal, functions, `((...))`, control characters, and programs that run "
        "others in ways that are not looked into.",
        examples=(
            ("shell('cat a.txt | sort > b.txt').programs", "['cat', 'sort']"),
            ("shell('cat < a.txt > b.txt').writes", "['b.txt']"),
            ("shell('cat < a.txt > b.txt').reads", "['a.txt']"),
            ("shell('LC_ALL=C sort a.txt').assignments", "['LC_ALL']"),
            ("shell(\"env sh -c 'ls; date'\").programs", "['env', 'sh', 'ls', 'date']"),
        ),
        group=_GROUP,
    ),
    Function(
        "shell_programs",
        (Overload((STRING,), _SEVERAL, shell_programs, scans=True, units=_UNITS, extra=_effort),),
        "The programs of a command line that does no more than run them: the strict short form of `shell`, for grants. "
        "Refuses what `shell` refuses, a line without a program, every assignment (`X=1 ls`, `export X`, `env X=1 ls`, "
        "`for x in ...`), and every redirection that writes, except to `/dev/null`.",
        examples=(
            ("shell_programs('git log | head -5')", "['git', 'head']"),
            ("shell_programs('ls 2>&1 | cat')", "['ls', 'cat']"),
            ("shell_programs('echo $(date)')", "['echo', 'date']"),
        ),
        group=_GROUP,
    ),
)
"""Both."""
