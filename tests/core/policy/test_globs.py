from __future__ import annotations

import re
from fnmatch import translate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oap_core.policy.globs import ToolGlob, slip

PART = st.text("ab.*", min_size=1, max_size=5).filter(lambda text: "**" not in text)
NAME = st.text("ab.", min_size=1, max_size=7)


def other(pattern: str, tool: str) -> bool:
    """The same by the pattern matching of the standard library, part by part."""
    parts = zip(pattern.split("/"), tool.split("/"), strict=True)
    return all(re.fullmatch(translate(one), two) is not None for one, two in parts)


@given(PART, PART, NAME, NAME)
def test_selects_as_the_standard_library_does(a: str, b: str, c: str, d: str) -> None:
    assert ToolGlob(f"{a}/{b}").selects(f"{c}/{d}") == other(f"{a}/{b}", f"{c}/{d}")


@given(PART, PART, PART, PART, NAME, NAME)
def test_patterns_that_select_one_tool_meet(a: str, b: str, c: str, d: str, e: str, f: str) -> None:
    one, two = ToolGlob(f"{a}/{b}"), ToolGlob(f"{c}/{d}")
    assert one.meets(two) == two.meets(one)
    assert one.meets(one)
    if one.selects(f"{e}/{f}") and two.selects(f"{e}/{f}"):
        assert one.meets(two)


@pytest.mark.parametrize(
    ("one", "two", "meet"),
    [
        ("a/*", "a/b", True),
        ("a/*", "b/*", False),
        ("*/a", "b/*", True),
        ("a*/x", "*b/x", True),
        ("a*/x", "b*/x", False),
        ("*a*/x", "*b*/x", True),
        ("ab/x", "a*c/x", False),
        ("a.b/*", "a_b/*", False),
    ],
)
def test_whether_two_patterns_can_meet(one: str, two: str, meet: bool) -> None:
    assert ToolGlob(one).meets(ToolGlob(two)) is meet


@pytest.mark.parametrize(
    "text",
    ["", "*", "a", "a/", "/a", "a/b/c", "**/a", "a/b**", "a?/b", "a/[b]", "a/{b,c}", "!a/b", "a\\/b", " a/b", "a/b\n"],
)
def test_what_is_no_pattern(text: str) -> None:
    with pytest.raises(ValueError):
        ToolGlob(text)


def test_the_slash_is_never_crossed_and_case_counts() -> None:
    assert not ToolGlob("*/*").selects("a/b/c")
    assert not ToolGlob("a*/b").selects("a/x/b")
    assert not ToolGlob("a/b").selects("A/b")
    assert ToolGlob("a/b").literal
    assert ToolGlob("a/*").source == "a"
    assert ToolGlob("*/b").source is None


def test_a_pattern_of_stars_ends() -> None:
    pattern = ToolGlob("a" + "*a" * 60 + "/" + "b*" * 60 + "c")
    assert not pattern.selects("a" * 120 + "/" + "b" * 120)


@pytest.mark.parametrize("tool", ["db/t9", "db/t99", "db/t19", "db/t"])
def test_another_number_is_another_tool(tool: str) -> None:
    assert not slip(ToolGlob("db/t1"), tool)
    assert not slip(ToolGlob("db1/t"), tool.replace("db", "db2"))


def test_patterns_with_many_stars_are_compared_at_once() -> None:
    one, two = ("*".join(letter * 60) for letter in "aa")
    assert ToolGlob(f"{one}/x").meets(ToolGlob(f"{two}/x"))
    assert not ToolGlob(f"{one}b/x").meets(ToolGlob(f"{two}c/x"))
    assert ToolGlob(f"*{one}*/x").meets(ToolGlob(f"*{'*'.join('b' * 60)}*/x"))
