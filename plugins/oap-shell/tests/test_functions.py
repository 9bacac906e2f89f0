"""The functions as conditions call them, declared by the hook of the plugin."""

from __future__ import annotations

from typing import Final

import oap_shell
import pytest

from oap_core.cel import (
    FUNCTIONS,
    MATCH,
    NO_MATCH,
    STRING,
    CelError,
    Code,
    Env,
    Field,
    Function,
    ObjectType,
    freeze,
    load,
)
from oap_core.hookspecs import API

_OFFERED: Final = {function.name: function for function in oap_shell.oap_functions()}
_ENV: Final = Env(
    {"args": ObjectType(fields={"command": Field(STRING)})}, functions=FUNCTIONS.extended(_OFFERED.values())
)
_GRANT: Final = 'shell_programs(args.command).all(p, p in ["ls", "cat", "git"])'
_WALL: Final = 'shell(args.command).programs.exists(p, p == "rm")'


def _failure(source: str, line: str) -> Code | None:
    outcome = load(source, _ENV).decide(freeze({"args": {"command": line}}))
    return None if outcome.failure is None else outcome.failure.code


def test_what_the_plugin_declares() -> None:
    assert oap_shell.OAP_API == API
    assert list(_OFFERED) == ["shell", "shell_programs"]


@pytest.mark.parametrize("function", _OFFERED.values(), ids=lambda function: function.name)
def test_both_are_documented_and_charged(function: Function) -> None:
    assert function.summary.endswith(".")
    assert function.examples
    assert not function.reads_world
    assert all(overload.scans and overload.units and overload.extra for overload in function.overloads)


@pytest.mark.parametrize(("expression", "value"), [pair for one in _OFFERED.values() for pair in one.examples])
def test_examples_are_true(expression: str, value: str) -> None:
    assert load(f"{expression} == {value}", _ENV).decide(freeze({"args": {"command": ""}})) == MATCH


@pytest.mark.parametrize(
    ("line", "grant", "wall"),
    [
        ("ls | cat", MATCH, NO_MATCH),
        ("ls; rm x", NO_MATCH, MATCH),
        ("ls $(rm)", NO_MATCH, MATCH),
        ("make", NO_MATCH, NO_MATCH),
        ("/bin/rm x", NO_MATCH, NO_MATCH),
    ],
)
def test_a_grant_and_a_wall(line: str, grant: object, wall: object) -> None:
    activation = freeze({"args": {"command": line}})
    assert load(_GRANT, _ENV).decide(activation) == grant
    assert load(_WALL, _ENV).decide(activation) == wall


@pytest.mark.parametrize("line", ["$x", "ls() { rm; }", "ls 'a", "watch ls"])
def test_what_cannot_be_told_is_an_error_of_both(line: str) -> None:
    assert _failure(_GRANT, line) is Code.INVALID_ARGUMENT
    assert _failure(_WALL, line) is Code.INVALID_ARGUMENT


@pytest.mark.parametrize("line", ["", "# ls", "X=1 ls", "env X=1 ls", "export X=1; ls", "ls > a", "X=1"])
def test_a_grant_on_programs_covers_nothing_else(line: str) -> None:
    assert _failure(_GRANT, line) is Code.INVALID_ARGUMENT
    assert _failure(_WALL, line) is None


def test_the_parts_are_typed() -> None:
    load('"a" in shell(args.command).writes + shell(args.command).reads', _ENV)
    with pytest.raises(CelError):
        load('shell(args.command).program == ["ls"]', _ENV)
    with pytest.raises(CelError):
        load("shell_programs(args.command) == 1", _ENV)
    with pytest.raises(CelError):
        load('shell_programs(["ls"]).size() == 1', _ENV)


def test_a_loop_over_lines_meets_the_budget() -> None:
    env = Env({"args": ObjectType(fields={"command": Field(STRING)})}, functions=_ENV.functions)
    often = load('args.command.split("").all(c, shell_programs(args.command) == ["ls"])', env)
    outcome = often.decide(freeze({"args": {"command": "ls " + "a" * 1000}}))
    assert outcome.failure is not None
    assert outcome.failure.code is Code.BUDGET


def test_a_long_line_has_an_answer_within_the_budget() -> None:
    line = "cat > a <<'EOF'\n" + "a line of text\n" * 4000 + "EOF"
    assert load("shell(args.command).writes == ['a']", _ENV).decide(freeze({"args": {"command": line}})) == MATCH
