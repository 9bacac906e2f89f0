"""Random conditions over optional fields, and data in which every combination of them is there or is not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Any, Final

from oap_core.cel import Activation, Env, freeze
from oap_core.cel.schema import type_from_schema
from oap_core.cel.types import DYN

_PART: Final = {"type": "object", "additionalProperties": False, "properties": {"x": {"type": "integer"}}}
_ITEM: Final = {
    "type": "object",
    "additionalProperties": False,
    "required": ["k"],
    "properties": {
        "x": {"type": "integer"},
        "k": {"type": "integer"},
        "s": {"type": "array", "items": _PART, "maxItems": 2},
    },
}
_ARGUMENTS: Final = {
    "type": "object",
    "additionalProperties": False,
    "required": ["c", "n", "items"],
    "properties": {
        "a": {"type": "integer"},
        "b": {"type": "integer"},
        "c": {"type": "boolean"},
        "n": {"type": "integer"},
        "o": _PART,
        "items": {"type": "array", "items": _ITEM, "maxItems": 2},
    },
}
_TOOL: Final = {
    "type": "object",
    "additionalProperties": False,
    "required": ["id"],
    "properties": {"id": {"type": "string"}},
}

TOOLS: Final = ("fs/read", "fs/write", "mail/send")
"""Tool ids that conditions name; data has one more."""

ENV: Final = Env({"args": type_from_schema(_ARGUMENTS), "tool": type_from_schema(_TOOL)})
"""With the schema, so that optional fields are known."""

LOOSE_ENV: Final = Env({"args": DYN, "tool": DYN})
"""Without it, so that everything loads."""

_ITEMS: Final[tuple[list[dict[str, Any]], ...]] = (
    [],
    [{"k": 1}],
    [{"k": 1, "x": 1}],
    [{"k": 2, "x": 1}, {"k": 1}],
    [{"k": 1}, {"k": 2, "x": 2}],
    [{"k": 1, "x": 2, "s": [{"x": 1}]}, {"k": 2, "x": 1, "s": [{}, {"x": 2}]}],
    [{"k": 1, "s": []}, {"k": 1, "s": [{}]}],
)


def activations(tools: Sequence[str] = TOOLS[:1]) -> Iterator[Activation]:
    """All data: with and without each optional field, with lists of all kinds."""
    for a, b, o, c, items, tool in product(
        ({}, {"a": 1}, {"a": 2}), ({}, {"b": 1}), ({}, {"o": {}}, {"o": {"x": 1}}), (True, False), _ITEMS, tools
    ):
        yield freeze({"args": {"c": c, "n": 1, "items": items, **a, **b, **o}, "tool": {"id": tool}})


@dataclass(frozen=True, slots=True)
class Conditions:
    """Makes conditions."""

    random: Random
    about_tools: bool = False
    """Whether to speak about `tool.id` too."""

    def number(self, variables: list[str], depth: int) -> str:
        pick = self.random.random()
        if depth > 0 and pick < 0.15:
            condition = self.condition(variables, depth - 1)
            return f"({condition} ? {self.number(variables, depth - 1)} : {self.number(variables, depth - 1)})"
        if depth > 0 and pick < 0.2:
            return f"({self.number(variables, depth - 1)} + {self.number(variables, depth - 1)})"
        elements = ("args.items[0].x", "args.items[args.n - 1].x")
        fields = ("args.a", "args.b", "args.o.x", 'args["a"]', "args.n", "1", "2", *elements)
        loops = [f"{variable}.{field}" for variable in variables for field in "xxk"]
        return self.random.choice([*fields, *loops])

    def items(self, variables: list[str], depth: int) -> str:
        made = self.random.choice(["args.items"] * 4 + [f"{variable}.s" for variable in variables])
        while depth > 0 and self.random.random() < 0.35:
            inner = f"v{len(variables)}"
            made = f"{made}.filter({inner}, {self.condition([*variables, inner], depth - 1)})"
            depth -= 1
        return made

    def atom(self, variables: list[str], depth: int) -> str:
        pick = self.random.random()
        if self.about_tools and pick < 0.4:
            return self.tool()
        if pick < 0.7:
            guards = ["args.a", "args.b", "args.o", "args.o.x", "args.items[0].x", "args.items[args.n - 1].x"]
            guards += [f"{variable}.{field}" for variable in variables for field in "xxxs"]
            guard = self.random.choice([*(f"has({guard})" for guard in guards), '"a" in args'])
            return self.random.choice([guard, guard, f"!({guard})"])
        if pick < 0.74:
            return self.random.choice(["args.c", "true", "false"])
        operator = self.random.choice(("==", "!=", "<", ">"))
        return f"{self.number(variables, depth)} {operator} {self.number(variables, depth)}"

    def tool(self) -> str:
        one, other = self.random.sample(TOOLS, 2)
        return self.random.choice(
            (
                f'tool.id == "{one}"',
                f'"{one}" == tool["id"]',
                f'tool.id != "{one}"',
                f'tool.id in ["{one}", "{other}"]',
                f'tool.id in {{"{one}": 1}}',
                f'tool.id.startsWith("{one[:2]}")',
                "has(tool.id)",
                f'tool == {{"id": "{one}"}}',
                f'["{one}"].exists(tool, tool == "{other}")',
            )
        )

    def condition(self, variables: list[str], depth: int) -> str:
        pick = self.random.random()
        inner, below = f"v{len(variables)}", depth - 1
        if depth <= 0 or pick < 0.25:
            return self.atom(variables, depth)
        if pick < 0.65:
            operator = " && " if pick < 0.5 else " || "
            terms = [self.condition(variables, below) for _ in range(self.random.choice((2, 2, 3)))]
            return f"({operator.join(terms)})"
        if pick < 0.7:
            return f"!({self.condition(variables, below)})"
        if pick < 0.77:
            parts = [self.condition(variables, below) for _ in range(3)]
            return f"({parts[0]} ? {parts[1]} : {parts[2]})"
        if pick < 0.8:
            operator = self.random.choice(("==", "!="))
            return f"({self.condition(variables, below)}) {operator} ({self.condition(variables, below)})"
        if len(variables) == 3:
            return self.condition(variables, below)
        if pick < 0.84:
            body = f"{self.condition([*variables, inner], below)}, {self.number([*variables, inner], below)}"
            return f"{self.items(variables, below)}.map({inner}, {body}).exists({inner}, {inner} == 1)"
        macro = self.random.choice(("exists", "all", "exists", "all", "exists_one"))
        return f"{self.items(variables, below)}.{macro}({inner}, {self.condition([*variables, inner], below)})"
