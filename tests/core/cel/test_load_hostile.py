"""Whatever an author types, a load ends in a program or in diagnostics: every stage meets what the ones before let by."""

from __future__ import annotations

from random import Random
from typing import Final

import pytest

from oap_core.cel import (
    BOOL,
    DYN,
    INT,
    STRING,
    TIMESTAMP,
    Env,
    Field,
    ListType,
    MapType,
    ObjectType,
    freeze,
    freeze_value,
    load,
)
from oap_core.diagnostic import render
from oap_core.errors import CelError

_INNER: Final = ObjectType(
    fields={"p": Field(BOOL, required=False), "r": Field(STRING), "n": Field(INT, required=False)}
)
_ARGS: Final = ObjectType(
    fields={
        "s": Field(STRING, required=False),
        "n": Field(INT),
        "o": Field(_INNER, required=False),
        "l": Field(ListType(_INNER)),
        "ls": Field(ListType(STRING), required=False),
        "m": Field(MapType(STRING, INT)),
        "any": Field(DYN),
    }
)
_CONSTANTS: Final = {"constants": freeze_value({"x": 1, "l": ["a", "b"], "m": {"k": "v"}})}
_ENVS: Final = (
    Env({"args": _ARGS, "now": TIMESTAMP, "tool": DYN, "a.b": INT}, _CONSTANTS),
    Env({"args": DYN, "now": DYN, "tool": DYN}),
)
_VALID: Final = (
    'args.n <= 200 && "support" in args.ls',
    'args.l.exists(i, i.r == "cup" && has(i.n) && i.n > 1)',
    'has(args.s) && args.s.startsWith("T-")',
    'timestamp("2026-01-01T00:00:00Z") - now < duration("72h")',
    'within(args.any, "/srv/app") || glob(args.any, "**/.env")',
    '"%s-%d".format([args.any, 1]) == "a"',
    '{"a": 1, 2: [3]}[2][0] == 3 ? true : false',
    'args.ls.map(x, x.split(",")).filter(y, size(y) > 1) == [["a"]]',
    'domain_within(url_host(args.any), ["example.org", "b"])',
    '!(args.any in {"a": 1}) && -args.n < 5',
    "[1, 2, 3].all(x, [x].exists(y, y == x))",
    'args.any.matches(r"^[a-z]{1,9}$") && a.b in constants.l',
)
_PIECES: Final = (
    "args", "args.n", "args.o.p", "constants.m.k", "x", "y", "null", "in", "==", "&&", "||", "!", "-", "(", ")", "[", "]",
    "{", "}", ",", ":", "?", ".", ".all(x,", ".map(x,", ".filt(y,", "has(", "size(", "matches(", '"a"', "r'\\'", '"""', "1",
    "1u", "1.5", "`a-b`", "//", "\n", "not ", " or ", "if ", "optional.of(", "é", "\u200b", "\ud800", "\0", "<>", "=>", "$",
)  # fmt: skip


def _changed(random: Random) -> str:
    source = random.choice(_VALID)
    for _ in range(random.randint(0, 3)):
        start = random.randrange(len(source) + 1)
        change = random.randrange(3)
        if change == 0:
            source = source[:start] + random.choice(_PIECES) + source[start:]
        elif change == 1:
            source = source[:start] + source[start + random.randint(1, 3) :]
        else:
            end = random.randrange(len(source) + 1)
            source = source[:start] + source[min(start, end) : max(start, end)] + source[start:]
    return source


@pytest.mark.parametrize("seed", range(20))
def test_a_changed_expression_is_a_program_or_has_diagnostics(seed: int) -> None:
    random = Random(seed)
    call = freeze({"args": {"n": 1, "l": [{"r": "cup"}], "m": {}, "any": "/srv/app/x"}, "tool": 1})
    ended = {"loaded": 0, "refused": 0}
    for _ in range(150):
        source, env = _changed(random), random.choice(_ENVS)
        try:
            program = load(source, env, condition=random.random() < 0.5)
        except CelError as error:
            ended["refused"] += 1
            assert all(render(diagnostic, source) for diagnostic in error.diagnostics)
            continue
        ended["loaded"] += 1
        program.decide(call)
        assert program.references is not None
        program.tool_constraint()
    assert min(ended.values()) > 0


def test_a_misspelt_macro_over_a_macro_is_refused() -> None:
    with pytest.raises(CelError) as caught:
        load('args.s.ls.map(x, x.it(",")).filt(y, size(y) > 1) == [["a"]]', _ENVS[0])
    assert "CEL202" in [str(diagnostic.code) for diagnostic in caught.value.diagnostics]
