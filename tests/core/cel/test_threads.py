"""Programs are shared by threads without a lock: each thread sees what a single one sees."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from oap_core.cel import Program, load
from oap_core.errors import CelError
from tests.core.cel.differential.sample import ENV, Sample, sample, shown

_THREADS = 8
_EVALUATIONS = 10_000


@pytest.fixture(autouse=True)
def _many_switches() -> Iterator[None]:
    """Let threads interrupt each other as often as the interpreter can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def _loaded(made: Sample) -> list[Program]:
    found = []
    for case in made.cases:
        try:
            found.append(load(str(case.phrase), ENV))
        except CelError:
            continue
    return found


@pytest.mark.guarantee("cel-threads")
def test_eight_threads_see_what_one_sees() -> None:
    made = sample(20260310, 130, shared=False)
    programs = _loaded(made)
    turns = [
        (program, activation) for number, activation in enumerate(made.frozen) for program in programs[number % 5 :: 5]
    ][:_EVALUATIONS]
    assert len(turns) == _EVALUATIONS
    expected = [shown(program.decide(activation)) for program, activation in turns]
    assert set(expected) == {"true", "false", "error"}
    start = Barrier(_THREADS)

    def differences(offset: int) -> int:
        start.wait()
        order = [*range(offset, _EVALUATIONS), *range(offset)]
        return sum(shown(turns[place][0].decide(turns[place][1])) != expected[place] for place in order)

    with ThreadPoolExecutor(_THREADS) as pool:
        assert list(pool.map(differences, range(0, _EVALUATIONS, _EVALUATIONS // _THREADS))) == [0] * _THREADS


def test_threads_load_the_same_programs_at_once() -> None:
    made = sample(20260311, 60, shared=False)
    expected = made.ours()
    start = Barrier(_THREADS)

    def loaded(_: int) -> list[tuple[str, ...]]:
        start.wait()
        return made.ours()

    with ThreadPoolExecutor(_THREADS) as pool:
        assert all(found == expected for found in pool.map(loaded, range(_THREADS)))


def test_one_program_in_many_threads_keeps_its_loop_variables_apart() -> None:
    source = "args.items.map(v, args.names.exists(w, size(w) == v)).filter(v, v).size() >= args.rows.size()"
    program = load(source, ENV)
    made = sample(20260312, 1)
    expected = [shown(program.decide(activation)) for activation in made.frozen]
    assert len(set(expected)) >= 2

    def outcomes(_: int) -> list[str]:
        return [shown(program.decide(activation)) for activation in made.frozen]

    with ThreadPoolExecutor(_THREADS) as pool:
        assert all(found == expected for found in pool.map(outcomes, range(_THREADS)))
