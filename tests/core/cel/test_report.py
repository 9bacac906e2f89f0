"""Collecting mistakes: in order, each once, no more than anybody reads; and names that are like a misspelt one."""

from __future__ import annotations

import pytest

from oap_core.cel.codes import LoadCode
from oap_core.cel.report import MOST_KEPT, Report, did_you_mean, nearest
from oap_core.diagnostic import Diagnostic
from oap_core.errors import CelError


def _raised(report: Report) -> tuple[Diagnostic, ...]:
    with pytest.raises(CelError) as failure:
        report.raise_if_failed()
    return failure.value.diagnostics


def test_nothing_is_raised_where_nothing_was_found() -> None:
    report = Report("a")
    report.raise_if_failed()
    assert not report.failed
    assert not report.full


def test_mistakes_are_sorted_by_place() -> None:
    report = Report("ab\ncd")
    for offset in (3, 0, 4, 1):
        report.add(LoadCode.SYNTAX, offset, offset + 1, f"at {offset}")
    assert [found.message for found in _raised(report)] == ["at 0", "at 1", "at 3", "at 4"]


def test_one_place_is_blamed_with_one_code_once() -> None:
    report = Report("ab")
    for code in (LoadCode.SYNTAX, LoadCode.SYNTAX, LoadCode.LITERAL):
        report.add(code, 0, 1, code.name)
    report.add(LoadCode.SYNTAX, 0, 2, "again")
    assert [(found.code, found.message) for found in _raised(report)] == [("CEL101", "SYNTAX"), ("CEL102", "LITERAL")]


@pytest.mark.parametrize(
    ("more", "last"), [(1, "1 more mistake is not shown"), (950, "950 more mistakes are not shown")]
)
def test_what_nobody_would_read_is_counted(more: int, last: str) -> None:
    report = Report("x" * 2000)
    for offset in range(MOST_KEPT + more):
        report.add(LoadCode.SYNTAX, offset, offset + 1, f"at {offset}", "help")
        # The same once more does not count.
        report.add(LoadCode.SYNTAX, offset, offset + 1, "again")
        assert report.full == (offset >= MOST_KEPT)
    found = _raised(report)
    assert len(found) == MOST_KEPT + 1
    assert [one.message for one in found[:MOST_KEPT]] == [f"at {offset}" for offset in range(MOST_KEPT)]
    assert (found[-1].message, found[-1].help, found[-1].code) == (last, None, "CEL101")


def test_exactly_as_many_as_are_kept_are_all_shown() -> None:
    report = Report("x" * 100)
    for offset in range(MOST_KEPT):
        report.add(LoadCode.SYNTAX, offset, offset + 1, "here")
    assert len(_raised(report)) == MOST_KEPT


@pytest.mark.parametrize(
    ("name", "known", "near"),
    [
        ("amuont", ("amount", "currency"), ["amount"]),
        ("AMOUNT", ("amount", "currency"), ["amount"]),
        ("userId", ("user_id", "users"), ["user_id"]),
        ("user-id", ("user_id", "user"), ["user_id"]),
        ("x", ("amount", "currency"), []),
        ("amount", ("amount",), []),
        ("", ("amount",), []),
        ("amount", (), []),
    ],
)
def test_the_nearest_names(name: str, known: tuple[str, ...], near: list[str]) -> None:
    assert nearest(name, known) == near


def test_names_are_offered_in_words() -> None:
    assert did_you_mean("amuont", ["amount"]) == "did you mean `amount`?"
    assert did_you_mean("roel", ["role", "roles"]) == "did you mean `role` or `roles`?"
    assert did_you_mean("zzz", ["amount"]) is None


def test_long_names_and_many_names_are_not_looked_through() -> None:
    assert nearest("x" * 61, ["x" * 60]) == []
    assert nearest("amount", ["amount" * 50]) == []
    assert nearest("last1", (f"name {number}" for number in range(10**9))) == []
