"""The page of limits, from the constants in the code and the sentences below them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Final

HEAD: Final = """\
# Limits

Generated from the constants in the code by `poe docs`; edit those, not this page.

Everything that a file, an expression and its data can make grow has a bound. Meeting one is an error: when the policy
is loaded, where the author can see it, or else when the call is judged, and then it counts against the call. Nothing is
ever cut, rounded or guessed in order to stay within a bound. Two things are no errors: what a schema says beyond its
bounds is not known, and a long value or a long list of mistakes is cut where it is only shown to a person.
"""

CORE: Final = Path(__file__).parents[2] / "oap_core"

SHOWN: Final = "What is shown"

SECTIONS: Final = {
    "policy.cases": "Tests of policies",
    "policy.faults": SHOWN,
    "policy.message": SHOWN,
    "policy": "Policy files",
    "cel.limits": "Expressions, data and evaluations",
    "cel.cost": "Sizes that are assumed where no schema bounds them",
    "cel.regexes": "Regular expressions",
    "cel.standard": "Functions of the language",
    "cel.host": "Paths, URLs and addresses",
    "cel.schema": "Schemas",
    "cel.types": "Schemas",
    "strict_json": "JSON files",
    "frozen": "Arguments of a call",
    "cli": "Command line",
    "cel.report": SHOWN,
    "cel.trace": SHOWN,
}
"""Headings by module, or by the package that holds it; what belongs to none of them stands under the last heading."""

ELSEWHERE: Final = "Elsewhere"
ORDER: Final = (*(title for title in dict.fromkeys(SECTIONS.values()) if title != SHOWN), SHOWN, ELSEWHERE)
"""Headings in the order of the page."""

NO_LIMITS: Final = {
    "cel.check.places": frozenset({"NOWHERE"}),
    "cel.compile.piece": frozenset({"FIRST_VARIABLE", "UNITS"}),
    "cel.limits": frozenset({"INT_MAX", "INT_MIN", "UINT_MAX"}),
    "cel.standard.moments": frozenset({"DAY", "EARLIEST", "HOUR", "LATEST", "MILLISECOND", "MINUTE", "SECOND"}),
    "cel.syntax.mistakes": frozenset({"FIELD", "OPERAND", "OPERATOR"}),
    "cel.syntax.tokens": frozenset({"PATH"}),
    "cli.cel": frozenset({"FAILED", "INVALID"}),
    "cli.check": frozenset({"INVALID", "WARNED"}),
    "cli.docs": frozenset({"INVALID", "STALE"}),
    "cli.explain": frozenset({"INVALID"}),
    "cli.formats.as_json": frozenset({"VERSION"}),
    "cli.schema": frozenset({"INVALID"}),
    "cli.test": frozenset({"FAILED", "INVALID"}),
    "cli.test_json": frozenset({"VERSION"}),
    "clock": frozenset({"NONCE_BYTES"}),
    "hookspecs": frozenset({"API"}),
}
"""Public whole numbers that bound nothing: places, states, units of time, exit codes, versions."""


@dataclass(frozen=True, slots=True)
class Limit:
    """One constant."""

    module: str
    """Its module within `oap_core`."""
    name: str
    """Its name there."""
    value: int
    """What it is."""
    sentence: str
    """What it bounds."""


def page() -> str:
    """Return the whole page."""
    found: dict[str, list[Limit]] = {title: [] for title in ORDER}
    for limit in limits():
        found[_title(limit.module)].append(limit)
    return "\n".join([HEAD, *(line for title, listed in found.items() if listed for line in _section(title, listed))])


def _title(module: str) -> str:
    return next(
        (title for start, title in SECTIONS.items() if module == start or module.startswith(f"{start}.")), ELSEWHERE
    )


def _section(title: str, listed: list[Limit]) -> Iterator[str]:
    yield f"## {title}\n"
    yield "| limit | value | meaning | where |"
    yield "| --- | ---: | --- | --- |"
    yield from (f"| `{limit.name}` | {limit.value:,} | {limit.sentence} | `{limit.module}` |" for limit in listed)
    yield ""


def limits() -> Iterator[Limit]:
    """Yield every limit of the core, module by module."""
    for file in sorted(CORE.rglob("*.py")):
        place = file.relative_to(CORE).with_suffix("").parts
        module = ".".join(place[:-1] if place[-1] == "__init__" else place)
        if place[-1] != "__main__":
            yield from (limit for limit in _constants(module, file) if limit.name not in NO_LIMITS.get(module, ()))


def _constants(module: str, file: Path) -> Iterator[Limit]:
    """Yield the public whole numbers that a module defines, each with the sentence below it."""
    found = [
        (node.target.id, " ".join(below.value.value.split()))
        for node, below in pairwise(ast.parse(file.read_text(encoding="utf-8")).body)
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and isinstance(below, ast.Expr)
        and isinstance(below.value, ast.Constant)
        and isinstance(below.value.value, str)
    ]
    public = [(name, sentence) for name, sentence in found if not name.startswith("_")]
    values = vars(import_module(f"oap_core.{module}".rstrip("."))) if public else {}
    yield from (Limit(module, name, values[name], text) for name, text in public if type(values[name]) is int)
