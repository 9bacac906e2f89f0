"""Every line of cases/*.jsonl is a call, what it gives or how it fails, and why."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from oap_core.cel.failure import Code, EvalError
from oap_core.cel.values import type_of
from tests.core.cel.host.calls import SYSTEMS, call, overload

FILES = sorted((Path(__file__).parent / "cases").glob("*.jsonl"))


def _cases() -> Iterator[Any]:
    for file in FILES:
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
            yield pytest.param(json.loads(line), id=f"{file.stem}:{number}")


CASES = list(_cases())


def _arguments(case: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(tuple(argument) if isinstance(argument, list) else argument for argument in case["call"][1:])


@pytest.mark.guarantee("cel-host-functions")
@pytest.mark.parametrize("case", [case for case in CASES if "gives" in case.values[0]])
def test_a_call_gives_the_value(case: dict[str, Any]) -> None:
    name, arguments, on = case["call"][0], _arguments(case), case.get("on", "posix")
    value = call(name, *arguments, on=on)
    assert (value, type(value)) == (case["gives"], type(case["gives"])), case["why"]
    assert type_of(value).name == overload(name, arguments, on).result.name


@pytest.mark.guarantee("cel-host-functions")
@pytest.mark.parametrize("case", [case for case in CASES if "fails" in case.values[0]])
def test_a_call_fails_where_it_cannot_tell(case: dict[str, Any]) -> None:
    name, arguments, on = case["call"][0], _arguments(case), case.get("on", "posix")
    with pytest.raises(EvalError) as failure:
        call(name, *arguments, on=on)
    assert failure.value.code is Code(case["fails"]), case["why"]


def test_every_case_is_whole_and_stands_once() -> None:
    seen = set()
    for [case] in (param.values for param in CASES):
        assert set(case) - {"on"} in ({"call", "gives", "why"}, {"call", "fails", "why"}), case
        assert case["why"]
        assert case.get("on", "posix") in SYSTEMS
        seen.add(json.dumps([case["call"], case.get("on")]))
    assert len(seen) == len(CASES)


@pytest.mark.parametrize("name", sorted(set(SYSTEMS["posix"]) - {"within_on_disk"}))
def test_every_function_has_cases_of_both_kinds(name: str) -> None:
    kinds = {kind for [case] in (p.values for p in CASES) if case["call"][0] == name for kind in case}
    assert {"gives", "fails"} <= kinds
