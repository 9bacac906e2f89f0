from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from oap_core.cel.failure import Code, EvalError
from oap_core.cel.standard import STANDARD
from oap_core.cel.values import Value
from tests.core.cel.standard.calling import call, decoded

CASES: Final = Path(__file__).parent / "cases"


def _rows() -> list[Any]:
    return [
        pytest.param(*json.loads(line)[:3], id=f"{file.stem}:{number}")
        for file in sorted(CASES.glob("*.jsonl"))
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
    ]


def _same(one: Value, other: Value) -> bool:
    """Equal in type too; the two zeros differ, and NaN is one value."""
    if type(one) is not type(other):
        return False
    if type(one) is float:
        return bool(one.hex() == other.hex())
    if type(one) is tuple:
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)


@pytest.mark.parametrize(("name", "arguments", "expected"), _rows())
def test_it_gives_what_the_table_says(name: str, arguments: list[Any], expected: Any) -> None:
    values = decoded(arguments)
    if isinstance(expected, dict) and "error" in expected:
        with pytest.raises(EvalError) as raised:
            call(name, *values)
        assert raised.value.code is Code(expected["error"])
        return
    result = call(name, *values)
    if isinstance(expected, dict) and "length" in expected:
        assert len(result) == expected["length"]
        return
    assert _same(result, decoded(expected)), (result, decoded(expected))


def test_every_function_has_rows_that_succeed_and_rows_that_fail() -> None:
    outcomes = {(row.values[0], isinstance(row.values[2], dict) and "error" in row.values[2]) for row in _rows()}
    cannot_fail = {
        "dyn", "type", "trim", "reverse", "lowerAscii", "upperAscii", "endsWith",
        "getMonth", "getDayOfMonth", "getDayOfWeek", "getDayOfYear", "getMinutes", "getSeconds", "getMilliseconds",
    }  # fmt: skip
    for function in STANDARD:
        assert (function.name, False) in outcomes
        assert (function.name, True) in outcomes or function.name in cannot_fail
