"""Reading the file of a call: JSON, exactly as hosts write it, or YAML, as a person would."""

from __future__ import annotations

import json

from oap_core.cli.files import read_text, shown_name
from oap_core.policy.load import Document, read
from oap_core.policy.shape import plain
from oap_core.policy.tree import Entry, Mapping, Node, Scalar, Sequence, Span
from oap_core.strict_json import JsonError
from oap_core.strict_json import read as read_json

__all__ = ["document_in", "document_of"]


def document_of(name: str) -> Document:
    """The content of a file, or of standard input for `-`. Raises `FileError` where it cannot be read."""
    return document_in(read_text(name, "CALL"), shown_name(name).strip("`"))


def document_in(text: str, file: str) -> Document:
    """The content of a text.

    What begins like a JSON object is read as JSON, everything else as YAML. Where YAML reads the same in a JSON text, it
    lends the places of keys and values; otherwise each has the place of the whole.
    """
    if not text.lstrip().startswith("{"):
        return read(text, file)
    try:
        value = read_json(text, file)
    except JsonError as error:
        found = read(text, file)
        # Flow mappings of YAML look like JSON, and only they may have keys without quotes.
        return (
            found if found.root is not None and not found.problems else Document(file, text, None, (error.diagnostic,))
        )
    # A tab is one column, and JSON has it between values alone.
    placed = read(text.replace("\t", " "), file)
    if placed.root is not None and not placed.problems and json.dumps(plain(placed.root)) == json.dumps(value):
        return Document(file, text, placed.root, ())
    return Document(file, text, _node(value, Span(1, 1, 1, 1)), ())


def _node(value: object, span: Span) -> Node:
    if isinstance(value, dict):
        return Mapping(span, tuple(Entry(key, span, _node(item, span)) for key, item in value.items()))
    if isinstance(value, list):
        return Sequence(span, tuple(_node(item, span) for item in value))
    assert value is None or isinstance(value, (bool, int, float, str))
    return Scalar(span, value)
