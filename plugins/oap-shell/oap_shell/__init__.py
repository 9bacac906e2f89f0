"""The functions `shell` and `shell_programs`: what a shell command line runs, writes, reads and assigns.

Both answer only where two readers of shell text, one of them ours and strict, find the same commands in the line;
everything else is an error, which counts against the call in a grant and in a wall alike.
"""

from __future__ import annotations

from typing import Final

from oap_core import hookimpl
from oap_core.cel import Function
from oap_shell.functions import FUNCTIONS

__all__ = ["OAP_API", "oap_functions"]

OAP_API: Final = 1
"""Version of the plugin interface that this is written against."""


@hookimpl
def oap_functions() -> tuple[Function, ...]:
    """Declare `shell` and `shell_programs`."""
    return FUNCTIONS
