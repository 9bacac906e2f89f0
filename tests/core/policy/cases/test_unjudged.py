"""A case that is decided by a gate which is for a plugin to carry out, and which nobody was asked to."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from oap_core.policy.cases import Ending, prepare, run
from tests.core.policy.deciding import assembled, policy

_RULES: Final = """\
  - {id: open, effect: allow}
  - {id: pace, effect: limit, when: args.amount > 5}
  - {id: low, effect: ask, when: args.amount == 7}
"""
_REASON: Final = "`p/pace` could not be evaluated: `limit` is for a plugin to carry out, and none was asked"


def endings(base: Path, n: int, expect: str) -> list[tuple[Ending, str]]:
    tests = f"tests: [{{name: t, call: {{tool: fs/read, args: {{amount: {n}}}}}, expect: {expect}}}]"
    found = assembled(policy(_RULES, more=tests))
    assert found.rules is not None, found.diagnostics
    prepared = prepare(found.tests, found.rules, base)
    assert not prepared.diagnostics
    return [
        (result.ending, result.reasons[0].text if result.reasons else "") for result in run(prepared.tests, found.rules)
    ]


def test_it_is_an_error_where_the_case_does_not_mean_it(tmp_path: Path) -> None:
    assert endings(tmp_path, 6, "{verdict: deny, by: [pace]}") == [(Ending.ERROR, _REASON)]
    assert endings(tmp_path, 7, "deny") == [(Ending.ERROR, _REASON)]


def test_it_passes_where_the_case_means_it(tmp_path: Path) -> None:
    assert endings(tmp_path, 6, "{verdict: deny, by: [pace], unjudged: true}") == [(Ending.PASSED, "")]


@pytest.mark.parametrize(("expect", "ending"), [("allow", Ending.PASSED), ("{unjudged: true}", Ending.FAILED)])
def test_a_gate_that_does_not_match_changes_nothing(tmp_path: Path, expect: str, ending: Ending) -> None:
    assert [found for found, _ in endings(tmp_path, 5, expect)] == [ending]
