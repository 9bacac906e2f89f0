"""Prints how much the comparisons compared, at the end of the run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

_FIGURES: Final = pytest.StashKey[list[str]]()


@pytest.fixture(scope="session")
def report(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Adds a line to the summary of the run."""
    return request.config.stash.setdefault(_FIGURES, []).append


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Show the lines."""
    if lines := config.stash.get(_FIGURES, []):
        terminalreporter.section("what the comparisons compared")
        for line in sorted(lines):
            terminalreporter.line(line)
