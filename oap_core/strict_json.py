"""Reading JSON so that two readers cannot understand it differently: no repeated keys, no NaN, bounded depth.

Integers stay exact, whatever their length; whether one fits into 64 bits is decided where it is used. Text may hold
lone surrogates, as JSON allows; they are refused where values are frozen.
"""

from __future__ import annotations

import json
import re
from enum import StrEnum
from math import isinf
from typing import Final, NoReturn

from oap_core.diagnostic import Diagnostic

__all__ = ["MAX_DEPTH", "MAX_DIGITS", "JsonCode", "JsonError", "read"]

MAX_DEPTH: Final = 256
"""How many objects and arrays may lie inside one another."""
MAX_DIGITS: Final = 4000
"""Longest number, in characters; the time to convert one grows with the square of its length."""


class JsonCode(StrEnum):
    """The stable codes of what can be wrong with a JSON text."""

    SYNTAX = "JSON101"
    REPEATED_KEY = "JSON102"
    NUMBER = "JSON103"
    TOO_DEEP = "JSON104"


class JsonError(ValueError):
    """The text is not one JSON value in the strict sense; carries the place."""

    diagnostic: Diagnostic
    """What is wrong and where; of the text it quotes at most a repeated key and the name of a constant."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic)
        self.diagnostic = diagnostic

    def __str__(self) -> str:
        return str(self.diagnostic)


class _Refused(Exception):  # noqa: N818  # flow inside this module: it becomes a `JsonError` once the place is known
    """What the decoder would take and this reader does not."""

    def __init__(self, code: JsonCode, message: str, help: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.help = help


def read(text: str, file: str | None = None) -> object:
    """Decode one JSON text. Raises `JsonError`, whatever the text is; `file` is the name that the error shows."""
    if text.startswith("\ufeff"):
        help = "save the file as UTF-8 without one"
        raise _error(text, 0, _Refused(JsonCode.SYNTAX, "the text begins with a byte order mark", help), file)
    try:
        value: object = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise _error(text, error.pos, _Refused(JsonCode.SYNTAX, *_mistake(text, error.pos)), file) from None
    except (_Refused, RecursionError):
        raise _error(text, *_refusal(text), file) from None
    if text.count("[") + text.count("{") > MAX_DEPTH and _too_deep(value):
        raise _error(text, *_refusal(text), file)
    return value


def _error(text: str, offset: int, refused: _Refused, file: str | None) -> JsonError:
    line, column = _place(text, offset)
    return JsonError(
        Diagnostic(refused.code, refused.message, line, column, line, column + 1, help=refused.help, file=file)
    )


def _place(text: str, offset: int) -> tuple[int, int]:
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def _mistake(text: str, offset: int) -> tuple[str, str | None]:
    """Name the usual mistakes by what stands where the decoder gave up."""
    rest, head = text[offset : offset + 40], text[:offset].rstrip()
    around = f"{head[-1:] or ' '}{' ' if len(head) < offset else ''}{rest}"
    if not text.strip():
        return "the text is empty", None
    if not rest:
        return "the text ends too early", None
    if _ended(text, offset):
        return "there is more behind the value", "one text holds one value"
    for pattern, help in _HELP:
        if pattern.match(around):
            return "this is not JSON", help
    return "this is not JSON", None


_HELP: Final = (
    (re.compile(r". ?'"), "JSON writes text in double quotes"),
    (re.compile(r", ?[}\]]|.,\s*[}\]]"), "remove the last comma"),
    (re.compile(r". ?(?://|/\*|#)"), "JSON has no comments"),
    (re.compile(r". ?(?:True|False|None)\b"), "JSON writes `true`, `false` and `null`"),
    (re.compile(r"[{,] ?[A-Za-z_$]"), "keys stand in double quotes"),
    (re.compile(r"0[0-9]"), "a number has no leading zero"),
    (re.compile(r'["\]}] ?["\w\[{-]|\w ["\w\[{-]'), "a comma or a colon is missing"),
    (re.compile(r".\\"), "a backslash in a text is written `\\\\`"),
    (re.compile(r".[\x00-\x1f]", re.DOTALL), "a control character in a text is written as an escape, such as `\\n`"),
)
"""Looked for in the last character before the place, a space where there is any, and what follows."""


def _ended(text: str, offset: int) -> bool:
    """Whether a whole value stands before the offset."""
    try:
        json.loads(text[:offset])
    except (ValueError, RecursionError):
        return False
    return True


def _too_deep(value: object) -> bool:
    level, depth = [value], 0
    while level:
        level = [
            item
            for holder in level
            for item in (holder.values() if isinstance(holder, dict) else holder if isinstance(holder, list) else ())
            if isinstance(item, dict | list)
        ]
        depth += 1
    return depth > MAX_DEPTH


_TOKEN: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)


def _refusal(text: str) -> tuple[int, _Refused]:
    """Find the first place of a text that this reader refuses; only what stands before it is known to be JSON."""
    holders: list[tuple[str, dict[str, int]]] = []
    key_next = False
    for token in _TOKEN.finditer(text):
        word, offset = token[0], token.start()
        if word in "{[":
            holders.append((word, {}))
            if len(holders) > MAX_DEPTH:
                return offset, _Refused(JsonCode.TOO_DEEP, f"the text nests more than {MAX_DEPTH} levels deep")
        elif word in "}]" and holders:
            holders.pop()
        elif word[0] == '"' and key_next:
            key, (_, keys) = _key(word), holders[-1]
            if key in keys:
                return offset, _repeated(key, _place(text, keys[key])[0])
            keys[key] = offset
        elif refused := _refused_number(word):
            return offset, refused
        key_next = word in "{," and bool(holders) and holders[-1][0] == "{"
    return 0, _Refused(JsonCode.TOO_DEEP, "the text nests too deep to be read here")


def _key(word: str) -> str:
    try:
        return str(json.loads(word))
    except ValueError:
        return word


def _repeated(key: str, line: int) -> _Refused:
    shown = key if len(key) <= 40 else f"{key[:40]}..."
    return _Refused(JsonCode.REPEATED_KEY, f"the key `{shown}` stands twice in one object", f"first on line {line}")


_NUMBER: Final = re.compile(
    r"(?P<constant>NaN|-?Infinity)|-?(?:0|[1-9][0-9]*)(?P<double>(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)"
)
"""What the decoder takes for a number, whatever follows it."""


def _refused_number(word: str) -> _Refused | None:
    number = _NUMBER.match(word)
    if number is None:
        return None
    try:
        if number["constant"]:
            _constant(number[0])
        _double(number[0]) if number["double"] else _integer(number[0])
    except _Refused as refused:
        return refused
    return None


def _pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _Refused(JsonCode.REPEATED_KEY, "a key stands twice in one object")
    return found


def _constant(name: str) -> NoReturn:
    raise _Refused(JsonCode.NUMBER, f"`{name}` is not a JSON number")


def _integer(digits: str) -> int:
    if len(digits) <= MAX_DIGITS:
        try:
            return int(digits)
        except ValueError:
            # An interpreter can be told to refuse shorter numbers than this module does.
            pass
    raise _Refused(JsonCode.NUMBER, "a number has too many digits")


def _double(digits: str) -> float:
    if len(digits) > MAX_DIGITS:
        raise _Refused(JsonCode.NUMBER, "a number has too many digits")
    number = float(digits)
    if isinf(number):
        raise _Refused(JsonCode.NUMBER, "a number is too large for a double")
    return number


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_pairs, parse_constant=_constant, parse_int=_integer, parse_float=_double
)
