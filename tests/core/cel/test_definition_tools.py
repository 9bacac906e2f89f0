"""What can be told of a condition through the definitions that it reads: references, and the tools it speaks about."""

from __future__ import annotations

from random import Random
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oap_core.cel import (
    NO_MATCH,
    Activation,
    freeze,
    load,
)
from tests.core.cel.definitions import DATA, RANDOMS, defined
from tests.core.cel.optional_fields import LOOSE_ENV as TOOL_ENV
from tests.core.cel.optional_fields import TOOLS, Conditions, activations

# references and tools


def test_references_name_the_definition_and_what_it_reads() -> None:
    env = defined({"variables.a": "args", "variables.b": "variables.a.n > 1 && args.text == tool.id"})
    program = load("variables.b && args.list.size() > 1 && has(variables.a.x)", env)
    assert program.references == {"variables.b", "args.list", "variables.a.x"}
    assert program.all_references == program.references | {"variables.a.n", "args", "args.text", "tool.id"}


@pytest.mark.parametrize(
    ("source", "definition", "tools"),
    [
        ("variables.x", "tool.id == 'a'", "a"),
        ("variables.x && args.n > 3", "tool.id == 'a'", "a"),
        ("args.n > 3 && variables.x", "tool.id in ['a', 'b']", "ab"),
        ("!variables.x", "tool.id != 'a'", "a"),
        ("variables.x || tool.id == 'b'", "tool.id == 'a'", "ab"),
        ("variables.x || args.n == 3", "tool.id == 'a'", None),
        ("variables.x ? args.n == 3 : false", "tool.id == 'a'", "a"),
        ("variables.x == 'a'", "tool.id", "a"),
        ("variables.x in ['a', 'b']", "tool.id", "ab"),
        ("variables.x.id == 'a'", "tool", "a"),
        ("has(variables.x.id) && variables.x['id'] == 'a'", "tool", "a"),
        ("variables.x.id == 'a'", "args", None),
        ("variables.x == 'a'", "string(tool.id)", None),
        ("variables.x", "tool.id == 'a' && args.list.all(e, true)", "a"),
        ("variables.x", "args.list.all(e, true) && tool.id == 'a'", None),
        ("variables.x", "args.n > 2 && has(args.text) && !(args.text == 'a') && tool.id == 'a'", "a"),
        ("variables.x", "args.text > 'a' && tool.id == 'a'", None),
        ("variables.x", "args.n == args.m && tool.id == 'a'", None),
        ("variables.x", "args.n in [1, 2] && tool.id == 'a'", None),
        ("variables.x", "args.text in ['a'] && tool.id == 'a'", "a"),
        ("variables.x", "args.text in args.list && tool.id == 'a'", None),
        ("variables.x", "args.text == ['a'] && tool.id == 'a'", None),
        ("variables.x", "tool.id == 'a' ? args.list.all(e, true) : false", "a"),
        ("variables.x", "args.n == 3 ? tool.id == 'a' : tool.id == 'b' && args.list.all(e, true)", None),
        ("variables.x", "has(tool.id) ? tool.id == 'a' : args.list.all(e, true)", "a"),
        ("variables.x", "args.list.all(e, true) ? tool.id == 'a' : false", None),
        ("!variables.x", "tool.id != 'a' || args.list.all(e, true)", "a"),
        ("!variables.x", "args.list.all(e, true) || tool.id != 'a'", None),
        ("variables.x", "false", ""),
        ("variables.x", "args.n", None),
    ],
)
def test_tools_are_seen_through_a_definition(source: str, definition: str, tools: str | None) -> None:
    program = load(source, defined({"variables.x": definition}))
    assert program.tool_constraint() == (None if tools is None else frozenset(tools))
    again = load("variables.y", defined({"variables.x": definition, "variables.y": source}))
    assert again.tool_constraint() == (None if tools is None else frozenset(tools))


def test_a_definition_that_costs_too_much_for_its_reader_is_no_reason_to_leave_the_rule_out() -> None:
    for text in ("args.list.all(e, true) && tool.id == 'a'", "tool.id == 'a' && args.list.all(e, true)"):
        program = load("args.list.all(e, true) && variables.x", defined({"variables.x": text}))
        outcome = program.decide(freeze(DATA))
        assert outcome == NO_MATCH or program.tool_constraint() is None


_TOOL_DATA: Final = [
    (activation.roots["tool"]["id"], activation.roots) for activation in activations((*TOOLS, "other"))
]
_DEAR: Final = "[0].all(e0, args.long.all(e, true))"


@settings(max_examples=200)
@given(RANDOMS, st.integers(1, 3))
def test_outside_the_tools_seen_through_definitions_a_condition_is_false(random: Random, depth: int) -> None:
    conditions = Conditions(random, about_tools=True)
    texts: dict[str, str] = {}
    for number in range(3):
        parts = [conditions.condition([], depth), *texts, *random.choices([_DEAR, "tool.id == 'fs/read'"], k=2)]
        random.shuffle(parts)
        texts[f"variables.v{number}"] = random.choice((" && ", " || ")).join(f"({part})" for part in parts[:3])
    rules = [_DEAR, conditions.condition([], depth), *texts]
    random.shuffle(rules)
    source = " && ".join(f"({rule})" for rule in rules[: random.choice((2, 3, 4))])
    program = load(source, defined(texts, TOOL_ENV))
    tools = program.tool_constraint()
    if tools is not None:
        for tool, roots in random.sample(_TOOL_DATA, 60):
            if tool not in tools:
                args: dict[str, Any] = {**roots["args"], "long": (0,) * random.choice((0, 4000, 9000))}
                assert program.decide(Activation({"tool": roots["tool"], "args": args})) is NO_MATCH, (source, texts)
