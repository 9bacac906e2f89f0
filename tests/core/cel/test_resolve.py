"""Names: what they come to mean, and what is said about those that mean nothing."""

from __future__ import annotations

import pytest

from oap_core.cel import Env, Function, Overload, Registry, freeze_value
from oap_core.cel.parse import parse
from oap_core.cel.report import Report
from oap_core.cel.resolve import resolve
from oap_core.cel.tree import Call, Ident, Index, Literal, Macro, Node, Select, Var, walk
from oap_core.cel.types import BOOL, DYN, INT, STRING
from oap_core.cel.values import KeyedMap, TypeValue, UInt, Value
from tests.core.cel.casefile import Case, cases
from tests.core.cel.cases.declared import ENV
from tests.core.cel.statics import see


def _first(text: str) -> str:
    return text


_FUNCTIONS = Registry.of(
    (
        Function("strings.quote", (Overload((STRING,), STRING, _first),), ""),
        Function("trim", (Overload((STRING,), STRING, _first, method=True),), ""),
        Function("a.b.c", (Overload((STRING,), STRING, _first),), ""),
    )
)


def _parsed(source: str) -> Node:
    report = Report(source)
    parsed = parse(source, report)
    report.raise_if_failed()
    assert parsed is not None
    return parsed


def _resolved(source: str, *variables: str, **constants: Value) -> Node:
    report = Report(source)
    env = Env(
        dict.fromkeys(variables, DYN), {name: freeze_value(value) for name, value in constants.items()}, _FUNCTIONS
    )
    root = resolve(_parsed(source), env, report)
    report.raise_if_failed()
    return root


def _shape(node: Node) -> object:
    """A tree without places, as nested tuples."""
    if isinstance(node, Literal):
        return node.value
    if isinstance(node, Ident):
        return f"variable {node.name}"
    if isinstance(node, Var):
        return f"loop {node.slot}"
    if isinstance(node, Select):
        return (_shape(node.operand), node.field)
    if isinstance(node, Call):
        return (node.function, node.target is not None, *map(_shape, node.children()))
    return (type(node).__name__, *map(_shape, node.children()))


@pytest.mark.parametrize("case", cases("names.txt"), ids=str)
def test_what_is_said_about_names(case: Case) -> None:
    assert see(case.source, ENV).text == case.expected


@pytest.mark.parametrize(
    ("source", "variables", "shape"),
    [
        ("a", ("a",), "variable a"),
        ("a.b", ("a",), ("variable a", "b")),
        ("a.b", ("a.b",), "variable a.b"),
        ("a.b.c", ("a.b",), ("variable a.b", "c")),
        ("a.b.c.d", ("a", "a.b", "a.b.c"), ("variable a.b.c", "d")),
        ("a.b.c.d", ("a", "a.b.c.d.e"), ((("variable a", "b"), "c"), "d")),
        ("a.b", ("a", "a.b"), "variable a.b"),
        ("a[0].b", ("a", "a.b"), (("Index", "variable a", 0), "b")),
        ("int", (), TypeValue("int")),
        ("int", ("int",), "variable int"),
        ("null_type", (), TypeValue("null_type")),
        ("google.protobuf.Duration", (), TypeValue("google.protobuf.Duration")),
        ("google.protobuf.Duration", ("google",), (("variable google", "protobuf"), "Duration")),
    ],
)
def test_the_longest_declared_name_wins(source: str, variables: tuple[str, ...], shape: object) -> None:
    assert _shape(_resolved(source, *variables)) == shape


@pytest.mark.parametrize(
    ("source", "shape"),
    [
        ("[a].all(x, x == a)", ("Macro", ("ListLiteral", "variable a"), ("Binary", "loop 0", "variable a"))),
        ("[1].all(a, a == 1)", ("Macro", ("ListLiteral", 1), ("Binary", "loop 0", 1))),
        ("[1].all(b, b.c == 1)", ("Macro", ("ListLiteral", 1), ("Binary", ("loop 0", "c"), 1))),
        ("[1].all(int, int == 1)", ("Macro", ("ListLiteral", 1), ("Binary", "loop 0", 1))),
        ("[1].all(k, k.n == 1)", ("Macro", ("ListLiteral", 1), ("Binary", ("loop 0", "n"), 1))),
        (
            "[1].all(strings, strings.trim() == '')",
            ("Macro", ("ListLiteral", 1), ("Binary", ("trim", True, "loop 0"), "")),
        ),
        (
            "[a].all(x, [x].all(x, x == 1) && x == 2)",
            (
                "Macro",
                ("ListLiteral", "variable a"),
                ("Logic", ("Macro", ("ListLiteral", "loop 0"), ("Binary", "loop 1", 1)), ("Binary", "loop 0", 2)),
            ),
        ),
        (
            "[1].all(x, [2].all(y, x == y)) && [3].all(z, z == 3)",
            (
                "Logic",
                ("Macro", ("ListLiteral", 1), ("Macro", ("ListLiteral", 2), ("Binary", "loop 0", "loop 1"))),
                ("Macro", ("ListLiteral", 3), ("Binary", "loop 0", 3)),
            ),
        ),
        ("[1].map(x, x > 0, [x].map(y, x + y))", None),
    ],
)
def test_loop_variables_shadow_everything(source: str, shape: object) -> None:
    root = _resolved(source, "a", "b", "b.c", k={"n": 5})
    assert shape is None or _shape(root) == shape
    for node in walk(root):
        if isinstance(node, Macro):
            assert node.slot >= 0


def test_a_macro_in_the_target_of_another_uses_the_same_slot() -> None:
    root = _resolved("[1].filter(x, x > 0).all(y, y > 0)")
    assert isinstance(root, Macro)
    assert isinstance(root.target, Macro)
    assert (root.slot, root.target.slot) == (0, 0)


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("k.limit", 50),
        ("k['limit']", 50),
        ("k.nested.deep", {"value": (1, 2)}),
        ("k.nested.deep.value[1]", 2),
        ("k['nested'].deep['value'][0]", 1),
        ("has(k.limit)", True),
        ("has(k.nested.deep)", True),
        ("has(k.nested.other)", False),
        ("k", {"limit": 50, "nested": {"deep": {"value": (1, 2)}}}),
    ],
)
def test_constants_become_their_values(source: str, value: object) -> None:
    root = _resolved(source, k={"limit": 50, "nested": {"deep": {"value": [1, 2]}}})
    assert isinstance(root, Literal)
    assert root.value == value
    assert type(root.value) is type(value)
    assert (root.start, root.end) == (0, len(source))


def test_a_map_with_keys_that_are_no_text_is_looked_into_as_well() -> None:
    report = Report("k[1] == k[true] && has(k.x)")
    env = Env({}, {"k": KeyedMap([(1, "one"), (True, "yes")])})
    root = resolve(_parsed(report.source), env, report)
    assert not report.failed
    assert [node.value for node in walk(root) if isinstance(node, Literal)] == ["one", "yes", False]


def test_an_index_that_only_the_evaluation_can_judge_stays() -> None:
    report = Report("k[1u]")
    root = resolve(_parsed(report.source), Env({}, {"k": KeyedMap([(UInt(1), "one")])}), report)
    assert not report.failed
    assert isinstance(root, Index)


def test_a_variable_hides_a_constant_of_its_name() -> None:
    assert _shape(_resolved("k.limit", "k", k={"limit": 1})) == ("variable k", "limit")


def test_what_has_no_names_is_taken_over_as_it_is() -> None:
    for source in ("a.b == 1 && !(a.c > 2)", "[1, a]", "a ? 1 : 2", "a.trim()", "-a", "{'x': 1}.x == a[0]"):
        parsed = _parsed(source)
        root = resolve(parsed, Env({"a": DYN}, {}, _FUNCTIONS), Report(source))
        assert root == parsed
        assert root is parsed or "{" in source


def test_namespaces_are_told_from_variables() -> None:
    assert _shape(_resolved("strings.quote('x')")) == ("strings.quote", False, "x")
    assert _shape(_resolved("a.b.c('x')")) == ("a.b.c", False, "x")
    assert _shape(_resolved("strings.trim()", "strings")) == ("trim", True, "variable strings")
    assert _shape(_resolved("a.b.trim()", "a.b")) == ("trim", True, "variable a.b")
    assert _shape(_resolved("a.b.c.trim()", "a.b")) == ("trim", True, ("variable a.b", "c"))
    assert _shape(_resolved("strings.trim()", strings="x")) == ("trim", True, "x")


def test_all_mistakes_are_found_at_once() -> None:
    source = "[aa, {bb: cc}, dd ? ee : -ff, gg[hh], has(ii.x), jj.kk(ll), mm(nn)].map(x, oo, [pp + qq])"
    seen = see(source, Env())
    unknown = {found.message for found in seen.diagnostics}
    names = [first + first for first in "abcdefghijlnopq"]
    assert unknown == {f"unknown variable `{name}`" for name in names if name != "jj"} | {
        "unknown function `kk`",
        "unknown function `mm`",
    }


def test_nothing_is_declared() -> None:
    assert see("x", Env()).text == '    CEL201 1:1 unknown variable `x`\n        a text needs quotes: `"x"`'
    assert see("x.y", Env()).text == "    CEL201 1:1 unknown variable `x`"
    assert see("f(1)", Env(functions=Registry())).text == "    CEL202 1:1 unknown function `f`"


def test_places_survive_joining_and_folding() -> None:
    source = "  a.b.c == k.nested.deep"
    report = Report(source)
    env = Env({"a.b": INT}, {"k": freeze_value({"nested": {"deep": 1}})})
    root = resolve(_parsed(source), env, report)
    texts = {source[node.start : node.end]: node for node in walk(root)}
    assert set(texts) == {"a.b.c == k.nested.deep", "a.b.c", "a.b", "k.nested.deep"}
    assert source[texts["a.b.c"].anchor] == "c"
    assert source[texts["k.nested.deep"].anchor :] == "deep"


def test_a_function_that_is_left_out_may_be_registered_all_the_same() -> None:
    def yes(_text: str) -> bool:
        return True

    functions = Registry.of((Function("sort", (Overload((STRING,), BOOL, yes, method=True),), ""),))
    assert see("'x'.sort()", Env(functions=functions)).text == "    ok bool"
    assert "left out" in see("'x'.sort()", Env()).text
