"""Results that would be too large are refused before they are built."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Final

import pytest

from oap_core.cel.failure import Code
from oap_core.cel.values import Value
from tests.core.cel.standard.calling import code_of

MEGABYTE: Final = 1_000_000


def repeated(item: Value, count: int) -> Value:
    """A list of one item many times; written out with `*`, mypy would build the type of each element."""
    return (item,) * count


LONG: Final = "x" * 4 * MEGABYTE
NESTED: Final = repeated(repeated(repeated((), 1000), 1000), 1000)

TOO_LARGE: Final[dict[str, Callable[[], tuple[str, *tuple[Value, ...]]]]] = {
    "replace, nothing by much": lambda: ("replace", LONG, "", LONG),
    "replace, each by two": lambda: ("replace", LONG, "x", "yz"),
    "replace, wide": lambda: ("replace", LONG, "", "😀"),
    "join, many": lambda: ("join", repeated(LONG, 100_000)),
    "join, long separator": lambda: ("join", repeated("", 100_000), LONG),
    "split": lambda: ("split", LONG, ""),
    "split, limited": lambda: ("split", LONG, "", 3 * MEGABYTE),
    "quote": lambda: ("strings.quote", LONG),
    "format, many times": lambda: ("format", "%s" * 100, repeated(LONG, 100)),
    "format, list": lambda: ("format", "%s", (repeated(LONG, 100),)),
    "format, map": lambda: ("format", "%s", ({"a": LONG, "b": LONG},)),
    "format, shared lists": lambda: ("format", "%s", (NESTED,)),
    "format, hexadecimal": lambda: ("format", "%x", (LONG,)),
    "format, percent signs": lambda: ("format", "%" * 4 * MEGABYTE, ()),
    "bytes": lambda: ("bytes", "é" * 4 * MEGABYTE),
}


@pytest.mark.parametrize("name", TOO_LARGE)
def test_it_is_refused_in_little_memory(name: str) -> None:
    function, *values = TOO_LARGE[name]()
    tracemalloc.start()
    try:
        assert code_of(function, *values) is Code.TOO_LARGE
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 60 * MEGABYTE


# Each of these took minutes or hours in quadratic time, so an end is the proof.
SLOW_ELSEWHERE: Final[dict[str, tuple[tuple[Value, ...], Code | None]]] = {
    "int": (("int", "1" * 4 * MEGABYTE), Code.OUT_OF_RANGE),
    "uint": (("uint", "1" * 4 * MEGABYTE), Code.OUT_OF_RANGE),
    "int with a fault": (("int", "1" * 4 * MEGABYTE + "x"), Code.INVALID_ARGUMENT),
    "double": (("double", "1" * 2 * MEGABYTE + "." + "1" * 2 * MEGABYTE), Code.OUT_OF_RANGE),
    "double with a fault": (("double", "1" * 2 * MEGABYTE + "." + "1" * 2 * MEGABYTE + "e"), Code.INVALID_ARGUMENT),
    "precision": (("format", f"%.{'9' * 4 * MEGABYTE}f", (1.0,)), Code.INVALID_ARGUMENT),
    "duration": (("duration", "1" * 4 * MEGABYTE), Code.INVALID_ARGUMENT),
    "duration of many parts": (("duration", "a" * 4 * MEGABYTE + "!"), Code.INVALID_ARGUMENT),
    "last index": (("lastIndexOf", LONG, "x" * MEGABYTE + "y" + "x" * MEGABYTE), None),
    "index": (("indexOf", LONG, "x" * MEGABYTE + "y" + "x" * MEGABYTE), None),
    "contains": (("contains", LONG, "x" * MEGABYTE + "y" + "x" * MEGABYTE), None),
    "replace": (("replace", LONG, "x" * MEGABYTE + "y" + "x" * MEGABYTE, ""), None),
    "split": (("split", LONG, "x" * MEGABYTE + "y" + "x" * MEGABYTE), None),
    "catastrophic pattern": (("matches", LONG, "(x+x+)+y"), None),
}


@pytest.mark.parametrize("name", SLOW_ELSEWHERE)
def test_it_ends(name: str) -> None:
    (function, *values), expected = SLOW_ELSEWHERE[name]
    assert code_of(str(function), *values) is expected
