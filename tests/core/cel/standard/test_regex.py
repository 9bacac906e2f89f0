from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Final

import pytest
import re2
from hypothesis import given
from hypothesis import strategies as st

from oap_core.cel import regexes
from oap_core.cel.failure import Code, EvalError
from oap_core.cel.standard import regex
from oap_core.cel.standard.regex import compile_pattern, matches, pattern_weight
from tests.core.cel.standard.values import TEXTS

PATTERNS: Final = (
    "",
    "a",
    "^a",
    "b$",
    "(a|é)+",
    "[^a]",
    "\\x00",
    "(?i)É",
    "😀?b",
    "^.$",
    "(?s)^.*$",
    "\\bab\\b",
    "a{2,3}$",
)


@given(text=st.text(st.sampled_from("abéÉ\x00\n😀 "), max_size=8), pattern=st.sampled_from(PATTERNS))
def test_the_answer_is_that_of_the_public_interface_of_re2(text: str, pattern: str) -> None:
    expected = re2.search(pattern, text) is not None
    assert compile_pattern(pattern)(text) is expected
    assert matches(text, pattern) is expected


@given(text=st.text(max_size=8), pattern=TEXTS)
def test_a_pattern_means_the_same_whether_it_is_known_before_or_not(text: str, pattern: str) -> None:
    def outcome(dynamic: bool) -> bool | Code:
        try:
            return matches(text, pattern) if dynamic else compile_pattern(pattern)(text)
        except EvalError as error:
            return error.code

    assert outcome(dynamic=True) == outcome(dynamic=False)


@pytest.mark.parametrize("pattern", ["(", "secret(", "a{1001}", "\\pL{500}\\PN{400}", "a**"])
def test_a_bad_pattern_is_refused_in_silence(pattern: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(EvalError) as raised:
        compile_pattern(pattern)
    with pytest.raises(EvalError):
        matches("", pattern)
    assert raised.value.code is Code.BAD_REGEX
    assert raised.value.__context__ is None or raised.value.__suppress_context__
    assert capfd.readouterr() == ("", "")


def test_a_search_that_outgrows_the_memory_of_the_pattern_is_silent_and_right(
    capfd: pytest.CaptureFixture[str],
) -> None:
    text = "".join(chr(97 + number * number % 17) for number in range(20_000))
    assert matches(text, ".*a.{300}b.{200}c.{100}z") is False
    assert matches(text + "zzz", "a.*(b|c|d|e).{100}.*zzz$") is True
    assert capfd.readouterr() == ("", "")


def test_the_cache_of_patterns_stays_bounded() -> None:
    for number in range(300):
        assert matches(f"<{number}>", f"^<{number}>$")
    assert regex._dynamic.cache_info().currsize <= 64


def test_a_long_pattern_never_reaches_the_cache() -> None:
    before = regex._dynamic.cache_info().misses
    with pytest.raises(EvalError):
        matches("a", "a" * 1001)
    assert regex._dynamic.cache_info().misses == before


def test_threads_share_patterns() -> None:
    search = compile_pattern("^(a|é)+[0-9]$")

    def ask(number: int) -> bool:
        text = "aéa" * (number % 50 + 1) + ("7" if number % 2 else "x")
        right = number % 2 == 1
        return all(
            (search(text) is right, matches(text, "^(a|é)+[0-9]$") is right, matches(text, f"[0-9]|{number}$") is right)
        )

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(ask, range(4000)))


def test_weight_follows_the_size_of_the_program() -> None:
    assert pattern_weight("^projects/[a-z0-9-]+/buckets/[a-z0-9-]+$") == 1
    assert pattern_weight("^.{1,255}$") > 10
    with pytest.raises(EvalError):
        pattern_weight("(")


def test_work_is_pattern_times_text() -> None:
    search = compile_pattern("^[^u-z]{1,1000}$")
    assert search("a" * 1000) is True
    assert search("a" * 50_000) is False
    with pytest.raises(EvalError) as raised:
        search("a" * 500_000)
    assert raised.value.code is Code.TOO_LARGE


@pytest.mark.parametrize("pattern", ["^a+$", "b", "", "é|x", "[^a]", "\\bno\\b"])
@pytest.mark.parametrize("text", ["", "aaa", "ab", "é", "\0b", "no such thing", "x" * 5000 + "b"])
def test_both_ways_to_search_agree(pattern: str, text: str) -> None:
    compiled = re2.compile(pattern)
    direct = regexes.direct_search(compiled)
    assert direct is not None, "this version of the library is searched the slow way"
    assert direct(text.encode()) is regexes.plain_search(compiled)(text.encode())


def test_a_library_without_the_direct_search_is_searched_as_it_documents() -> None:
    class Changed:
        programsize = 10

        def fullmatch(self, data: bytes) -> bytes | None:
            return data or None

        def search(self, data: bytes) -> bytes | None:
            return data if b"b" in data else None

    regex = regexes.Regex(Changed())
    assert regex.found("abc")
    assert not regex.found("acc")
