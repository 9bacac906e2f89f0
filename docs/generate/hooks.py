"""The page of hooks, from the docstrings of their specifications."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from textwrap import dedent, fill
from typing import Any, Final

from oap_core import hookspecs

HEAD: Final = f"""\
# Hooks

Generated from `oap_core/hookspecs.py` by `poe docs`; edit that, not this page.

What a plugin can implement. This is version {hookspecs.API} of the interface. [Plugins](../guide/plugins.md) shows how
a plugin is made, enabled and tried.
"""

SECTIONS: Final = ("When", "You get", "You may return", "If you raise")
"""The parts of each docstring, in their order."""

_PART: Final = re.compile(r"^(When|You get|You may return|If you raise):\n((?:    .*\n?|\n)+)", re.MULTILINE)


def page() -> str:
    """Return the whole page."""
    return "\n".join([HEAD, *(line for name, hook in specifications() for line in _hook(name, hook))])


def specifications() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every hook by name, in the order of the module."""
    mark = f"{hookspecs.PROJECT}_spec"
    yield from ((name, value) for name, value in vars(hookspecs).items() if hasattr(value, mark))


def parts(hook: Callable[..., Any]) -> dict[str, str]:
    """The parts of the docstring of a hook, by their headings."""
    text = inspect.cleandoc(hook.__doc__ or "") + "\n"
    return {found[1]: " ".join(dedent(found[2]).split()) for found in _PART.finditer(text)}


def _hook(name: str, hook: Callable[..., Any]) -> Iterator[str]:
    yield f"## {name}\n"
    signature = str(inspect.signature(hook)).replace("'", "")
    yield f"```text\n{name}{signature}\n```\n"
    yield f"{inspect.cleandoc(hook.__doc__ or '').splitlines()[0]}\n"
    for title, text in parts(hook).items():
        yield f"{fill(f'*{title}.* {text}', 120, break_on_hyphens=False, break_long_words=False)}\n"
