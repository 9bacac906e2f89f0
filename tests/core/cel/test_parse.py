"""What the parser makes of a source: the tree it means, or every mistake with its place and what to do about it."""

from __future__ import annotations

import json
import subprocess
import sys
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any, Final

import pytest
from celpy.celparser import CELParser

from oap_core.cel import parse as parse_module
from oap_core.cel.codes import LoadCode
from oap_core.cel.limits import LITERAL_ELEMENTS, NESTING, SOURCE_BYTES
from oap_core.cel.parse import parse
from oap_core.cel.report import Report
from oap_core.cel.syntax.leftout import LEFT_OUT, LEFT_OUT_MACROS
from oap_core.cel.tree import Binary, Call, Has, Index, Literal, Macro, Node, Select, Unary, walk
from oap_core.diagnostic import Diagnostic
from oap_core.errors import CelError
from tests.core.cel.conformance.vectors import ABSENT, CASES, CORE
from tests.core.cel.shape import shape

_FOLDER: Final = Path(__file__).parent / "cases"


def _lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (_FOLDER / name).read_text(encoding="utf-8").splitlines()]


TREES: Final = _lines("trees.jsonl")
MISTAKES: Final = _lines("mistakes.jsonl")


def tree(source: str) -> Node:
    """Parse a source that is sound."""
    report = Report(source)
    node = parse(source, report)
    report.raise_if_failed()
    assert node is not None
    return node


def mistakes(source: str) -> tuple[Diagnostic, ...]:
    """Parse a source that is not."""
    report = Report(source)
    assert parse(source, report) is None
    with pytest.raises(CelError) as failure:
        report.raise_if_failed()
    return failure.value.diagnostics


def codes(source: str) -> list[str]:
    return [found.code for found in mistakes(source)]


@pytest.mark.parametrize("case", TREES, ids=lambda case: repr(case["source"]))
def test_a_source_means_its_tree(case: dict[str, str]) -> None:
    assert shape(tree(case["source"])) == case["tree"]


@pytest.mark.parametrize("case", MISTAKES, ids=lambda case: ascii(case["source"]))
def test_a_mistake_is_named_with_its_place_and_a_help(case: dict[str, Any]) -> None:
    assert [
        {
            "code": LoadCode(found.code).name,
            "at": f"{found.line}:{found.column}-{found.end_line}:{found.end_column}",
            "message": found.message,
        }
        | ({} if found.help is None else {"help": found.help})
        for found in mistakes(case["source"])
    ] == case["found"]


def test_the_mistakes_meet_every_code_of_the_text() -> None:
    met = {found["code"] for case in MISTAKES for found in case["found"]}
    assert met >= {"SYNTAX", "LITERAL", "UNSUPPORTED", "RESERVED", "MACRO", "CHARACTER"}


@pytest.mark.parametrize("case", MISTAKES, ids=lambda case: ascii(case["source"]))
def test_messages_keep_the_house_style(case: dict[str, Any]) -> None:
    for found in case["found"]:
        for text in (found["message"], found.get("help", "x")):
            assert "\n" not in text
            assert not text.endswith(".")
            assert not text[0].isupper() or text.startswith("U+"), text


@pytest.mark.parametrize(
    ("source", "kind", "anchor"),
    [
        ("a.b . c", Select, 6),
        ("a.`b`", Select, 2),
        ("has(a.b.c)", Has, 8),
        ("a.f(b)", Call, 2),
        ("  f(b)", Call, 2),
        ("a [b]", Index, 2),
        ("a // [\n [b]", Index, 8),
        ("a.all(x, x)", Macro, 2),
        ("a + b", Binary, 2),
        ("(a) // +\n + (b)", Binary, 10),
        ("a.b in c", Binary, 4),
        ("a >= -b", Binary, 2),
        (" -a", Unary, 1),
    ],
)
def test_an_anchor_is_where_an_error_is_shown(source: str, kind: type[Node], anchor: int) -> None:
    root = tree(source)
    assert type(root) is kind
    assert root.anchor == anchor


@pytest.mark.parametrize("case", TREES, ids=lambda case: repr(case["source"]))
def test_every_node_covers_its_parts(case: dict[str, str]) -> None:
    source = case["source"]
    for node in walk(tree(source)):
        assert 0 <= node.start <= node.anchor < node.end <= len(source)
        for child in node.children():
            assert node.start <= child.start <= child.end <= node.end


def test_literals_cover_their_text() -> None:
    source = '["a", -2] + [ -3 , r"b" , b\'c\' , true, 0x1u, - 4] + "d"'
    found = [source[node.start : node.end] for node in walk(tree(source)) if type(node) is Literal]
    assert found == ['"a"', "-2", "-3", 'r"b"', "b'c'", "true", "0x1u", "- 4", '"d"']


def _chain(link: Callable[[str], str], count: int) -> str:
    source = "a"
    for _ in range(count):
        source = link(source)
    return source


CHAINS: Final[dict[str, Callable[[str], str]]] = {
    "+": "{} + a".format,
    "-": "{} - a".format,
    "==": "{} == a".format,
    "in": "{} in a".format,
    "*": "{} * a".format,
    "!": "!{}".format,
    "unary -": "-{}".format,
    ".": "{}.a".format,
    "spaced .": "{} .a".format,
    "quoted .": "{}.`a`".format,
    "[]": "{}[0]".format,
    "index": "a[{}]".format,
    "method": "{}.f()".format,
    "argument": "f({})".format,
    "macro": "a.all(x, {})".format,
    "? :": "a ? a : {}".format,
    "list": "[{}]".format,
    "map": "{{1: {}}}".format,
    "(+)": "({} + a)".format,
}


@pytest.mark.parametrize("link", CHAINS.values(), ids=CHAINS)
def test_a_chain_counts_a_level_for_each_link(link: Callable[[str], str]) -> None:
    tree(_chain(link, NESTING))
    assert codes(_chain(link, NESTING + 1)) == [LoadCode.TOO_DEEP]


def test_parentheses_and_runs_of_one_logical_operator_are_no_levels() -> None:
    tree("(" * NESTING + "a" + ")" * NESTING)
    assert codes("(" * (NESTING + 1) + "a" + ")" * (NESTING + 1)) == [LoadCode.TOO_DEEP]
    assert len(tree(" || ".join(["a"] * 1500)).children()) == 1500
    assert len(tree(" && ".join(["a"] * 1500)).children()) == 1500
    assert len(tree("(a && " * 60 + "a" + ")" * 60).children()) == 61


@pytest.mark.parametrize(
    ("opened", "element", "closed"),
    [("[", "1", "]"), ("[", "a", "]"), ("[", '"a"', "]"), ("{", "1: 2", "}"), ("{", "a: b", "}"), ("f(", "a", ")")],
)
def test_a_literal_or_call_has_a_limit_to_its_elements(opened: str, element: str, closed: str) -> None:
    tree(opened + ", ".join([element] * LITERAL_ELEMENTS) + closed)
    if closed != ")":
        tree(opened + ", ".join([element] * LITERAL_ELEMENTS) + "," + closed)
    assert codes(opened + ", ".join([element] * (LITERAL_ELEMENTS + 1)) + closed) == [LoadCode.TOO_MANY_ELEMENTS]


def test_a_source_has_a_limit_in_bytes() -> None:
    tree("a" * SOURCE_BYTES)
    tree('"' + "é" * (SOURCE_BYTES // 2 - 1) + '"')
    assert codes("a" * (SOURCE_BYTES + 1)) == [LoadCode.TOO_LONG]
    assert codes('"' + "é" * (SOURCE_BYTES // 2) + '"') == [LoadCode.TOO_LONG]
    assert codes("\n" * 50_000_000) == [LoadCode.TOO_LONG]


def test_many_mistakes_are_reported_up_to_a_bound() -> None:
    assert codes('if || for || a.b.in || "\\d" || 1e999') == [
        LoadCode.RESERVED,
        LoadCode.RESERVED,
        LoadCode.RESERVED,
        LoadCode.LITERAL,
        LoadCode.LITERAL,
    ]
    assert len(codes(" || ".join(["if"] * 1000))) <= 20
    assert len(codes('"' + "\u200b" * 1000 + '"')) <= 20


def test_a_sound_part_does_not_hide_the_macros_of_a_source_with_mistakes() -> None:
    assert codes("if || has(a) || a.all(1, true) || cel.bind(x, y, z)") == [
        LoadCode.RESERVED,
        LoadCode.MACRO,
        LoadCode.MACRO,
        LoadCode.UNSUPPORTED,
    ]


def test_no_invisible_character_passes_outside_or_inside_a_text() -> None:
    for number in range(sys.maxunicode + 1):
        if unicodedata.category(chr(number)) in {"Cf", "Zl", "Zp", "Cs"}:
            assert codes(f'"{chr(number)}"') == [LoadCode.CHARACTER], hex(number)
            assert codes(f"a // {chr(number)}") == [LoadCode.CHARACTER], hex(number)


def test_only_white_space_of_the_specification_separates_tokens() -> None:
    assert shape(tree("a\t\n\f\r in\r\nb")) == "(in a b)"
    for number in {*range(33), *range(0x7F, 0xA1), 0x1680, 0x2003, 0x3000} - {9, 10, 12, 13, 32}:
        assert codes(f"a{chr(number)}+ b") == [LoadCode.CHARACTER], hex(number)
        assert (
            codes(f"a + b // {chr(number)}") == [LoadCode.CHARACTER] if number < 0xA0 else tree(f"a // {chr(number)}")
        )


def test_every_left_out_macro_is_refused_and_every_left_out_function_is_left_to_the_registry() -> None:
    for name in LEFT_OUT_MACROS:
        called = name if "." in name else f"a.{name}"
        [found] = mistakes(f"{called}(b, c)")
        assert found.code == LoadCode.UNSUPPORTED
        assert found.help == LEFT_OUT_MACROS[name]
    for name in LEFT_OUT:
        tree(f"{name}(b)")
    assert not LEFT_OUT.keys() & LEFT_OUT_MACROS.keys()


def test_a_name_that_only_ends_like_a_left_out_macro_is_an_ordinary_method() -> None:
    assert shape(tree("a.bind(b) + cel.x.block(c) + proto.f()")) == (
        "(+ (+ (a bind() b) ((. cel x) block() c)) (proto f()))"
    )


@pytest.mark.skipif(not CASES.exists(), reason=ABSENT)
def test_the_expressions_of_the_specification_parse() -> None:
    refused = []
    for line in CASES.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        report = Report(case["expr"])
        node = parse(case["expr"], report)
        assert (node is None) is report.failed
        if node is None and case["file"] in {*CORE, "string_ext", "math_ext"}:
            refused.append((case["file"], case["name"], codes(case["expr"])))
    assert refused == [
        ("namespace", name, [LoadCode.UNSUPPORTED])
        for name in (
            "disambiguation",
            "comprehension_shadowing_disambiguation",
            "comprehension_shadowing_namespaced_selector_disambiguation",
        )
    ]


def test_eight_threads_parse_what_one_parses() -> None:
    expected = [shape(tree(case["source"])) for case in TREES]
    start = Barrier(8)

    def work(_: int) -> list[str]:
        start.wait()
        return [shape(tree(case["source"])) for case in TREES]

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(8))) == [expected] * 8


@pytest.fixture
def _no_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if nothing had been parsed in this process."""
    monkeypatch.setattr(CELParser, "CEL_PARSER", None)
    monkeypatch.setattr(parse_module, "_made", [])


@pytest.mark.usefixtures("_no_parser")
def test_threads_that_parse_first_at_once_get_one_parser() -> None:
    start = Barrier(4)

    def work(_: int) -> str:
        start.wait()
        return shape(tree("a.b + c[0].f(-d)"))

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(work, range(4))) == {"(+ (. a b) (([] c 0) f() (- d)))"}
    assert len(parse_module._made) == 1


@pytest.mark.usefixtures("_no_parser")
def test_a_parser_that_somebody_else_made_with_other_trees_serves_as_well() -> None:
    from celpy.evaluation import TranspilerTree

    CELParser(tree_class=TranspilerTree)
    for case in TREES:
        assert shape(tree(case["source"])) == case["tree"]


class Failing:
    """A parser that fails on everything."""

    rules: Final[dict[str, Any]] = {}
    operators: Final[dict[str, str]] = {}
    chains: Final[frozenset[str]] = frozenset()
    refusals: Final = (UnicodeError,)

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def parse(self, _: str) -> None:
        raise self.error


def test_a_source_that_the_grammar_refuses_is_refused_in_our_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parse_module, "_made", [Failing(UnicodeError("words of a third party"))])
    [found] = mistakes("a + b")
    assert (found.code, found.message) == (LoadCode.SYNTAX, "this is not an expression of CEL")


@pytest.mark.parametrize("source", ["a.b @", "a (b", "a.b c", "(", "1 +", "a ? b", "+", ""])
def test_what_cel_python_refuses_is_known_as_a_refusal(source: str) -> None:
    grammar = parse_module._grammar()
    with pytest.raises(grammar.refusals):
        grammar.parse(source)


@pytest.mark.parametrize("error", [KeyError, AttributeError, ValueError, AssertionError, IndexError])
def test_a_parser_that_fails_is_not_the_mistake_of_the_author(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parse_module, "_made", [Failing(error("words of a third party"))])
    [found] = mistakes("a + b")
    assert (found.code, found.message) == (LoadCode.PARSER, "the parser failed for a reason of its own")
    assert "cel-python" in (found.help or "")


def test_a_rule_that_the_grammar_did_not_have_is_not_the_mistake_of_the_author(monkeypatch: pytest.MonkeyPatch) -> None:
    grammar = parse_module._grammar()
    monkeypatch.setattr(grammar, "rules", {name: rule for name, rule in grammar.rules.items() if name != "unary"})
    assert tree("a + b") is not None
    [found] = mistakes("a || !b")
    assert found.code is LoadCode.PARSER


@pytest.mark.usefixtures("_no_parser")
def test_a_grammar_that_changed_altogether_is_not_the_mistake_of_the_author(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parse_module, "_SAMPLE", "no longer ( an expression")
    [found] = mistakes("a + b")
    assert found.code is LoadCode.PARSER


@pytest.mark.parametrize("error", [RecursionError, MemoryError, KeyboardInterrupt])
def test_what_is_wrong_with_the_host_passes(error: type[BaseException], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parse_module, "_made", [Failing(error())])
    with pytest.raises(error):
        mistakes("a + b")


def test_cel_python_is_imported_by_the_first_parse_and_not_before() -> None:
    program = (
        "import sys, warnings; warnings.simplefilter('error')\n"
        "from oap_core.cel import parse, report\n"
        "assert 'celpy' not in sys.modules\n"
        "assert parse.parse('a', report.Report('a')) is not None\n"
        "assert 'celpy' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True, cwd=Path(__file__).parents[3])
