"""Printing for a person: what a stream cannot show comes out as an escape, and colour only where it is wanted."""

from __future__ import annotations

import io
import sys

import click


def prepare() -> None:
    """Let the standard streams escape what their encoding lacks, in the form that CEL can read back."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def out(text: str) -> None:
    """Print an answer."""
    # The stream is named, since click writes UTF-8 to a stream of its own where the locale says ASCII.
    click.echo(text, file=sys.stdout)


def err(text: str) -> None:
    """Print what is wrong or odd."""
    click.echo(text, file=sys.stderr)
