"""References: every path that an expression may read."""

from __future__ import annotations

import pytest

from oap_core.cel.references import references
from tests.core.cel.cases.declared import ENV
from tests.core.cel.statics import see


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("1 + 1 == 2", []),
        ("args", ["args"]),
        ("args.path == tool.id", ["args.path", "tool.id"]),
        ("has(args.options) && has(args.options.network)", ["args.options", "args.options.network"]),
        ("args['path'] == 'x'", ["args.path"]),
        ("args['x-y'] == 'x'", ["args.`x-y`"]),
        ("args['x-y'].size() == 1", ["args.`x-y`"]),
        ("any['a.b'].c['']", ["any.`a.b`.c.``"]),
        ("any[0].b", ["any"]),
        ("any[args.path].b", ["any", "args.path"]),
        ("args.items[args.n].name", ["args.items", "args.n"]),
        ("args.items.exists(i, i.name == tool.id && has(i.count))", ["args.items", "tool.id"]),
        ("args.items.exists(args, args.name == 'x')", ["args.items"]),
        ("session.id == 'x' && session.user.id == 'y'", ["session.id", "session.user.id"]),
        ("args.n > constants.limit", ["args.n"]),
        ("constants.nested[tool.id]", ["tool.id"]),
        ("args.path.startsWith(args.mode)", ["args.mode", "args.path"]),
        ("(args.flag ? args.items[0] : args.items[1]).name", ["args.flag", "args.items"]),
        ("{args.path: [args.n]}", ["args.n", "args.path"]),
        ("has(dyn(args).x)", ["args"]),
        ("has(any[0].b)", ["any"]),
        ("type(now) == google.protobuf.Timestamp", ["now"]),
    ],
)
def test_references(source: str, expected: list[str]) -> None:
    assert sorted(references(see(source, ENV, condition=False).root)) == expected
