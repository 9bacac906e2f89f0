"""Random values of declared types, the awkward ones more often than chance would have it."""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st

from oap_core.cel.limits import INT_MAX, INT_MIN, UINT_MAX
from oap_core.cel.standard.moments import EARLIEST, LATEST
from oap_core.cel.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    STRING,
    TIMESTAMP,
    TYPE,
    UINT,
    ListType,
    MapType,
    Type,
)
from oap_core.cel.values import TYPE_NAMES, Duration, KeyedMap, Timestamp, TypeValue, UInt, Value, map_key

_AWKWARD_TEXT: Final = (
    "", "0", "-0", "1_0", "-9223372036854775809", "1e999", "0x1p3", "nan", "inf", "true", "T", "٣", "\x00", "\n", "😀",
    "%s", "%d %x", "%.3f", "%.101e", "%", "%%", "%.", "{0}", "(a+)+$", "(", "a{1001}", "\\", "[a-z]", "(?P<a>",
    "1h", "-1.5s", "9223372036854775808ns", ".s", "1s1", "2009-02-13T23:31:30Z", "0000-01-01T00:00:00Z",
    "9999-12-31T23:59:59-00:01", "2009-02-29T00:00:00Z", "UTC", "Europe/Paris", "+02:00", "02:00", "../../etc/passwd",
    "/etc/localtime", "localtime", "\ud800", "a\udfffb",
)  # fmt: skip

TEXTS: Final = st.one_of(
    st.sampled_from(_AWKWARD_TEXT),
    st.text(st.sampled_from("ab%sdfexX.0159-+:hmsn ,\u00e9\u0130\ud800😀\x00()[]*\\"), max_size=12),
    st.text(max_size=20),
)
"""Text, lone surrogates included: the data has none, and an implementation still has to be total."""

_SCALARS: Final[dict[Type, st.SearchStrategy[Value]]] = {
    BOOL: st.booleans(),
    INT: st.one_of(st.integers(-3, 12), st.integers(INT_MIN, INT_MAX), st.sampled_from((INT_MIN, INT_MAX))),
    UINT: st.integers(0, UINT_MAX).map(UInt),
    DOUBLE: st.one_of(st.floats(), st.sampled_from((2.0**63, -(2.0**63), 2.0**64, -0.5, 1e21, 1e-7))),
    STRING: TEXTS,
    BYTES: st.one_of(st.binary(max_size=12), TEXTS.map(lambda text: text.encode("utf-8", "surrogatepass"))),
    TIMESTAMP: st.one_of(st.integers(EARLIEST, LATEST), st.sampled_from((EARLIEST, LATEST, 0, -1))).map(Timestamp),
    DURATION: st.one_of(st.integers(INT_MIN, INT_MAX), st.sampled_from((INT_MIN, INT_MAX, 0, -1))).map(Duration),
    TYPE: st.sampled_from(sorted(set(TYPE_NAMES.values()))).map(TypeValue),
}

_KEYS: Final = st.one_of(st.booleans(), st.integers(-2, 2), st.integers(0, 2).map(UInt), st.sampled_from("01ab"))


def _keyed(entries: list[tuple[Value, Value]]) -> Value:
    return KeyedMap({map_key(key): (key, value) for key, value in entries}.values())


_ANYTHING: Final[st.SearchStrategy[Value]] = st.recursive(
    st.one_of(st.none(), *_SCALARS.values()),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4).map(tuple),
        st.dictionaries(TEXTS, inner, max_size=3),
        st.lists(st.tuples(_KEYS, inner), max_size=3).map(_keyed),
    ),
    max_leaves=8,
)


def values_of(declared: Type) -> st.SearchStrategy[Value]:
    """Values whose Python type is one that the compiler lets through for the declared type.

    The elements of a list are of any type: only the list itself is looked at before a function is called.
    """
    if declared == DYN:
        return _ANYTHING
    if isinstance(declared, ListType):
        inner = _ANYTHING if declared.element == DYN else st.one_of(values_of(declared.element), _ANYTHING)
        return st.one_of(st.lists(values_of(declared.element), max_size=5), st.lists(inner, max_size=5)).map(tuple)
    if isinstance(declared, MapType):
        return st.one_of(
            st.dictionaries(TEXTS, _ANYTHING, max_size=3), st.lists(st.tuples(_KEYS, _ANYTHING), max_size=3).map(_keyed)
        )
    return _SCALARS[declared]
