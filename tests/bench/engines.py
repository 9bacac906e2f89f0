"""The engines of the bench, each as something that evaluates one expression on the one activation."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from oap_core.cel import MATCH, NO_MATCH, Env, freeze, load
from oap_core.cel.activation import freeze_value
from oap_core.cel.standard import STANDARD
from oap_core.cel.types import DYN, TIMESTAMP

Data = dict[str, Any]
Action = Callable[[], object]

OURS: Final = "ours"
LAMBDA: Final = "lambda"
NATIVE: Final = ("Google", "Rust")
"""The native engines: cel-expr-python and common-expression-language."""

_RESOURCE: Final = re.compile(r"^projects/[a-z0-9-]+/buckets/[a-z0-9-]+$")
_FIRST: Final = datetime(2026, 1, 1, tzinfo=UTC)
_LAST: Final = datetime(2026, 12, 31, tzinfo=UTC)

LAMBDAS: Final[Mapping[str, Callable[[Data], bool]]] = {
    "eq": lambda a: a["tool"]["name"] == "fs.write",
    "starts": lambda a: a["args"]["path"].startswith("/srv/app/") and ".." not in a["args"]["path"],
    "in5": lambda a: a["tool"]["name"] in ["fs.read", "fs.list", "fs.stat", "fs.write", "fs.mv"],
    "in500": lambda a: a["tool"]["name"] in a["constants"]["many"],
    "regex": lambda a: _RESOURCE.search(a["resource"]) is not None,
    "exists50": lambda a: any(r.endswith("@evil.example") for r in a["args"]["recipients"]),
    "nested": lambda a: (
        "options" in a["args"]
        and "network" in a["args"]["options"]
        and a["args"]["options"]["network"]["mode"] == "private"
    ),
    "bool20": lambda a: (
        (a["subject"]["tenant"] == "t0" and a["tool"]["risk"] > 0)
        or (a["subject"]["tenant"] == "t1" and a["tool"]["risk"] > 1)
        or (a["subject"]["tenant"] == "t2" and a["tool"]["risk"] > 2)
        or (a["subject"]["tenant"] == "t3" and a["tool"]["risk"] > 3)
        or (a["subject"]["tenant"] == "t4" and a["tool"]["risk"] > 4)
        or (a["subject"]["tenant"] == "t5" and a["tool"]["risk"] > 5)
        or (a["subject"]["tenant"] == "t6" and a["tool"]["risk"] > 6)
        or (a["subject"]["tenant"] == "t7" and a["tool"]["risk"] > 7)
        or (a["subject"]["tenant"] == "t8" and a["tool"]["risk"] > 8)
        or (a["subject"]["tenant"] == "acme" and a["tool"]["risk"] == 3)
    ),
    "ts": lambda a: a["now"] < _LAST and a["now"] > _FIRST,
}
"""Each expression as a programmer would write it in Python."""


@dataclass(frozen=True, slots=True)
class Engine:
    """One way to evaluate an expression."""

    name: str
    """As the table shows it."""
    action: Action
    """Evaluates it once."""
    result: Callable[[], bool | None]
    """What it gives, as a boolean; None for an error."""


def engines(name: str, source: str, data: Data) -> list[Engine]:
    """Every engine that is installed, for one expression. `data` has `now` as a moment."""
    return [
        _lambda(name, data),
        _ours(source, data),
        _cel_python(source, data),
        *(_google(source, data) if find_spec("cel_expr_python") else ()),
        *(_rust(source, data) if find_spec("cel") else ()),
    ]


def _lambda(name: str, data: Data) -> Engine:
    condition = LAMBDAS[name]
    return Engine(LAMBDA, lambda: condition(data), lambda: condition(data))


def environment(data: Data) -> Env:
    """Declarations for the activation; the constants are known at load."""
    variables = {name: TIMESTAMP if name == "now" else DYN for name in data if name != "constants"}
    return Env(variables, {"constants": freeze_value(data["constants"])}, STANDARD)


def variables(data: Data) -> Data:
    """The activation without the constants."""
    return {name: value for name, value in data.items() if name != "constants"}


def _ours(source: str, data: Data) -> Engine:
    decide, activation = load(source, environment(data)).decide, freeze(variables(data))
    outcomes = {MATCH: True, NO_MATCH: False}
    return Engine(OURS, lambda: decide(activation), lambda: outcomes.get(decide(activation)))


def _cel_python(source: str, data: Data) -> Engine:
    import celpy
    from celpy.adapter import json_to_cel

    celpy_environment = celpy.Environment(runner_class=celpy.InterpretedRunner)
    runner = celpy_environment.program(celpy_environment.compile(source))
    activation = {name: json_to_cel(value) for name, value in data.items()}
    return Engine("cel-python", lambda: runner.evaluate(activation), lambda: bool(runner.evaluate(activation)))


def _google(source: str, data: Data) -> list[Engine]:
    cel = import_module("cel_expr_python.cel")
    types = {name: cel.Type.TIMESTAMP if name == "now" else cel.Type.DYN for name in data}
    google = cel.NewEnv(variables=types)
    expression, activation = google.compile(source), google.Activation(data)
    prepared = Engine("Google", lambda: expression.eval(activation), lambda: _truth(expression.eval(activation)))
    plain = Engine("Google, dict", lambda: expression.eval(data=data), lambda: _truth(expression.eval(data=data)))
    return [prepared, plain]


def _truth(value: Any) -> bool | None:
    return bool(value.value()) if value.type().name() == "BOOL" else None


def _rust(source: str, data: Data) -> list[Engine]:
    cel = import_module("cel")
    program, context = cel.compile(source), cel.Context(variables=data)
    prepared = Engine("Rust", lambda: program.execute(context), lambda: program.execute(context))
    plain = Engine("Rust, dict", lambda: program.execute(data), lambda: program.execute(data))
    return [prepared, plain]
