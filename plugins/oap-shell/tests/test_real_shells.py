"""Programs that a real shell runs are among those that the function reports, whenever it answers.

Lines come from a grammar of ours and from small mutations of its lines, all with a seed. They are harmless by
construction: the search path holds nothing but shims that log their own name, and a few programs that run others; no
line has a `/` or a `.` in it, and each runs in an empty folder with a limit on its time.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Final

import pytest
from oap_shell.functions import shell

from oap_core.cel import EvalError

_SHIMS: Final = ("ls", "rm", "cat", "git", "make", "sort", "ff", "id", "EOF", "x", "y", "esac", "done")
_REAL: Final = ("env", "xargs", "find", "timeout", "nice", "nohup", "setsid", "stdbuf", "sh", "bash")
_SHELLS: Final = ("bash", "dash")
_LINES: Final = 260
_SEED: Final = 20260731
_SECONDS: Final = 3
_LOG: Final = 9
"""Descriptor that shims log to. A line is over when every process of it has closed it."""


class Yard:
    """A folder whose search path holds shims and a few real programs, and nothing else."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "bin"
        self._folder = folder / "empty"
        self._path.mkdir()
        for name in _SHIMS:
            shim = self._path / name
            shim.write_text(f"#!/bin/sh\necho {name} >&{_LOG}\nexit {int(name == 'ff')}\n", encoding="utf-8")
            shim.chmod(0o755)
        for name in _REAL:
            found = shutil.which(name)
            if found:
                (self._path / name).symlink_to(found)

    def run(self, program: str, line: str) -> set[str]:
        """The shims that a shell runs for a line, until every process of it has ended."""
        self._folder.mkdir()
        out, into = os.pipe()
        # The shims need the log at a number of one digit, and bash alone can put it there.
        start = ["bash", "-c", f'exec {_LOG}>&{into}; exec "$@"', "bash", program, "-c", line]
        process = subprocess.Popen(  # noqa: S603  # lines of ours, with nothing but shims in reach
            start,
            cwd=self._folder,
            env={"PATH": str(self._path), "LC_ALL": "C.UTF-8"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=[into],
            start_new_session=True,
        )
        os.close(into)
        try:
            process.wait(_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        with os.fdopen(out, encoding="utf-8") as log:
            ran = set(log.read().split())
        shutil.rmtree(self._folder)
        return ran


def _reported(line: str) -> set[str] | None:
    try:
        return {name.rstrip("\r") for name in shell(line)["programs"]}
    except EvalError:
        return None


@pytest.mark.guarantee("files-shell-subset")
@pytest.mark.parametrize("program", _SHELLS)
def test_what_runs_is_reported(program: str, tmp_path: Path, lines: Callable[[int], Iterator[str]]) -> None:
    found = shutil.which(program)
    if found is None or shutil.which("bash") is None:
        pytest.skip(f"{program} or bash is not installed")
    yard = Yard(tmp_path)
    ran: set[str] = set()
    missed = []
    answers = ((line, reported) for line in lines(_SEED) if (reported := _reported(line)) is not None)
    for line, reported in islice(answers, _LINES):
        seen = yard.run(found, line)
        ran |= seen
        if not seen <= reported:
            missed.append((line, seen - reported))
    assert not missed
    # The shims were reached, so the lines did run.
    assert ran >= {"ls", "rm", "cat", "git"}
