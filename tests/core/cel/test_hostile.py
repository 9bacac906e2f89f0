"""Data and expressions meant to break the engine end in an error, and no text about the error holds any of the data."""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Callable
from typing import Any, Final

import pytest

from oap_core.cel import MATCH, NO_MATCH, Code, Env, Function, Overload, Program, freeze, load
from oap_core.cel.failure import Outcome
from oap_core.cel.limits import EVALUATION_UNITS
from oap_core.cel.standard import STANDARD
from oap_core.cel.types import BOOL, DYN
from oap_core.cel.values import Value
from oap_core.errors import CelError
from tests.core.cel.hostile import CANARY, NO_MAPPINGS, TOO_BIG, UNREPRESENTABLE

ENV: Final = Env({"x": DYN, "y": DYN}, functions=STANDARD)


def _program(source: str, env: Env = ENV) -> Program:
    return load(source, env)


def _code(source: str, data: Any) -> Code | None:
    failure = _program(source).decide(freeze(data)).failure
    return None if failure is None else failure.code


HARMLESS: Final = ("true", "x == x", "y == 1 || x == 1", "!(x == 1)", "has(x.a) || true", "[x].size() == 1 || true")


@pytest.mark.guarantee("cel-no-exception")
@pytest.mark.parametrize("make", UNREPRESENTABLE.values(), ids=UNREPRESENTABLE)
@pytest.mark.parametrize("place", ["itself", "in a list", "in a map", "deeper"])
def test_data_that_cannot_be_represented_is_an_error(make: Callable[[], Any], place: str) -> None:
    value = make()
    held = {"itself": value, "in a list": [1, value], "in a map": {"a": value}, "deeper": [{"a": [[value]]}]}[place]
    data = {"y": 1, "x": held}
    assert {_code(source, data) for source in HARMLESS} == {Code.UNREPRESENTABLE}
    assert freeze(data).failure is not None


@pytest.mark.parametrize("make", TOO_BIG.values(), ids=TOO_BIG)
def test_data_without_bounds_is_an_error(make: Callable[[], Any]) -> None:
    data = {"y": 1, "x": make()}
    assert {_code(source, data) for source in HARMLESS} <= {Code.TOO_DEEP, Code.TOO_LARGE}
    assert None not in {_code(source, data) for source in HARMLESS}


@pytest.mark.parametrize("make", NO_MAPPINGS.values(), ids=NO_MAPPINGS)
def test_variables_that_are_no_plain_mapping_are_an_error(make: Callable[[], Any]) -> None:
    assert _code("true", make()) is Code.UNREPRESENTABLE


EXACT: Final[dict[str, tuple[str, Any, Any]]] = {
    "NUL ends no text": ("x == 'safe'", "safe\0evil", NO_MATCH),
    "NUL is a character": ("size(x) == 9 && x.contains('\\u0000evil') && x != 'safe'", "safe\0evil", MATCH),
    "NUL hides no suffix": ("x.startsWith('/srv/') && !x.contains('..')", "/srv/x\0/../../etc", NO_MATCH),
    "NUL in a key": ("'a' in x", {"a\0b": 1}, NO_MATCH),
    "a minus before zero": ("x == 0.0 && 0.0 == x && x <= 0.0 && !(x < 0.0)", -0.0, MATCH),
    "the largest integer": ("x == 9223372036854775807 && x > 0", 2**63 - 1, MATCH),
    "the smallest integer": ("x == -9223372036854775808 && x < 0", -(2**63), MATCH),
    "one beyond the largest": ("x + 1 > 0 || x + 1 <= 0", 2**63 - 1, None),
    "one below the smallest": ("x - 1 < 0 || x - 1 >= 0", -(2**63), None),
    "the opposite of the smallest": ("-x > 0 || -x <= 0", -(2**63), None),
    "the smallest by minus one": ("x / -1 > 0 || x / -1 <= 0", -(2**63), None),
    "true is not one": ("x == 1 || 1 == x || x in [1, 1.0, 1u] || x < 2", True, None),
    "true is not one in a list": ("x in [1] || 1 in [x] || x == 1.0", True, NO_MATCH),
    "false is not zero": ("x == 0 || x == 0.0 || x == '' || x == null || x in [0]", False, NO_MATCH),
    "null is not false": ("x == false || x == 0 || x == '' || x == {} || x == []", None, NO_MATCH),
    "a number is not a truth": ("x", 1, None),
    "text is not a truth": ("x || x", "true", None),
    "null is not a truth": ("!x", None, None),
    "composed and decomposed letters differ": ("x == '\\u00e9'", "e\u0301", NO_MATCH),
    "look-alikes differ": ("x == 'admin'", "\u0430dmin", NO_MATCH),
    "full-width letters differ": ("'a' in x || x.exists(k, k == 'a')", {"\uff41": 1}, NO_MATCH),
    "digits of other scripts are no digits": ("x.matches('^[0-9]$') || x.matches('^\\\\d$')", "\u0663", NO_MATCH),
    "a key that is an attribute of dict": ("has(x.items) || has(x.__class__) || has(x.get)", {}, NO_MATCH),
    "an attribute of dict": ("x.keys == x.keys", {}, None),
    "a dunder": ("x.__class__ == x.__class__", {}, None),
    "a negative index": ("x[-1] == 3", [1, 2, 3], None),
    "an index into text": ("x[0] == 'a'", "abc", None),
    "a method of list": ("'a' in x", "abc", None),
    "a percent sign formats nothing": ("x % y == 'a' || x % y != 'a'", "%s", None),
}


@pytest.mark.parametrize(("source", "value", "expected"), EXACT.values(), ids=EXACT)
def test_values_at_the_edges_keep_their_meaning(source: str, value: Any, expected: Outcome | None) -> None:
    outcome = _program(source).decide(freeze({"x": value, "y": value}))
    if expected is None:
        assert outcome.failure is not None
    else:
        assert outcome == expected


def test_an_outcome_has_no_truth_value() -> None:
    with pytest.raises(TypeError):
        bool(_program("true").decide(freeze({})))


SOURCES: Final[dict[str, Callable[[], str]]] = {
    "8 kB of (": lambda: "(" * 8000,
    "8 kB of )": lambda: ")" * 8000,
    "8 kB of [": lambda: "[" * 8000,
    "8 kB of {": lambda: "{" * 8000,
    "8 kB of ( )": lambda: "(" * 4000 + ")" * 4000,
    "4,000 parentheses": lambda: "(" * 4000 + "1" + ")" * 4000,
    "4,000 lists": lambda: "[" * 4000 + "]" * 4000,
    "1,600 maps": lambda: "{1:" * 1600 + "1" + "}" * 1600,
    "2,600 indexes": lambda: "x[" * 2600 + "0" + "]" * 2600,
    "8 kB of !": lambda: "!" * 8000 + "x",
    "8 kB of -": lambda: "-" * 8000 + "1",
    "4,000 sums": lambda: "+".join(["1"] * 4000),
    "2,000 fields": lambda: "x" + ".a" * 2000,
    "1,000 ternaries": lambda: "x ? x : " * 1000 + "x",
    "1,000 ternaries inside": lambda: "x ? " * 1000 + "x" + " : x" * 1000,
    "300 calls": lambda: "size(" * 1300 + "x" + ")" * 1300,
    "400 macros": lambda: "x.all(a, " * 400 + "true" + ")" * 400,
    "2,000 comparisons": lambda: "==".join(["x"] * 2700),
    "a million parentheses": lambda: "(" * 1_000_000,
    "a million levels": lambda: "[" * 500_000 + "]" * 500_000,
    "100 MB": lambda: "x" * 100_000_000,
    "100 MB of characters outside ASCII": lambda: "\u00e9" * 50_000_000,
    "a NUL": lambda: "x\0 == 1",
    "a NUL alone": lambda: "\0",
    "a lone surrogate": lambda: "x == '\ud800'",
    "a lone surrogate by escape": lambda: "x == '\\ud800'",
    "a code point beyond the last": lambda: "x == '\\U00110000'",
    "text without an end": lambda: "x == '" + "a" * 8000,
    "text that escapes its end": lambda: 'x == "abc\\"',
    "an unknown escape": lambda: 'x == "\\q"',
    "half an escape": lambda: 'x == "\\x1"',
    "an integer of 8,000 digits": lambda: "x == " + "9" * 8000,
    "2^63": lambda: "x == 9223372036854775808",
    "-2^63 - 1": lambda: "x == -9223372036854775809",
    "2^64": lambda: "x == 18446744073709551616u",
    "an exponent without an end": lambda: "x == 1e" + "9" * 7000,
    "a regular expression that repeats too much": lambda: "x.matches('(a{1000}){1000}')",
    "a regular expression of 1,001 characters": lambda: "x.matches('" + "a" * 1001 + "')",
    "a regular expression with a back reference": lambda: "x.matches('(a)\\\\1')",
    "a regular expression that looks ahead": lambda: "x.matches('(?=a)')",
    "a regular expression that does not close": lambda: "x.matches('" + "(" * 900 + "')",
    "a list of 201": lambda: "x in [" + ",".join("1" * 201) + "]",
    "a map of 201": lambda: "x in {" + ",".join(f"'{number}': 1" for number in range(201)) + "}",
    "a key twice": lambda: "x == {'a': 1, 'a': 2}",
    "nothing": str,
    "white space": lambda: " \t\n" * 100,
    "a comment": lambda: "// nothing",
    "Python": lambda: "__import__('os').system('true')",
    "an attribute of a literal": lambda: "''.__class__",
    "a lambda": lambda: "(lambda: 1)()",
    "an assignment": lambda: "x = 1",
    "a reserved word": lambda: "x == while",
    "an unknown variable": lambda: "typo.x == 1",
    "an unknown variable in has": lambda: "!has(typo.x)",
    "has of something else": lambda: "has(x[0])",
    "a loop variable that is none": lambda: "x.all(x.y, true)",
    "a byte order mark": lambda: "\ufeff\ufeffx == 1 +",
    "a direction override": lambda: "x == 'a' \u202e || true",
}


@pytest.mark.parametrize("make", SOURCES.values(), ids=SOURCES)
def test_hostile_sources_are_load_errors(make: Callable[[], str]) -> None:
    with pytest.raises(CelError) as caught:
        load(make(), ENV)
    assert 1 <= len(caught.value.diagnostics) <= 250
    assert len(str(caught.value)) <= 60_000


CHEAP: Final[dict[str, Callable[[], str]]] = {
    "a run of 700 &&": lambda: " && ".join(["x == 1"] * 700),
    "a run of 700 ||": lambda: " || ".join(["x == 2"] * 700),
    "a comment of 8 kB": lambda: "x == 1 //" + "(" * 8000,
    "8,000 characters of text": lambda: "x == 1 || x == '" + "a" * 8000 + "'",
}


@pytest.mark.parametrize("make", CHEAP.values(), ids=CHEAP)
def test_long_sources_that_are_not_deep_load(make: Callable[[], str]) -> None:
    assert _program(make()).decide(freeze({"x": 1, "y": 1})).failure is None


def _counting(calls: list[int]) -> Env:
    """Declarations with a function that counts how often it is called."""

    def tick(_: Value) -> bool:
        calls[0] += 1
        return True

    function = Function("tick", (Overload((DYN,), BOOL, tick),), "Counts.")
    return Env({"x": DYN, "y": DYN}, functions=STANDARD.extended([function]))


LOOPS: Final = (
    "x.all(a, x.all(b, tick(a)))",
    "x.exists(a, x.exists(b, !tick(b)))",
    "x.map(a, x.map(b, tick(b))).size() > 0",
    "x.filter(a, x.filter(b, tick(b)).size() > 0).size() > 0",
    "x.exists_one(a, x.exists_one(b, tick(b)))",
    "x.all(a, x.all(b, x.all(c, tick(c))))",
    "x.map(a, x).map(b, b.all(c, tick(c))).size() > 0",
    "!x.all(a, x.exists(b, x.filter(c, tick(c)).size() == 0))",
)


@pytest.mark.guarantee("cel-bounded")
@pytest.mark.parametrize("source", LOOPS)
def test_loops_in_loops_end_with_their_budget(source: str) -> None:
    calls = [0]
    program = load(source, _counting(calls))
    outcome = program.decide(freeze({"x": list(range(1000)), "y": 1}))
    assert outcome.failure is not None
    assert outcome.failure.code is Code.BUDGET
    assert 0 < calls[0] <= EVALUATION_UNITS


ABSORBED: Final = (
    "x.all(a, x.all(b, tick(b)) || y == 1)",
    "x.all(a, x.all(b, x.all(c, tick(c)) || y == 1) || y == 1) || tick(1)",
    "x.exists(a, !(x.all(b, tick(b)) && x.all(b, tick(b)) || y == 1)) || tick(1)",
)


@pytest.mark.parametrize("source", ABSORBED)
def test_an_absorbed_end_of_the_budget_gives_no_new_budget(source: str) -> None:
    calls = [0]
    load(source, _counting(calls)).decide(freeze({"x": list(range(1000)), "y": 1}))
    assert 0 < calls[0] <= EVALUATION_UNITS + 10


def _failing_programs() -> list[Program]:
    sources = (
        "x.nothing == 1",
        "x[y].missing == 1",
        "y < 1",
        "y + 1 == 2",
        "y == 'a' || x.missing",
        "x.secret.startsWith(x.list)",
        "int(y) == 1",
        "double(y) == 1.0",
        "timestamp(y) == timestamp(y)",
        "duration(y) == duration(y)",
        "bool(y)",
        "x.secret.matches(x.regex)",
        "x.list[7] == 1",
        "x.list.all(e, e.startsWith('q') || e.size() / 0 == 1)",
        "x.list.map(e, e[0]).size() == 1",
        "{y: 1, y: 2}.size() == 1",
        "y",
        "x.secret",
        "fail(y)",
        "nothing == 1",
        "'%d'.format([y]) == ''",
        "y.substring(100) == ''",
        "[1][int(y.size())] == 1",
        "x == y ? x.a : y.b",
    )

    def fail(value: Value) -> bool:
        raise ValueError(f"cannot do this to {value}")

    function = Function("fail", (Overload((DYN,), BOOL, fail),), "Fails.")
    env = Env({"x": DYN, "y": DYN, "nothing": DYN}, functions=STANDARD.extended([function]))
    return [load(source, env) for source in sources]


def _secretive() -> dict[str, Any]:
    return {
        "x": {"secret": CANARY, "list": [CANARY, f"q{CANARY}"], "regex": f"({CANARY}", CANARY: CANARY},
        "y": CANARY,
    }


@pytest.mark.guarantee("cel-no-data-in-errors")
def test_no_text_about_an_error_holds_a_value(
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    activation = freeze(_secretive())
    texts = [repr(activation), str(activation)]
    for program in _failing_programs():
        outcome = program.decide(activation)
        result = program.evaluate(activation)
        assert outcome.failure is not None, program.source
        texts += [repr(outcome), str(outcome), repr(outcome.failure), str(outcome.failure), outcome.failure.meaning]
        if program.source not in ("y", "x.secret"):
            texts += [repr(result), str(result)]
    out, err = capfd.readouterr()
    texts += [caplog.text, out, err, repr(sys.exc_info())]
    assert [text for text in texts if CANARY in text or "4n4ry" in text] == []


@pytest.mark.parametrize("make", UNREPRESENTABLE.values(), ids=UNREPRESENTABLE)
def test_no_text_about_data_that_cannot_be_represented_holds_a_value(
    make: Callable[[], Any], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    activation = freeze({"x": {CANARY: [CANARY, make()]}, "y": CANARY})
    outcome = _program("x == y").decide(activation)
    shown = [repr(outcome), repr(activation), repr(activation.failure), caplog.text]
    assert [text for text in shown if CANARY in text] == []


def test_a_misuse_of_decide_does_not_show_the_data() -> None:
    with pytest.raises(TypeError) as caught:
        _program("x == y").decide(_secretive())  # type: ignore[arg-type]  # that is the misuse
    assert CANARY not in "".join(traceback.format_exception(caught.value))
    assert caught.value.__cause__ is None


def test_a_constant_is_not_shown_by_an_error_outcome() -> None:
    env = Env({"x": DYN}, {"limits": {"name": CANARY}}, STANDARD)
    outcome = load("x < limits.name", env).decide(freeze({"x": 1}))
    assert outcome.failure is not None
    assert CANARY not in repr(outcome)
