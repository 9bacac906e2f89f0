"""Calls functions in Google's own runtime, in a process of its own: `python -m tests.core.cel.standard.peer`.

That runtime counts references wrongly, so it does not run beside the tests. It reads pairs of an expression and the
values of its variables `a`, `b`, `c`, `d` as JSON, and writes a text for each: its answer, or `error`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[4]
NAMES: Final = "abcd"
ERROR: Final = "error"


def installed() -> bool:
    """Whether the runtime can be asked here."""
    return find_spec("cel_expr_python") is not None


def ask(questions: Sequence[tuple[str, Sequence[Any]]]) -> list[str]:
    """What the runtime answers to each expression."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.core.cel.standard.peer"],
        input=json.dumps(questions),
        capture_output=True,
        cwd=ROOT,
        check=False,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found: list[str] = json.loads(done.stdout)
    return found


def shown(value: Any) -> str:
    """A value as text, in which a whole double differs from an int."""
    if isinstance(value, float):
        return value.hex()
    return json.dumps(list(value) if isinstance(value, tuple) else value)


def _answers(questions: list[tuple[str, list[Any]]]) -> list[str]:
    from cel_expr_python import cel
    from cel_expr_python.ext import ext_strings

    environment = cel.NewEnv(variables=dict.fromkeys(NAMES, cel.Type.DYN), extensions=[ext_strings.ExtStrings()])
    programs: dict[str, Any] = {}
    found = []
    for source, values in questions:
        if source not in programs:
            programs[source] = environment.compile(source, disable_check=True)
        result = programs[source].eval(data=dict(zip(NAMES, values, strict=False)))
        found.append(ERROR if result.type().name() == "ERROR" else shown(result.plain_value()))
    return found


if __name__ == "__main__":
    json.dump(_answers(json.load(sys.stdin)), sys.stdout)
