from __future__ import annotations

import unicodedata
from dataclasses import FrozenInstanceError
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oap_core.diagnostic import Diagnostic, Severity, printable, render


def at(column: int, end_column: int, *, line: int = 1, end_line: int | None = None, **more: Any) -> Diagnostic:
    return Diagnostic("CEL201", "unknown variable `tol`", line, column, end_line or line, end_column, **more)


def test_a_rendered_diagnostic_shows_code_place_message_source_caret_and_help() -> None:
    shown = render(at(1, 4, help="did you mean `tool`?", file="rules.yaml"), 'tol.name == "x"')
    assert shown == (
        'error[CEL201] rules.yaml:1:1  unknown variable `tol`\n  1 | tol.name == "x"\n    | ^^^ did you mean `tool`?'
    )


def test_a_text_without_a_file_has_a_place_all_the_same() -> None:
    assert render(at(6, 9), "1 == tol").splitlines() == [
        "error[CEL201] 1:6  unknown variable `tol`",
        "  1 | 1 == tol",
        "    |      ^^^",
    ]


def test_a_warning_says_so() -> None:
    assert str(at(1, 2, severity=Severity.WARNING)).startswith("warning[CEL201] 1:1  ")


def test_the_right_line_is_shown_with_its_number() -> None:
    source = "\n".join(f"line {number}" for number in range(1, 2000))
    assert render(at(6, 10, line=1234), source).splitlines()[1:] == ["1234 | line 1234", "     |      ^^^^"]


def test_a_carriage_return_before_a_line_feed_is_part_of_the_break() -> None:
    assert render(at(1, 2, line=2), "a\r\nb\r\n").splitlines()[1:] == ["  2 | b", "    | ^"]


def test_a_span_over_several_lines_is_underlined_to_the_end_of_the_first() -> None:
    assert render(at(3, 2, end_line=2), "a + b\n+ c").splitlines()[1:] == ["  1 | a + b", "    |   ^^^"]


def test_an_empty_span_has_one_caret() -> None:
    assert render(at(3, 3), "a +").splitlines()[2] == "    |   ^"


@pytest.mark.parametrize("column", [4, 5, 1000])
def test_a_span_behind_the_end_points_behind_the_last_character(column: int) -> None:
    assert render(at(column, column + 3), "abc").splitlines()[1:] == ["  1 | abc", "    |    ^"]


def test_an_empty_text_has_one_empty_line() -> None:
    assert render(at(1, 1), "").splitlines()[1:] == ["  1 | ", "    | ^"]


@pytest.mark.parametrize("source", ["", "one line", "two\nlines"])
def test_a_line_that_is_not_there_is_left_out(source: str) -> None:
    assert render(at(1, 2, line=3), source) == "error[CEL201] 3:1  unknown variable `tol`"
    assert render(at(1, 2, line=3, help="add it"), source).splitlines()[1] == "  help: add it"


def test_a_tab_becomes_spaces_before_and_below_the_caret() -> None:
    assert render(at(2, 5), "\ttol").splitlines()[1:] == ["  1 |     tol", "    |     ^^^"]
    assert render(at(1, 2), "\ttol").splitlines()[2] == "    | ^^^^"


def test_a_wide_character_takes_two_columns() -> None:
    assert render(at(4, 7), '"漢"tol').splitlines()[1:] == ['  1 | "漢"tol', "    |     ^^^"]
    assert render(at(2, 3), '"漢"').splitlines()[2] == "    |  ^^"


def test_a_combining_mark_takes_no_column() -> None:
    assert render(at(5, 8), '"e\u0301"tol').splitlines()[1:] == ['  1 | "e\u0301"tol', "    |    ^^^"]


def test_the_joining_letters_of_hangul_take_no_column_of_their_own() -> None:
    assert render(at(4, 7), "\u1112\u1161\u11abtol").splitlines()[2] == "    |   ^^^"


@pytest.mark.parametrize(
    ("char", "shown"),
    [
        ("\x1b", "\\x1b"),
        ("\0", "\\x00"),
        ("\r", "\\x0d"),
        ("\x85", "\\x85"),
        ("\u00a0", "\\xa0"),
        ("\u202e", "\\u202e"),
        ("\u2028", "\\u2028"),
        ("\ufe0f", "\\ufe0f"),
        ("\ud800", "\\ud800"),
        ("\U000e0041", "\\U000e0041"),
    ],
)
def test_what_a_terminal_would_obey_or_hide_is_escaped_everywhere(char: str, shown: str) -> None:
    diagnostic = Diagnostic("CEL1", f"m{char}", 1, 2, 1, 3, help=f"h{char}", file=f"f{char}")
    assert render(diagnostic, f"a{char}b").splitlines() == [
        f"error[CEL1] f{shown}:1:2  m{shown}",
        f"  1 | a{shown}b",
        f"    |  {'^' * len(shown)} h{shown}",
    ]


def test_a_line_feed_in_a_message_makes_no_new_line() -> None:
    assert str(Diagnostic("CEL1", "a\nb", 1, 1, 1, 1)) == "error[CEL1] 1:1  a\\x0ab"


@pytest.mark.parametrize("place", [0, 10, 60, 5_000, 9_990, 9_996])
def test_a_long_line_is_cut_around_the_caret(place: int) -> None:
    source = "-" * place + "tol" + "-" * (9_997 - place)
    _, line, marks = render(at(place + 1, place + 4), source).splitlines()
    assert len(line) <= len("  1 | ") + 100 + 2 * len("...")
    start = marks.index("^")
    assert line[start : start + 3] == "tol"
    assert marks.count("^") == 3
    assert line.startswith("  1 | ...") == (place > 50)
    assert line.endswith("...") == (place < 9_900)


def test_the_ellipsis_stands_only_where_something_was_cut() -> None:
    source = "a" * 200
    assert render(at(1, 2), source).splitlines()[1] == "  1 | " + "a" * 100 + "..."
    assert render(at(200, 201), source).splitlines()[1] == "  1 | ..." + "a" * 51
    assert render(at(1, 2), "a" * 100).splitlines()[1] == "  1 | " + "a" * 100


def test_carets_do_not_run_over_the_end_of_what_is_shown() -> None:
    _, line, marks = render(at(1, 9_000), "a" * 10_000).splitlines()
    assert marks == "    | " + "^" * 100
    assert len(line) == 6 + 103


def test_wide_and_escaped_characters_use_up_the_room_that_they_take() -> None:
    assert render(at(1, 2), "漢" * 200).splitlines()[1] == "  1 | " + "漢" * 50 + "..."
    assert render(at(200, 201), "\0" * 200).splitlines()[1] == "  1 | ..." + "\\x00" * 13


def test_a_line_of_combining_marks_is_cut_as_well() -> None:
    line = render(at(1, 2), "a" + "\u0301" * 100_000).splitlines()[1]
    assert len(line) <= 6 + 103


def test_a_long_message_is_cut() -> None:
    text = str(Diagnostic("CEL1", "x" * 100_000, 1, 1, 1, 1))
    assert len(text) < 600
    assert text.endswith("xxx...")


@given(st.text(max_size=200), st.integers(1, 5), st.integers(1, 210), st.integers(0, 210))
def test_any_text_renders_to_printable_lines_with_carets_below_the_source(
    source: str, line: int, column: int, length: int
) -> None:
    lines = render(at(column, column + length, line=line), source).split("\n")
    assert all(text.isprintable() for text in lines)
    assert len(lines) in (1, 3)
    if len(lines) == 3:
        assert set(lines[2][6:]) <= {" ", "^"}
        assert lines[2].index("^") <= columns(lines[1])


def columns(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def test_printable_leaves_ordinary_text_alone() -> None:
    assert printable("naïve `x` — 漢字 😀") == "naïve `x` — 漢字 😀"


@pytest.mark.parametrize(
    "fields",
    [
        ("cel201", "m", 1, 1, 1, 1),
        ("CEL", "m", 1, 1, 1, 1),
        ("CEL201\n", "m", 1, 1, 1, 1),
        ("CEL201", "", 1, 1, 1, 1),
        ("CEL201", "m", 0, 1, 1, 1),
        ("CEL201", "m", 1, 0, 1, 1),
        ("CEL201", "m", 1, 5, 1, 4),
        ("CEL201", "m", 2, 1, 1, 9),
    ],
)
def test_a_malformed_diagnostic_is_refused(fields: tuple[Any, ...]) -> None:
    with pytest.raises(ValueError, match="diagnostic"):
        Diagnostic(*fields)


@pytest.mark.parametrize("place", [1.0, True, "1", None])
def test_a_place_is_made_of_integers(place: Any) -> None:
    with pytest.raises(TypeError, match="integers"):
        Diagnostic("CEL1", "m", 1, place, 1, 1)


def test_a_severity_is_no_text() -> None:
    with pytest.raises(TypeError, match="Severity"):
        at(1, 2, severity="error")


def test_a_diagnostic_cannot_change() -> None:
    diagnostic = at(1, 2)
    with pytest.raises(FrozenInstanceError):
        diagnostic.line = 2  # type: ignore[misc]  # on purpose
    assert diagnostic == at(1, 2)
