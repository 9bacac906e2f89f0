"""The good files that malformed ones are made from, and what becomes of them with one of them changed."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from oap_core.config import load_config
from oap_core.diagnostic import Diagnostic, Severity
from oap_core.policy.assemble import assemble
from oap_core.policy.load import read
from tests.core.policy.checks.casefile import NOW, SETUP

FOLDER: Final = Path(__file__).parent / "bases"
TEXTS: Final = {file.name: file.read_text(encoding="utf-8") for file in sorted(FOLDER.iterdir())}
CONFIGURATION: Final = "oap.yaml"
_BESIDE: Final = {
    "policy.yaml": ("catalog.yaml",),
    "exceptions.yaml": ("policy.yaml", "catalog.yaml"),
    "catalog.yaml": ("policy.yaml",),
    "press_test.yaml": ("policy.yaml",),
    "fixtures.yaml": ("policy.yaml",),
}
"""What each file needs beside it to be right."""
_READ: Final = {name: read(text, name) for name, text in TEXTS.items()}


def found(name: str, text: str, folder: Path) -> tuple[bool, tuple[Diagnostic, ...]]:
    """Whether anything loads with one file changed, and everything that is told. `folder` is one to write into."""
    if name == CONFIGURATION:
        file = folder / name
        file.write_text(text, encoding="utf-8", newline="\n")
        told = load_config(file, folder, NOW).diagnostics
        return not any(one.severity is Severity.ERROR for one in told), told
    documents = [_READ[other] for other in _BESIDE[name]]
    result = assemble([read(text, name), *documents], SETUP)
    return result.rules is not None, result.diagnostics
