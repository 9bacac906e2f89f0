"""`oap init`: begin a project with policies, a catalog and tests that work as they are."""

from __future__ import annotations

import os
import shlex
from importlib.resources import files
from pathlib import Path
from typing import Final

import click

from oap_core import plugins
from oap_core.cli.files import FileError, shown_name
from oap_core.cli.terminal import out
from oap_core.clock import SystemClock
from oap_core.config import find_config, load_config
from oap_core.diagnostic import printable
from oap_core.policy.files import shown

__all__ = ["init"]

_CALL: Final = "call.json"
_CONFIG: Final = "oap.yaml"
_FILES: Final = {
    "catalog.yaml": ("catalog.yaml", "the tools, and what each can do at worst"),
    "policies/README.md": ("README.md", "what the policies promise, and what they cannot"),
    "policies/fixtures.yaml": ("policies/fixtures.yaml", "values that the tests share"),
    "policies/starter.yaml": ("policies/starter.yaml", "the rules"),
    "policies/starter_test.yaml": ("policies/starter_test.yaml", "their tests"),
    _CALL: (_CALL, "a call to explain"),
    # The last one, so that a project which was not written to its end is none yet.
    _CONFIG: (_CONFIG, "which plugins, policies and catalog are in force"),
}
"""What is written, from which of the files that are shipped, and what it is."""
_THERE: Final = "was there, and is as it was"

_HELP: Final = f"""\
Begin a project with policies that work.

Writes `{_CONFIG}`, a catalog with a few tools, policies and their tests into DIR, which is made where it is not there;
without it, into the current folder. Reads inside the workspace are allowed, everything that has an effect asks, secrets
and the network are denied. A file that is there is left as it is.

\b
Examples:
  oap init
  oap init agents/desk

\b
Exit codes:
  0  the files are written
  1  crash, or nobody reads the output
  2  wrong usage, a configuration that is there already, or a file that cannot be written
"""


@click.command(help=_HELP, short_help="Begin a project with policies that work.")
@click.argument("folder", metavar="[DIR]", default=".")
def init(folder: str) -> None:
    """Write the files that are not there yet, and say what to try next."""
    base = Path(folder)
    _refuse_second(folder)
    starter = files("oap_core.policy") / "starter"
    named = {name: printable(shown(base / name)) for name in _FILES}
    width = max(map(len, named.values()))
    left: set[str] = set()
    told: list[str] = []
    for name, (source, what) in _FILES.items():
        try:
            written = _write(base / name, (starter / source).read_bytes())
        except FileError:
            if told:
                out("\n".join(told))
            raise
        if not written:
            left.add(name)
        told.append(f"{'wrote' if written else 'left '}  {named[name]:{width}}  {what if written else _THERE}")
    # Told at the end, since a reader who goes away must not leave half a project behind.
    out("\n".join([*told, *_next(folder, left, _absent(base))]))


def _refuse_second(folder: str) -> None:
    """Raise `FileError` where the folder has a configuration already."""
    base = Path(folder)
    try:
        found = find_config(base)
        if os.path.lexists(base / _CONFIG):
            found = base / _CONFIG
    except (OSError, ValueError):
        raise FileError(f"error  {shown_name(str(base))} cannot be used as a folder") from None
    if found is not None and found.parent.absolute() == base.absolute():
        check = f"oap check{'' if base == Path() else f' {printable(shlex.quote(folder))}'}"
        raise FileError(f"error  {shown_name(shown(found))} is there already, and stays as it is; go on with `{check}`")


def _write(path: Path, data: bytes) -> bool:
    """Write a file that is not there; say whether it was not. Raises `FileError` where it cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            file.write(data)
    except FileExistsError:
        if path.parent.is_dir():
            return False
        raise FileError(f"error  cannot write {shown_name(shown(path))}: not a directory") from None
    except OSError as error:
        reason = (error.strerror or "output error").lower()
        raise FileError(f"error  cannot write {shown_name(shown(path))}: {reason}") from None
    return True


def _absent(base: Path) -> list[str]:
    """Plugins that the written configuration enables and that are not installed."""
    there = {one.distribution for one in plugins.installed()}
    enabled = load_config(base / _CONFIG, base, SystemClock().now()).plugins or ()
    return [name for name, _ in enabled if name not in there]


def _next(folder: str, left: set[str], absent: list[str]) -> list[str]:
    """What to try next, with a word about what may not fit together and what has to be installed first."""
    here = Path(folder) == Path()
    where = "" if here else f" {printable(shlex.quote(folder))}"
    why = "say why this call is decided as it is" if _CALL in left else "say why this call is denied"
    call = printable(shlex.quote(_CALL if here else str(Path(folder) / _CALL)))
    tries = {
        f"oap check{where}": "say what is wrong" if left or absent else "say what is wrong, which is nothing",
        f"oap test{where}": "run the tests",
        f"oap explain {call}{'' if here else f' --policies{where}'}": why,
        f"oap schema{where}": "write the schemas that the first lines of the files name, for editors",
    }
    width = max(map(len, tries))
    warning = ["what was there may not fit what was written; `oap check` tells"] if left else []
    for name in absent:
        warning.append(f"the plugin `{name}` is enabled and not installed, so nothing is decided yet")
        warning.append(f"install it beside `oap-core`, from `plugins/{name}` in a checkout of OAP")
    return ["", *warning, "try next", *(f"  {command:{width}}  {what}" for command, what in tries.items())]
