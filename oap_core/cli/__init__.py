"""The `oap` command: every verb prints what it found, and none prints a traceback."""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from types import TracebackType

__all__ = ["main"]

_NEW_OBJECTS: Final = 50_000
"""After how many new objects garbage is looked for: what is loaded stays until the process ends."""
_CRASH: Final = 1
_INTERRUPTED: Final = 130


def main() -> None:
    """Run the command line and end the process with its exit code."""
    try:
        code = _run()
    except KeyboardInterrupt:
        code = _INTERRUPTED
    except Exception as error:  # noqa: BLE001  # a person gets one line; the text of an exception could hold anything
        if isinstance(error, OSError) and _is_printing(error.__traceback__):
            # The interpreter flushes once more at its end, and must not fail there again.
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            print(f"oap: cannot write the output: {error.strerror}", file=sys.stderr)
        else:
            print(f"oap: internal error, {type(error).__name__} at {_place(error.__traceback__)}", file=sys.stderr)
        code = _CRASH
    raise SystemExit(code)


def _run() -> int:
    # Imported here, so that an interrupt while they load ends as quietly as one later.
    import click

    from oap_core.cli import terminal
    from oap_core.cli.verbs import oap

    terminal.prepare()
    gc.set_threshold(_NEW_OBJECTS)
    try:
        code = oap.main(prog_name="oap", standalone_mode=False)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else _CRASH
    except click.Abort:
        return _INTERRUPTED
    except click.ClickException as error:
        error.show(sys.stderr)
        return error.exit_code
    return code if isinstance(code, int) else 0


def _is_printing(trace: TracebackType | None) -> bool:
    """Whether the error comes from where all printing is done."""
    module = ""
    while trace is not None:
        module = trace.tb_frame.f_globals.get("__name__", "")
        trace = trace.tb_next
    return module.partition(".")[0] == "click"


def _place(trace: TracebackType | None) -> str:
    """The last line of our own that was running."""
    place = "an unknown place"
    while trace is not None:
        module = trace.tb_frame.f_globals.get("__name__", "")
        if module.startswith("oap_core."):
            place = f"{module}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place
