"""The pages of diagnostics: one for each code, with what to avoid, what is told about it, and what to prefer.

The example of a CEL code is a condition. That of an OAP code is a small project, file by file, and the files are loaded
as the command line loads them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import groupby
from textwrap import fill
from typing import Final

from docs.generate.diagnostics import (
    cases,
    cost,
    file_text,
    keys,
    names,
    rule_sets,
    rules,
    settings,
    text,
    tools,
    types,
)
from docs.generate.diagnostics import project as projects
from docs.generate.diagnostics.entry import Entry, found, shown
from docs.generate.diagnostics.project import File, FileEntry
from oap_core.cel.codes import TITLES
from oap_core.diagnostic import Severity, render
from oap_core.policy.codes import TITLES as FILE_TITLES
from oap_core.strict_json import JsonCode

ENTRIES: Final[tuple[Entry, ...]] = (*text.ENTRIES, *names.ENTRIES, *types.ENTRIES, *cost.ENTRIES)
FILE_ENTRIES: Final[tuple[FileEntry, ...]] = (
    *file_text.ENTRIES,
    *keys.ENTRIES,
    *rules.ENTRIES,
    *rule_sets.ENTRIES,
    *tools.ENTRIES,
    *cases.ENTRIES,
    *settings.ENTRIES,
)

GROUPS: Final[Mapping[str, str]] = {
    "CEL1": "Conditions: the text",
    "CEL2": "Conditions: names",
    "CEL3": "Conditions: types",
    "CEL4": "Conditions: cost",
    "OAP1": "Files: the text",
    "OAP2": "Files: keys",
    "OAP3": "Files: rules and exceptions",
    "OAP4": "Files: tools and their catalog",
    "OAP5": "Files: tests",
    "OAP6": "Files: configuration and plugins",
}
"""Headings by the first signs of a code."""

JSON: Final[Mapping[JsonCode, str]] = {
    JsonCode.SYNTAX: "The text is not JSON.",
    JsonCode.REPEATED_KEY: "A key stands twice in one object. Readers of JSON differ in which one they take.",
    JsonCode.NUMBER: "A number that JSON does not have, such as `NaN`, or one that is too large to be read.",
    JsonCode.TOO_DEEP: "The text nests deeper than anything that is read here.",
}

_GENERATED: Final = "Generated from `docs/generate/diagnostics` by `poe docs`; edit that, not this page."
_WEIGHTS: Final = {
    Severity.ERROR: "It is an **error**: no policy is loaded until it is repaired.",
    Severity.WARNING: "It is a **warning**: what stands there is loaded, and means what it says.",
}

INDEX: Final = f"""\
# Diagnostics

{_GENERATED}

What can be wrong with a condition, with a policy file, or with what stands beside it. All mistakes are shown at once,
each with its place and, where there is one, with help. An error keeps everything from being loaded, a warning does not.
A code keeps its meaning for good. What can go wrong when a condition runs has
[a page of its own](evaluation-errors.md).
"""

TABLE: Final = """
## {title}

| code | | meaning |
| --- | --- | --- |"""

PAGE: Final = """\
# {code}: {title}

{generated}

{summary}
{examples}
## Why

{why}
"""

EXAMPLES: Final = """
## Avoid

{avoid}

```text
{told}
```

## Prefer

{prefer}
"""

FILES: Final = """
## JSON files

What can be wrong with a JSON file that a command reads. Each is an error.

| code | meaning |
| --- | --- |"""


def index() -> str:
    """Return the list of all codes."""
    return "\n".join(
        [INDEX.rstrip(), *_tables(), FILES, *(f"| {code} | {meaning} |" for code, meaning in JSON.items()), ""]
    )


def _tables() -> Iterator[str]:
    rows = [(str(entry.code), Severity.ERROR, TITLES[entry.code]) for entry in ENTRIES]
    rows += [(str(entry.code), entry.severity, FILE_TITLES[entry.code]) for entry in FILE_ENTRIES]
    for group, listed in groupby(rows, lambda row: row[0][:4]):
        yield TABLE.format(title=GROUPS[group])
        for code, severity, title in listed:
            yield f"| [{code}](diagnostics/{code}.md) | {severity.value} | {title} |"


def page(entry: Entry) -> str:
    """Return the page of one code of a condition; what is told is what an author would see."""
    return PAGE.format(
        code=entry.code,
        title=TITLES[entry.code],
        generated=_GENERATED,
        summary=_filled(entry.summary),
        examples="" if entry.avoid is None else _examples(entry.avoid, entry.prefer),
        why=_filled(entry.why),
    )


def _filled(text: str) -> str:
    return fill(text, 120, break_on_hyphens=False, break_long_words=False)


def _examples(avoid: str, prefer: str | None) -> str:
    told = "\n".join(render(diagnostic, avoid).rstrip() for diagnostic in found(avoid))
    return EXAMPLES.format(
        avoid=f"```cel avoid\n{shown(avoid)}\n```", told=told, prefer=f"```cel prefer\n{prefer}\n```"
    )


def file_page(entry: FileEntry) -> str:
    """Return the page of one code of a file; what is told is what an author would see."""
    weight = _filled(_WEIGHTS[entry.severity])
    return PAGE.format(
        code=entry.code,
        title=FILE_TITLES[entry.code],
        generated=_GENERATED,
        summary=f"{_filled(entry.summary)}\n\n{weight}",
        examples=_projects(entry) if entry.avoid else "",
        why=_filled(entry.why),
    )


def _projects(entry: FileEntry) -> str:
    loaded = projects.found((*entry.beside, *entry.avoid))
    told = (render(found, loaded.sources.get(found.file or "", "")).rstrip() for found in loaded.diagnostics)
    beside = f"\n## Beside it\n\n{_files(entry.beside, 'beside')}\n" if entry.beside else ""
    return beside + EXAMPLES.format(
        avoid=_files(entry.avoid, "avoid"), told="\n".join(told), prefer=_files(entry.prefer, "prefer")
    )


def _files(files: Iterable[File], mark: str) -> str:
    return "\n\n".join(f"`{file.name}`:\n\n```{_language(file)} {mark}\n{file.shown}\n```" for file in files)


def _language(file: File) -> str:
    return "python" if file.name.endswith(".py") else "yaml"


PAGES: Final[Mapping[str, Callable[[], str]]] = {
    "reference/diagnostics.md": index,
    **{f"reference/diagnostics/{entry.code}.md": partial(page, entry) for entry in ENTRIES},
    **{f"reference/diagnostics/{entry.code}.md": partial(file_page, entry) for entry in FILE_ENTRIES},
}
