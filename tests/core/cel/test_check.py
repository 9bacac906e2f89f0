"""Types: what an expression is, and what is said where its parts do not go together."""

from __future__ import annotations

import pytest

from oap_core.cel import Env, Function, Overload, Registry
from oap_core.cel.tree import Binary, Select, walk
from oap_core.cel.types import (
    BOOL,
    DOUBLE,
    DYN,
    INT,
    NOTHING,
    NULL,
    NUMBER,
    STRING,
    TIMESTAMP,
    UINT,
    Field,
    ListType,
    MapType,
    ObjectType,
    Type,
    assignable,
    join,
)
from oap_core.cel.values import KeyedMap
from tests.core.cel.casefile import Case, cases
from tests.core.cel.cases.declared import ENV
from tests.core.cel.statics import see

_ITEM = ObjectType(fields={"name": Field(STRING)})


@pytest.mark.parametrize(
    "case", [case for name in ("fields", "operators", "logic", "calls") for case in cases(f"{name}.txt")], ids=str
)
def test_what_is_said_about_types(case: Case) -> None:
    assert see(case.source, ENV).text == case.expected


@pytest.mark.parametrize(
    ("source", "type_"),
    [
        ("args.n", INT),
        ("args.n + 1", INT),
        ("args.amount", NUMBER),
        ("-args.amount", NUMBER),
        ("string(args.amount)", STRING),
        ("int(any.x)", INT),
        ("any.x + 1", INT),
        ("any.x + 'a'", STRING),
        ("any.x - 1", INT),
        ("now + any.x", TIMESTAMP),
        ("any.x + any.y", DYN),
        ("args.to", ListType(STRING)),
        ("args.to + ['a']", ListType(STRING)),
        ("args.to + [1]", ListType(DYN)),
        ("args.to + []", ListType(STRING)),
        ("any.x + args.to", ListType(DYN)),
        ("[]", ListType(NOTHING)),
        ("[1, 2]", ListType(INT)),
        ("[[], ['a']]", ListType(ListType(STRING))),
        ("{'a': 1}", MapType(STRING, INT)),
        ("{}", MapType(NOTHING, NOTHING)),
        ("{'a': {'b': 1}, 'c': {'d': 2}}", MapType(STRING, MapType(STRING, INT))),
        ("args.flag ? 1 : 2", INT),
        ("args.flag ? 1 : args.amount", NUMBER),
        ("args.flag ? 1 : 2.0", DYN),
        ("args.flag ? args.items[0] : args.items[1]", ENV.variables["args"].fields["items"].type.element),  # type: ignore[attr-defined]
        ("args.to.map(t, size(t))", ListType(INT)),
        ("args.to.filter(t, t != '')", ListType(STRING)),
        ("labels.filter(t, t != '')", ListType(STRING)),
        ("args.filter(t, t != '')", ListType(STRING)),
        ("any.filter(t, t != '')", ListType(DYN)),
        ("constants.hosts", ListType(STRING)),
        ("constants.mixed", ListType(DYN)),
        ("constants.nested", MapType(STRING, MapType(STRING, INT))),
        ("constants", MapType(STRING, DYN)),
        ("constants.empty", MapType(NOTHING, NOTHING)),
        ("nothing_here[tool.id]", DYN),
        ("subject[tool.id]", STRING),
        ("null", NULL),
        ("type(1)", Type("type")),
        ("dyn(1)", DYN),
    ],
)
def test_types(source: str, type_: Type) -> None:
    seen = see(source, ENV, condition=False)
    assert seen.diagnostics == ()
    assert seen.checked is not None
    assert seen.checked.type == type_


def test_every_node_has_a_type() -> None:
    source = "args.items.filter(i, i.name != '').map(i, {i.name: [size(i.name), -1]})[0]['a'] == [] ? !args.flag : has(args.mode)"
    seen = see(source, ENV)
    assert seen.diagnostics == ()
    assert seen.checked is not None
    for node in walk(seen.root):
        assert id(node) in seen.checked.types
    assert seen.checked.type_of(seen.root) == BOOL


def test_a_node_of_another_tree_is_of_unknown_type() -> None:
    one, other = see("args.flag", ENV), see("args.flag", ENV)
    assert one.checked is not None
    assert one.checked.type_of(other.root) == DYN


def test_what_may_be_anything_fits_everywhere() -> None:
    env = Env({"x": DYN, "y": DYN}, functions=ENV.functions)
    for source in (
        "x.a.b == y[0]['c']",
        "x < y && x <= 1 && x > 'a' && now_ >= y",
        "x in y && 1 in y && x in [1]",
        "x && !y || (x ? y : x)",
        "x + y == x - y && x * y == x / y && x % y == -x",
        "x.startsWith(y) && x.matches('a') && size(x) == y",
        "x.exists(e, e.f == y) && x.map(e, e)[y] == x",
        "has(x.a) && timestamp(x) < y",
    ):
        assert see(source.replace("now_", "x"), env).text == "    ok bool", source


def test_a_name_that_resolve_reported_is_of_unknown_type() -> None:
    # A caller may check what did not resolve, in order to find more.
    from oap_core.cel.check import check
    from oap_core.cel.parse import parse
    from oap_core.cel.report import Report

    report = Report("who.is(this) + 1 == there && size()")
    parsed = parse(report.source, report)
    assert parsed is not None
    checked = check(parsed, Env(functions=ENV.functions), report, condition=True)
    assert checked.type == BOOL
    assert not report.failed


def test_equal_types_need_not_be_identical() -> None:
    env = Env({"a": Type("int"), "b": Type("bool"), "c": Type("string")}, functions=ENV.functions)
    assert see("a + 1 == 2 && b && !b && c.startsWith('x') && (b ? b : true)", env).text == "    ok bool"
    assert see("b", env).text == "    ok bool"
    assert see("a in [1] ? b : b", env).text == "    ok bool"


def test_one_mistake_does_not_hide_another() -> None:
    seen = see("args.pth == 'x' && args.n == 'five' && args.mode == 'x' && args.to.exists(t, t.x) && args.path", ENV)
    assert [found.code for found in seen.diagnostics] == ["CEL303", "CEL305", "CEL304", "CEL301", "CEL301"]


def test_a_number_is_only_taken_where_both_of_its_types_are() -> None:
    def same(value: int) -> int:
        return value

    functions = Registry.of(
        (
            Function("both", (Overload((INT,), INT, same), Overload((DOUBLE,), STRING, str)), ""),
            Function("whole", (Overload((INT,), INT, same), Overload((UINT,), INT, same)), ""),
            Function("pair", tuple(Overload((a, b), BOOL, max) for a in (INT, DOUBLE) for b in (INT, DOUBLE)), ""),
            Function("uneven", (Overload((INT, INT), BOOL, max), Overload((DOUBLE, DOUBLE), BOOL, max)), ""),
            Function("many", (Overload((INT,) * 5, BOOL, max), Overload((DOUBLE,) * 5, BOOL, max)), ""),
        )
    )
    env = Env({"n": NUMBER}, functions=functions)
    assert see("both(n)", env, condition=False).text == "    ok dyn"
    assert see("pair(n, n)", env).text == "    ok bool"
    assert see("whole(n) == 1", env).text == (
        "    CEL301 1:7 `whole` takes int or uint here, and `n` is number (int or double)\n"
        "        `n` may arrive as either: write `double(n)` or `int(n)`"
    )
    assert see("uneven(n, n)", env).text == (
        "    CEL301 1:8 `uneven` takes int or double here, and `n` is number (int or double)\n"
        "        `n` may arrive as either: write `double(n)` or `int(n)`"
    )
    assert see("many(n, n, n, n, n)", env).diagnostics != ()


def test_arguments_of_which_each_would_do_alone() -> None:
    functions = Registry.of(
        (Function("same", (Overload((INT, INT), BOOL, max), Overload((STRING, STRING), BOOL, max)), ""),)
    )
    assert see("same(1, 'a')", Env(functions=functions)).text == (
        "    CEL301 1:1 `same` does not take int, string\n        it is `same(int, int)` or `same(string, string)`"
    )


def test_long_expressions_are_cut_in_messages() -> None:
    long = " + ".join(["args.n"] * 20)
    (found,) = see(f"({long}) == 'x'", ENV).diagnostics
    assert found.message == f"`{long[:57]}...` is int and `'x'` is string, so they are never equal"


def test_messages_are_on_one_line() -> None:
    (found,) = see("args.n + // a comment\n  1\n == 'five'", ENV).diagnostics
    assert found.message == "`args.n + // a comment 1` is int and `'five'` is string, so they are never equal"
    assert (found.line, found.column) == (3, 2)


def test_a_regular_expression_is_bounded_in_length() -> None:
    (found,) = see(f"args.path.matches('{'a' * 1001}')", ENV).diagnostics
    assert found.code == "CEL306"
    assert found.message == "the regular expression has 1001 characters and may have 1000"


def test_a_regular_expression_that_re2_refuses_is_not_printed(capfd: pytest.CaptureFixture[str]) -> None:
    assert see("args.path.matches('(a')", ENV).diagnostics != ()
    assert capfd.readouterr() == ("", "")


def test_a_constant_regular_expression_is_looked_at() -> None:
    env = Env({"path": STRING}, {"constants": {"pattern": "(a", "number": 5}}, ENV.functions)
    assert see("path.matches(constants.pattern)", env).text.startswith("    CEL306 1:24 `constants.pattern`")
    assert see("path.matches(constants.number)", env).text.startswith("    CEL301 1:24 `matches` takes string here")


def test_large_constants_are_typed_within_bounds() -> None:
    env = Env({"n": INT}, {"k": {"many": tuple(range(20_000)), "few": (1, 2), "pairs": (("a", 1), ("b", 2))}})
    assert see("n in k.many && n in k.few", env).text == "    ok bool"
    assert see("'x' in k.many", env).text == "    ok bool"
    assert see("'x' in k.few", env).text.startswith("    CEL305")
    assert see("k.pairs[0][0] == 'a'", env).text == "    ok bool"


def test_constant_maps_with_keys_that_are_no_text() -> None:
    env = Env({"n": INT}, {"k": KeyedMap([(1, "one"), (2, "two")]), "b": KeyedMap([(True, "yes"), (1, 5)])})
    assert see("k[n] == 'one' && n in k && k.all(number, number > 0)", env).text == "    ok bool"
    assert see("k[n] == 1", env).text.startswith("    CEL305 1:6 `k[n]` is string")
    assert see("b[n] == 1", env).text == "    ok bool"
    assert see("b['a'] == 1", env).text == "    CEL203 1:2 `b` has no member `a`"


def test_a_host_may_mean_something_else_by_matches() -> None:
    functions = Registry.of((Function("matches", (Overload((INT, INT), BOOL, max),), ""),))
    assert see("matches(1, 2)", Env(functions=functions)).text == "    ok bool"


def test_places_point_at_the_operator_or_the_field() -> None:
    seen = see("args.n == 'x' || args.items[0].nam == 'y'", ENV)
    first, second = seen.diagnostics
    nodes = {type(node): node for node in walk(seen.root)}
    assert isinstance(nodes[Binary], Binary)
    assert isinstance(nodes[Select], Select)
    assert (first.column, second.column) == (8, 32)
    assert (second.end_line, second.end_column) == (1, 35)


@pytest.mark.parametrize(
    ("one", "other", "joined"),
    [
        (INT, INT, INT),
        (INT, Type("int"), INT),
        (INT, STRING, DYN),
        (INT, DOUBLE, DYN),
        (INT, NUMBER, NUMBER),
        (DOUBLE, NUMBER, NUMBER),
        (UINT, NUMBER, DYN),
        (INT, NOTHING, INT),
        (ListType(NOTHING), ListType(INT), ListType(INT)),
        (ListType(INT), ListType(STRING), ListType(DYN)),
        (ListType(INT), INT, DYN),
        (ListType(INT), MapType(STRING, INT), DYN),
        (MapType(STRING, INT), MapType(NOTHING, NOTHING), MapType(STRING, INT)),
        (MapType(STRING, INT), MapType(INT, INT), MapType(DYN, INT)),
        (_ITEM, ObjectType(fields={"name": Field(STRING)}), _ITEM),
        (_ITEM, ObjectType(), DYN),
    ],
)
def test_joining(one: Type, other: Type, joined: Type) -> None:
    assert join(one, other) == joined
    assert join(other, one) == joined


def test_joining_keeps_the_larger_bound() -> None:
    found = join(ListType(INT, 3), ListType(INT, 5))
    assert isinstance(found, ListType)
    assert found.most == 5
    unbounded = join(ListType(INT, 3), ListType(STRING))
    assert isinstance(unbounded, ListType)
    assert unbounded.most is None
    entries = join(MapType(STRING, INT, 3), MapType(STRING, INT, 1))
    assert isinstance(entries, MapType)
    assert entries.most == 3
    either = join(MapType(STRING, INT), MapType(STRING, INT, 1))
    assert isinstance(either, MapType)
    assert either.most is None


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        (INT, INT, True),
        (INT, DOUBLE, False),
        (DYN, INT, True),
        (INT, DYN, True),
        (Type("dyn"), INT, True),
        (Type("dyn"), ListType(INT), True),
        (Type("dyn"), MapType(STRING, INT), True),
        (Type("dyn"), _ITEM, True),
        (NOTHING, INT, True),
        (NUMBER, INT, False),
        (NUMBER, DOUBLE, False),
        (INT, NUMBER, True),
        (DOUBLE, NUMBER, True),
        (UINT, NUMBER, False),
        (ListType(INT), ListType(DYN), True),
        (ListType(DYN), ListType(INT), True),
        (ListType(INT), ListType(STRING), False),
        (ListType(NOTHING), ListType(STRING), True),
        (INT, ListType(INT), False),
        (_ITEM, MapType(STRING, DYN), True),
        (_ITEM, MapType(INT, DYN), False),
        (MapType(STRING, INT), MapType(STRING, INT), True),
        (MapType(STRING, INT), MapType(STRING, STRING), False),
        (MapType(STRING, INT), _ITEM, True),
        (ObjectType(), _ITEM, True),
        (INT, MapType(STRING, INT), False),
        (INT, _ITEM, False),
    ],
)
def test_assignability(source: Type, target: Type, expected: bool) -> None:
    assert assignable(source, target) is expected
