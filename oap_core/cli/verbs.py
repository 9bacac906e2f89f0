"""The verbs of `oap`. One is imported when it is called, so that none pays for another."""

from __future__ import annotations

import os
from difflib import get_close_matches
from importlib import import_module
from typing import Final

import click

from oap_core import __version__
from oap_core.cli.terminal import out
from oap_core.diagnostic import printable

VERBS: Final = {
    "bench": ("oap_core.cli.bench:bench", "Measure what decisions cost, rule by rule."),
    "cel": ("oap_core.cli.cel:cel", "Try a CEL expression on a document."),
    "check": ("oap_core.cli.check:check", "Find what is wrong with policies."),
    "docs": ("oap_core.cli.docs:docs", "Write a page about each policy."),
    "explain": ("oap_core.cli.explain:explain", "Say why a call is decided as it is."),
    "init": ("oap_core.cli.init:init", "Begin a project with policies that work."),
    "schema": ("oap_core.cli.schema:schema", "Write the schemas that editors use."),
    "test": ("oap_core.cli.test:test", "Run the tests of policies."),
}
"""Where each verb is, and what the list of verbs says about it."""


class Verbs(click.Group):
    """A group that knows its verbs by name and imports the one that is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, sorted."""
        return sorted({*super().list_commands(ctx), *VERBS})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one verb, or give None for a name that is none."""
        if cmd_name not in VERBS:
            return super().get_command(ctx, cmd_name)
        module, _, name = VERBS[cmd_name][0].partition(":")
        command = getattr(import_module(module), name)
        return command if isinstance(command, click.Command) else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs without importing them."""
        with formatter.section("Verbs"):
            formatter.write_dl([(name, VERBS[name][1]) for name in self.list_commands(ctx)])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the verb of a command line. Raises `click.UsageError` that names the nearest one."""
        name = args[0]
        if name in self.list_commands(ctx):
            return super().resolve_command(ctx, args)
        known = {
            **{verb: f"oap {verb}" for verb in self.list_commands(ctx)},
            "help": "oap -h",
            "version": "oap --version",
        }
        near = get_close_matches(name.lower(), known, n=1, cutoff=0.5)
        if near:
            advice = f"did you mean `{known[near[0]]}`?"
        elif name.isalnum():
            advice = "`oap -h` lists the verbs"
        else:
            advice = "an expression stands behind the verb: `oap cel 'EXPRESSION'`"
        raise click.UsageError(f"no verb `{printable(name)}`; {advice}", ctx)


@click.group(
    cls=Verbs,
    invoke_without_command=True,
    subcommand_metavar="VERB ...",
    epilog="`oap VERB -h` explains a verb, with its exit codes.",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="oap")
@click.pass_context
def oap(ctx: click.Context) -> None:
    """Gate the tool calls of AI agents by policy."""
    if os.environ.get("NO_COLOR"):
        ctx.color = False
    if ctx.invoked_subcommand is None:
        out(ctx.get_help())
