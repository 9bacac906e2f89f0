"""Definitions: names for loaded expressions that mean what their text means, evaluated once a call."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Barrier

import pytest
from hypothesis import given, settings

from oap_core.cel import (
    BOOL,
    DYN,
    FUNCTIONS,
    INT,
    MATCH,
    NO_MATCH,
    STRING,
    Activation,
    Answer,
    Code,
    Env,
    Failure,
    Function,
    Outcome,
    Overload,
    Program,
    freeze,
    load,
    peek,
)
from oap_core.cel.codes import LoadCode
from oap_core.errors import CelError
from tests.core.cel.definitions import DATA, RANDOMS, RECORDS, VARIABLES, decided, defined, split, told
from tests.core.cel.differential.conditions import grammar
from tests.core.cel.differential.sample import LOOSE_ENV
from tests.core.cel.optional_fields import ENV as OPTIONAL_ENV

# what a name means


@pytest.mark.parametrize(
    ("source", "texts", "expected"),
    [
        ("variables.x", {"variables.x": "args.n == 3"}, MATCH),
        ("!variables.x", {"variables.x": "args.n == 3"}, NO_MATCH),
        ("x", {"x": "args.n == 3"}, MATCH),
        ("variables.x.n == 3", {"variables.x": "args"}, MATCH),
        ("variables.x.y.n == 3", {"variables.x": "1", "variables.x.y": "args"}, MATCH),
        ("variables.x['n'] == 3 && has(variables.x.text) && !has(variables.x.m)", {"variables.x": "args"}, MATCH),
        ("variables.x[1] == 'b' && 'a' in variables.x", {"variables.x": "['a', 'b']"}, MATCH),
        ("variables.x.startsWith('ab') && variables.x.size() == 3", {"variables.x": "args.text"}, MATCH),
        ("args.list.exists(variables, variables == 7)", {"variables.x": "false"}, MATCH),
        ("variables.x.exists(e, e == variables.y)", {"variables.x": "[1, 2]", "variables.y": "args.n - 1"}, MATCH),
        ("variables.b", {"variables.a": "args.n", "variables.b": "variables.a == 3"}, MATCH),
        ("variables.x == null", {"variables.x": "args.none"}, MATCH),
        ("variables.x > 2", {"variables.x": "args.n"}, MATCH),
        ("variables.x", {"variables.x": "args.n"}, Outcome(None, Failure(Code.NOT_BOOLEAN, 1, 1))),
    ],
)
def test_a_name_stands_for_its_text(source: str, texts: dict[str, str], expected: Outcome) -> None:
    assert decided(source, texts) == expected


@pytest.mark.parametrize(
    ("source", "codes"),
    [
        ("variables.n", [LoadCode.NOT_BOOLEAN]),
        ("variables.n == 'a'", [LoadCode.NEVER_EQUAL]),
        ("variables.n.startsWith('a')", [LoadCode.NO_OVERLOAD]),
        ("variables.list.exists(e, e + 1 == 'a')", [LoadCode.NEVER_EQUAL]),
        ("variables.m == 1", [LoadCode.UNKNOWN_VARIABLE]),
    ],
)
def test_the_checker_knows_the_type_behind_a_name(source: str, codes: list[LoadCode]) -> None:
    env = defined({"variables.n": "1 + n", "variables.list": "[1, n]"}, Env({"n": INT}))
    with pytest.raises(CelError) as raised:
        load(source, env)
    assert [found.code for found in raised.value.diagnostics] == codes


def test_a_misspelt_name_is_shown_whole_with_the_one_that_is_meant() -> None:
    with pytest.raises(CelError) as raised:
        load("variables.insied", defined({"variables.inside": "true"}))
    (found,) = raised.value.diagnostics
    assert found.message == "unknown variable `variables.insied`"
    assert found.help == "did you mean `variables.inside`?"


def test_a_name_has_one_meaning() -> None:
    with pytest.raises(ValueError, match=r"`variables\.x` is both a variable and a definition"):
        Env({"variables.x": DYN}, definitions={"variables.x": load("true", Env())})


def test_a_guard_inside_a_definition_guards_nothing_outside() -> None:
    env = defined({"asked": "has(args.a)"}, OPTIONAL_ENV)
    with pytest.raises(CelError) as raised:
        load("asked && args.a == 1", env)
    assert [found.code for found in raised.value.diagnostics] == [LoadCode.MAYBE_ABSENT]
    assert load("has(args.a) && args.a == 1 && asked", env).type == BOOL


@settings(max_examples=400)
@given(RANDOMS)
def test_a_definition_means_what_its_text_in_parentheses_means(random: Random) -> None:
    phrase = grammar(random, shared=False).condition(random.choice((2, 3)))
    source, texts = split(phrase, random)
    try:
        written = load(str(phrase), LOOSE_ENV)
        named = load(source, defined(texts, LOOSE_ENV))
    except CelError:
        return
    for data in RECORDS:
        activation = freeze(data)
        expected = told(written.decide(activation))
        assert told(named.decide(activation)) == expected, (source, texts)
        assert told(named.decide(activation)) == expected, (source, texts)


def test_the_generator_makes_definitions_that_read_each_other() -> None:
    random, nested, loaded = Random(11), 0, 0
    for _ in range(200):
        source, texts = split(grammar(random, shared=False).condition(3), random)
        try:
            program = load(source, defined(texts, LOOSE_ENV))
        except CelError:
            continue
        loaded += bool(program.definitions)
        nested += any(one.definitions for one in program.definitions.values())
    assert loaded > 60
    assert nested > 20


# one evaluation a call


def _counting() -> tuple[Env, list[object]]:
    calls: list[object] = []

    def count(value: object) -> bool:
        calls.append(value)
        return True

    counted = Function("count", (Overload((DYN,), BOOL, count),), "Notes that it was called.")
    return Env(VARIABLES, functions=FUNCTIONS.extended([counted])), calls


def test_a_definition_is_evaluated_once_a_call_and_only_where_it_is_read() -> None:
    env, calls = _counting()
    env = defined({"variables.x": "count(args.n)", "variables.y": "variables.x && variables.x"}, env)
    rules = [
        load(text, env)
        for text in ("variables.x && variables.y && variables.x", "[1, 2, 3].all(e, variables.x)", "variables.y")
    ]
    activation = freeze(DATA)
    assert load("args.n == 4 && variables.x", env).decide(activation) is NO_MATCH
    assert calls == []
    assert [rule.decide(activation) for rule in rules] == [MATCH] * 3
    assert calls == [3]
    assert rules[0].decide(freeze({"args": {"n": 4}})) is MATCH
    assert calls == [3, 4]


def test_two_policies_may_use_one_name() -> None:
    one, other = (defined({"variables.x": text}) for text in ("args.n == 3", "args.n == 4"))
    rules = [load("variables.x", env) for env in (one, other)]
    activation = freeze(DATA)
    for _ in range(2):
        assert [rule.decide(activation) for rule in rules] == [MATCH, NO_MATCH]


def test_what_was_read_is_there_to_be_shown() -> None:
    env = defined({"variables.x": "args.none", "variables.y": "args.gone", "variables.z": "args.list.size()"})
    program = load("variables.x == null && variables.y == 1", env)
    activation = freeze(DATA)
    assert list(program.definitions) == ["variables.x", "variables.y"]
    assert peek(activation, program.definitions["variables.x"]) is None
    program.decide(activation)
    found = {name: peek(activation, one) for name, one in env.definitions.items()}
    assert found == {
        "variables.x": Answer(None, 0),
        "variables.y": Answer(Failure(Code.NO_SUCH_KEY, 1, 6), 0),
        "variables.z": None,
    }


def test_data_that_cannot_be_used_gives_every_reader_its_error() -> None:
    env = defined({"variables.x": "true"})
    activation = freeze({"args": float("nan")})
    assert load("variables.x", env).decide(activation).failure == Failure(Code.UNREPRESENTABLE, 0, 0)
    assert peek(activation, env.definitions["variables.x"]) is None


def test_no_variable_can_pose_as_an_answer() -> None:
    activation = freeze({"\0answers": {"planted": True}, "args": {"n": 3}})
    assert activation.answers == {}
    assert load("variables.x", defined({"variables.x": "args.n == 4"})).decide(activation) is NO_MATCH


def test_a_definition_is_evaluated_with_loop_variables_of_its_own() -> None:
    texts = {"variables.x": "args.list.map(a, a + 1).filter(b, b < 3)"}
    source = "[5, 6].all(a, variables.x.map(b, b + a) == [a + 1, a + 2])"
    assert decided(source, texts, {"args": {"list": [0, 1, 2]}}) == MATCH


def test_the_world_is_looked_at_once_for_a_definition_and_its_readers() -> None:
    answers = iter([True, False])
    look = Function("look", (Overload((STRING,), BOOL, lambda _: next(answers)),), "Looks.", reads_world=True)
    env = defined({"variables.x": "look('a')"}, Env(VARIABLES, functions=FUNCTIONS.extended([look])))
    activation = freeze(DATA)
    assert load("variables.x == look('a')", env).decide(activation) is MATCH
    assert activation.world == {("look", "a"): True}


# errors


@pytest.mark.parametrize(
    ("source", "matched", "column"),
    [
        ("variables.x", None, 1),
        ("args.n == 3 && variables.x", None, 16),
        ("args.n == 4 && variables.x", False, 0),
        ("variables.x && args.n == 4", False, 0),
        ("variables.x || args.n == 3", True, 0),
        ("args.n == 3 ? variables.x : true", None, 15),
        ("[1, 2].all(e, variables.x)", None, 15),
        ("variables.y", None, 1),
    ],
)
def test_an_error_of_a_definition_is_an_error_where_it_is_read(source: str, matched: bool | None, column: int) -> None:
    texts = {"variables.x": "true &&\n args.gone", "variables.y": "variables.x"}
    failure = None if column == 0 else Failure(Code.NO_SUCH_KEY, 1, column)
    for _ in range(2):
        assert decided(source, texts) == Outcome(matched, failure)


def test_what_a_stack_that_is_used_up_does_to_a_definition_is_not_kept() -> None:
    program = load("variables.x", defined({"variables.x": "!(!(!(!(args.n == 3))))"}))
    activation, found = freeze(DATA), []

    def deepest_first() -> None:
        try:
            deepest_first()
        finally:
            found.append(told(program.decide(activation)))

    before = sys.getrecursionlimit()
    sys.setrecursionlimit(400)
    try:
        with pytest.raises(RecursionError):
            deepest_first()
    finally:
        sys.setrecursionlimit(before)
    assert found[-1] is True
    assert set(found) == {True, Code.INTERNAL}
    assert found == sorted(found, key=lambda code: code is True)


# threads


def test_threads_that_share_an_activation_see_what_one_sees() -> None:
    random = Random(29)
    programs: list[Program] = []
    while len(programs) < 30:
        source, texts = split(grammar(random, shared=False).condition(3), random)
        try:
            programs.append(load(source, defined(texts, LOOSE_ENV)))
        except CelError:
            continue
    expected = [[program.decide(freeze(data)) for program in programs] for data in RECORDS]
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(5):
            _in_threads([freeze(data) for data in RECORDS], programs, expected)
    finally:
        sys.setswitchinterval(before)


def _in_threads(shared: list[Activation], programs: list[Program], expected: list[list[Outcome]]) -> None:
    start = Barrier(8)

    def outcomes(offset: int) -> list[list[Outcome]]:
        start.wait()
        order = [*range(offset, len(programs)), *range(offset)]
        found = [{number: programs[number].decide(each) for number in order} for each in shared]
        return [[each[number] for number in range(len(programs))] for each in found]

    with ThreadPoolExecutor(8) as pool:
        assert all(found == expected for found in pool.map(outcomes, range(8)))
