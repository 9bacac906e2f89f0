"""What definitions cost: every reader pays in full, so that neither order nor sharing matters; and how deep they go."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from random import Random
from typing import Final

import pytest

from oap_core.cel import (
    INT,
    MATCH,
    NO_MATCH,
    Activation,
    Code,
    Env,
    Failure,
    ListType,
    Outcome,
    Program,
    freeze,
    load,
    peek,
)
from oap_core.cel.codes import LoadCode
from oap_core.cel.limits import DEFINITION_NESTING, EVALUATION_UNITS
from oap_core.errors import CelError
from tests.core.cel.definitions import DATA, RECORDS, decided, defined, split, told
from tests.core.cel.differential.conditions import grammar
from tests.core.cel.differential.sample import LOOSE_ENV

# cost


def _spent(source: str, texts: Mapping[str, str], activation: Activation) -> int:
    """What an evaluation uses, seen from a definition that reads nothing else."""
    env = defined({**texts, "probe": source})
    load("probe == true", env).decide(activation)
    answer = peek(activation, env.definitions["probe"])
    assert answer is not None
    return answer.units


_LOOP: Final = {"variables.x": "args.list.all(e, true)"}


@pytest.mark.parametrize(
    ("source", "units"),
    [
        ("args.list.all(e, true)", 6000),
        ("variables.x", 6000),
        ("variables.x && variables.x", EVALUATION_UNITS),
        ("args.n == 4 && variables.x", 0),
        ("variables.y", 6002),
        ("variables.y && [1, 2, 3].all(e, e > 0)", 6005),
        ("[1, 2].all(e, variables.z)", 2 + 2 * 7),
        ("[1, 2].exists(e, variables.z)", 2 + 7),
    ],
)
def test_each_reading_is_charged_in_full(source: str, units: int) -> None:
    texts = {
        **_LOOP,
        "variables.y": "variables.x && [1, 2].all(e, true)",
        "variables.z": "[1, 2, 3, 4, 5, 6, 7].all(e, true)",
    }
    activation = freeze(DATA)
    load("variables.x && variables.z", defined(texts)).decide(activation)
    assert _spent(source, texts, activation) == units
    assert _spent(source, texts, freeze(DATA)) == units


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("variables.x", MATCH),
        ("variables.x && variables.x", Outcome(None, Failure(Code.BUDGET, 1, 16))),
        ("args.list.all(e, true) && variables.x", Outcome(None, Failure(Code.BUDGET, 1, 27))),
        ("variables.x && args.n == 3 && args.list.all(e, true)", Outcome(None, Failure(Code.BUDGET, 1, 41))),
        ("variables.x || variables.x", MATCH),
        ("variables.z", Outcome(None, Failure(Code.BUDGET, 1, 1))),
        ("variables.z || args.n == 3", MATCH),
        ("args.n == 3 || variables.z", MATCH),
    ],
)
def test_order_and_sharing_never_matter(source: str, expected: Outcome) -> None:
    texts = {**_LOOP, "variables.z": "args.list.all(e, true) && args.list.all(e, e >= 0)"}
    env = defined(texts)
    program, others = load(source, env), [load(text, env) for text in ("variables.x", "variables.z", "!variables.x")]
    alone, after, before = freeze(DATA), freeze(DATA), freeze(DATA)
    assert program.decide(alone) == expected
    for other in others:
        other.decide(after)
    assert program.decide(after) == expected
    assert program.decide(before) == expected
    assert [other.decide(before) for other in others] == [other.decide(after) for other in others]


def test_a_whole_rule_set_decides_the_same_in_any_order() -> None:
    random = Random(3)
    programs: list[Program] = []
    while len(programs) < 40:
        source, texts = split(grammar(random, shared=False).condition(3), random)
        try:
            programs.append(load(source, defined(texts, LOOSE_ENV)))
        except CelError:
            continue
    for data in RECORDS:
        expected = [program.decide(freeze(data)) for program in programs]
        for _ in range(3):
            activation, order = freeze(data), random.sample(range(len(programs)), len(programs))
            found = {number: programs[number].decide(activation) for number in order}
            assert [found[number] for number in range(len(programs))] == expected


@pytest.mark.parametrize(
    ("source", "units", "assumed"),
    [
        ("variables.ten", 10, False),
        ("variables.ten && variables.ten", 20, False),
        ("ten.all(e, variables.ten)", 10 + 10 * 10, False),
        ("variables.ten.size() > 1", 10, False),
        ("variables.twice", 20, False),
        ("variables.many", 100, True),
        ("variables.many && variables.ten", 110, True),
        ("variables.mapped.all(e, e > 1)", 20, False),
        ("variables.free", 0, False),
        ("many.all(e, variables.many)", 100 + 100 * 100, True),
    ],
)
def test_the_estimate_counts_every_reading(source: str, units: int, assumed: bool) -> None:
    texts = {
        "variables.ten": "ten.filter(e, e > 1)" if "size" in source else "ten.all(e, e > 1)",
        "variables.twice": "ten.all(e, true) && ten.all(e, true)",
        "variables.many": "many.all(e, e > 1)",
        "variables.mapped": "ten.map(e, e + 1)",
        "variables.free": "ten == [1] || true",
    }
    found = load(source, defined(texts, Env({"ten": ListType(INT, 10), "many": ListType(INT)}))).cost
    assert (found.units, found.assumed) == (units, assumed)


def test_too_much_is_refused_where_the_sizes_behind_the_names_are_declared() -> None:
    long = f"[{', '.join(map(str, range(101)))}]"
    env = defined({"variables.x": f"{long}.all(e, e < many.size())"}, Env({"many": ListType(INT)}))
    with pytest.raises(CelError) as raised:
        load(f"{long}.all(e, variables.x)", env)
    assert [found.code for found in raised.value.diagnostics] == [LoadCode.COST]
    env = defined({"variables.x": f"{long}.all(e, many.all(i, i == e))"}, Env({"many": ListType(INT)}))
    assert env.definitions["variables.x"].cost.assumed
    with pytest.raises(CelError) as raised:
        load(f"{long}.all(e, variables.x)", env)
    assert [found.code for found in raised.value.diagnostics] == [LoadCode.COST]
    assert load("many.all(e, variables.x)", env).cost.assumed


# depth


def _chain(length: int) -> dict[str, str]:
    """Definitions that read each other, each three levels deep with its name."""
    return {"v0": "args.n == 3", **{f"v{number}": f"!v{number - 1} || false" for number in range(1, length)}}


def test_a_chain_of_definitions_is_bounded_by_its_nesting() -> None:
    most = next(length for length in range(2, DEFINITION_NESTING) if not _loads(_chain(length + 1)))
    assert most >= 16
    assert list(defined(_chain(most)).definitions.values())[-1].depth <= DEFINITION_NESTING
    assert decided(f"v{most - 2}", _chain(most)).failure is None
    with pytest.raises(CelError) as raised:
        defined(_chain(most + 1))
    (found,) = raised.value.diagnostics
    assert (found.code, found.line, found.column) == (LoadCode.TOO_DEEP, 1, 2)


def _loads(texts: dict[str, str]) -> bool:
    try:
        defined(texts)
    except CelError:
        return False
    return True


def test_the_deepest_chain_leaves_the_host_most_of_its_stack() -> None:
    wide = "[" * 28 + "args.n" + "]" * 28
    texts = {"variables.v0": wide}
    for number in range(1, 4):
        texts[f"variables.v{number}"] = wide.replace("args.n", f"variables.v{number - 1}")
    env = defined(texts)
    assert env.definitions["variables.v3"].depth > DEFINITION_NESTING - 10
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(before // 2 + 200)
    try:
        assert load("variables.v3 != []", env).decide(freeze(DATA)) == MATCH
    finally:
        sys.setrecursionlimit(before)


def test_names_that_double_at_every_level_cost_no_more_than_they_say() -> None:
    texts, name = {"variables.v0": "tool.id == 'a'"}, "variables.v0"
    for number in range(1, 24):
        texts[f"variables.v{number}"] = f"{name} && !{name} || {name}"
        name = f"variables.v{number}"
    program = load(name, defined(texts))
    assert program.tool_constraint() == {"a"}
    assert program.all_references == {"tool.id", *texts}
    assert program.decide(freeze(DATA)) is NO_MATCH
    assert program.cost.units == 0


def test_readers_pay_the_same_whoever_comes_first() -> None:
    env = defined({**_LOOP, "variables.y": "variables.x && args.n == 3"})
    sources: tuple[str, ...] = ("variables.y", "variables.x && variables.y", "[1].all(e, variables.y)")
    makers: list[Callable[[], list[str]]] = [lambda: list(sources), lambda: list(sources[::-1])]
    found = [
        {source: load(source, env).decide(activation) for source in maker()}
        for maker, activation in zip(makers, (freeze(DATA), freeze(DATA)), strict=True)
    ]
    assert found[0] == found[1]
    assert {told(outcome) for outcome in found[0].values()} == {True, Code.BUDGET}
