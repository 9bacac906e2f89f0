"""What cel-python's interpreter makes of the vectors, in a process of its own: `python -m tests.core.cel.conformance.peer`.

It changes the recursion limit of its process, and some of its conversions need longer than anybody waits.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import cache
from math import isnan
from typing import Any, Final

from tests.core.cel.conformance.vectors import ROOT, vectors

LETTERS: Final = {
    "W": "wrong value",
    "M": "value where an error is required",
    "U": "right value of a wrong type",
    "E": "error where a value is required",
    "X": "exception of another kind",
}
"""How a case can fail."""

_SECONDS: Final = 300
"""When a process that does not end is stopped; it is far above what any needs."""


@cache
def letters() -> tuple[str, ...]:
    """For each vector a letter of `LETTERS`, or nothing where it passes."""
    raw = [vector.raw for vector in vectors()]
    middle = len(raw) // 2
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return tuple(letter for part in pool.map(_ask, (raw[:middle], raw[middle:])) for letter in part)


def _ask(raw: list[Any]) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.core.cel.conformance.peer"],
        input=json.dumps(raw),
        capture_output=True,
        cwd=ROOT,
        timeout=_SECONDS,
        check=True,
        encoding="utf-8",
    )
    found: list[str] = json.loads(done.stdout)
    return found


def _letters(cases: Iterable[dict[str, Any]]) -> list[str]:
    import celpy
    from celpy import celtypes

    logging.disable()
    types = {
        "bool": celtypes.BoolType,
        "int": celtypes.IntType,
        "uint": celtypes.UintType,
        "double": celtypes.DoubleType,
        "string": celtypes.StringType,
        "bytes": celtypes.BytesType,
        "list": celtypes.ListType,
        "map": celtypes.MapType,
        "timestamp": celtypes.TimestampType,
        "duration": celtypes.DurationType,
        "type": celtypes.TypeType,
        "null": celtypes.NullType,
    }

    def decoded(written: dict[str, Any]) -> Any:
        kind: str = written["t"]
        value: Any = written.get("v")
        match kind:
            case "null":
                return None
            case "int" | "uint":
                return types[kind](int(value))
            case "double":
                return celtypes.DoubleType(float(value))
            case "bytes":
                return celtypes.BytesType(bytes.fromhex(value))
            case "list":
                return celtypes.ListType([decoded(item) for item in value])
            case "map":
                return celtypes.MapType({decoded(key): decoded(item) for key, item in value})
            case "timestamp":
                # Its moments and spans have microseconds.
                moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=value[0], microseconds=value[1] // 1000)
                return celtypes.TimestampType(moment)
            case "duration":
                return celtypes.DurationType(timedelta(seconds=value[0], microseconds=value[1] // 1000))
            case "type":
                return type(None) if value == "null_type" else types[value.rpartition(".")[2].lower()]
            case _:
                return types[kind](value)

    def letter(case: dict[str, Any]) -> str:
        expect = case["expect"]
        try:
            annotations: dict[str, Any] = {
                name: types.get(written[0] if isinstance(written, list) else written, celtypes.MapType)
                for name, written in case["vars"].items()
            }
            environment = celpy.Environment(
                package=case["container"] or None, annotations=annotations, runner_class=celpy.InterpretedRunner
            )
            runner = environment.program(environment.compile(case["expr"]))
            if "value" not in expect and "error" not in expect:
                return "E"  # it has no checker, so it cannot say what type an expression has
            value = runner.evaluate({name: decoded(written) for name, written in case["bindings"].items()})
        except (celpy.CELEvalError, celpy.CELParseError):
            return "" if "error" in expect else "E"
        except Exception:
            return "X"
        if "error" in expect:
            return "M"
        wanted = decoded(expect["value"])
        if not _equal(value, wanted):
            return "W"
        return "" if _same_types(value, wanted) else "U"

    return [letter(case) for case in cases]


def _equal(one: Any, other: Any) -> bool:
    """Whether two values are worth the same, whatever class they have."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_equal, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return len(one) == len(other) and all(key in other and _equal(value, other[key]) for key, value in one.items())
    if isinstance(one, float) and isinstance(other, float):
        return (isnan(one) and isnan(other)) or float(one) == float(other)
    try:
        return bool(one == other)
    except Exception:
        return False


def _same_types(one: Any, other: Any) -> bool:
    if type(one) is not type(other):
        return False
    if isinstance(one, list):
        return all(map(_same_types, one, other))
    if isinstance(one, dict):
        return all(_same_types(value, other[key]) for key, value in one.items())
    return True


if __name__ == "__main__":
    json.dump(_letters(json.load(sys.stdin)), sys.stdout)
