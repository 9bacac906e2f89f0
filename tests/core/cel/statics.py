"""One expression through the static half of the pipeline, and what came of it as text."""

from __future__ import annotations

from dataclasses import dataclass

from oap_core.cel.check import Checked, check
from oap_core.cel.environment import Env
from oap_core.cel.parse import parse
from oap_core.cel.report import Report
from oap_core.cel.resolve import resolve
from oap_core.cel.tree import Node
from oap_core.diagnostic import Diagnostic
from oap_core.errors import CelError


@dataclass(frozen=True, slots=True)
class Seen:
    """What the static half makes of an expression."""

    root: Node
    """The resolved tree."""
    checked: Checked | None
    """Its types; None where names already were at fault."""
    diagnostics: tuple[Diagnostic, ...]
    """What is wrong with it, sorted by place."""

    @property
    def text(self) -> str:
        """As the case files have it."""
        if not self.diagnostics:
            assert self.checked is not None
            return f"    ok {self.checked.type}"
        lines = []
        for found in self.diagnostics:
            lines.append(f"    {found.code} {found.line}:{found.column} {found.message}")
            if found.help is not None:
                lines.append(f"        {found.help}")
        return "\n".join(lines)


def see(source: str, env: Env, *, condition: bool = True) -> Seen:
    """Parse, resolve and check an expression that has no mistake in its syntax."""
    report = Report(source)
    parsed = parse(source, report)
    report.raise_if_failed()
    assert parsed is not None
    root = resolve(parsed, env, report)
    checked = None if report.failed else check(root, env, report, condition=condition)
    try:
        report.raise_if_failed()
    except CelError as error:
        return Seen(root, checked, error.diagnostics)
    return Seen(root, checked, ())
