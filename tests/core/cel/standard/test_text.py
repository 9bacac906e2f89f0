from __future__ import annotations

import math
import string
from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from oap_core.cel.standard import numerals, strings
from oap_core.cel.values import UInt
from tests.core.cel.standard.calling import call

TEXTS: Final = st.text(st.sampled_from('abA é😀\x00\n\\"%'), max_size=12)
FINITE: Final = st.floats(allow_nan=False, allow_infinity=False)


@given(st.floats())
def test_a_double_reads_back_from_its_text(number: float) -> None:
    read = call("double", call("string", number))
    assert read == number or (math.isnan(read) and math.isnan(number))
    assert math.copysign(1, read) == math.copysign(1, number) or math.isnan(number)


@given(FINITE)
def test_format_writes_doubles_without_an_exponent(number: float) -> None:
    text = call("format", "%s", (number,))
    assert set(text) <= set("-.0123456789")
    assert float(text) == number
    assert not text.endswith((".", ".0"))


@given(FINITE, st.integers(0, 100))
def test_precision_is_exact(number: float, precision: int) -> None:
    text = call("format", f"%.{precision}f", (number,))
    assert len(text.partition(".")[2]) == precision
    assert abs(float(text) - number) <= 0.5 * 10.0**-precision + abs(number) * 2**-50


@given(st.integers(-(2**63), 2**63 - 1))
def test_an_int_reads_back(number: int) -> None:
    assert call("int", call("string", number)) == number
    assert call("int", call("format", "%d", (number,))) == number
    assert int(call("format", "%x", (number,)), 16) == number
    assert int(call("format", "%o", (number,)), 8) == number
    assert int(call("format", "%b", (number,)), 2) == number


@given(st.integers(0, 2**64 - 1))
def test_a_uint_reads_back(number: int) -> None:
    assert call("uint", call("string", UInt(number))) == number
    assert call("uint", "000" + str(number)) == number


@given(TEXTS, TEXTS.filter(bool))
def test_join_undoes_split(text: str, separator: str) -> None:
    assert call("join", call("split", text, separator), separator) == text
    assert call("join", call("split", text, "")) == text


@given(TEXTS, TEXTS, st.integers(1, 5))
def test_split_gives_at_most_so_many_parts_and_loses_nothing(text: str, separator: str, most: int) -> None:
    parts = call("split", text, separator, most)
    assert 1 <= len(parts) <= most
    assert separator.join(parts) == text


@given(TEXTS, TEXTS, TEXTS, st.integers(0, 4))
def test_replacing_goes_from_the_front(text: str, old: str, new: str, most: int) -> None:
    result = call("replace", text, old, new, most)
    assert result == text.replace(old, new, most)
    assert len(result) - len(text) == min(most, text.count(old)) * (len(new) - len(old))


@given(TEXTS, TEXTS, st.data())
def test_a_search_from_the_end_is_one_from_the_front_in_the_mirror(text: str, part: str, data: st.DataObject) -> None:
    last = data.draw(st.integers(0, len(text)))
    places = [place for place in range(last + 1) if text.startswith(part, place) and place + len(part) <= len(text)]
    assert call("lastIndexOf", text, part, last) == (places[-1] if places else -1)


def test_a_long_search_from_the_end_finds_the_same_as_a_short_one() -> None:
    text = ("abc" * 700 + "é") * 3
    for part in ("abc" * 500, "c" + "abc" * 600, "é" + "abc" * 700, "abc" * 700 + "é", "x" * 900, text, text + "a"):
        assert len(text) * len(part) > strings._REVERSIBLE
        for last in (
            None,
            0,
            1,
            600,
            len(text) // 2,
            len(text) - len(part) if len(part) <= len(text) else 5,
            len(text),
        ):
            end = len(text) if last is None else last + len(part)
            assert strings.last_index_of(text, part, last) == text.rfind(part, 0, end)


@given(st.text(max_size=20))
def test_letter_case_changes_in_ascii_alone(text: str) -> None:
    lower = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
    upper = str.maketrans(string.ascii_lowercase, string.ascii_uppercase)
    assert call("lowerAscii", text) == text.translate(lower)
    assert call("upperAscii", text) == text.translate(upper)


@given(st.text(max_size=20))
def test_reverse_twice_is_nothing(text: str) -> None:
    assert call("reverse", call("reverse", text)) == text


@given(st.text(max_size=20))
def test_text_goes_through_bytes_unharmed(text: str) -> None:
    assert call("string", call("bytes", text)) == text


def test_long_text_goes_through_bytes_unharmed() -> None:
    text = "aé😀" * 300_000
    assert call("string", call("bytes", text)) == text


@given(TEXTS, st.data())
def test_substring_and_char_at_agree(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    assert call("substring", text, start, end) == "".join(call("charAt", text, place) for place in range(start, end))
    assert call("substring", text, 0, start) + call("substring", text, start) == text


@given(TEXTS)
def test_a_quoted_text_has_no_control_character_with_an_escape_left(text: str) -> None:
    quoted = call("strings.quote", text)
    assert not set(quoted) & set("\a\b\f\n\r\t\v")
    unescaped = quoted[1:-1].replace("\\\\", "\x01").replace('\\"', '"').replace("\\n", "\n").replace("\x01", "\\")
    assert unescaped == text


def test_plain_doubles_at_the_edges() -> None:
    assert numerals.plain_double(5e-324) == "0." + "0" * 323 + "5"
    assert numerals.plain_double(1.7976931348623157e308) == "17976931348623157" + "0" * 292
