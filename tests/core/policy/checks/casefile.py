"""Reads cases of policy files and what is found in them.

A file holds several. Each begins with its title; then come the files, and what is told about them in the order of the
places: the severity, the code, the place and the message, and below it the help where there is one.

    === the title
    --- policy.yaml
    apiVersion: oap/v1
    ...
    > warning OAP320 policy.yaml:5:3 nothing reads the constant `limit`
    >   the help
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from oap_core.diagnostic import Diagnostic
from oap_core.kinds import Effect, Kind
from oap_core.policy.assemble import Assembled, assemble
from oap_core.policy.load import read
from oap_core.policy.setup import Setup, core_effects
from oap_core.types import Stage

NOW: Final = datetime(2026, 12, 1, 12, tzinfo=UTC)
_RESULT: Final = frozenset({Stage.RESULT})
EFFECTS: Final = {
    **core_effects(),
    "allow": Effect("allow", Kind.GRANT, "some"),
    "deny": Effect("deny", Kind.WALL, "some", stages=frozenset(Stage)),
    "redact": Effect("redact", Kind.TRANSFORM, "some", stages=_RESULT),
    "label": Effect("label", Kind.OBSERVE, "some", stages=_RESULT),
}
SETUP: Final = Setup(EFFECTS, now=NOW)


@dataclass
class Case:
    """Some files and what is told about them."""

    title: str
    files: dict[str, str] = field(default_factory=dict)
    expected: str = ""


def cases(file: Path) -> Iterator[Case]:
    """Read a file. Raises ValueError for a line that belongs nowhere."""
    for part in re.split(r"^=== ", file.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        title, _, body = part.partition("\n")
        found = Case(title)
        name = ""
        for line in body.splitlines():
            if line.startswith("--- "):
                name = line[4:]
                found.files[name] = ""
            elif line.startswith("> "):
                found.expected += f"{line[2:]}\n"
            elif name and not found.expected:
                found.files[name] += f"{line}\n"
            elif line:
                raise ValueError(f"`{line}` belongs nowhere")
        yield found


def assembled(files: dict[str, str], setup: Setup = SETUP) -> Assembled:
    """What becomes of the files."""
    return assemble([read(text, name) for name, text in files.items()], setup)


def told(diagnostics: Iterable[Diagnostic]) -> str:
    """What is told, as a case writes it."""
    lines = ""
    for one in diagnostics:
        lines += f"{one.severity.value} {one.code} {one.file}:{one.line}:{one.column} {one.message}\n"
        if one.help is not None:
            lines += f"  {one.help}\n"
    return lines
