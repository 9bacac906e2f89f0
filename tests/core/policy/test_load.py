from __future__ import annotations

import json
import re
import unicodedata
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oap_core.cel.syntax import characters as cel_characters
from oap_core.diagnostic import render
from oap_core.policy import load
from oap_core.policy.characters import checked
from oap_core.policy.load import TEXT_BYTES, Document, read, read_bytes
from oap_core.policy.tree import Node, Scalar, Sequence

FOLDER: Final = Path(__file__).parent / "load_cases"
LOADERS: Final = {"fastest": load._FASTEST, "pure": load._PURE}
FRAGMENTS: Final = [
    "a", "b c", "c: ", "d:", "- ", "? ", "[", "]", "{", "}", ", ", ": ", "\n", "\n", "\n  ", "\n    ", " ", "#", " # x",
    "\t", '"', "'", "\\", "\\n", "`", "|\n", "|-\n  x\n", ">2\n", "&a ", "*a ", "!", "!t ", "%", "@", "---\n", "...\n",
    "yes", "0o7", "1_0", "~", "😀", "\u00a0", "\u200b", "\r\n", "<<: ", "k: v\n", "- a\n", "k: 'a\n\n  b'\n",
    "k: |\n  a\n  b\n", "k: >\n  a\n   b\n\n  c\n", "k: p\n  q\n", '"a\\\n  b"', "{{ x }}", "!has(x)",
]  # fmt: skip


def entries(name: str) -> dict[str, tuple[str, str]]:
    """The texts of a case file by title, each with what is expected of it."""
    found = {}
    whole = (FOLDER / name).read_text(encoding="utf-8")
    for entry in re.split(r"^=== ", whole, flags=re.MULTILINE)[1:]:
        title, _, rest = entry.partition("\n")
        text, _, expected = rest.partition(">>>\n")
        found[title] = (text.replace("→", "\t").replace("<U+00A0>", "\u00a0"), expected.strip("\n"))
    return found


READ: Final = entries("read.txt")
REFUSED: Final = entries("refused.txt")


def plain(node: Node | None) -> Any:
    if node is None or isinstance(node, Scalar):
        return None if node is None else node.value
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    return {entry.key: plain(entry.value) for entry in node}


def value(text: str) -> Any:
    document = read(text)
    assert document.problems == ()
    return plain(document.root)


def said(document: Document) -> str:
    lines = []
    for problem in document.problems:
        place = f"{problem.line}:{problem.column}-{problem.end_line}:{problem.end_column}"
        lines.append(f"{problem.code} {place} {problem.message}")
        if problem.help is not None:
            lines.append(f"    {problem.help}")
    return "\n".join(lines)


def places(document: Document) -> list[str]:
    return [f"{problem.code} {problem.line}:{problem.column}" for problem in document.problems]


@pytest.mark.parametrize("loader", LOADERS)
@pytest.mark.parametrize("title", READ)
def test_texts_are_read(title: str, loader: str) -> None:
    text, expected = READ[title]
    document = load._read(text, None, LOADERS[loader])
    assert said(document) == ""
    assert repr(plain(document.root)) == repr(json.loads(expected))


@pytest.mark.parametrize("loader", LOADERS)
@pytest.mark.parametrize("title", REFUSED)
def test_texts_are_refused(title: str, loader: str) -> None:
    text, expected = REFUSED[title]
    assert said(load._read(text, None, LOADERS[loader])) == expected


@pytest.mark.parametrize("title", [*READ, *REFUSED])
def test_both_parsers_give_the_same(title: str) -> None:
    text, _ = {**READ, **REFUSED}[title]
    fastest, pure = (load._read(text, None, loader) for loader in LOADERS.values())
    assert repr(fastest) == repr(pure)


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=12).map("".join))
def test_what_one_parser_accepts_the_other_reads_alike(text: str) -> None:
    fastest, pure = (load._read(text, None, loader) for loader in LOADERS.values())
    if not fastest.problems and not pure.problems:
        assert repr(fastest) == repr(pure)
    for document in (fastest, pure):
        assert document.root is not None or document.problems
        for problem in document.problems:
            assert render(problem, document.text).replace("\n", "").isprintable()


@given(st.text() | st.text(st.sampled_from("-?:,[]{}#&*!|>'\"%@`\\ \t\n\rabN0x~<=.\u2028\ud800😀")))
def test_no_text_raises(text: str) -> None:
    document = read(text, "a.yaml")
    assert document.root is not None or document.problems
    assert {problem.file for problem in document.problems} <= {"a.yaml"}
    lines = document.text.split("\n")
    for problem in document.problems:
        assert problem.column <= len(lines[problem.line - 1]) + 1


@given(st.binary() | st.text().map(lambda text: text.encode("utf-8", errors="surrogatepass")))
def test_no_bytes_raise(data: bytes) -> None:
    document = read_bytes(data, "a.yaml")
    assert document.root is not None or document.problems


def test_keys_and_values_have_their_places() -> None:
    root = read("\n😀 k: [x,  'y' ]\nb:\n  c: |\n    d\n\n  e: f\n").root
    assert root is not None
    spans = []
    todo: list[Node] = [root]
    while todo:
        node = todo.pop()
        spans.append((node.span.line, node.span.column, node.span.end_line, node.span.end_column))
        if isinstance(node, Sequence):
            todo.extend(node.items)
        elif not isinstance(node, Scalar):
            spans.extend((e.key_span.line, e.key_span.column, e.key_span.end_line, e.key_span.end_column) for e in node)
            todo.extend(entry.value for entry in node)
    assert sorted(spans) == [
        (2, 1, 2, 4), (2, 1, 7, 7), (2, 6, 2, 16), (2, 7, 2, 8), (2, 11, 2, 14), (3, 1, 3, 2), (4, 3, 4, 4),
        (4, 3, 7, 7), (4, 6, 5, 6), (7, 3, 7, 4), (7, 6, 7, 7),
    ]  # fmt: skip


def test_of_a_key_that_stands_twice_the_first_is_kept() -> None:
    assert plain(read("a: 1\na: 2\nb: 3\n").root) == {"a": 1, "b": 3}


@pytest.mark.parametrize(
    ("character", "means"),
    [
        ("\x00", "control"), ("\x1b", "control"), ("\x7f", "control"), ("\x9b", "control"), ("\u00ad", "be seen"),
        ("\u200b", "be seen"), ("\u200d", "be seen"), ("\u2060", "be seen"), ("\ufeff", "be seen"),
        ("\ufe0f", "be seen"), ("\U000e0041", "be seen"), ("\u202e", "direction"), ("\u2066", "direction"),
        ("\u200f", "direction"), ("\x85", "ends a line"), ("\u2028", "ends a line"), ("\u2029", "ends a line"),
        ("\x0b", "ends a line"), ("\x0c", "ends a line"), ("\r", "ends a line"), ("\ud800", "surrogate"),
        ("\ufffe", "be seen"), ("\U0010ffff", "be seen"),
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "frame", ["# x{} y\na: b\n", "a: x{}y\n", "a: 'x{}y'\n", 'a: "x{}y"\n', "a: |\n  x{}y\n", "a{}: b\n"]
)
def test_characters_that_cannot_be_seen_are_refused_everywhere(frame: str, character: str, means: str) -> None:
    document = read(frame.format(character))
    where = frame.index("{")
    line, column = frame.count("\n", 0, where) + 1, where - frame.rfind("\n", 0, where)
    assert places(document) == [f"OAP108 {line}:{column}"]
    assert f"U+{ord(character):04X}" in document.problems[0].message
    assert means in document.problems[0].message


def test_what_a_condition_may_not_hold_a_file_may_not_hold_either() -> None:
    every = [chr(number) for number in range(0x110000)]
    refused = {character for character in every if checked(character)[1]}
    assert {character for character in every if cel_characters._INVISIBLE.match(character)} <= refused
    invisible = {character for character in every if unicodedata.category(character) in {"Cc", "Cf", "Zl", "Zp"}}
    assert invisible - refused == {"\t", "\n"}


def test_escapes_say_such_characters_in_the_open() -> None:
    assert value('"\\u200b\\x85\\U000e0041\\0"') == "\u200b\x85\U000e0041\0"


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_lines_end_in_three_ways(ending: str) -> None:
    document = read(ending.join(["a: |", "  x", "  y", "b: 'p", "  q'", "c: yes", ""]))
    assert places(document) == ["OAP106 6:4"]
    assert plain(document.root) == {"a": "x\ny\n", "b": "p q", "c": "yes"}
    assert document.text == "a: |\n  x\n  y\nb: 'p\n  q'\nc: yes\n"


def test_a_carriage_return_hides_no_line() -> None:
    assert places(read("# a comment\rallow: true\nb: c\n")) == ["OAP108 1:12"]


def test_a_byte_order_mark_may_stand_in_front() -> None:
    for document in (read("\ufeffa: yes"), read_bytes(b"\xef\xbb\xbfa: yes")):
        assert document.text == "a: yes"
        assert places(document) == ["OAP106 1:4"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"])
def test_other_encodings_are_refused(encoding: str) -> None:
    document = read_bytes("a: b\n".encode(encoding))
    assert places(document) == ["OAP108 1:1"]
    assert document.problems[0].help == "save it as UTF-8"
    assert document.root is None


def test_a_byte_that_is_no_utf8_has_a_place() -> None:
    document = read_bytes("a: b\r\nç: x".encode() + b"\xe9 y\n")
    assert places(document) == ["OAP108 2:5"]
    assert document.problems[0].message == "the byte 0xE9 is not UTF-8"


def test_a_text_of_bytes_is_read_like_a_text() -> None:
    text = "a: [😀, 1, yes]\n"
    assert read_bytes(text.encode(), "f") == read(text, "f")


def test_a_file_has_a_largest_size() -> None:
    filled = "a: '" + "é" * (TEXT_BYTES // 2 - 3) + "'\n"
    assert len(filled.encode()) == TEXT_BYTES
    assert read(filled).problems == read_bytes(filled.encode()).problems == ()
    for document in (read(filled + "\n"), read_bytes(filled.encode() + b"\n"), read("é" * TEXT_BYTES)):
        assert places(document) == ["OAP107 1:1"]
        assert document.root is None


@pytest.mark.parametrize("loader", LOADERS)
def test_nesting_has_a_bound(loader: str) -> None:
    def nested(text: str) -> Document:
        return load._read(text, None, LOADERS[loader])

    assert nested("[" * 32 + "]" * 32).problems == ()
    assert nested("".join(" " * level + "a:\n" for level in range(32))).problems == ()
    assert places(nested("[" * 33 + "]" * 33)) == ["OAP107 1:33"]
    assert places(nested("".join(" " * level + "a:\n" for level in range(33)))) == ["OAP107 33:33"]
    for sign in ("[", "{", "- ", "? ", "[{"):
        assert [place.split()[0] for place in places(nested(sign * 100_000))] == ["OAP107"]


def test_the_number_of_values_has_a_bound() -> None:
    assert read("[" + "a," * 49_999 + "]").problems == ()
    assert places(read("[" + "a," * 50_000 + "]")) == ["OAP107 1:100000"]


def test_an_alias_bomb_does_not_grow() -> None:
    lines = ["a0: &a0 [x, x]", *(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 12))]
    document = read("\n".join(lines))
    assert {problem.code for problem in document.problems} == {"OAP103"}
    assert len(repr(document.root)) < 20_000


@pytest.mark.parametrize(
    "text",
    [
        "a: " * 330_000, "%\n" * 400_000, "&a " * 300_000, "a: " + "!" * 900_000, '"' * 999_999, "\t" * 999_999,
        "\x01" * 999_999, 'a: "' + "\\n" * 490_000 + '"', "a: x" + " " * 900_000 + "y: z", "*" * 999_999,
        "a: " + "[]" * 450_000, "a: 'x'" + "y'" * 400_000, "a: |9\n" + (" " * 120 + "x\n") * 8_000,
    ],
    ids=range(13),
)  # fmt: skip
def test_large_texts_end(text: str) -> None:
    document = read(text)
    assert document.root is not None or document.problems
    assert len(document.problems) <= 50
    assert max((len(problem.message) for problem in document.problems), default=0) < 200


def test_problems_are_in_the_order_of_the_text() -> None:
    document = read("c: \u200b\n%x: a\nb: yes\n")
    assert places(document) == sorted(places(document), key=lambda place: place.split()[1])
    many = read("".join(f"k{n}: yes\n" for n in range(100)))
    assert places(many) == [f"OAP106 {n}:{len(str(n - 1)) + 4}" for n in range(1, 51)]


@pytest.mark.parametrize("text", ["", "\n\n", "# x", "---", "--- # x\n...\n", "\ufeff", "   ", "\r\n"])
def test_nothing_is_no_file(text: str) -> None:
    document = read(text)
    assert places(document) == ["OAP110 1:1"]
    assert document.root is None
