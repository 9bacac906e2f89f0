"""Pages written by hand that show `oap` at work: the output on the page is what the command prints.

Two forms are known. A `console` block shows a command behind `$ ` and its output below. A `sh` block whose last line
ends in an `oap` command is followed by a `text` block with the output. `docs.generate.command` says when that is, and
what is installed.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

REPOSITORY: Final = Path(__file__).parents[2]

_SHOWN: Final = re.compile(
    r"(?P<before>^```console\n\$ (?P<typed>oap .*)\n|^```sh\n(?:(?!```).*\n)*?.* (?P<last>oap .*)\n```\n\n```text\n)"
    r"(?P<output>(?:(?!```$).*\n)*)",
    re.MULTILINE,
)


def page(name: str) -> Callable[[], str]:
    """Return the function that makes a page of the repository anew from its own text."""
    return lambda: refresh((REPOSITORY / name).read_text(encoding="utf-8"))


def refresh(text: str, run: Callable[[str], str] | None = None) -> str:
    """Return the text with each shown output replaced by what `run` gives for its command; the default runs it."""
    give = run or _printed
    return _SHOWN.sub(lambda shown: shown["before"] + give(shown["typed"] or shown["last"]), text)


def commands(text: str) -> list[str]:
    """Return the commands whose output a text shows."""
    return [shown["typed"] or shown["last"] for shown in _SHOWN.finditer(text)]


def _printed(command: str) -> str:
    """Run the command in the repository's root and return all that it prints, its errors last."""
    _, *arguments = shlex.split(command)
    done = subprocess.run(  # noqa: S603 - the commands stand on our own pages, and start nothing but `oap`
        [sys.executable, "-m", "docs.generate.command", *arguments],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    return done.stdout + done.stderr
