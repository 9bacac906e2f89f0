from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from oap_core.cli.call_file import document_in
from oap_core.policy.shape import plain
from oap_core.policy.tree import key_at

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def test_keys_of_json_have_their_places() -> None:
    document = document_in('{\n\t"tool": "a/b",\n\t"args": {"x": 1}\n}\n', "call.json")
    assert document.root is not None
    span = key_at(document.root, "args", "x")
    assert (span.line, span.column) == (3, 11)


def test_a_key_that_stands_twice_is_refused() -> None:
    document = document_in('{"tool": "a/b", "tool": "c/d"}', "call.json")
    assert (document.root, [one.code for one in document.problems]) == (None, ["JSON102"])


@given(st.dictionaries(st.text(), VALUES, max_size=4), st.sampled_from([None, 2, "\t"]), st.booleans())
def test_json_means_what_json_says(value: dict[str, object], indent: int | str | None, plain_ascii: bool) -> None:
    document = document_in(json.dumps(value, indent=indent, ensure_ascii=plain_ascii), "call.json")
    assert document.root is not None
    assert json.dumps(plain(document.root)) == json.dumps(value)
