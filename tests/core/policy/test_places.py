from __future__ import annotations

from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oap_core.policy import load
from oap_core.policy.tree import Mapping, Scalar

LOADERS: Final = [load._FASTEST, load._PURE]
LETTERS: Final = "abX0é名😀.()\"'\\&|?!=+/,_#:-"
WORD: Final = st.text("abXé名😀0(.", min_size=1, max_size=5)
LINE: Final = st.lists(st.text(LETTERS, min_size=1, max_size=5), min_size=1, max_size=4).map(" ".join)
LINES: Final = st.lists(st.just("") | LINE | LINE.map(lambda line: "  " + line), min_size=1, max_size=6)
SHORT: Final = {"\n": "\\n", '"': '\\"', "\\": "\\\\", "\t": "\\t"}


def scalar(text: str, loader: Any = load._FASTEST) -> Scalar:
    """The value of the key `k`, which is a text."""
    document = load._read(text, None, loader)
    assert document.problems == ()
    assert isinstance(document.root, Mapping)
    entry = document.root.get("k")
    assert entry is not None
    assert isinstance(entry.value, Scalar)
    return entry.value


def there(text: str, found: Scalar, offset: int) -> str:
    """What the text holds where a character of the value stands; a line feed at the end of a line."""
    line, column = found.place(offset)
    return (text.split("\n")[line - 1] + "\n")[column - 1]


def check(text: str, value: str) -> None:
    for loader in LOADERS:
        found = scalar(text, loader)
        assert found.value == value
        for offset, character in enumerate(value):
            assert there(text, found, offset) == character


@given(value=st.lists(WORD, min_size=1, max_size=4).map(" ".join), before=st.sampled_from(["", "😀: 1\n", "é: [😀, {"]))
def test_every_character_of_a_plain_text_is_found(value: str, before: str) -> None:
    if before.endswith("{"):
        check(before + "x: q}]\nk: z" + value + " # c\n", "z" + value)
    else:
        check(before + "k:  z" + value + "\n", "z" + value)


@given(lines=LINES, style=st.sampled_from(["|", "|-", "|+"]), indent=st.integers(1, 5), given_indent=st.booleans())
def test_every_character_of_a_block_is_found(lines: list[str], style: str, indent: int, given_indent: bool) -> None:
    lines = [*lines, "end"]
    first = next(line for line in lines if line)
    if first.startswith(" ") or given_indent:
        style = f"{style[0]}{indent}{style[1:]}"
    text = "a: b\nk: " + style + "\n" + "".join(" " * indent * bool(line) + line + "\n" for line in lines)
    check(text, "\n".join(lines) + ("" if style.endswith("-") else "\n"))


@given(lines=st.lists(st.lists(WORD, min_size=1, max_size=3).map(" ".join), min_size=1, max_size=5))
def test_every_character_of_folded_lines_is_found(lines: list[str]) -> None:
    for opening, closing, indent in (("", "", "  "), ("'", "'", " "), ('"', '"', "    "), (">-\n  ", "", "  ")):
        head = f"k: {opening}"
        text = head + "z" + ("\n" + indent).join(lines) + closing + "\n"
        for loader in LOADERS:
            found = scalar(text, loader)
            assert isinstance(found.value, str)
            assert found.value == "z" + " ".join(lines)
            offset = 0
            for line in lines:
                for character in ("z" + line if offset == 0 else line) + "\n":
                    if offset < len(found.value):
                        assert there(text, found, offset) == character
                    offset += 1


@given(
    parts=st.lists(st.sampled_from(["'", '"', "\\", "\n", "\t", "a", "é", "😀", " ", "ab"]), max_size=12),
    forms=st.lists(st.sampled_from(["short", "x", "u", "U"]), min_size=12, max_size=12),
)
def test_every_character_between_double_quotes_is_found(parts: list[str], forms: list[str]) -> None:
    written = []
    value = "".join(parts)
    for character, form in zip(value, forms * 2, strict=False):
        if character in SHORT and form == "short":
            written.append(SHORT[character])
        elif character in SHORT or (form != "short" and ord(character) < 256):
            size = {"x": 2, "u": 4}.get(form, 8)
            written.append(f"\\{'x' if size == 2 else 'u' if size == 4 else 'U'}{ord(character):0{size}x}")
        else:
            written.append(character)
    text = 'a: 1\nk:   "' + "".join(written) + '" # c\n'
    for loader in LOADERS:
        found = scalar(text, loader)
        assert found.value == value
        column = len('k:   "') + 1
        for offset, form in enumerate(written):
            assert found.place(offset) == (2, column)
            column += len(form)


@given(st.text("ab'é😀 ", max_size=12))
def test_every_character_between_single_quotes_is_found(value: str) -> None:
    check("k: '" + value.replace("'", "''") + "'\n", value)


@pytest.mark.parametrize(
    ("text", "value", "found"),
    [
        # Of several breaks the first is left out, and each other one stands at the end of its empty line.
        ("k: a\n\n\n  b\n", "a\n\nb", [(1, 4), (2, 1), (3, 1), (4, 3)]),
        ("k: 'a \n\n  b'\n", "a\nb", [(1, 5), (2, 1), (3, 3)]),
        ('k: "a\\\n  b \\\n\n  c"\n', "ab \nc", [(1, 5), (2, 3), (2, 4), (3, 1), (4, 3)]),
        ("k: >\n  a\n\n   b\n  c\n", "a\n\n b\nc\n", [(2, 3), (2, 4), (3, 1), (4, 3), (4, 4), (4, 5), (5, 3), (5, 4)]),
        ("k: >-\n\n  a\n  b", "\na b", [(2, 1), (3, 3), (3, 4), (4, 3)]),
        ("k: |+\n  a\n\n", "a\n\n", [(2, 3), (2, 4), (3, 1)]),
        ("k: |2-\n   a\n", " a", [(2, 3), (2, 4)]),
        ("k: a # b\n", "a", [(1, 4)]),
        ("k: ''\n", "", []),
        ("k: |\n", "", []),
    ],
)
@pytest.mark.parametrize("loader", LOADERS)
def test_line_breaks_have_places(text: str, value: str, found: list[tuple[int, int]], loader: Any) -> None:
    read = scalar(text, loader)
    assert read.value == value
    assert [read.place(offset) for offset in range(len(value))] == found


def test_blocks_lie_where_their_parents_indent_them() -> None:
    text = "a:\n- - b: |2\n         x\n        y\n    k: v\n"
    root = load.read(text).root
    assert root is not None
    node: Any = root
    node = node.get("a").value.items[0].items[0].get("b").value
    assert node.value == "   x\n  y\n"
    assert [there(text, node, offset) for offset in range(len(node.value))] == list(node.value)


def test_a_value_that_is_no_text_has_no_places() -> None:
    assert scalar("k: 12\n").places == scalar("k: true\n").places == scalar("k:\n").places == ()
