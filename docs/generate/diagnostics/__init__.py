"""The pages of diagnostics: one for each code, with a condition to avoid, what it is told, and one to prefer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from textwrap import fill
from typing import Final

from docs.generate.diagnostics import cost, names, text, types
from docs.generate.diagnostics.entry import Entry, found, shown
from oap_core.cel.codes import TITLES
from oap_core.diagnostic import render
from oap_core.strict_json import JsonCode

ENTRIES: Final[tuple[Entry, ...]] = (*text.ENTRIES, *names.ENTRIES, *types.ENTRIES, *cost.ENTRIES)

JSON: Final[Mapping[JsonCode, str]] = {
    JsonCode.SYNTAX: "The text is not JSON.",
    JsonCode.REPEATED_KEY: "A key stands twice in one object. Readers of JSON differ in which one they take.",
    JsonCode.NUMBER: "A number that JSON does not have, such as `NaN`, or one that is too large to be read.",
    JsonCode.TOO_DEEP: "The text nests deeper than anything that is read here.",
}

INDEX: Final = """\
# Diagnostics

Generated from `docs/generate/diagnostics` by `poe docs`; edit that, not this page.

What can be wrong with an expression before it runs. All mistakes are shown at once, each with its place and, where
there is one, with help. A code keeps its meaning for good. What can go wrong when an expression runs has
[a page of its own](evaluation-errors.md).

| code | meaning |
| --- | --- |"""

PAGE: Final = """\
# {code}: {title}

Generated from `docs/generate/diagnostics` by `poe docs`; edit that, not this page.

{summary}
{examples}
## Why

{why}
"""

EXAMPLES: Final = """
## Avoid

```cel avoid
{avoid}
```

```text
{shown}
```

## Prefer

```cel prefer
{prefer}
```
"""

FILES: Final = """
## JSON files

What can be wrong with a JSON file that a command reads.

| code | meaning |
| --- | --- |"""


def index() -> str:
    """Return the list of all codes."""
    return "\n".join([INDEX, *_rows(), FILES, *(f"| {code} | {meaning} |" for code, meaning in JSON.items()), ""])


def _rows() -> Iterator[str]:
    for entry in ENTRIES:
        yield f"| [{entry.code}](diagnostics/{entry.code}.md) | {TITLES[entry.code]} |"


def page(entry: Entry) -> str:
    """Return the page of one code; what is shown for the condition to avoid is what an author would see."""
    return PAGE.format(
        code=entry.code,
        title=TITLES[entry.code],
        summary=fill(entry.summary, 120, break_on_hyphens=False),
        examples="" if entry.avoid is None else _examples(entry.avoid, entry.prefer),
        why=fill(entry.why, 120, break_on_hyphens=False),
    )


def _examples(avoid: str, prefer: str | None) -> str:
    told = "\n".join(render(diagnostic, avoid).rstrip() for diagnostic in found(avoid))
    return EXAMPLES.format(avoid=shown(avoid), shown=told, prefer=prefer)


PAGES: Final[Mapping[str, Callable[[], str]]] = {
    "reference/diagnostics.md": index,
    **{f"reference/diagnostics/{entry.code}.md": partial(page, entry) for entry in ENTRIES},
}
