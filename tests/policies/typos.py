"""Slips of the pen in the files of a policy: in a tool, an argument, a constant or a variable, one at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from oap_core.policy.load import Document
from oap_core.policy.tree import Mapping, Node, Scalar, Sequence

_NAMES: Final = re.compile(r"\b(args|constants|variables)\.([A-Za-z_]\w*)")
_REPLACEMENT: Final = "q"
_HOW_MANY: Final = {"tool": 3, "args": 5, "constants": 2, "variables": 2}


@dataclass(frozen=True)
class Typo:
    """One file with one slip."""

    file: str
    what: str
    """`tool`, `args`, `constants` or `variables`."""
    before: str
    after: str
    place: str
    """Where it is, for a person."""
    root: Node
    guarded: bool = False
    """Whether it stands inside of `has()`, which is false and no error for what is not there."""


def slips(name: str, turn: int, what: str) -> Iterator[str]:
    """What a hand may write instead: a letter left out, doubled, wrong or of the other case, or two exchanged.

    Some of the five, each at one place of the name; `turn` says which, so that many names cover everything. A name that
    has to be defined in the same file gets fewer, since nearly all of those files do not load.
    """
    found: dict[str, None] = {}
    for number in range(_HOW_MANY[what]):
        kind = (turn + number) % 5
        place = (turn + number) % len(name)
        head, letter, tail = name[:place], name[place], name[place + 1 :]
        instead = _REPLACEMENT if letter != _REPLACEMENT else "z"
        found[(head + tail, head + letter + letter + tail, head + instead + tail, head + letter.swapcase() + tail,
               head + tail[:1] + letter + tail[1:])[kind]] = None  # fmt: skip
    return (slip for slip in found if slip and slip != name)


def typos(document: Document) -> Iterator[Typo]:
    """Every slip in one file, at each place where a name stands."""
    assert document.root is not None
    for turn, (path, node) in enumerate(_nodes(document.root)):
        keys = [step for step in path if isinstance(step, str)]
        where = ".".join(map(str, path))
        if keys[-2:] == ["match", "tools"] and isinstance(node, Scalar):
            for slip in slips(str(node.value), turn, "tool"):
                yield _typo(document, "tool", str(node.value), slip, where, path, replace(node, value=slip))
        elif isinstance(node, Scalar) and (keys[-1:] == ["when"] or keys[:1] == ["variables"]):
            yield from _in_source(document, node, where, path)
        elif isinstance(node, Mapping) and path in (("constants",), ("variables",)):
            yield from _in_keys(document, node, path)


def _nodes(root: Node) -> Iterator[tuple[tuple[str | int, ...], Node]]:
    pending: list[tuple[tuple[str | int, ...], Node]] = [((), root)]
    while pending:
        path, node = pending.pop()
        yield path, node
        if isinstance(node, Mapping):
            pending.extend(((*path, one.key), one.value) for one in node if one.key != "tests")
        elif isinstance(node, Sequence):
            pending.extend(((*path, number), item) for number, item in enumerate(node.items))


def _in_source(document: Document, node: Scalar, where: str, path: tuple[str | int, ...]) -> Iterator[Typo]:
    source = str(node.value)
    for turn, found in enumerate(_NAMES.finditer(source), node.span.line):
        guarded = source[: found.start()].endswith("has(")
        for slip in slips(found[2], turn, found[1]):
            text = source[: found.start(2)] + slip + source[found.end(2) :]
            changed = replace(node, value=text)
            typo = _typo(document, found[1], found[2], slip, f"{where}@{found.start()}", path, changed)
            yield replace(typo, guarded=guarded)


def _in_keys(document: Document, node: Mapping, path: tuple[str | int, ...]) -> Iterator[Typo]:
    what = str(path[0])
    for number, one in enumerate(node):
        for slip in slips(one.key, number, what):
            entries = list(node.entries)
            entries[number] = replace(one, key=slip)
            changed = replace(node, entries=tuple(entries))
            yield _typo(document, what, one.key, slip, f"{what}.{one.key}:", path, changed)


def _typo(
    document: Document, what: str, before: str, after: str, place: str, path: tuple[str | int, ...], node: Node
) -> Typo:
    assert document.root is not None
    return Typo(document.file or "", what, before, after, place, _put(document.root, path, node))


def _put(root: Node, path: tuple[str | int, ...], node: Node) -> Node:
    if not path:
        return node
    step, rest = path[0], path[1:]
    if isinstance(root, Mapping):
        return replace(
            root,
            entries=tuple(replace(one, value=_put(one.value, rest, node)) if one.key == step else one for one in root),
        )
    assert isinstance(root, Sequence)
    return replace(
        root, items=tuple(_put(item, rest, node) if number == step else item for number, item in enumerate(root.items))
    )
