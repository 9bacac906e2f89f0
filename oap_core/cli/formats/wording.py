"""The words about a diagnostic that several formats share, safe to show wherever they end up."""

from __future__ import annotations

from oap_core.cel.codes import TITLES as CONDITION_TITLES
from oap_core.diagnostic import Diagnostic, printable
from oap_core.policy.codes import TITLES as FILE_TITLES

__all__ = ["title", "told", "visible"]

_TITLES = {str(code): text for titles in (FILE_TITLES, CONDITION_TITLES) for code, text in titles.items()}


def title(code: str) -> str | None:
    """Give what a code stands for in a few words, or None for one that has no title."""
    return _TITLES.get(code)


def told(found: Diagnostic) -> str:
    """Give the whole message, with the help in a second line where there is some; no other line feed is in it."""
    message = visible(found.message)
    return message if found.help is None else f"{message}\nhelp: {visible(found.help)}"


def visible(text: str) -> str:
    """Make one line of any text as `printable` does, without cutting it."""
    return "".join(map(printable, text))
