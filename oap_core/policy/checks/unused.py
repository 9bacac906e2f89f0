"""Constants and variables that nothing reads: a warning, since a misspelt reading is often why."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from oap_core.diagnostic import Diagnostic
from oap_core.policy.codes import FileCode
from oap_core.policy.load import Document
from oap_core.policy.report import warn
from oap_core.policy.tree import Mapping, Node, Scalar, Sequence, key_at

__all__ = ["check_unused"]

_READING: Final = re.compile(r"\b(constants|variables)\b(?:\s*\.\s*([A-Za-z_]\w*))?", re.ASCII)
_SPEAKING: Final = ("variables", "rules")
"""Keys of a policy that hold CEL."""


def check_unused(document: Document, problems: list[Diagnostic]) -> None:
    """Warn of the constants and variables of a policy that no text of it names.

    Nothing is said where the text of the file has problems: what was read there is not what stands there.
    """
    root = document.root
    if not isinstance(root, Mapping) or document.problems:
        return
    left = {(kind, name): None for kind in ("constants", "variables") for name in _names(root, kind)}
    for key in _SPEAKING:
        entry = root.get(key)
        for text in () if entry is None or not left else _texts(entry.value):
            for kind, name in _READING.findall(text):
                for one in [(kind, name)] if name else [one for one in left if one[0] == kind]:
                    left.pop(one, None)
    for kind, name in left:
        message = f"nothing reads the {kind.removesuffix('s')} `{name}`"
        problems.append(warn(FileCode.UNUSED, key_at(root, kind, name), message, file=document.file))


def _names(root: Mapping, key: str) -> list[str]:
    section = root.get(key)
    names = section.value if section is not None else None
    return [entry.key for entry in names] if isinstance(names, Mapping) else []


def _texts(node: Node) -> Iterator[str]:
    pending = [node]
    while pending:
        one = pending.pop()
        if isinstance(one, Scalar):
            if isinstance(one.value, str):
                yield one.value
        elif isinstance(one, Sequence):
            pending.extend(one.items)
        else:
            pending.extend(entry.value for entry in one)
