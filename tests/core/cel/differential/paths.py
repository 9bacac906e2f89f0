"""The ways from the declared variables to values of each type, for expressions to read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from oap_core.cel.types import ObjectType, Type
from tests.core.cel.differential.phrase import Binder, Phrase, Slot
from tests.core.cel.differential.schema import VARIABLES


@dataclass(frozen=True, slots=True)
class Optional:
    """A field that data need not have."""

    operand: Phrase
    field: str
    type: Type


def select(operand: Phrase, field: str) -> Phrase:
    """`operand.field`."""
    return Phrase("field", (Slot(operand, 7), f".{field}"))


def has(operand: Phrase, field: str) -> Phrase:
    """`has(operand.field)`."""
    return Phrase("has", ("has(", Slot(operand, 7), f".{field})"))


def variable(binder: Binder) -> Phrase:
    """A loop variable."""
    return Phrase("loop variable", (binder,))


def required(root: Phrase, type_: Type) -> Iterator[tuple[Phrase, Type]]:
    """The value itself, and every field below it that the schema asks for."""
    yield root, type_
    if isinstance(type_, ObjectType):
        for name, field in type_.fields.items():
            if field.required:
                yield from required(select(root, name), field.type)


def optional(root: Phrase, type_: Type) -> Iterator[Optional]:
    """Every field below the value that may be absent, and whose parents may not."""
    for operand, found in required(root, type_):
        if isinstance(found, ObjectType):
            for name, field in found.fields.items():
                if not field.required:
                    yield Optional(operand, name, field.type)


def _roots() -> Iterator[tuple[Phrase, Type]]:
    return ((Phrase("variable", (name,)), type_) for name, type_ in VARIABLES.items())


def _by_type() -> Mapping[str, list[Phrase]]:
    found: dict[str, list[Phrase]] = defaultdict(list)
    for root, type_ in _roots():
        for path, inner in required(root, type_):
            found[str(inner)].append(path)
    return found


BY_TYPE: Final = _by_type()
"""Every path, by the name of its type."""

OPTIONAL: Final = tuple(found for root, type_ in _roots() for found in optional(root, type_))
"""Every optional field of a declared variable."""

OBJECTS: Final = tuple(
    path for root, type_ in _roots() for path, inner in required(root, type_) if isinstance(inner, ObjectType)
)
"""Every object that the schema asks for."""


def root_name(path: Phrase) -> str:
    """The name of the variable that a path begins with."""
    while isinstance(first := path.parts[0], Slot):
        path = first.phrase
    return str(first)
