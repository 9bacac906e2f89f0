"""The face of the engine: outcomes, places of errors, and what a program tells about itself."""

import sys
from collections.abc import Callable

import pytest

from oap_core import ToolCall
from oap_core.cel import (
    FUNCTIONS,
    MATCH,
    NO_MATCH,
    Code,
    Env,
    Failure,
    Function,
    Outcome,
    Overload,
    Registry,
    freeze,
    freeze_value,
    load,
)
from oap_core.cel.failure import MEANING, EvalError
from oap_core.cel.standard import STANDARD
from oap_core.cel.types import BOOL, DYN, STRING
from oap_core.errors import CelError

_ENV = Env({"args": DYN, "tool": DYN}, functions=STANDARD)
_CALL = freeze({"args": {"n": 3, "text": "abc", "list": [1, 2, 3], "none": None, "zero": 0}, "tool": {"id": "fs/read"}})


@pytest.mark.guarantee("cel-three-outcomes")
def test_three_outcomes() -> None:
    assert load("args.n == 3", _ENV).decide(_CALL) is MATCH
    assert load("args.n == 4", _ENV).decide(_CALL) is NO_MATCH
    assert load("args.m == 4", _ENV).decide(_CALL) == Outcome(None, Failure(Code.NO_SUCH_KEY, 1, 6))


@pytest.mark.guarantee("cel-three-outcomes")
def test_an_outcome_has_no_truth_value() -> None:
    for outcome in (MATCH, NO_MATCH, Outcome(None, Failure(Code.BUDGET, 1, 1))):
        with pytest.raises(TypeError, match="three cases"):
            bool(outcome)


@pytest.mark.guarantee("cel-three-outcomes")
@pytest.mark.parametrize("value", ["args.n", "args.text", "args.list", "args.none", "args", "args.list[0]"])
def test_a_condition_that_is_no_boolean_is_an_error_and_never_a_match(value: str) -> None:
    outcome = load(value, _ENV).decide(_CALL)
    assert outcome == Outcome(None, Failure(Code.NOT_BOOLEAN, 1, 1))


_PLACES = [
    ("args.n / args.zero == 1", Code.DIVIDE_BY_ZERO, 1, 8),
    ("true &&\n  args.text > 3", Code.NO_SUCH_OVERLOAD, 2, 13),
    ("args.list[7] == 1", Code.INDEX_OUT_OF_RANGE, 1, 10),
    ("args.list.all(x,\n x / args.zero > 1)", Code.DIVIDE_BY_ZERO, 2, 4),
    ("args.text.n == 1", Code.NO_SUCH_OVERLOAD, 1, 11),
    ("9223372036854775807 + args.n == 1", Code.OUT_OF_RANGE, 1, 21),
    ("args.n.startsWith('x')", Code.NO_SUCH_OVERLOAD, 1, 8),
    ("has(args.text.x)", Code.NO_SUCH_OVERLOAD, 1, 15),
    ("tool[args.text] == 1", Code.NO_SUCH_KEY, 1, 5),
]


@pytest.mark.parametrize(("source", "code", "line", "column"), _PLACES)
def test_an_error_says_where(source: str, code: Code, line: int, column: int) -> None:
    assert load(source, _ENV).decide(_CALL).failure == Failure(code, line, column)


def test_a_variable_that_was_not_given_is_an_error() -> None:
    program = load("tool.id == 'x' || args.n == 3", _ENV)
    assert program.decide(freeze({"args": {"n": 4}})).failure == Failure(Code.NO_SUCH_VARIABLE, 1, 1)
    assert program.decide(freeze({"args": {"n": 3}})) is MATCH


def test_every_code_has_a_sentence() -> None:
    assert set(MEANING) == set(Code)
    assert Failure(Code.BUDGET, 1, 1).meaning == MEANING[Code.BUDGET]


def test_data_that_was_not_frozen_is_the_hosts_mistake() -> None:
    program = load("args.n == 3", _ENV)
    with pytest.raises(TypeError, match="freeze"):
        program.decide({"args": {"n": 3}})  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="freeze"):
        program.evaluate({"args": {"n": 3}})  # type: ignore[arg-type]


def _with_function(body: Callable[..., object], *, reads_world: bool = False) -> Env:
    probe = Function("probe", (Overload((STRING,), BOOL, body),), "a probe", reads_world=reads_world)
    return Env({"args": DYN}, functions=STANDARD.extended([probe]))


@pytest.mark.guarantee("cel-no-data-in-errors")
@pytest.mark.parametrize("error", [RuntimeError("canary"), SystemExit("canary"), RecursionError("canary")])
def test_a_function_that_breaks_its_promise_is_an_error_without_its_text(error: BaseException) -> None:
    def broken(_text: str) -> bool:
        raise error

    program = load("probe(args.text)", _with_function(broken))
    outcome = program.decide(_CALL)
    assert outcome == Outcome(None, Failure(Code.INTERNAL, 1, 1))
    assert "canary" not in repr(outcome)
    assert load("probe(args.text) && args.n == 4", _with_function(broken)).decide(_CALL) is NO_MATCH
    assert load("true || probe('abc')", _with_function(broken)).decide(_CALL) is MATCH
    assert load("probe(args.text)", _with_function(lambda _: "yes")).decide(_CALL).matched is None


def _fails(_text: str) -> int:
    raise ValueError("canary")


@pytest.mark.parametrize("extra", [_fails, lambda _: -10_000, lambda _: "many", lambda _: True])
def test_what_a_function_says_that_it_costs_is_not_trusted(extra: Callable[..., int]) -> None:
    probe = Function("probe", (Overload((STRING,), BOOL, lambda _: True, extra=extra),), "a probe")
    env = Env({"args": DYN}, functions=STANDARD.extended([probe]))
    assert load("probe(args.text)", env).decide(_CALL) == Outcome(None, Failure(Code.INTERNAL, 1, 1))
    assert load("probe(args.text) && args.n == 4", env).decide(_CALL) is NO_MATCH
    assert load("true || probe('abc')", env).decide(_CALL) is MATCH


def test_a_function_that_refuses_is_an_error_at_its_call() -> None:
    def refusing(_text: str) -> bool:
        raise EvalError(Code.INVALID_ARGUMENT)

    program = load("args.n == 4 || probe(args.text)", _with_function(refusing))
    assert program.decide(_CALL).failure == Failure(Code.INVALID_ARGUMENT, 1, 16)


@pytest.mark.guarantee("cel-one-look")
def test_a_look_at_the_world_is_taken_once_a_call_and_kept_for_the_record() -> None:
    answers = iter([True, False, False])
    env = _with_function(lambda _: next(answers), reads_world=True)
    programs = [load("probe(args.text)", env), load("args.n == 3 && probe(args.text)", env)]
    call = freeze({"args": {"text": "abc", "n": 3}})
    assert [program.decide(call) for program in programs] == [MATCH, MATCH]
    assert call.world == {("probe", "abc"): True}
    assert programs[0].decide(freeze({"args": {"text": "abc"}})) is NO_MATCH


def test_every_reader_of_the_world_pays_what_the_first_one_paid() -> None:
    look = Function("probe", (Overload((STRING,), BOOL, lambda _: True, scans=True),), "a probe", reads_world=True)
    program = load("args.list.all(x, probe(args.text))", Env({"args": DYN}, functions=FUNCTIONS.extended([look])))
    call = freeze({"args": {"list": [0] * 100, "text": "x" * 200_000}})
    outcomes = [program.decide(call) for _ in range(3)]
    assert outcomes[0] == outcomes[1] == outcomes[2]
    assert outcomes[0].failure is not None
    assert outcomes[0].failure.code is Code.BUDGET


def test_the_world_is_asked_again_for_an_argument_that_only_python_takes_for_the_same() -> None:
    look = Function(
        "probe", (Overload((DYN,), STRING, lambda value: type(value).__name__),), "a probe", reads_world=True
    )
    env = Env({"args": DYN}, functions=FUNCTIONS.extended([look]))
    source = "[probe(1), probe(1u), probe(1.0), probe(true), probe([{'a': 1}]), probe([{'a': true}]), probe(-0.0)]"
    program = load(source, env, condition=False)
    call = freeze({"args": {}})
    assert program.evaluate(call) == ("int", "UInt", "float", "bool", "tuple", "tuple", "float")
    assert len(call.world) == 7


def test_a_look_at_the_world_is_never_taken_at_load() -> None:
    looks: list[str] = []

    def look(text: str) -> bool:
        looks.append(text)
        return True

    program = load("probe('abc')", _with_function(look, reads_world=True))
    assert looks == []
    assert program.decide(_CALL) is MATCH
    assert looks == ["abc"]


@pytest.mark.guarantee("cel-one-look")
def test_a_failed_look_at_the_world_fails_the_same_way_for_every_rule() -> None:
    def failing(_text: str) -> bool:
        raise EvalError(Code.INVALID_ARGUMENT)

    env = _with_function(failing, reads_world=True)
    call = freeze({"args": {"text": "abc"}})
    for source in ("probe(args.text)", "!probe(args.text)"):
        assert load(source, env).decide(call).matched is None
    assert call.world == {("probe", "abc"): Code.INVALID_ARGUMENT}


def test_a_host_with_hardly_any_stack_left_gets_an_error_and_no_exception() -> None:
    program = load("args.list.exists(x, [x].exists(y, [y].exists(z, z == 3 || z + 1 == 9)))", _ENV)
    assert program.decide(_CALL) is MATCH
    seen = set()

    def deeper(left: int) -> None:
        if left:
            deeper(left - 1)
        seen.add(program.decide(_CALL).matched)

    for depth in range(sys.getrecursionlimit() - 200, sys.getrecursionlimit()):
        try:
            deeper(depth)
        except RecursionError:
            break
    assert seen == {True, None}


def test_constants_that_are_dear_to_compute_are_computed_when_it_runs() -> None:
    numbers = freeze_value(list(range(10_000)))
    program = load("size(c.one + c.two) > args.n", Env({"args": DYN}, {"c": {"one": numbers, "two": numbers}}))
    assert program.decide(_CALL) is MATCH


def test_maps_of_both_kinds_are_charged_when_they_are_compared() -> None:
    program = load("args.list.all(x, {'a': args.big, 1: 2} != {'a': args.same, 'b': 2})", _ENV)
    big = [[n] for n in range(1000)]
    outcome = program.decide(freeze({"args": {"list": [0] * 200, "big": big, "same": big}}))
    assert outcome.failure is not None
    assert outcome.failure.code is Code.BUDGET


def test_the_frozen_arguments_of_a_call_can_be_judged() -> None:
    call = ToolCall.of("c1", "fs/read", {"path": "/srv/a", "lines": [1, {"from": 2}]})
    program = load("args.path == '/srv/a' && args.lines[1].from == 2", _ENV)
    assert program.decide(freeze({"args": call.arguments})) is MATCH


def test_a_program_tells_what_it_reads_and_which_tools_it_speaks_about() -> None:
    program = load("tool.id in ['fs/read', 'fs/list'] && args.options.network.mode == 'x'", _ENV)
    assert program.references == {"tool.id", "args.options.network.mode"}
    assert program.tool_constraint() == {"fs/read", "fs/list"}
    assert load("args.n == 3", _ENV).tool_constraint() is None


@pytest.mark.guarantee("cel-all-mistakes")
def test_load_reports_every_mistake_at_once() -> None:
    with pytest.raises(CelError) as caught:
        load("tol.id == 'x' && args.text.startWith('y') && arg.n == 3", _ENV)
    assert [(found.column, found.help) for found in caught.value.diagnostics] == [
        (1, "did you mean `tool`?"),
        (28, "did you mean `startsWith`?"),
        (46, "did you mean `args`?"),
    ]


def test_registries_refuse_a_name_twice() -> None:
    probe = Function("probe", (), "a probe")
    with pytest.raises(ValueError, match="`probe` is registered twice"):
        Registry.of([probe, probe])
    with pytest.raises(ValueError, match="`size` is registered twice"):
        STANDARD.extended([Function("size", (), "another")])
