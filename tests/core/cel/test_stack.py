"""A host whose own stack is nearly used up gets the right outcome, an error outcome, or its own RecursionError."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Final

import pytest

from oap_core.cel import MATCH, NO_MATCH, Activation, Env, Outcome, freeze, load
from oap_core.cel.standard import STANDARD
from oap_core.cel.types import DYN
from oap_core.errors import CelError

_ENV: Final = Env({"x": DYN}, functions=STANDARD)
_DATA: Final = {"x": {"a": [[[[[[1]]]]]], "n": 1, "t": True, "list": [1, 2, 3]}}
_PROGRAMS: Final = {
    "x.n == 1": MATCH,
    "x.n != 1": NO_MATCH,
    "x.a == [[[[[[1]]]]]]": MATCH,
    "x.a != [[[[[[1]]]]]]": NO_MATCH,
    "!(x.a == [[[[[[2]]]]]] || x.n == 2)": MATCH,
    "x.list.all(a, x.list.exists(b, a == b)) && !x.list.exists(a, a > 3)": MATCH,
    "((((((((x.n + 1) * 2) + 1) * 2) + 1) * 2) + 1) * 2) == 46 || false": MATCH,
    "x.t ? (x.n == 2 ? true : (x.n == 1 ? false : true)) : true": NO_MATCH,
    "false || (false || (false || (false || (x.list.map(e, e + 1) == [2, 3, 5]))))": NO_MATCH,
}


@pytest.fixture(autouse=True)
def _low_limit() -> Iterator[None]:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(600)
    yield
    sys.setrecursionlimit(before)


def _at_every_depth(act: Callable[[], object]) -> list[object]:
    """What `act` gives at every depth of the stack down to the last; `RecursionError` where it got no room at all."""
    found: list[object] = []

    def descend() -> None:
        try:
            found.append(act())
        except RecursionError:
            found.append(RecursionError)
        descend()

    with pytest.raises(RecursionError):
        descend()
    return found


@pytest.mark.guarantee("cel-no-exception")
@pytest.mark.parametrize(("source", "expected"), _PROGRAMS.items())
def test_an_outcome_is_never_turned_around(source: str, expected: Outcome) -> None:
    program, activation = load(source, _ENV), freeze(_DATA)
    assert program.decide(activation) == expected
    found = _at_every_depth(lambda: program.decide(activation))
    assert found[0] == expected
    for outcome in found:
        if outcome is not RecursionError:
            assert isinstance(outcome, Outcome)
            assert outcome == expected or outcome.failure is not None


def test_frozen_data_is_whole_or_unusable() -> None:
    program = load("x.a == [[[[[[1]]]]]] && x.list == [1, 2, 3]", _ENV)
    frozen = _at_every_depth(lambda: freeze(_DATA))
    activations = [each for each in frozen if isinstance(each, Activation)]
    assert len(activations) >= 300
    for activation in activations:
        outcome = program.decide(activation)
        assert outcome == MATCH or outcome.failure is not None


def _loaded(source: str) -> str:
    try:
        return load(source, _ENV).source
    except CelError as error:
        return str(error)


@pytest.mark.guarantee("cel-no-exception")
@pytest.mark.parametrize(
    "source", [*_PROGRAMS, "((((((((((x.n)))))))))) == 'a' + 1", "x.n = 1", "y.n == x.a.matches('[')"]
)
def test_a_diagnosis_is_the_right_one_or_none(source: str) -> None:
    expected = _loaded(source)
    found = _at_every_depth(lambda: _loaded(source))
    assert found[0] == expected
    assert set(found) == {expected, RecursionError}
