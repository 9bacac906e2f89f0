"""Evaluating only the rules that can speak about a tool finds what evaluating all of them finds."""

from __future__ import annotations

from random import Random
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oap_core.cel import MATCH, NO_MATCH, Env, Outcome, Program, freeze, load
from oap_core.cel.types import DYN, STRING, Field, ObjectType
from oap_core.errors import CelError
from tests.core.cel.differential import schema
from tests.core.cel.differential.conditions import grammar
from tests.core.cel.differential.sample import ENV

_PATH: Final = ("tool", "id")
_TOOLS: Final = ("fs/read", "fs/write", "fs/list", "mail/send", "sql/query", "http/get", "")
_TOOL: Final = schema.VARIABLES["tool"]
assert isinstance(_TOOL, ObjectType)
_ENV: Final = Env(
    {**schema.declared(), "tool": ObjectType(fields={**_TOOL.fields, "id": Field(STRING)})},
    functions=ENV.functions,
)


def _named(random: Random) -> str:
    """A part of a condition that says something about the tool."""
    names = random.sample(_TOOLS, random.randrange(1, 4))
    listed = ", ".join(f'"{name}"' for name in names)
    return random.choice(
        (
            f'tool.id == "{names[0]}"',
            f'"{names[0]}" == tool.id',
            f"tool.id in [{listed}]",
            f'tool.id == "{names[0]}" || tool.id == "{names[-1]}"',
            f'tool["id"] == "{names[0]}"',
            f'!(tool.id != "{names[0]}")',
            f'tool.id != "{names[0]}"',
            f'!(tool.id == "{names[0]}")',
            f'tool.id.startsWith("{names[0][:3]}")',
            f'tool.id == "{names[0]}" ? true : false',
            f'tool.id == args.path || tool.id == "{names[0]}"',
            f"[{listed}].exists(t, t == tool.id)",
            f'["x"].exists(tool, tool == "{names[0]}")',
            f'tool == {{"id": "{names[0]}"}}',
            "true",
        )
    )


def _rule(random: Random) -> str:
    """A condition in which the tool is named somewhere."""
    made = grammar(random, shared=False)
    parts = [_named(random), str(made.condition(2)), *([_named(random)] if random.random() < 0.5 else [])]
    random.shuffle(parts)
    text = f"({parts[0]})"
    for part in parts[1:]:
        text = f"{text} {random.choice(('&&', '&&', '&&', '||'))} ({part})"
    return f"!({text})" if random.random() < 0.1 else text


def _rules(random: Random, count: int) -> list[Program]:
    found: list[Program] = []
    while len(found) < count:
        try:
            found.append(load(_rule(random), _ENV))
        except CelError:
            continue
    return found


def _activation(random: Random, tool: str) -> dict[str, Any]:
    data = schema.activation(random, shared=False)
    if "tool" in data:
        data["tool"]["id"] = tool
    return data


def _spoken(rules: list[Program], data: dict[str, Any]) -> dict[int, Outcome]:
    frozen = freeze(data)
    return {number: outcome for number, rule in enumerate(rules) if (outcome := rule.decide(frozen)) != NO_MATCH}


@pytest.mark.guarantee("cel-index")
@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1))
def test_indexed_equals_full_scan(seed: int) -> None:
    random = Random(seed)
    rules = _rules(random, 12)
    for tool in _TOOLS:
        data = _activation(random, tool)
        constraints = [rule.tool_constraint(_PATH) for rule in rules]
        admitted = {number for number, only in enumerate(constraints) if only is None or tool in only}
        full = _spoken(rules, data)
        if "tool" in data:
            missed = [rules[number].source for number in full if number not in admitted]
            assert missed == [], f"the index leaves out {missed} for `{tool}`"
            assert {number: full[number] for number in admitted & full.keys()} == full


def test_the_index_leaves_most_rules_out() -> None:
    random = Random(5)
    rules = _rules(random, 300)
    constraints = [rule.tool_constraint(_PATH) for rule in rules]
    assert sum(only is not None for only in constraints) >= 90
    admitted = sum(only is None or "fs/read" in only for only in constraints)
    assert admitted < 250


def test_a_rule_that_matches_names_its_tool() -> None:
    rule = load('tool.id == "fs/read" && args.count > 1', _ENV)
    assert rule.tool_constraint(_PATH) == {"fs/read"}
    assert rule.decide(freeze({"tool": {"id": "fs/read"}, "args": {"count": 2}})) == MATCH
    assert rule.decide(freeze({"tool": {"id": "fs/write"}, "args": {"count": 2}})) == NO_MATCH


@pytest.mark.parametrize(
    "speaks", ["tool.id in ['a', 1]", "tool.id in ['a', 'b']", "tool.id == 'a'", "tool.id in {'a': 1}"]
)
def test_a_tool_that_is_left_out_gets_no_error_where_the_budget_is_used_up(speaks: str) -> None:
    env = Env({"tool": DYN, "args": DYN})
    program = load(f"args.l.all(x, args.l.all(y, args.l.all(z, true))) && {speaks}", env)
    constraint = program.tool_constraint()
    outcome = program.decide(freeze({"tool": {"id": "c"}, "args": {"l": [0] * 200}}))
    assert outcome == NO_MATCH or constraint is None
