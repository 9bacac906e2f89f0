"""The command lines of two files: what they do, and which of them nobody answers for."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from oap_shell.functions import shell, shell_programs

from oap_core.cel import Code, EvalError

_HERE: Final = Path(__file__).parent
_ANSWERED: Final[list[dict[str, Any]]] = yaml.safe_load((_HERE / "answered.yaml").read_text(encoding="utf-8"))
_REFUSED: Final[dict[str, list[str]]] = yaml.safe_load((_HERE / "refused.yaml").read_text(encoding="utf-8"))
_PARTS: Final = ("programs", "writes", "reads", "assignments")


@pytest.mark.parametrize("case", _ANSWERED, ids=[repr(case["line"]) for case in _ANSWERED])
def test_what_a_line_does(case: dict[str, Any]) -> None:
    assert set(case) <= {"line", "strict", *_PARTS}
    expected = {part: tuple(case.get(part, ())) for part in _PARTS}
    assert shell(case["line"]) == expected
    if case["strict"]:
        assert shell_programs(case["line"]) == expected["programs"]
    else:
        with pytest.raises(EvalError) as failed:
            shell_programs(case["line"])
        assert failed.value.code is Code.INVALID_ARGUMENT


@pytest.mark.parametrize("line", [line for lines in _REFUSED.values() for line in lines])
def test_nobody_answers_for(line: str) -> None:
    for function in (shell, shell_programs):
        with pytest.raises(EvalError) as failed:
            function(line)
        assert failed.value.code is Code.INVALID_ARGUMENT
        assert str(failed.value) == "invalid_argument"
