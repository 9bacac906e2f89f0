"""What literals stand for, by the specification: escapes, prefixes, quotes, ranges."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oap_core.cel.codes import LoadCode
from oap_core.cel.limits import INT_MAX, INT_MIN, UINT_MAX
from oap_core.cel.parse import parse
from oap_core.cel.report import Report
from oap_core.cel.syntax.literals import LiteralError, number_value, string_value
from oap_core.cel.tree import Literal
from oap_core.cel.values import UInt


def value(source: str) -> Any:
    """The value of a source that is one literal."""
    report = Report(source)
    node = parse(source, report)
    report.raise_if_failed()
    assert isinstance(node, Literal)
    assert (node.start, node.end) == (0, len(source))
    return node.value


QUOTES = ('"', "'", '"""', "'''")


@pytest.mark.parametrize("quote", QUOTES)
@pytest.mark.parametrize(
    ("escape", "meant"),
    [
        *zip(
            (r"\a", r"\b", r"\f", r"\n", r"\r", r"\t", r"\v", r"\\", r"\?", r"\"", r"\'", r"\`"),
            "\a\b\f\n\r\t\v\\?\"'`",
            strict=True,
        ),
        (r"\x41\X4a\x00\xFF", "AJ\x00\xff"),
        (r"\101\000\377\012", "A\x00\xff\n"),
        (r"\u0041\u00e9\uFFFB\ud7ff\ue000", "A\xe9\ufffb\ud7ff\ue000"),
        (r"\U0001F600\U00000041\U0010FFFF", "\U0001f600A\U0010ffff"),
        (r"\\n\\\\", "\\n\\\\"),
        (r"\x414", "A4"),
        (r"\1011", "A1"),
        ("", ""),
        ("é\U0001f600", "é\U0001f600"),
        ("//", "//"),
        ("\t\x01\x0b\x0c\x7f", "\t\x01\x0b\x0c\x7f"),
    ],
)
def test_a_text_holds_what_its_escapes_mean(quote: str, escape: str, meant: str) -> None:
    assert value(f"{quote}{escape}{quote}") == meant


@pytest.mark.parametrize("prefix", ["r", "R"])
@pytest.mark.parametrize("quote", QUOTES)
def test_a_raw_text_takes_everything_as_it_stands(prefix: str, quote: str) -> None:
    for text in ("", "\\", "\\d+\\.\\u12", "\\\\", "a\\"):
        assert value(f"{prefix}{quote}{text}{quote}") == text
        assert value(f"b{prefix}{quote}{text}{quote}") == text.encode()


def test_a_raw_text_ends_at_the_first_quote() -> None:
    report = Report(r'r"a\"b"')
    assert parse(report.source, report) is None


@pytest.mark.parametrize("quote", ['"""', "'''"])
def test_triple_quotes_hold_line_ends_and_quotes(quote: str) -> None:
    for text in ("a\nb", "a\r\nb", "\n", "a\rb", "\"x\" 'y'", "\"\"x''", "#"):
        inner = text if not text.endswith(quote[0]) else f"{text} "
        assert value(f"{quote}{inner}{quote}") == inner
        assert value(f"r{quote}{inner}{quote}") == inner


@pytest.mark.parametrize(
    ("source", "meant"),
    [
        ('b"abc"', b"abc"),
        ('B"abc"', b"abc"),
        ('b"é"', b"\xc3\xa9"),
        (r'b"\303\251\xff\Xfe\000"', b"\xc3\xa9\xff\xfe\x00"),
        (r'b"\n\\\""', b'\n\\"'),
        ('b"""a\nb"""', b"a\nb"),
        (r'bR"\xff"', rb"\xff"),
        ('b""', b""),
    ],
)
def test_bytes_hold_octets(source: str, meant: bytes) -> None:
    found = value(source)
    assert (type(found), found) == (bytes, meant)


@pytest.mark.parametrize(
    ("source", "meant"),
    [
        ("0", 0),
        ("007", 7),
        ("9223372036854775807", INT_MAX),
        ("-9223372036854775808", INT_MIN),
        ("- 9223372036854775808", INT_MIN),
        ("0x7fffffffffffffff", INT_MAX),
        ("-0x8000000000000000", INT_MIN),
        ("0xAbC", 0xABC),
        ("-0", 0),
        ("0" * 6000 + "1", 1),
        ("0x" + "0" * 6000 + "1", 1),
        ("0u", UInt(0)),
        ("18446744073709551615u", UInt(UINT_MAX)),
        ("0xFFFFFFFFFFFFFFFFU", UInt(UINT_MAX)),
        ("1.5", 1.5),
        (".5", 0.5),
        ("-.5", -0.5),
        ("1e3", 1000.0),
        ("1E+3", 1000.0),
        ("-1.5e-3", -0.0015),
        ("1e-999", 0.0),
        ("1.7976931348623157e308", 1.7976931348623157e308),
        ("true", True),
        ("false", False),
        ("null", None),
    ],
)
def test_a_number_or_word_has_its_value_and_type(source: str, meant: object) -> None:
    found = value(source)
    assert (type(found), found) == (type(meant), meant)


def test_a_negative_zero_keeps_its_sign() -> None:
    assert math.copysign(1, value("-0.0")) == -1


@pytest.mark.parametrize(
    ("source", "start", "end"),
    [
        (r'"ab\dc"', 3, 5),
        (r'"ab\xg"', 3, 5),
        (r'"ab\x1g"', 3, 6),
        (r'"ab\u123"', 3, 8),
        (r'"ab\U1234567"', 3, 12),
        (r'"ab\8"', 3, 5),
        (r'"ab\18"', 3, 6),
        (r'"ab\477"', 3, 7),
        (r'"ab\uD800"', 3, 9),
        (r'"ab\uDFFF"', 3, 9),
        (r'"ab\U0000D800"', 3, 13),
        (r'"ab\U00110000"', 3, 13),
        (r'"ab\UFFFFFFFF"', 3, 13),
        ('"""ab\\\nc"""', 5, 6),
        (r'b"ab\u0041"', 4, 10),
        (r'b"ab\U00000041"', 4, 14),
        (r'b"\x41\ud800"', 6, 12),
        (r"'''\.'''", 3, 5),
    ],
)
def test_a_wrong_escape_is_blamed_at_its_place(source: str, start: int, end: int) -> None:
    with pytest.raises(LiteralError) as failure:
        string_value(source, 0, len(source))
    assert (failure.value.start, failure.value.end) == (start, end)
    report = Report(source)
    assert parse(source, report) is None
    assert report.failed


@pytest.mark.parametrize(
    "text",
    [
        *("9223372036854775808", "0x8000000000000000", "18446744073709551616u", "1" * 5000, "0x" + "f" * 5000),
        *("1e309", "1" * 400 + ".0", "1_0", "0X1", "0b1", "0o7", "0x", "0xg", "1e", "1a", "1.5u", "1uu", "1L", "5s"),
    ],
)
def test_what_is_no_number_or_out_of_range_is_refused(text: str) -> None:
    with pytest.raises(LiteralError) as failure:
        number_value(text, 7)
    assert (failure.value.start, failure.value.end) == (7, 7 + len(text))
    report = Report(text)
    assert parse(text, report) is None
    assert report.failed


def test_the_smallest_int_needs_its_sign() -> None:
    assert number_value("9223372036854775808", 0, negative=True) == INT_MIN
    with pytest.raises(LiteralError):
        number_value("9223372036854775809", 0, negative=True)


_CHARACTERS = st.characters(blacklist_categories=("Cs", "Cf", "Zl", "Zp"), max_codepoint=0xF7FF)


@given(st.text(_CHARACTERS), st.sampled_from(QUOTES))
def test_a_text_written_with_escapes_reads_as_itself(text: str, quote: str) -> None:
    written = "".join(f"\\U{ord(character):08x}" for character in text)
    assert value(f"{quote}{written}{quote}") == text
    assert value(f"b{quote}" + "".join(f"\\x{octet:02X}" for octet in text.encode()) + quote) == text.encode()


@given(st.integers(INT_MIN, INT_MAX))
def test_an_int_reads_as_itself(number: int) -> None:
    assert value(str(number)) == number
    assert value(hex(number)) == number


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_double_reads_as_itself(number: float) -> None:
    found = value(repr(number))
    assert (type(found), found) == (float, number)


@given(st.text(st.characters(min_codepoint=1, max_codepoint=0x17F)), st.sampled_from(["", "b", "r", "br"]))
def test_what_stands_between_quotes_is_read_or_refused_with_a_literal_code(text: str, prefix: str) -> None:
    source = f'{prefix}"{text}"'
    report = Report(source)
    node = parse(source, report)
    assert (node is None) is report.failed
    if isinstance(node, Literal) and "\\" not in text:
        assert node.value == (text.encode() if "b" in prefix else text)
    if node is None and text and not set(text) & set("\"'\n\r\\\u00ad"):
        assert "\\" in text, LoadCode.LITERAL
