"""Prints what importing the core costs beside `from pydantic import BaseModel`; run it as a script.

Each import happens in a process of its own, and the start of the interpreter is taken off. The core counts with all of
its public names. `--check` makes it an error where the core costs more.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from statistics import median

CORE = "import oap_core\nfor name in oap_core.__all__: getattr(oap_core, name)"
CEL = "import oap_core.cel"
PEER = "from pydantic import BaseModel"
ROUNDS = 21

_TIMED = "from time import perf_counter_ns as n\nstart = n()\n{}\nprint(n() - start)"


def milliseconds(statement: str) -> float:
    """Return how long a fresh interpreter takes for a statement."""
    command = [sys.executable, "-c", _TIMED.format(statement)]
    return int(subprocess.run(command, capture_output=True, check=True, encoding="utf-8").stdout) / 1e6


def medians(statements: Mapping[str, str], rounds: int) -> dict[str, float]:
    """Return the median of each statement, all of them taking turns."""
    found: dict[str, list[float]] = {name: [] for name in statements}
    for _ in range(rounds):
        for name, statement in statements.items():
            found[name].append(milliseconds(statement))
    return {name: median(each) for name, each in found.items()}


def main() -> int:
    """Measure, print, and judge where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    options = parser.parse_args()
    statements = {"oap_core": CORE, "oap_core.cel": CEL}
    if find_spec("pydantic") is not None:
        statements["pydantic"] = PEER
    times = medians(statements, options.rounds)
    for name, time in times.items():
        print(f"{name:<14}{time:8.1f} ms")
    if "pydantic" not in times:
        print("pydantic is not installed here, so there is nothing to compare with")
        return 0
    ratio = times["oap_core"] / times["pydantic"]
    print(f"{'PASS' if ratio <= 1 else 'FAIL'}: the core costs {ratio:.2f} times `{PEER}`, at most 1")
    return int(options.check and ratio > 1)


if __name__ == "__main__":
    sys.exit(main())
