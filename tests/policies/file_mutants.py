"""Changes to the meaning of policies and exceptions, one at a time, made on the trees of their files.

Whatever has a severity, a text for people or settings of a question is left as it is: it changes no decision.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from oap_core.policy.load import Document
from oap_core.policy.tree import Entry, Mapping, Node, Scalar, Sequence
from tests.policies.cel_mutants import mutants, pattern_mutants

_EFFECTS: Final = {
    "allow": ("deny", "ask"),
    "deny": ("allow", "ask", "observe"),
    "ask": ("allow", "deny", "observe"),
    "observe": ("deny", "ask"),
}


@dataclass(frozen=True)
class Mutant:
    """One file with one change."""

    file: str
    name: str
    """Where the change is and what it is; unique for one project."""
    root: Node


def text(value: str, like: Node) -> Scalar:
    """A text in the place of another node."""
    return replace(like, value=value) if isinstance(like, Scalar) else Scalar(like.span, value)


def entry(node: Mapping, key: str) -> Node | None:
    """The value of a key, or None."""
    found = node.get(key)
    return None if found is None else found.value


def put(node: Mapping, key: str, value: Node | None) -> Mapping:
    """A mapping with another value for a key, or without it; a new key comes last."""
    entries = [one for one in node if one.key != key or value is not None]
    if value is not None:
        entries = [replace(one, value=value) if one.key == key else one for one in entries]
        if all(one.key != key for one in entries):
            entries.append(Entry(key, node.span, value))
    return Mapping(node.span, tuple(entries))


def put_item(node: Sequence, number: int, value: Node | None) -> Sequence:
    """A list with another item, or without it."""
    items = [value if place == number else item for place, item in enumerate(node.items)]
    return Sequence(node.span, tuple(item for item in items if item is not None))


def mutants_of(document: Document, tools: list[str]) -> Iterator[Mutant]:
    """Every changed version of a file; `tools` are those that there are."""
    root = document.root
    assert isinstance(root, Mapping)
    policy = str(_text(root, "metadata", "name"))
    for name, changed in _changed(root, tools):
        yield Mutant(document.file or "", f"{policy}: {name}", changed)


def _text(node: Node | None, *keys: str) -> object:
    for key in keys:
        assert isinstance(node, Mapping)
        node = entry(node, key)
    return node.value if isinstance(node, Scalar) else None


def _changed(root: Mapping, tools: list[str]) -> Iterator[tuple[str, Mapping]]:
    for part, change in (("constants", _constants), ("variables", _variables)):
        node = entry(root, part)
        if isinstance(node, Mapping):
            for name, changed in change(node):
                yield f"{part}.{name}", put(root, part, changed)
    for key in ("rules", "exceptions"):
        rules = entry(root, key)
        for number, rule in enumerate(rules.items if isinstance(rules, Sequence) else ()):
            assert isinstance(rules, Sequence)
            assert isinstance(rule, Mapping)
            where = str(_text(rule, "id"))
            if len(rules.items) > 1:
                yield f"{where}: left out", put(root, key, put_item(rules, number, None))
            for name, changed in _rule(rule, tools):
                yield f"{where}: {name}", put(root, key, put_item(rules, number, changed))


def _constants(node: Mapping) -> Iterator[tuple[str, Mapping]]:
    for one in node:
        for name, value in _values(one.value):
            yield f"{one.key}: {name}", put(node, one.key, value)


def _values(value: Node) -> Iterator[tuple[str, Node]]:
    if isinstance(value, Sequence):
        for number, item in enumerate(value.items):
            shown = item.value if isinstance(item, Scalar) else number
            yield f"without {shown}", put_item(value, number, None)
    elif isinstance(value, Scalar) and isinstance(value.value, int):
        for step in (1, -1):
            yield f"{step:+}", replace(value, value=value.value + step)
    elif isinstance(value, Scalar) and isinstance(value.value, str):
        if any(sign in value.value for sign in "|^$("):
            for name, changed in pattern_mutants(value.value):
                yield name, text(changed, value)
        yield "x added", text(f"{value.value}x", value)


def _variables(node: Mapping) -> Iterator[tuple[str, Mapping]]:
    for one in node:
        assert isinstance(one.value, Scalar)
        for name, source in mutants(str(one.value.value)):
            yield f"{one.key}: {name}", put(node, one.key, text(source, one.value))


def _rule(rule: Mapping, tools: list[str]) -> Iterator[tuple[str, Mapping]]:
    when = entry(rule, "when")
    if isinstance(when, Scalar):
        yield "without when", put(rule, "when", None)
        yield "when negated", put(rule, "when", text(f"!({when.value})", when))
        for name, source in mutants(str(when.value)):
            yield f"when {name}", put(rule, "when", text(source, when))
    yield from _effects(rule)
    match = entry(rule, "match")
    if isinstance(match, Mapping):
        for name, changed in _matches(match, tools):
            yield f"match {name}", put(rule, "match", changed)
    for step in (1, -1):
        expires = entry(rule, "expires")
        if isinstance(expires, Scalar):
            moment = datetime.fromisoformat(str(expires.value)) + timedelta(seconds=step)
            yield f"expires {step:+} s", put(rule, "expires", text(moment.isoformat(), expires))


def _effects(rule: Mapping) -> Iterator[tuple[str, Mapping]]:
    effect = _text(rule, "effect")
    if effect is None:
        return
    for other in _EFFECTS[str(effect)]:
        changed = put(put(rule, "effect", text(other, rule)), "with", None)
        yield f"{effect} -> {other}", put(changed, "waivable", None) if other in ("allow", "observe") else changed
    shadow = _text(rule, "mode") == "shadow"
    if shadow:
        yield "shadow -> enforce", put(rule, "mode", None)
    else:
        yield "enforce -> shadow", put(rule, "mode", text("shadow", rule))
    if _text(rule, "waivable") is True:
        yield "not waivable", put(rule, "waivable", None)


def _matches(match: Mapping, tools: list[str]) -> Iterator[tuple[str, Mapping | None]]:
    yield "left out", None
    for key in ("tools", "reach"):
        found = entry(match, key)
        if not isinstance(found, Sequence):
            continue
        named = [str(item.value) for item in found.items if isinstance(item, Scalar)]
        for number, (item, name) in enumerate(zip(found.items, named, strict=True)):
            if len(named) > 1:
                yield f"without {name}", put(match, key, put_item(found, number, None))
            if key == "reach":
                continue
            source = name.partition("/")[0]
            sibling = next((tool for tool in tools if tool.startswith(f"{source}/") and tool not in named), None)
            for other in (f"{source}/*", sibling):
                if other is not None and other != name:
                    yield f"{name} -> {other}", put(match, key, put_item(found, number, text(other, item)))
