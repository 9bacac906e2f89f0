"""What the README shows is what its commands print."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
# A shell block that ends in a command of ours with the block of its output, or a session with prompt and output in one.
SHOWN: Final = re.compile(
    r"^```sh\n(?:.*\n)*?.* (?=oap )(?P<command>.*)\n```\n\n```text\n(?P<output>(?:.*\n)*?)```$"
    r"|^```console\n\$ (?P<typed>oap .*)\n(?P<answer>(?:.*\n)*?)```$",
    re.MULTILINE,
)


def shown(text: str) -> list[tuple[str, str]]:
    """Return each command of ours in a text with the output that the text shows."""
    return [
        (match["command"] or match["typed"], match["output"] if match["command"] else match["answer"])
        for match in SHOWN.finditer(text)
    ]


EXAMPLES: Final = shown((ROOT / "README.md").read_text(encoding="utf-8"))


def test_the_examples_are_found() -> None:
    assert [command.split()[:2] for command, _ in EXAMPLES] == [["oap", "cel"]] * 2


@pytest.mark.parametrize(("command", "output"), EXAMPLES)
def test_a_command_prints_what_is_shown(command: str, output: str) -> None:
    program, *arguments = shlex.split(command)
    tool = Path(sys.executable).with_name(program)
    result = subprocess.run([tool, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.stdout + result.stderr == output
