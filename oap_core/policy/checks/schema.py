"""Whether a JSON Schema in a catalog is one: its keywords, and the values that they can have.

Conditions are checked against these schemas, so a misspelt keyword would quietly change what is found.
"""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from typing import Final

from oap_core.diagnostic import Diagnostic, printable
from oap_core.policy.codes import FileCode
from oap_core.policy.report import blame
from oap_core.policy.tree import Entry, Mapping, Node, Scalar, Sequence, Span

__all__ = ["check_schema"]

_TYPES: Final = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})
_OF_SCHEMAS: Final = frozenset({"$defs", "definitions", "dependentSchemas", "patternProperties", "properties"})
"""Keywords whose members are schemas."""
_LISTS: Final = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
"""Keywords whose items are schemas."""
_SCHEMAS: Final = frozenset(
    {
        "additionalItems", "additionalProperties", "contains", "contentSchema", "else", "if", "items", "not",
        "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties",
    }
)  # fmt: skip
"""Keywords that hold one schema."""
_COUNTS: Final = frozenset(
    {
        "maxContains", "maxItems", "maxLength", "maxProperties", "minContains", "minItems", "minLength",
        "minProperties",
    }
)  # fmt: skip
_NUMBERS: Final = frozenset({"maximum", "minimum", "multipleOf"})
_TEXTS: Final = frozenset(
    {
        "$anchor", "$comment", "$dynamicAnchor", "$dynamicRef", "$id", "$ref", "$schema", "contentEncoding",
        "contentMediaType", "description", "format", "pattern", "title",
    }
)  # fmt: skip
_BOOLS: Final = frozenset({"deprecated", "readOnly", "uniqueItems", "writeOnly"})
_KNOWN: Final = sorted(
    {
        *_OF_SCHEMAS, *_LISTS, *_SCHEMAS, *_COUNTS, *_NUMBERS, *_TEXTS, *_BOOLS, "$vocabulary", "const", "default",
        "dependencies", "dependentRequired", "enum", "examples", "exclusiveMaximum", "exclusiveMinimum", "required",
        "type",
    }
)  # fmt: skip


def check_schema(name: str, root: Node, file: str | None, problems: list[Diagnostic], *, arguments: bool) -> None:
    """Tell of everything in a schema that is none; `arguments` says that it describes those of a tool.

    Keywords that nobody knows are left alone, but for those that are nearly a known one.
    """
    check = _Check(name, file, problems)
    check.walk(root)
    kind = root.get("type") if isinstance(root, Mapping) else None
    value = kind.value.value if kind is not None and isinstance(kind.value, Scalar) else None
    if arguments and isinstance(value, str) and value in _TYPES - {"object"}:
        check.blame(root.span, "has to describe an object, since arguments are one")


class _Check:
    def __init__(self, name: str, file: str | None, problems: list[Diagnostic]) -> None:
        self._name = name
        self._file = file
        self._problems = problems
        self._pending: list[Node] = []

    def blame(self, span: Span, message: str, help: str | None = None) -> None:
        """Tell of one mistake; the message goes on behind the name of the schema."""
        self._problems.append(blame(FileCode.SCHEMA, span, f"`{self._name}` {message}", help, file=self._file))

    def walk(self, root: Node) -> None:
        """Look at a schema and all that it holds."""
        self._pending = [root]
        while self._pending:
            node = self._pending.pop()
            if isinstance(node, Mapping):
                for entry in node:
                    self._keyword(entry)
            elif not (isinstance(node, Scalar) and isinstance(node.value, bool)):
                self.blame(node.span, "is no JSON Schema here: one is a mapping, or true or false")

    def _keyword(self, entry: Entry) -> None:
        key, value = entry.key, entry.value
        if key in _OF_SCHEMAS:
            if self._is(entry, isinstance(value, Mapping), "a mapping of schemas") and isinstance(value, Mapping):
                self._pending.extend(one.value for one in value)
        elif key in _LISTS or (key == "items" and isinstance(value, Sequence)):
            fits = isinstance(value, Sequence) and bool(value.items)
            if self._is(entry, fits, "a list of schemas") and isinstance(value, Sequence):
                self._pending.extend(value.items)
        elif key in _SCHEMAS:
            self._pending.append(value)
        elif key in _PLAIN:
            held, what = _PLAIN[key]
            self._is(entry, held(value), what)
        elif key not in _KNOWN:
            near = get_close_matches(key, _KNOWN, n=1, cutoff=0.8)
            if near:
                message = f"has the unknown keyword `{printable(key)}`"
                self.blame(entry.key_span, message, f"did you mean `{near[0]}`?")

    def _is(self, entry: Entry, fits: bool, what: str) -> bool:  # noqa: FBT001  # said by the one caller's condition
        if not fits:
            self.blame(entry.value.span, f"is no JSON Schema: `{printable(entry.key)}` is {what}")
        return fits


def _scalar(node: Node) -> object:
    return node.value if isinstance(node, Scalar) else node


def _is_number(node: Node) -> bool:
    value = _scalar(node)
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_count(node: Node) -> bool:
    value = _scalar(node)
    return type(value) is int and value >= 0


def _is_type(node: Node) -> bool:
    if isinstance(node, Sequence):
        return bool(node.items) and all(_scalar(item) in _TYPES for item in node.items if isinstance(item, Scalar))
    return isinstance(node, Scalar) and node.value in _TYPES


def _is_texts(node: Node) -> bool:
    return isinstance(node, Sequence) and all(isinstance(_scalar(item), str) for item in node.items)


_TYPE_NAMES: Final = ", ".join(f"`{name}`" for name in sorted(_TYPES))
_PLAIN: Final[dict[str, tuple[Callable[[Node], bool], str]]] = {
    **dict.fromkeys(_COUNTS, (_is_count, "a whole number from 0")),
    **dict.fromkeys(_NUMBERS, (_is_number, "a number")),
    **dict.fromkeys(_TEXTS, (lambda node: isinstance(_scalar(node), str), "a text")),
    **dict.fromkeys(_BOOLS, (lambda node: isinstance(_scalar(node), bool), "true or false")),
    "type": (_is_type, f"one of {_TYPE_NAMES}, or a list of these"),
    "required": (_is_texts, "a list of names"),
    "enum": (lambda node: isinstance(node, Sequence) and bool(node.items), "a list of values"),
    "examples": (lambda node: isinstance(node, Sequence), "a list of values"),
}
"""Keywords that hold no schema, with what they hold."""
