"""The page of the command line, from the help of every verb."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import click

from oap_core.cli.verbs import oap

HEAD: Final = """\
# Command line

Generated from the help of the commands by `poe docs`; edit that, not this page.

[Policies](../guide/policies.md#check-test-explain) shows `oap check`, `oap test` and `oap explain` at work, and
[Conditions in CEL](../guide/cel.md) shows `oap cel`.
"""

WIDTH: Final = 100


def page() -> str:
    """Return the whole page."""
    return "\n".join([HEAD, *_commands()])


def _commands() -> Iterator[str]:
    top = click.Context(oap, info_name="oap", terminal_width=WIDTH, help_option_names=["-h", "--help"])
    yield from _help(oap, top)
    for name in oap.list_commands(top):
        command = oap.get_command(top, name)
        assert command is not None
        yield from _help(command, click.Context(command, top, info_name=name, terminal_width=WIDTH))


def _help(command: click.Command, context: click.Context) -> Iterator[str]:
    yield f"## {context.command_path}\n"
    yield f"```text\n{command.get_help(context)}\n```\n"
