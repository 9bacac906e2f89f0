from __future__ import annotations

from typing import Any

import pytest

from oap_core.exits import CODES, Exit, ExitCode

TABLE = {
    "unknown_tool": "unknown, changed_identity",
    "denied": "undescribable, policy, policy_error, plan_required, content, rate_limited, breaker_open, gate_error",
    "aborted": "bad_rewrite, abort_requested",
    "invalid_arguments": "unparsable, missing, schema",
    "refused": "no_prompter, operator_refused, prompt_failed, approval_timeout, cannot_park, cancelled",
    "parked": "awaiting_approval, unanswered, deferred",
    "taken_over": "lost, cannot_tell",
    "settled": "ok, tool_error, timeout, outcome_unknown, withheld",
}


def test_there_are_eight_exits() -> None:
    assert [one.value for one in Exit] == list(TABLE)


@pytest.mark.parametrize("name", TABLE)
def test_the_codes_of_an_exit_are_closed(name: str) -> None:
    more = {"unrecorded"} if name == "denied" else set()
    assert {code.value for code in Exit(name).codes} == set(TABLE[name].split(", ")) | more


def test_each_code_belongs_to_exactly_one_exit() -> None:
    assert sorted(code.value for codes in CODES.values() for code in codes) == sorted(code.value for code in ExitCode)
    assert all(code in code.exit.codes for code in ExitCode)


def test_the_table_cannot_change() -> None:
    table: Any = CODES
    with pytest.raises(TypeError):
        table[Exit.DENIED] = frozenset()


@pytest.mark.parametrize("kind", [Exit, ExitCode])
def test_no_other_word_is_one(kind: Any) -> None:
    with pytest.raises(ValueError, match="executed"):
        kind("executed")
