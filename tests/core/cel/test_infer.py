"""Inferred tools: outside them an expression is false, whatever else the data holds."""

from __future__ import annotations

from random import Random
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oap_core.cel import NO_MATCH, Env, load
from oap_core.cel.infer import tool_constraint
from oap_core.cel.standard import STANDARD
from oap_core.cel.types import DYN, STRING
from tests.core.cel.optional_fields import LOOSE_ENV, TOOLS, Conditions, activations
from tests.core.cel.statics import see

_ENV: Final = Env(
    {"tool": DYN, "args": DYN, "call.tool": STRING},
    {"constants": {"list": ("a", "b"), "mixed": ("a", "b", 1), "map": {"a": 1}, "one": "a", "on": True}},
    STANDARD,
)
_DATA: Final = [(activation.roots["tool"]["id"], activation) for activation in activations((*TOOLS, "other"))]


def _infer(source: str, path: tuple[str, ...] = ("tool", "id")) -> frozenset[str] | None:
    seen = see(source, _ENV, condition=False)
    assert seen.diagnostics == (), source
    return tool_constraint(seen.root, path, {})


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ("tool.id == 'a'", "a"),
        ("'a' == tool.id", "a"),
        ("tool['id'] == 'a'", "a"),
        ("tool.id == constants.one", "a"),
        ("tool.id in ['a', 'b']", "ab"),
        ("tool.id in ['a', 1, null]", None),
        ("tool.id in constants.mixed", None),
        ("tool.id in []", ""),
        ("tool.id in constants.list", "ab"),
        ("tool.id in {'a': 1}", None),
        ("tool.id in constants.map", "a"),
        ("tool.id in ['a', args.x]", None),
        ("tool.id in args.list", None),
        ("args.x in ['a']", None),
        ("tool.id == 5", ""),
        ("tool.id == args.x", None),
        ("args.x == 'a'", None),
        ("tool.name == 'a'", None),
        ("tool == 'a'", None),
        ("tool.id.x == 'a'", None),
        ("tool.id > 'a'", None),
        ("tool.id != 'a'", None),
        ("!(tool.id == 'a')", None),
        ("!(tool.id != 'a')", "a"),
        ("!!(tool.id == 'a')", "a"),
        ("tool.id == 'a' && args.x > 1 && args.y", "a"),
        ("args.x > 1 && args.y && tool.id == 'a'", "a"),
        ("tool.id == 'a' || args.x", None),
        ("tool.id == 'a' || tool.id == 'b'", "ab"),
        ("(tool.id == 'a' || tool.id == 'b') && tool.id != 'b'", "a"),
        ("(tool.id == 'a' && args.x) || (tool.id == 'b' && args.y)", "ab"),
        ("tool.id == 'a' && tool.id == 'b'", ""),
        ("tool.id in ['a', 'b', 'c'] && !(tool.id in ['b'])", "ac"),
        ("tool.id.startsWith('a') && tool.id == 'a'", "a"),
        ("tool.id.startsWith('a')", None),
        ("-tool.id", None),
        ("true", None),
        ("false", ""),
        ("constants.on && tool.id == 'a'", "a"),
        ("false || tool.id == 'a'", "a"),
        ("true && tool.id == 'a'", "a"),
        ("args.x && false", ""),
        ("tool.id == 'a' ? true : false", "a"),
        ("tool.id == 'a' ? args.x : tool.id == 'b'", "ab"),
        ("tool.id == 'a' ? args.x : args.y", None),
        ("tool.id == 'a' ? false : tool.id == 'b'", "b"),
        ("args.x ? tool.id == 'a' : tool.id == 'b'", None),
        ("(tool.id == 'a' || tool.id == 'b') ? tool.id == 'a' : false", "a"),
        ("has(tool.id) && tool.id == 'a'", "a"),
        ("!has(tool.id)", ""),
        ("!has(tool.id) || tool.id == 'a'", "a"),
        ("!has(args.id) || tool.id == 'a'", None),
        ("!has(tool.name)", None),
        ("has(tool.id) == args.x", None),
        ("has(tool.id.x) && args.x", None),
        ("args.x.exists(tool, tool.id == 'a')", None),
        ("['a'].exists(t, tool.id == t)", None),
        ("tool.id", None),
    ],
)
def test_inference(source: str, texts: str | None) -> None:
    assert _infer(source) == (None if texts is None else frozenset(texts))


def test_other_paths() -> None:
    assert _infer("call.tool == 'a'", ("call", "tool")) == {"a"}
    assert _infer("call.tool == 'a'", ("call.tool",)) == {"a"}
    assert _infer("tool.id == 'a'", ("tool.id",)) == {"a"}
    assert _infer("tool == 'a'", ("tool",)) == {"a"}
    assert _infer("args.deep['x.y'].z == 'a'", ("args", "deep", "x.y", "z")) == {"a"}
    assert _infer("args['deep.x'].y == 'a'", ("args", "deep", "x", "y")) is None
    assert _infer("args.deep.x == 'a'", ("args", "deep.x")) is None


@pytest.mark.guarantee("cel-index")
@settings(max_examples=200)
@given(st.integers(0, 2**32 - 1), st.integers(1, 4))
def test_outside_the_inferred_tools_a_condition_is_false(seed: int, depth: int) -> None:
    source = Conditions(Random(seed), about_tools=True).condition([], depth)
    env = Env(LOOSE_ENV.variables, functions=STANDARD)
    program = load(source, env)
    tools = program.tool_constraint()
    if tools is not None:
        for tool, activation in _DATA:
            if tool not in tools:
                assert program.decide(activation) is NO_MATCH, source


def test_the_generator_reaches_what_is_inferred() -> None:
    random, narrowed = Random(7), 0
    for _ in range(300):
        source = Conditions(random, about_tools=True).condition([], 3)
        narrowed += load(source, Env(LOOSE_ENV.variables, functions=STANDARD)).tool_constraint() is not None
    assert narrowed > 30
