"""How large a value is: `size`, as a function and as a method."""

from typing import Final

from oap_core.cel.functions import Function, Overload
from oap_core.cel.types import BYTES, DYN, INT, STRING, ListType, MapType, Type

_SIZED: Final[tuple[Type, ...]] = (STRING, BYTES, ListType(DYN), MapType(DYN, DYN))

FUNCTIONS: Final = (
    Function(
        "size",
        tuple(Overload((sized,), INT, len, method=method) for sized in _SIZED for method in (False, True)),
        "Code points of a string, bytes of bytes, elements of a list, entries of a map.",
        (("size('naïve')", "5"), ("b'abc'.size()", "3"), ("[1, 2].size()", "2"), ("size({'a': 1})", "1")),
    ),
)
"""`size`."""
