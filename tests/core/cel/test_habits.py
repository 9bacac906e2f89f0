"""What authors write by habit or by mistake: each gets told what to write instead, and what they are told is CEL."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs.generate.diagnostics.entry import environment
from oap_core.cel import load
from oap_core.cel.check import check
from oap_core.cel.codes import LoadCode
from oap_core.cel.parse import parse
from oap_core.cel.report import Report
from oap_core.cel.resolve import resolve
from oap_core.diagnostic import Diagnostic
from oap_core.errors import CelError
from tests.core.cel.casefile import FOLDER, Case, cases

ENV: Final = environment()
HABITS: Final = cases("habits.txt")

_FILES: Final = sorted(file.name for file in FOLDER.glob("*.txt"))

_WRITE: Final = re.compile(r"(?:write|, or|;|for a list,) `([^`]+)`")
_ALONE: Final = frozenset(
    {"&&", "||", "==", "!=", ">=", "<=", "+", "<", "in", "\\\\", "\\\\(", "+ 1", "'", '"', "false"}
)
"""Signs and words that a help names by themselves."""

_PLACEHOLDERS: Final = re.compile(r"\.\.\.|(?<![\w.])(?:list|text|condition|low|limit|a\.b)\b|^\.")
"""What stands for something of the author's in a help that knows no text of theirs."""


def _found(source: str) -> tuple[Diagnostic, ...]:
    try:
        load(source, ENV)
    except CelError as error:
        return error.diagnostics
    return ()


def _text(source: str) -> str:
    lines = []
    for found in _found(source):
        lines.append(f"    {found.code} {found.line}:{found.column} {found.message}")
        if found.help is not None:
            lines.append(f"        {found.help}")
    return "\n".join(lines) or f"    ok {load(source, ENV).type}"


@pytest.mark.parametrize("case", HABITS, ids=str)
def test_what_is_said_about_habits(case: Case) -> None:
    assert _text(case.source) == case.expected


def _suggested(case: Case) -> Iterator[str]:
    """The code in the help that an author would copy."""
    for line in case.expected.splitlines():
        if line.startswith(" " * 8) and "write" in line:
            found = [code for code in _WRITE.findall(line) if code not in _ALONE and not _PLACEHOLDERS.search(code)]
            # Without types nobody knows which of the two is meant.
            yield from found[:0] if "for a text" in line else found


def _codes(source: str) -> set[str]:
    report = Report(source)
    parsed = parse(source, report)
    if parsed is not None:
        check(resolve(parsed, ENV, report), ENV, report, condition=False)
    try:
        report.raise_if_failed()
    except CelError as error:
        return {found.code for found in error.diagnostics}
    return set()


@pytest.mark.parametrize("case", [case for case in HABITS if list(_suggested(case))], ids=str)
def test_what_is_suggested_brings_no_new_mistake(case: Case) -> None:
    before = {found.code for found in _found(case.source)}
    # A name in a suggestion may be that of a loop around it. Before the types are known, it may have others than meant.
    untyped = {code for code in LoadCode if code[3] == "3"} if all(code[3] < "3" for code in before) else set()
    for code in _suggested(case):
        allowed = {*before, *untyped, LoadCode.UNKNOWN_VARIABLE}
        assert _codes(code) <= allowed, code


def test_most_helps_can_be_copied() -> None:
    assert sum(bool(list(_suggested(case))) for case in HABITS) > 300


@pytest.mark.parametrize("name", _FILES)
def test_messages_keep_the_house_style(name: str) -> None:
    for case in cases(name):
        for line in case.expected.splitlines():
            if line.strip().startswith("ok "):
                continue
            text = line.strip() if line.startswith(" " * 8) else line.strip().split(" ", 2)[2]
            assert not text.endswith("."), text
            assert not text[0].isupper() or text.split()[0] in ("CEL", "RE2", "U+"), text


_SOUP: Final = st.lists(
    st.sampled_from(
        [
            *("args", "args.amount", "args.note", "tool.reach", "subject.roles", "args.items", "now", "i", "i.price"),
            *("1", "2.5", "10k", "7d", '"a"', "'b'", '"read"', "true", "null", "None", "`a`", "é", "\n", "//", "“"),
            *("(", ")", "[", "]", "{", "}", "+", "-", "*", "/", "%", "==", "!=", "<", ">", "<=", "&&", "||", "!", "?"),
            *(":", ",", ".", "=", "=>", "->", "=~", "??", "?.", "::", "..", "#", ";", "~", "&", "|", "$", "@"),
            *(
                "and",
                "or",
                "not",
                "in",
                "is",
                "like",
                "between",
                "for",
                "if",
                "else",
                "then",
                "IS",
                "NULL",
                "NOT",
                "IN",
            ),
            *("lambda", "typeof", "new", "let", "exists", "all", "has", "size", "len", "contains", "startsWith"),
            *("args.items.exists(", "has(", "timestamp(", "duration(", "ip_in(", "matches(", "args.note.get("),
        ]
    ),
    max_size=14,
)


@settings(max_examples=500)
@given(_SOUP, st.sampled_from(["", " "]))
def test_whatever_is_written_is_answered_in_one_line_each(parts: list[str], between: str) -> None:
    for found in _found(between.join(parts)):
        assert "\n" not in found.message
        assert found.help is None or (found.help and "\n" not in found.help)
