"""Whatever the source is, the parser gives a tree or mistakes with a place in it, and never anything else.

Trees that are written out are read back the same, and cel-python's own reading of the specification's expressions
agrees with ours.
"""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any, Final, NamedTuple

import pytest
from celpy.celparser import CELParseError, CELParser
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from oap_core.cel.limits import NESTING, SOURCE_BYTES
from oap_core.cel.parse import parse
from oap_core.cel.report import Report
from oap_core.cel.syntax.source import scan
from oap_core.cel.tree import Node, walk
from oap_core.errors import CelError
from tests.core.cel.conformance.vectors import ABSENT, CASES
from tests.core.cel.shape import shape
from tests.core.cel.test_parse import MISTAKES, TREES

_UNITS: Final = [
    *(
        "(",
        "[",
        "{",
        "!",
        "-",
        "- ",
        "!-",
        "a.",
        "a .",
        "a?b:",
        "a+",
        "a+ ",
        "a&&",
        "a||b&&",
        "a in ",
        "a[",
        "f(",
        "[1,",
    ),
    *(
        "{1:",
        "x.all(x,",
        "x.map(y, y,",
        "has(",
        '"',
        "'",
        '"""',
        "'''",
        "`",
        "\\",
        "//",
        "/",
        "\r",
        "\n",
        " ",
        "\t",
        "0",
    ),
    *("1.", ".", "1e", "-1 ", 'r"', 'br"', "b'", "a,", "a:", "?", "a ? ", '"\\', '"\\d', '["a","b",["a",', "[[1,2],"),
    *('"a","b",', '"a" in', "in ", "if+", "if||", "\u202e", "\ud800", "\u00e9", "\u201c", "=", "&", "|", "0x", "0xg+"),
    *(
        "\x00",
        '"\x00',
        "a.`b`.",
        "a.`",
        "f(a)(",
        "{a:b}[",
        "}",
        ")",
        "]",
        "[a]",
        "f()+",
        "x.y.z(",
        "1==1&&",
        "''\"\"",
        "a ",
    ),
]


def outcome(source: str) -> Node | None:
    """Parse a source, and make sure that what comes out is one of the two things that may."""
    report = Report(source)
    node = parse(source, report)
    assert (node is None) is report.failed
    if node is not None:
        for part in walk(node):
            assert 0 <= part.start <= part.anchor < part.end <= len(source)
        return node
    with pytest.raises(CelError) as failure:
        report.raise_if_failed()
    lines = source.split("\n")
    for found in failure.value.diagnostics:
        assert found.line <= found.end_line <= len(lines)
        assert found.column <= len(lines[found.line - 1]) + 1
        assert found.end_column <= len(lines[found.end_line - 1]) + 1
        # What the scanner lets pass, the grammar takes: the one sentence for the contrary is never needed.
        assert found.message != "this is not an expression of CEL", source
        assert len(found.message) < 300
    return None


@pytest.mark.guarantee("cel-bounded")
@pytest.mark.parametrize("unit", _UNITS, ids=ascii)
def test_a_source_full_of_one_thing_ends(unit: str) -> None:
    outcome((unit * SOURCE_BYTES)[:SOURCE_BYTES])
    for count in (NESTING, NESTING + 1):
        outcome(unit * count)
        outcome(f"{unit * count}a")


def test_a_source_far_beyond_the_limit_ends() -> None:
    for unit in ("(", "a && ", "\n", "\u00e9", '"'):
        report = Report(unit * 5_000_000)
        assert parse(report.source, report) is None
        assert report.failed


@pytest.mark.guarantee("cel-no-exception")
@given(st.text(max_size=200))
@settings(max_examples=500)
@example("\ud83d\ude00")
@example('"\x00" == a')
def test_any_text_ends(source: str) -> None:
    outcome(source)


@given(st.text("abinrx01.,:?!()[]{}<>=&|+-*/%\"'`\\ \n", max_size=80))
@settings(max_examples=1000)
def test_any_text_of_the_characters_of_cel_ends(source: str) -> None:
    outcome(source)


_PIECES: Final = [
    *("(", ")", "[", "]", "{", "}", ",", ":", "?", ".", "!", "-", "+", "in", "in ", " in ", '"', "'", "`", "//", "\n"),
    *("\r", 'r"', "b'", "1", "0x", "1.5", "e", "true", "null", "a", ".b", ".c(", "has(", "x.all(x,", "==", "&&", "||"),
    *(
        "=",
        "&",
        "<",
        "\\",
        " ",
        '"a"',
        '"in',
        "\u00e9",
        "\u200b",
        '"""',
        "'''",
        "-1",
        "- 1",
        "!-",
        '["a","b"]',
        "[1,-2]",
    ),
    *("a.b.c", ".in", ".`x y`", "for", "1u", '[1,"b",]', "\x00", "a?b:c", "cel.bind("),
]
_SOURCES: Final = [case["source"] for case in (*TREES, *MISTAKES)]


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=1000)
def test_a_source_with_pieces_put_in_and_taken_out_ends(seed: int) -> None:
    random = Random(seed)
    source: str = random.choice(_SOURCES)
    for _ in range(random.randrange(1, 4)):
        start = random.randrange(len(source) + 1)
        end = min(len(source), start + random.randrange(3))
        source = (
            source[:start] + random.choice((random.choice(_PIECES), random.choice(_SOURCES)[:12], "")) + source[end:]
        )
    outcome(source)


@pytest.mark.parametrize("case", TREES, ids=lambda case: repr(case["source"]))
def test_the_parser_sees_nothing_of_texts_and_comments(case: dict[str, str]) -> None:
    source = case["source"]
    found = scan(source, Report(source))
    assert found is not None
    assert len(found.masked) == len(source)
    assert not set(found.masked) & set("'`\\#;$@~")
    assert "//" not in found.masked
    assert not any(word in found.masked for word in ("\U0001f600", "\u00e9"))


class _Written(NamedTuple):
    """An expression with what it means and how tightly it binds."""

    text: str
    meaning: str
    level: int


_TERNARY, _OR, _AND, _RELATION, _SUM, _PRODUCT, _UNARY, _MEMBER = range(8)
_OPERATORS: Final = {
    _RELATION: ("==", "!=", "<", "<=", ">", ">=", "in"),
    _SUM: ("+", "-"),
    _PRODUCT: ("*", "/", "%"),
}
_LEAVES: Final = [
    *(("a", "a"), ("b.c", "(. b c)"), ("in_x", "in_x"), ("1", "1"), ("2.5", "2.5"), ("3u", "3u"), ("true", "True")),
    *(('"x in y"', "'x in y'"), ("'it\\'s'", '"it\'s"'), ('r"\\d"', "'\\\\d'"), ("b'q'", "b'q'"), ("null", "None")),
    *(("[]", "(list)"), ("{}", "(map)"), ("['a', \"b\"]", "(list 'a' 'b')"), ("[1, -2]", "(list 1 -2)")),
    *(("a.b.c.d", "(. (. (. a b) c) d)"), ("a.`b-c`", "(. a b-c)"), ("has(a.b)", "(has a b)"), ("f()", "(f())")),
]
_GAPS: Final = ("", "", "", " ", "\n", "\t", " // \"quoted' and ) in a comment\n")


def _write(random: Random, depth: int) -> _Written:
    """Write a random expression with as few parentheses as its meaning allows, or a few more."""
    if depth == 0 or random.random() < 0.15:
        return _Written(*random.choice(_LEAVES), _MEMBER)
    kind = random.randrange(12)
    if kind < 3:
        level = random.choice((_RELATION, _SUM, _PRODUCT))
        op = random.choice(_OPERATORS[level])
        left, right = _inner(random, depth, level), _inner(random, depth, level + 1)
        if op == "%" and left.text[-1] in "\"'":
            # A text before `%` is taken for an attempt at formatting.
            op = "*"
        blank = " " if op == "in" else _gap(random)
        return _Written(f"{left.text}{blank}{op}{blank}{right.text}", f"({op} {left.meaning} {right.meaning})", level)
    if kind < 5:
        level, op = random.choice(((_OR, "||"), (_AND, "&&")))
        terms = [_inner(random, depth, level + 1) for _ in range(random.randrange(2, 5))]
        text = op.join(f"{_gap(random)}{term.text}{_gap(random)}" for term in terms)
        # A group of the same operator in parentheses melts into the run around it.
        start = f"({op} "
        meanings = [
            term.meaning.removeprefix(start)[:-1] if term.meaning.startswith(start) else term.meaning for term in terms
        ]
        return _Written(text, f"{start}{' '.join(meanings)})", level)
    if kind == 5:
        condition, then = _inner(random, depth, _OR), _inner(random, depth, _OR)
        other = _inner(random, depth, _TERNARY)
        text = f"{condition.text} ?{_gap(random)}{then.text} :{_gap(random)}{other.text}"
        return _Written(text, f"(?: {condition.meaning} {then.meaning} {other.meaning})", _TERNARY)
    if kind == 6:
        op = random.choice("!-")
        operand = _inner(random, depth, _MEMBER)
        if op == "-" and operand.text[0].isdigit():
            # The sign would belong to the number.
            return operand
        return _Written(f"{op}{operand.text}", f"({op} {operand.meaning})", _UNARY)
    if kind == 7:
        first, second = _write(random, depth - 1), _write(random, depth - 1)
        return _Written(
            f"{{{first.text}{_gap(random)}:{_gap(random)}{second.text}}}",
            f"(map {first.meaning} {second.meaning})",
            _MEMBER,
        )
    operand, other = _inner(random, depth, _MEMBER), _write(random, depth - 1)
    text, meaning = operand.text, operand.meaning
    # A number and a point would be another number.
    dot = " ." if text[0].isdigit() else f"{_gap(random)}."
    return [
        _Written(f"{text}{_gap(random)}[{other.text}]", f"([] {meaning} {other.meaning})", _MEMBER),
        _Written(f"{text}{dot}{_gap(random)}g", f"(. {meaning} g)", _MEMBER),
        _Written(f"{text}{dot}m({other.text}, 1)", f"({meaning} m() {other.meaning} 1)", _MEMBER),
        _Written(f"{text}{dot}all(x, {other.text})", f"(all x {meaning} {other.meaning})", _MEMBER),
    ][kind - 8]


def _inner(random: Random, depth: int, level: int) -> _Written:
    """Write an operand that binds at least as tightly as `level`."""
    found = _write(random, depth - 1)
    if found.level < level or random.random() < 0.1:
        return _Written(f"({_gap(random)}{found.text}{_gap(random)})", found.meaning, _MEMBER)
    return found


def _gap(random: Random) -> str:
    return random.choice(_GAPS)


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=500)
def test_what_is_written_out_reads_back_the_same(seed: int) -> None:
    written = _write(Random(seed), 5)
    assume(len(written.text) <= SOURCE_BYTES)
    node = outcome(written.text)
    assert node is not None, written.text
    assert shape(node) == written.meaning, written.text


_CELPY_OPERATORS: Final = {
    "relation_lt": "<",
    "relation_le": "<=",
    "relation_gt": ">",
    "relation_ge": ">=",
    "relation_eq": "==",
    "relation_ne": "!=",
    "relation_in": "in",
    "addition_add": "+",
    "addition_sub": "-",
    "multiplication_mul": "*",
    "multiplication_div": "/",
    "multiplication_mod": "%",
    "unary_not": "!",
    "unary_neg": "-",
}


def _celpy_shape(tree: Any) -> str:
    """What cel-python makes of a source, in the words of `shape`."""
    children = tree.children
    while len(children) == 1 and hasattr(children[0], "children") and tree.data not in ("list_lit", "map_lit"):
        tree = children[0]
        children = tree.children
    match str(tree.data):
        case "literal":
            return "literal"
        case "ident":
            return str(children[0])
        case "member_dot":
            return f"(. {_celpy_shape(children[0])} {children[1]})"
        case "ident_arg" | "member_dot_arg":
            return _celpy_call(tree)
        case "list_lit" | "map_lit":
            head = "list" if tree.data == "list_lit" else "map"
            return f"({' '.join([head, *map(_celpy_shape, children[0].children if children else ())])})"
        case "unary":
            return f"({_CELPY_OPERATORS[children[0].data]} {_celpy_shape(children[1])})"
        case "conditionalor" | "conditionaland":
            start = "(|| " if tree.data == "conditionalor" else "(&& "
            terms = [_celpy_shape(child) for child in children]
            return start + " ".join(t.removeprefix(start)[:-1] if t.startswith(start) else t for t in terms) + ")"
        case "expr" | "member_index":
            head = "?:" if tree.data == "expr" else "[]"
            return f"({' '.join([head, *map(_celpy_shape, children)])})"
        case _:
            beginning = children[0]
            op = _CELPY_OPERATORS[beginning.data]
            return f"({op} {_celpy_shape(beginning.children[0])} {_celpy_shape(children[1])})"


def _celpy_call(tree: Any) -> str:
    children = list(tree.children)
    args = children.pop().children if hasattr(children[-1], "children") else []
    shapes = [_celpy_shape(arg) for arg in args]
    name = str(children.pop())
    if not children:
        if name == "has":
            return f"(has {shapes[0].removeprefix('(. ')}"
        return f"({' '.join([f'{name}()', *shapes])})"
    target = _celpy_shape(children[0])
    if name in ("all", "exists", "exists_one", "map", "filter"):
        return f"({name} {shapes[0]} {' '.join([target, *shapes[1:]])})"
    return f"({' '.join([target, f'{name}()', *shapes])})"


@pytest.mark.skipif(not CASES.exists(), reason=ABSENT)
def test_cel_python_reads_the_expressions_of_the_specification_alike() -> None:
    parser = CELParser()
    compared = 0
    for line in CASES.read_text(encoding="utf-8").splitlines():
        source = json.loads(line)["expr"]
        node = outcome(source)
        # It reads `24.indexOf(x)` as `24. in dexOf(x)`.
        if node is None or re.search(r"\d\.in", source):
            continue
        try:
            theirs = parser.parse(source)
        except CELParseError:
            # Its lexer refuses some of what the specification allows.
            continue
        compared += 1
        assert shape(node, values=False) == _celpy_shape(theirs), source
    assert compared > 1500
