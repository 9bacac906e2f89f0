"""JSON is read so that two readers cannot understand it differently, and every refusal has its place."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Final

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from oap_core.strict_json import MAX_DEPTH, MAX_DIGITS, JsonCode, JsonError, read

# A text, the code, the place (line:column), and what the help says, or nothing.
REFUSED: Final = [
    # Not JSON.
    ("", "JSON101", "1:1", ""),
    (" \n ", "JSON101", "2:2", ""),
    ("[1, 2", "JSON101", "1:6", ""),
    ('{"a": 1', "JSON101", "1:8", ""),
    ('"open', "JSON101", "1:1", ""),
    ("{'a': 1}", "JSON101", "1:2", "JSON writes text in double quotes"),
    ("{a: 1}", "JSON101", "1:2", "keys stand in double quotes"),
    ('{"a": 1, b: 2}', "JSON101", "1:10", "keys stand in double quotes"),
    ("[True]", "JSON101", "1:2", "JSON writes `true`, `false` and `null`"),
    ("None", "JSON101", "1:1", "JSON writes `true`, `false` and `null`"),
    ("nul", "JSON101", "1:1", ""),
    ("[01]", "JSON101", "1:3", "a number has no leading zero"),
    ("[1 2]", "JSON101", "1:4", "a comma or a colon is missing"),
    ('{"a" 1}', "JSON101", "1:6", "a comma or a colon is missing"),
    ('{"a": 1\n "b": 2}', "JSON101", "2:2", "a comma or a colon is missing"),
    ("[1,,2]", "JSON101", "1:4", ""),
    ("[+1]", "JSON101", "1:2", ""),
    ("[.5]", "JSON101", "1:2", ""),
    ("[0x10]", "JSON101", "1:3", ""),
    ("[undefined]", "JSON101", "1:2", ""),
    ("// a note\n1", "JSON101", "1:1", "JSON has no comments"),
    ("[1, # one\n2]", "JSON101", "1:5", "JSON has no comments"),
    ("[1, /* one */ 2]", "JSON101", "1:5", "JSON has no comments"),
    ('["a\nb"]', "JSON101", "1:4", "a control character in a text is written as an escape, such as `\\n`"),
    ('["a\0b"]', "JSON101", "1:4", "a control character in a text is written as an escape, such as `\\n`"),
    ('"C:\\dir"', "JSON101", "1:4", "a backslash in a text is written `\\\\`"),
    ("\ufeff{}", "JSON101", "1:1", "save the file as UTF-8 without one"),
    ('{"a": 1}{"b": 2}', "JSON101", "1:9", "one text holds one value"),
    ('{"a": 1}\n{"a": 1}\n', "JSON101", "2:1", "one text holds one value"),
    ("1 2", "JSON101", "1:3", "one text holds one value"),
    ("\u00a01", "JSON101", "1:1", ""),
    # What Python's reader takes, and others take differently.
    ('{"a": 1, "a": 1}', "JSON102", "1:10", "first on line 1"),
    ('{"a": 1,\n "\\u0061": 2}', "JSON102", "2:2", "first on line 1"),
    ('[{"b": {"x": 1}}, {"a": [{"x": "{", "y": 2,\n"x": 3}]}]', "JSON102", "2:1", "first on line 1"),
    ('{"": 1, "": 2}', "JSON102", "1:9", "first on line 1"),
    ('{"\\"": 1, "\\u0022": 2}', "JSON102", "1:11", "first on line 1"),
    ("NaN", "JSON103", "1:1", ""),
    ('{"a": [1, -Infinity]}', "JSON103", "1:11", ""),
    ("Infinity", "JSON103", "1:1", ""),
    ("[1e400]", "JSON103", "1:2", ""),
    ("-1e309", "JSON103", "1:1", ""),
    ("[" + "9" * (MAX_DIGITS + 1) + "]", "JSON103", "1:2", ""),
    ("[0." + "9" * MAX_DIGITS + "]", "JSON103", "1:2", ""),
    ("[9e9999e999]", "JSON103", "1:2", ""),
    ("[1, 9e9999x]", "JSON103", "1:5", ""),
    ("NaNx", "JSON103", "1:1", ""),
    ("-Infinity1", "JSON103", "1:1", ""),
    ("9" * (MAX_DIGITS + 1) + "x", "JSON103", "1:1", ""),
    ("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), "JSON104", "1:257", ""),
    ('{"a":' * (MAX_DEPTH + 1) + "1" + "}" * (MAX_DEPTH + 1), "JSON104", "1:1281", ""),
    ("[" * 1_000_000, "JSON104", "1:257", ""),
    ('{"a":[' * 500_000, "JSON104", "1:769", ""),
]  # fmt: skip

READ: Final = [
    ("null", None),
    (" \t\r\n[ ] \n", []),
    ('"\\ud83d\\ude00 \\u0000 \\ud800"', "\U0001f600 \0 \ud800"),
    ("[9223372036854775808, -0, 1.0, -0.0, 1E2]", [2**63, 0, 1.0, -0.0, 100.0]),
    ("9" * MAX_DIGITS, int("9" * MAX_DIGITS)),
    ("1e-400", 0.0),
    ('{"a": {"a": [{"a": 1}, {"a": 2}]}, "A": 3}', {"a": {"a": [{"a": 1}, {"a": 2}]}, "A": 3}),
    ('{"\u212b": 1, "\u00c5": 2}', {"\u212b": 1, "\u00c5": 2}),
    ('["[[[", "{\\"a\\": 1, \\"a\\": 2}", "NaN"]', ["[[[", '{"a": 1, "a": 2}', "NaN"]),
    ('["' + "[{" * 1000 + '"]', ["[{" * 1000]),
]

WIDE: Final = ",".join(["[]"] * 1000)


def name(case: object) -> str:
    return repr(case)[:40]


@pytest.mark.parametrize(("text", "code", "place", "help"), REFUSED, ids=name)
def test_what_is_not_strict_json_is_refused_at_its_place(text: str, code: str, place: str, help: str) -> None:
    with pytest.raises(JsonError) as caught:
        read(text)
    found = caught.value.diagnostic
    assert (found.code, f"{found.line}:{found.column}", found.help or "") == (code, place, help)


@pytest.mark.parametrize(("text", "value"), READ, ids=name)
def test_what_is_strict_json_is_read_exactly(text: str, value: object) -> None:
    assert repr(read(text)) == repr(value)


@pytest.mark.parametrize("text", ['{"a": 1,}', "[1,\n]", '{"a": [1, ], "b": 2}'])
def test_a_comma_too_many_is_named(text: str) -> None:
    with pytest.raises(JsonError) as caught:
        read(text)
    # Its place depends on the version of Python: the comma, or what follows it.
    assert caught.value.diagnostic.help == "remove the last comma"


def test_every_code_has_a_refused_text() -> None:
    assert {code for _, code, _, _ in REFUSED} == set(JsonCode)


@pytest.mark.parametrize("depth", [1, 64, MAX_DEPTH])
def test_the_deepest_nesting_is_still_read(depth: int) -> None:
    text = "[" * depth + "]" * depth
    assert read(text) == json.loads(text)


def test_many_shallow_values_are_not_taken_for_deep_ones() -> None:
    assert read(f"[{WIDE}]") == [[]] * 1000


def test_the_error_names_the_file_and_quotes_nothing_but_the_key() -> None:
    with pytest.raises(JsonError) as caught:
        read('{"token": "hunter2",\n"token": "hunter3"}', "call.json")
    assert str(caught.value) == "error[JSON102] call.json:2:1  the key `token` stands twice in one object"


def test_a_long_key_is_shortened() -> None:
    with pytest.raises(JsonError) as caught:
        read('{"%s": 1, "%s": 2}' % (("k" * 100_000,) * 2))
    assert caught.value.diagnostic.message == f"the key `{'k' * 40}...` stands twice in one object"


def near_the_end_of_the_stack(text: str) -> object:
    def down(levels: int) -> object:
        return down(levels - 1) if levels else read(text)

    return down(sys.getrecursionlimit() - 200)


def test_a_deep_text_on_a_deep_stack_is_refused() -> None:
    with pytest.raises(JsonError) as caught:
        near_the_end_of_the_stack("[" * 5000 + "]" * 5000)
    assert caught.value.diagnostic.code is JsonCode.TOO_DEEP


def test_a_deep_stack_makes_no_other_error() -> None:
    text = "[" * 200 + "]" * 200
    try:
        value = near_the_end_of_the_stack(text)
    except JsonError as error:
        assert error.diagnostic.code is JsonCode.TOO_DEEP
    else:
        # Some versions of Python count the levels of their JSON reader apart from those of the program.
        assert value == json.loads(text)


def test_an_interpreter_with_a_lower_limit_on_digits_changes_no_kind_of_error() -> None:
    code = "from oap_core.strict_json import *\ntry: read('9' * 700)\nexcept JsonError as error: print(error)"
    command = [sys.executable, "-X", "int_max_str_digits=640", "-c", code]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert shown == "error[JSON103] 1:1  a number has too many digits\n"


JSON: Final = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=20,
)


@given(JSON, st.booleans(), st.sampled_from([None, 1, "\t"]))
def test_everything_that_json_writes_is_read_back(value: object, ascii_only: bool, indent: int | str | None) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    assert repr(read(text)) == repr(json.loads(text))


def has_repeated_keys(text: str) -> bool:
    repeated = []

    def pairs(items: list[tuple[str, object]]) -> dict[str, object]:
        repeated.append(len(dict(items)) < len(items))
        return dict(items)

    json.loads(text, object_pairs_hook=pairs)
    return any(repeated)


def has_numbers_that_json_lacks(text: str) -> bool:
    lacking: list[object] = []

    def number(word: str) -> float:
        lacking.append(float(word) in {float("inf"), -float("inf")})
        return float(word)

    json.loads(text, parse_constant=lacking.append, parse_float=number)
    return any(lacking)


FRAGMENTS: Final = st.lists(
    st.sampled_from([*'{}[]:,"\\ \n', "0", "1", "-", "e", ".", "9e999", '"a"', '"b"', '"\\u0061"', "NaN", "-Infinity"])
    | st.sampled_from(["true", "null", "\ufeff", "\ud800", "é", "'", "//"]),
    max_size=30,
).map("".join)


@given(FRAGMENTS | st.text(alphabet='{}[]:,"a0 ', max_size=20) | JSON.map(json.dumps))
@example('{"a":1,"a":1}')
@example("[1e999]")
@example("[NaN]")
def test_it_takes_what_python_takes_but_for_the_listed_restrictions(text: str) -> None:
    try:
        expected = json.loads(text)
    except ValueError:
        with pytest.raises(JsonError):
            read(text)
        return
    if has_repeated_keys(text) or has_numbers_that_json_lacks(text):
        with pytest.raises(JsonError):
            read(text)
    else:
        assert repr(read(text)) == repr(expected)
