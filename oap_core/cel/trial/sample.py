"""The types of the values of one document, as if a schema had declared them.

One document is no schema: what it lacks may still come, and what it has may be absent next time. So everything beyond
its members stays open, and nothing that is concluded from it is more than a hint.
"""

from __future__ import annotations

from functools import reduce

from oap_core.cel.types import BOOL, DOUBLE, DYN, INT, NOTHING, STRING, Field, ListType, ObjectType, Type, join
from oap_core.cel.values import Value


def sampled(value: Value) -> Type:
    """The type of a frozen JSON value; recursive, no deeper than an activation is."""
    if type(value) is dict:
        return ObjectType(fields={name: Field(sampled(item)) for name, item in value.items()}, rest=DYN)
    if type(value) is tuple:
        return ListType(reduce(join, map(sampled, value), NOTHING)) if value else ListType(DYN)
    return _LEAVES.get(type(value), DYN)


# A whole number in one document may have a fraction in the next: equal to an int, and not known to be one.
_LEAVES = {bool: BOOL, int: Type(INT.name), float: DOUBLE, str: STRING}
