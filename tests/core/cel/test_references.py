"""References: every path that an expression may read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oap_core.cel.references import path_text, paths, references
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
        ("any['a.b'].c['']", ['any.`a.b`.c[""]']),
        ("any['in']['$x'] == any.`true`", ['any.`in`["$x"]', "any.`true`"]),
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


NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=5) | st.text('ab._-/ $`"\\in0', max_size=6)


@given(st.lists(NAMES | st.sampled_from(["in", "true", "null", "for"]), min_size=1, max_size=3))
def test_a_reference_is_written_as_an_expression_that_reads_it(names: list[str]) -> None:
    written = path_text(("any", *names))
    root = see(written, ENV, condition=False).root
    assert paths(root) == {("any", *names)}
    assert references(root) == {written}
