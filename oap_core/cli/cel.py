"""`oap cel`: try an expression on a document."""

from __future__ import annotations

import re
import shlex
from difflib import get_close_matches
from itertools import islice
from typing import Final, NoReturn

import click

from oap_core.cel.activation import freeze_value
from oap_core.cel.schema import SchemaError, type_from_schema
from oap_core.cel.trial import MomentError, attempt, loaded
from oap_core.cel.types import DYN, ObjectType
from oap_core.cli import cel_json, cel_text
from oap_core.cli.files import FileError, read_argument, read_json, read_text, shown_name
from oap_core.cli.terminal import err, out
from oap_core.clock import SystemClock
from oap_core.diagnostic import printable
from oap_core.errors import CelError

INVALID = 3
"""Exit code where the expression is not valid."""
FAILED = 4
"""Exit code where the expression is valid and its evaluation failed."""

_LIKE_AN_OPTION: Final = re.compile(r"--[A-Za-z][A-Za-z-]*")

_HELP: Final = """\
Evaluate a CEL EXPRESSION and show what became of it.

Put the expression into single quotes, so that the shell leaves it alone. `-` reads it from standard input, and so it
does for FILE; only one of them can.

Shows whether a rule with this condition would match, the value and its type, the data that was read, and the most
that an evaluation may cost. `now` is the moment of the trial, or the `now` of the input: a text such as
"2026-12-01T12:00:00Z". With a schema and no input nothing is evaluated: the expression is checked, and VALID says
that no mistake was found.

The functions are those of the core. A condition that calls one of a plugin is tried in a policy, with `oap test` or
`oap explain`.

\b
Examples:
  oap cel '1 + 2'
  oap cel 'args.amount <= 200' --input call.json
  oap cel 'args.amount <= 200' --schema schema.json
  oap cel 'args.amount <= 200' -i call.json -s schema.json --tree
  oap cel - -i call.json < condition.cel

\b
Exit codes:
  0  there is a value, whatever it is, or the expression is VALID
  1  crash, or nobody reads the output
  2  wrong usage, or a file that cannot be read
  3  the expression is not valid
  4  the expression is valid, and its evaluation failed
"""


class _Command(click.Command):
    """Takes an expression that begins with `-` for what it is."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put what no option begins like behind a `--`."""
        names = {name for option in self.params for name in option.opts if name.startswith("-")} | {"-h", "--help"}
        valued = {name for option in self.params if not getattr(option, "is_flag", True) for name in option.opts}
        options: list[str] = []
        expressions: list[str] = []
        remaining = iter(args)
        for arg in remaining:
            if f"-{arg}" in names:
                ctx.fail(f"no option `{arg}`, did you mean `-{arg}`?")
            option = arg.partition("=")[0]
            if arg == "--":
                expressions += remaining
            elif arg in valued:
                options += [arg, *islice(remaining, 1)]
            elif arg.startswith("--") and option not in names:
                if _LIKE_AN_OPTION.fullmatch(option) and get_close_matches(option, names):
                    options.append(arg)
                elif _LIKE_AN_OPTION.fullmatch(option):
                    whole = printable(shlex.quote(arg))
                    ctx.fail(
                        f"no option `{printable(option)}`; an expression stands behind two dashes: `oap cel -- {whole}`"
                    )
                else:
                    expressions.append(arg)
            elif arg.startswith("-") and arg[:2] not in names | {"-", "--"}:
                expressions.append(arg)
            else:
                options.append(arg)
        return super().parse_args(ctx, [*options, *(["--", *expressions] if expressions else [])])


@click.command(cls=_Command, help=_HELP, short_help="Try a CEL expression on a document.")
@click.argument("words", metavar="EXPRESSION", nargs=-1)
@click.option("-i", "--input", "document_name", metavar="FILE", help="JSON object whose members are the variables.")
@click.option("-s", "--schema", "schema_name", metavar="FILE", help="JSON Schema of the input, to check against.")
@click.option("-c", "--condition", is_flag=True, help="Require a boolean, as the `when` of a rule does.")
@click.option("-t", "--tree", is_flag=True, help="Show the syntax tree as well.")
@click.option("-j", "--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
def cel(
    words: tuple[str, ...],
    document_name: str | None,
    schema_name: str | None,
    *,
    condition: bool,
    tree: bool,
    as_json: bool,
) -> None:
    """Evaluate an expression and print what became of it."""
    expression = _expression(words)
    if [expression, document_name, schema_name].count("-") > 1:
        raise click.UsageError("only one of EXPRESSION, --input and --schema can come from standard input")
    document = None if document_name is None else _document(document_name)
    described = None if schema_name is None else _described(schema_name)
    source = read_text("-", "EXPRESSION") if expression == "-" else read_argument(expression, "EXPRESSION")
    source = source.rstrip("\r\n") if expression == "-" else source
    try:
        if document is None and described is not None:
            program = loaded(source, described, condition=condition)
            out((cel_json if as_json else cel_text).valid(program, tree=tree))
            return
        trial = attempt(source, document, described, freeze_value(SystemClock().now()), condition=condition)
    except CelError as error:
        _invalid(error, source, document, described, as_json=as_json)
    except MomentError as error:
        raise FileError(f"error  --input: {error}") from None
    if as_json:
        out(cel_json.trial(trial, tree=tree))
    else:
        for warning in cel_text.warnings(trial):
            err(warning)
        out(cel_text.trial(trial, tree=tree))
    if trial.failure is not None:
        raise SystemExit(FAILED)


def _expression(words: tuple[str, ...]) -> str:
    if not words:
        raise click.UsageError("an EXPRESSION is missing, such as `oap cel '1 + 2'`; `-` reads it from standard input")
    if len(words) > 1:
        whole = printable(shlex.quote(" ".join(words)))
        raise click.UsageError(f"the shell made {len(words)} words of the expression; quote it: `oap cel {whole}`")
    return words[0]


def _document(name: str) -> dict[str, object]:
    document = read_json(name, "--input")
    if not isinstance(document, dict):
        raise FileError(f"error  --input: {shown_name(name)} must hold a JSON object whose members are the variables")
    return document


def _described(name: str) -> ObjectType:
    try:
        described = type_from_schema(read_json(name, "--schema"), closed=True)
    except SchemaError as error:
        raise FileError(f"error  --schema: {shown_name(name)}: {error}") from None
    if described == DYN:
        return ObjectType(rest=DYN)
    if not isinstance(described, ObjectType):
        raise FileError(f"error  --schema: {shown_name(name)} must describe an object whose members are the variables")
    return described


def _invalid(
    error: CelError, source: str, document: object, described: ObjectType | None, *, as_json: bool
) -> NoReturn:
    if as_json:
        out(cel_json.invalid(error.diagnostics))
    else:
        no_data = document is None and described is None
        err(cel_text.invalid(error.diagnostics, source, no_data=no_data))
    raise SystemExit(INVALID)
