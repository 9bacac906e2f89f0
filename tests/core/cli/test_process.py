"""The command as a process: encodings, pipes, and that nothing ever ends in a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

SCRIPT: Final = str(Path(sys.executable).with_name("oap"))


def run(
    *arguments: str | bytes,
    environment: Mapping[str, str] | None = None,
    text: bytes = b"",
    stdout: int = subprocess.PIPE,
    command: tuple[str, ...] = (SCRIPT,),
) -> subprocess.CompletedProcess[bytes]:
    """Run the command in a plain environment."""
    keep = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "PYTHON"))}
    return subprocess.run(
        # In UTF-8 whatever the locale of the test run says, as a terminal would send them.
        [*command, *(part.encode() if isinstance(part, str) else part for part in arguments)],
        env={**keep, **(environment or {})},
        input=text,
        stdout=stdout,
        stderr=subprocess.PIPE,
        check=False,
    )


def loaded(*arguments: str) -> set[str]:
    """Return the modules that the command has loaded when it ends."""
    code = "import atexit, sys; atexit.register(lambda: print(*sys.modules, sep='\\n')); from oap_core.cli import main; main()"
    return set(run(*arguments, command=(sys.executable, "-c", code)).stdout.decode().split())


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], [], ["--version"], ["cle"]])
def test_what_needs_no_verb_loads_none(arguments: list[str]) -> None:
    modules = loaded(*arguments)
    assert "oap_core.cli.verbs" in modules
    assert not modules & {"celpy", "lark", "re2", "oap_core.cel", "oap_core.cli.cel"}


def test_a_misspelt_option_loads_no_parser() -> None:
    modules = loaded("cel", "1", "--jsn")
    assert "oap_core.cli.cel" in modules
    assert not modules & {"celpy", "lark"}


def test_the_module_runs_as_the_script_does() -> None:
    module = run("cel", "1 + 2", command=(sys.executable, "-m", "oap_core.cli"))
    assert module.stdout == run("cel", "1 + 2").stdout
    assert module.stdout.startswith(b"VALUE\nvalue  3\n")


ASCII: Final = {"PYTHONIOENCODING": "ascii"}
PLAIN_C: Final = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.mark.parametrize("environment", [{"LC_ALL": "C"}, ASCII, {"PYTHONIOENCODING": "latin-1"}, PLAIN_C], ids=str)
def test_what_the_terminal_cannot_show_is_escaped(environment: Mapping[str, str]) -> None:
    result = run("cel", '"é世\U0001f600" + "x"', environment=environment)
    assert result.returncode == 0
    shown = result.stdout.splitlines()[1].removeprefix(b"value  ")
    if environment == {"LC_ALL": "C"}:
        assert shown.decode() == '"é世\U0001f600x"'
    elif "latin-1" in environment.values():
        assert shown == b'"\xe9\\u4e16\\U0001f600x"'
    else:
        assert shown == b'"\\xe9\\u4e16\\U0001f600x"'


@pytest.mark.parametrize("environment", [ASCII, PLAIN_C], ids=str)
def test_diagnostics_are_escaped_as_well(environment: Mapping[str, str]) -> None:
    result = run("cel", '"é" + 1', environment=environment)
    assert result.returncode == 3
    assert b'\n  1 | "\\xe9" + 1\n' in result.stderr
    assert b"Traceback" not in result.stderr


def test_an_argument_that_is_not_utf_8_is_refused() -> None:
    result = run("cel", b'"\xff"')
    assert (result.returncode, result.stderr) == (2, b"error  EXPRESSION: not UTF-8\n")


def test_an_expression_with_a_zero_byte_can_come_from_standard_input() -> None:
    assert run("cel", "-", text=b'size("a\\000b") // \xe4\xb8\x96').stdout.startswith(b"VALUE\nvalue  3\n")
    assert run("cel", "-", text=b'"a\0b"').returncode in {0, 3}


def test_a_reader_that_leaves_early_makes_no_noise() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    result = run("cel", "1", stdout=writing)
    os.close(writing)
    assert (result.returncode, result.stderr) == (1, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this platform has no device that is always full")
def test_a_full_disk_is_named() -> None:
    with Path("/dev/full").open("wb") as full:
        result = run("cel", "1", stdout=full.fileno())
    assert (result.returncode, result.stderr) == (1, b"oap: cannot write the output: No space left on device\n")


def test_closed_streams_make_no_noise() -> None:
    result = run("-c", f"'{SCRIPT}' cel '1 + 1' <&- >&-", command=("/bin/sh",))
    assert (result.returncode, result.stderr) == (0, b"")


def test_nothing_is_coloured_where_there_is_no_terminal() -> None:
    result = run("cel", "x", environment={"TERM": "xterm-256color"})
    assert b"\x1b" not in result.stdout + result.stderr
