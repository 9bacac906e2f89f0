"""Reading what a person names on the command line, with errors in one line instead of a traceback."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import IO, Any, Final

import click

from oap_core.diagnostic import printable, render
from oap_core.strict_json import JsonError, read

MOST_BYTES: Final = 16 * 1024 * 1024
"""Largest file that is read; data that expressions can use is smaller."""


class FileError(click.ClickException):
    """Something that a person named cannot be used; the message says what it is and why."""

    exit_code = 2

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the message as it is, since the usage of the command would explain nothing."""
        click.echo(self.message, file=file or sys.stderr)


def read_text(name: str, what: str) -> str:
    """The text of a file, or of standard input for `-`. Raises `FileError` that says what is wrong."""
    shown = shown_name(name)
    try:
        data = _bytes(name)
    except OSError as error:
        reason = "it is a directory" if isinstance(error, IsADirectoryError) else error.strerror or "input error"
        raise FileError(f"error  {what}: cannot read {shown}: {reason}") from None
    except ValueError:
        raise FileError(f"error  {what}: {shown} cannot be the name of a file") from None
    if len(data) > MOST_BYTES:
        raise FileError(f"error  {what}: {shown} is larger than {MOST_BYTES // 1024 // 1024} MB")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
        reason = "UTF-16; save it as UTF-8" if wide else f"not UTF-8 at byte {error.start + 1}"
        raise FileError(f"error  {what}: {shown} is {reason}") from None


def read_json(name: str, what: str) -> object:
    """The JSON value in a file. Raises `FileError` that shows the place of a mistake."""
    text = read_text(name, what)
    try:
        return read(text, shown_name(name).strip("`"))
    except JsonError as error:
        raise FileError(render(error.diagnostic, text)) from None


def read_argument(argument: str, what: str) -> str:
    """The text of an argument, as UTF-8 whatever the locale says. Raises `FileError` where it is not."""
    try:
        return os.fsencode(argument).decode("utf-8")
    except UnicodeError:
        raise FileError(f"error  {what}: not UTF-8") from None


def shown_name(name: str) -> str:
    """The name of a file as messages show it."""
    return "standard input" if name == "-" else f"`{printable(name)}`"


def _bytes(name: str) -> bytes:
    if not name:
        raise ValueError(name)
    if name == "-":
        return sys.stdin.buffer.read(MOST_BYTES + 1)
    with Path(name).open("rb") as file:
        return file.read(MOST_BYTES + 1)
