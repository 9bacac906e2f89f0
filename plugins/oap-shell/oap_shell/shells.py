"""Programs that read a text as commands: `sh -c`, `eval`, `trap`. The text is read in turn, or the call is an error."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from oap_shell.inside import Call, Inside, Text
from oap_shell.limits import refusal

_FLAGS: Final = frozenset("ceulxvfs")
_SETTINGS: Final = frozenset(["errexit", "nounset", "pipefail", "xtrace", "noglob", "noclobber"])
_LONG: Final = frozenset(["--login", "--norc", "--noprofile", "--posix", "--version", "--help"])


def _run_shell(call: Call, _name: str) -> Inside:
    """A POSIX shell or bash. One that reads a file or its input is a program like others."""
    place = 1
    evaluates = False
    while place < len(call.words):
        if not call.steady(place).startswith(("-", "+")):
            break
        text = call.literal(place)
        place += 1
        if text in ("-", "--"):
            break
        if text in _LONG:
            continue
        letters = text[1:]
        if letters.endswith("o") and text.startswith("-"):
            if call.literal(place) not in _SETTINGS:
                raise refusal()
            place += 1
            letters = letters[:-1]
        if text.startswith("+") or not _FLAGS.issuperset(letters):
            raise refusal()
        evaluates = evaluates or "c" in letters
    if evaluates:
        text = call.literal(place)
        return Inside(texts=(Text(call.words[place].start, text),))
    # The next argument that nobody has seen may be `-c`.
    if call.open_ended and place >= len(call.words):
        raise refusal()
    return Inside()


def _run_other_shell(call: Call, _name: str) -> Inside:
    """A shell of another language: its scripts are programs like others, its options are not known."""
    if call.open_ended or (len(call.words) > 1 and call.steady(1).startswith(("-", "+"))):
        raise refusal()
    return Inside()


def _run_eval(call: Call, _name: str) -> Inside:
    texts = [call.literal(place) for place in range(1, len(call.words))]
    if not texts:
        return Inside()
    if call.open_ended or texts[0].startswith("-"):
        raise refusal()
    return Inside(texts=(Text(call.words[1].start, " ".join(texts)),))


def _run_trap(call: Call, _name: str) -> Inside:
    if len(call.words) == 1:
        return Inside()
    action = call.literal(1)
    if action in ("", "-"):
        return Inside()
    if action.startswith("-") or len(call.words) == 2:
        raise refusal()
    return Inside(texts=(Text(call.words[1].start, action),))


SHELLS: Final[Mapping[str, Callable[[Call, str], Inside]]] = MappingProxyType(
    {
        **dict.fromkeys(["sh", "bash", "dash", "ash", "rbash"], _run_shell),
        **dict.fromkeys(
            ["zsh", "ksh", "ksh93", "mksh", "oksh", "yash", "fish", "csh", "tcsh", "xonsh", "nu", "pwsh", "powershell"],
            _run_other_shell,
        ),
        "cmd": _run_other_shell,
        "eval": _run_eval,
        "trap": _run_trap,
    }
)
"""How each is looked into, by its name."""
