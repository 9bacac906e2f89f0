"""Constants that nothing reads: a warning, since a misspelt reading is often why."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from oap_core.diagnostic import Diagnostic
from oap_core.policy.codes import FileCode
from oap_core.policy.load import Document
from oap_core.policy.model.policy import PolicyModel
from oap_core.policy.report import warn
from oap_core.policy.tree import Mapping, Node, Scalar, Sequence, key_at

__all__ = ["check_unused"]

_READING: Final = re.compile(r"\bconstants\b(?:\s*\.\s*([A-Za-z_]\w*))?", re.ASCII)
_SPEAKING: Final = ("variables", "rules")
"""Keys of a policy that hold CEL."""


def check_unused(document: Document, model: PolicyModel, problems: list[Diagnostic]) -> None:
    """Warn of the constants of a policy that no text of it names."""
    root = document.root
    if not model.constants or not isinstance(root, Mapping):
        return
    left = dict.fromkeys(model.constants)
    for key in _SPEAKING:
        entry = root.get(key)
        for text in () if entry is None else _texts(entry.value):
            for found in _READING.finditer(text):
                if found[1] is None:
                    # All of them are read, whatever for.
                    return
                left.pop(found[1], None)
    for name in left:
        message = f"nothing reads the constant `{name}`"
        problems.append(warn(FileCode.UNUSED, key_at(root, "constants", name), message, file=document.file))


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
