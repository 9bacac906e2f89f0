"""`oap check` of a project with many rules, as the process that a person starts."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice
from os import times
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.bench.policy_work import RULES_A_TOOL, Work, files
from tests.bench.rules import rules
from tests.bench.timing import once

__all__ = ["CheckFailedError", "CheckTime", "check_time"]

_COMMAND: Final = (sys.executable, "-m", "oap_core.cli", "check")
_CONFIG: Final = """\
plugins: [oap-authorization]
policies: [policies]
subject: {attributes: {tenant: {type: string}, trust: {type: integer}}}
session: {attributes: {turn: {type: integer}, calls: {type: integer}}}
"""
# What the conditions of the CEL bench say and policies do not: they call a source otherwise, may not ask that a label is
# absent, and are warned of walls that end by themselves.
_FOREIGN: Final = ("tool.server", "tool.risk", "session.labels", "timestamp(")


class CheckFailedError(Exception):
    """What does not pass is not worth timing."""


@dataclass(frozen=True, slots=True)
class CheckTime:
    """Seconds that the process takes: the fewest of some rounds, since only other work makes it more."""

    whole: float
    """From its start to its end."""
    processor: float
    """Of these, how long it had a processor; far less where the machine is busy."""


def check_time(number: int, rounds: int, *, long: bool = False) -> CheckTime:
    """Check a project of so many rules: those that are decided by, or with `long` others of several clauses each.

    Raises `CheckFailedError` where it does not pass.
    """
    with TemporaryDirectory() as folder:
        (_write_long if long else _write)(Path(folder), number)
        found = [_timed(folder, number) for _ in range(rounds)]
    return CheckTime(min(time.whole for time in found), min(time.processor for time in found))


def _timed(folder: str, number: int) -> CheckTime:
    before = times()
    whole = once(lambda: _check(folder, number)) / 1e9
    after = times()
    return CheckTime(whole, after.children_user + after.children_system - before.children_user - before.children_system)


def _check(folder: str, number: int) -> None:
    done = subprocess.run(_COMMAND, cwd=folder, capture_output=True, check=False, encoding="utf-8")
    if done.returncode != 0 or f"{number:,} rules, no errors" not in done.stdout:
        raise CheckFailedError(f"`oap check` ends with {done.returncode}:\n{done.stdout[:2000]}\n{done.stderr[:2000]}")


def _write(folder: Path, number: int) -> None:
    """The rules that the engines decide by, ten in a file, with the catalog."""
    (folder / "oap.yaml").write_text("plugins: [oap-authorization]\n", encoding="utf-8")
    policies = folder / "policies"
    policies.mkdir()
    for name, text in files(Work(number)).items():
        (policies / name).write_text(text, encoding="utf-8")


def _write_long(folder: Path, number: int) -> None:
    """A project of so many rules, ten in a file, no two conditions alike."""
    (folder / "oap.yaml").write_text(_CONFIG, encoding="utf-8")
    policies = folder / "policies"
    policies.mkdir()
    found = list(islice(_conditions(), number))
    for place in range(0, number, RULES_A_TOOL):
        name = f"policy-{place // RULES_A_TOOL}"
        text = "\n".join(_policy(name, found[place : place + RULES_A_TOOL])) + "\n"
        (policies / f"{name}.yaml").write_text(text, encoding="utf-8")


def _conditions() -> Iterator[str]:
    for seed in count(1):
        yield from filter(_fits, rules(1000, seed))


def _fits(condition: str) -> bool:
    # Two tools at once can never be.
    return condition.count("tool.id") < 2 and not any(word in condition for word in _FOREIGN)


def _policy(name: str, conditions: list[str]) -> Iterator[str]:
    yield "apiVersion: oap/v1"
    yield "kind: Policy"
    yield f"metadata: {{name: {name}, owner: bench}}"
    if any("constants.limit" in condition for condition in conditions):
        yield "constants: {limit: 50}"
    yield "rules:"
    for number, condition in enumerate(conditions):
        # A text in JSON is a text in YAML.
        yield f"  - id: rule-{number}"
        yield f"    when: {json.dumps(condition)}"
        yield f"    effect: {'deny' if number else 'allow'}"
