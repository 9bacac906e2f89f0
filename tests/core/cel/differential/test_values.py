"""Values of every type are those that cel-expr-python computes, not only the outcomes of conditions."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Final

from oap_core.cel import Activation, Failure, freeze, load
from oap_core.cel.types import BYTES, DOUBLE, DURATION, INT, STRING, TIMESTAMP, UINT, Type
from oap_core.cel.values import Duration, Timestamp, UInt, Value
from oap_core.errors import CelError
from tests.core.cel.differential import peers, schema
from tests.core.cel.differential.conditions import grammar
from tests.core.cel.differential.grammar import INTS, STRINGS
from tests.core.cel.differential.run import shares
from tests.core.cel.differential.sample import ENV
from tests.core.cel.differential.worker import canonical

_TYPES: Final = (INT, INT, UINT, DOUBLE, STRING, STRING, BYTES, TIMESTAMP, DURATION, INTS, STRINGS)
_KINDS: Final[dict[type, str]] = {
    int: "int",
    UInt: "uint",
    float: "double",
    str: "string",
    bytes: "bytes",
    tuple: "list",
    Timestamp: "timestamp",
    Duration: "duration",
}


def _generated(size: int) -> list[tuple[Type, str]]:
    random = Random(20260306)
    made = grammar(random, shared=False)
    found: dict[str, Type] = {}
    while len(found) < size:
        type_ = random.choice(_TYPES)
        found.setdefault(str(made.of(type_, random.choice((2, 3)), ())), type_)
    return [(type_, source) for source, type_ in found.items()]


def _shown(value: Value | Failure) -> str:
    """A value as the worker shows those of the other engine."""
    if isinstance(value, Failure):
        return "error"
    plain = value.nanos // 1000 if isinstance(value, Timestamp | Duration) else value
    text = json.dumps(str(plain))[1:-1] if isinstance(value, Timestamp | Duration) else canonical(plain)
    return f"{_KINDS[type(value)]} {text}"


def _ours(source: str, activations: list[Activation]) -> list[str] | None:
    try:
        program = load(source, ENV, condition=False)
    except CelError:
        return None
    return [_shown(program.evaluate(activation)) for activation in activations]


def test_values_equal_those_of_cel_expr_python(report: Callable[[str], None]) -> None:
    random = Random(20260307)
    data = [schema.activation(random, shared=False) for _ in range(4)]
    frozen = [freeze(each) for each in data]
    generated = _generated(4000)
    questions = [peers.Question(source, (0, 1, 2, 3)) for _, source in generated]
    theirs = peers.ask("cel-expr-python", questions, data, values=True)
    kinds: Counter[str] = Counter()
    different = []
    for (type_, source), outcomes in zip(generated, theirs, strict=True):
        for one, other in zip(_ours(source, frozen) or (), outcomes, strict=False):
            kinds["error" if one == "error" else str(type_)] += 1
            if one != ("error" if other.startswith("error") else other):
                different.append((source, one, other))
    report(f"values, cel-expr-python: {kinds.total():,} compared: {shares(kinds)}")
    assert different == [], f"{len(different)} differ, such as {min(different, key=lambda each: len(each[0]))}"
    assert kinds.total() >= 10_000
    assert min(kinds[str(type_)] for type_ in _TYPES) >= 300
