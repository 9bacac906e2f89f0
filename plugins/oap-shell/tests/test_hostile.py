"""Whatever the text, the functions answer or refuse: no other error, and within their bounds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oap_shell.functions import shell, shell_programs
from oap_shell.limits import COMMANDS, LINE_BYTES, NESTING, PROGRAM_CHARACTERS, SHELL_BYTES, TEXTS

from oap_core.cel import Code, EvalError

_PIECES: Final = st.sampled_from(
    [
        "ls", "rm", " ", " ", "\n", ";", "&", "|", "(", ")", "{", "}", "<", ">", "$", "`", "'", '"', "\\", "#", "!", "*",
        "if", "then", "fi", "for x in", "do", "done", "case", "esac", "in", ";;", "[[", "]]", "$(", "<(", "${", "$((",
        "))", "<<EOF", "EOF", "<<-", "<<<", "2>&1", ">a", "&>", "X=", "x[", "]", "env ", "sh -c ", "xargs ", "find ",
        "-exec ", "{}", "\\;", "eval ", "time ", "export ", "read ", "set ", "-", "--", "=", "é", "\r\n", "\t", "\0",
        "\ud800", "\u2028", "\U0001f600",
    ]
)  # fmt: skip


def _attempt(function: Callable[[str], Any], line: str) -> tuple[Any, Code | None]:
    try:
        return function(line), None
    except EvalError as failed:
        return None, failed.code


def _answer(line: str) -> dict[str, tuple[str, ...]] | None:
    """What `shell` says, None where it refuses; the strict form is held against it."""
    found: dict[str, tuple[str, ...]] | None
    found, code = _attempt(shell, line)
    programs, strict_code = _attempt(shell_programs, line)
    assert {code, strict_code} <= {None, Code.INVALID_ARGUMENT}
    if programs is not None:
        assert found is not None
        assert programs
        assert programs == found["programs"]
        assert not found["assignments"]
        assert set(found["writes"]) <= {"/dev/null"}
    return found


@given(st.text())
def test_any_text(line: str) -> None:
    _answer(line)


@settings(max_examples=400)
@given(st.lists(_PIECES, max_size=30).map("".join))
def test_any_pieces_of_shell_text(line: str) -> None:
    found = _answer(line)
    if found is not None:
        assert all(len(set(names)) == len(names) for names in found.values())


@given(st.text(alphabet=st.characters(exclude_characters="'", exclude_categories=["Cc", "Cs", "Zl", "Zp"])))
def test_what_stands_in_single_quotes_is_no_command(text: str) -> None:
    assert shell(f"echo '{text}' x; ls") == {"programs": ("echo", "ls"), "writes": (), "reads": (), "assignments": ()}


@given(st.text(alphabet=st.sampled_from("rm \t'\"\\ls;&|"), max_size=12))
def test_two_lines_do_what_each_does(text: str) -> None:
    found = _answer(text)
    if found is not None and found["programs"]:
        both = shell(f"{text}\ngit {text}") if _answer(f"{text}\ngit {text}") else None
        assert both is None or set(found["programs"]) <= set(both["programs"]) | {"git"}


@pytest.mark.parametrize(
    "piece",
    [
        "(", "$(", "`", "{ ", "'", '"', "\\", "$", "${x:-", "a[", "<", ">", "|", "&", ";", "!", "! ", "[[ ", "((", "((a",
        "$((", "<<E ", "<<E\n", "if ", "case x in a) ", "elif ", "while ", "[[ a =~ ", "?(a|", "let ", "=", "a=", "<(",
        "\n", "# ", "time ", "env ", "sh -c ", "eval ", "find -exec ", "xargs ", '$(`"${<<', "é", "\r\n", "x 2>&1 ",
    ],
)  # fmt: skip
def test_one_piece_over_and_over(piece: str) -> None:
    _answer("ls " + piece * (LINE_BYTES // len(piece.encode()) - 1))
    _answer(piece * (LINE_BYTES // len(piece.encode())))
    _answer("ls " + piece * (SHELL_BYTES // len(piece.encode()) - 1))
    _answer("ls " + piece * 50 + "a" * 1000)


@pytest.mark.parametrize("repeated", ["ls a;", "cat <a ", "ls 'a' \"b\" $c `d` ", "echo $(ls) ", "X=1 ", "{ ls; };"])
def test_long_lines_that_make_sense_are_answered_or_refused(repeated: str) -> None:
    _answer(repeated * (LINE_BYTES // len(repeated)))


def test_length() -> None:
    assert shell("ls '" + "a" * (LINE_BYTES - 5) + "'")["programs"] == ("ls",)
    assert _answer("ls '" + "a" * (LINE_BYTES - 4) + "'") is None
    assert _answer("ls '" + "é" * (LINE_BYTES // 2) + "'") is None


@pytest.mark.parametrize("around", ["ls '{}'", 'ls "{}"', "ls <<E\n{}\nE", "ls <<'E'\n{}\nE", "ls # {}"])
def test_what_is_quoted_may_be_long(around: str) -> None:
    assert shell(around.format("a" * 60_000))["programs"] == ("ls",)


def test_what_is_not_quoted_may_not() -> None:
    assert shell("ls " + "a" * (SHELL_BYTES - 3))["programs"] == ("ls",)
    assert _answer("ls " + "a" * (SHELL_BYTES - 2)) is None
    assert _answer("".join(f"sh -c 'ls {'a' * 1000}';" for _ in range(9))) is None
    assert _answer("a" * (PROGRAM_CHARACTERS + 1)) is None


def test_nesting() -> None:
    def nested(depth: int) -> str:
        return "(" + " (" * (depth - 1) + "ls" + ")" * depth

    assert shell(nested(NESTING))["programs"] == ("ls",)
    assert _answer(nested(NESTING + 1)) is None


def test_commands() -> None:
    assert shell("a;" * COMMANDS)["programs"] == ("a",)
    assert _answer("a;" * (COMMANDS + 1)) is None


def test_texts_inside_texts() -> None:
    def nested(depth: int) -> str:
        return "eval " * depth + "ls"

    assert shell(nested(TEXTS))["programs"] == ("eval", "ls")
    assert _answer(nested(TEXTS + 1)) is None
