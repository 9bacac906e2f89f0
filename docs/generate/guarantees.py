"""The page of promises, from `tests/guarantees.py`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from tests.guarantees import OWN, REQUIREMENTS, Changed, Deferred, Group, Guarantee, Tested

HEAD: Final = """\
# What OAP promises

Generated from `tests/guarantees.py` by `poe docs`; edit that, not this page.

Each line is one promised behaviour. *Tested* names the tests that prove it and *deferred* says what it waits for.
*Changed* gives what holds in place of the sentence, since the design decided otherwise. Sentences with an id such as
`S0-12` or `D-017` keep the words of the documents that they come from: a *grant* there is an approval here, and the
*effect* of a tool is its reach. The [glossary](../glossary.md) explains the words.
"""


def page() -> str:
    """Return the whole page."""
    return "\n".join([HEAD, *_counts((*OWN, *REQUIREMENTS)), *_groups((*OWN, *REQUIREMENTS))])


def _counts(groups: Iterable[Group]) -> Iterator[str]:
    standings = Counter(type(guarantee.standing) for group in groups for guarantee in group.guarantees)
    yield "| standing | promises |"
    yield "| --- | --- |"
    yield f"| tested | {standings[Tested]} |"
    yield f"| deferred | {standings[Deferred]} |"
    yield ""


def _groups(groups: Iterable[Group]) -> Iterator[str]:
    for group in groups:
        yield f"## {group.title}"
        yield ""
        yield "| id | promise | standing |"
        yield "| --- | --- | --- |"
        yield from (_row(guarantee) for guarantee in group.guarantees)
        yield ""


def _row(guarantee: Guarantee) -> str:
    sentence = guarantee.sentence
    if isinstance(guarantee.status, Changed):
        sentence = f"~~{sentence}~~ Changed: {guarantee.status.now}"
    return f"| {guarantee.id} | {_cell(sentence)} | {_standing(guarantee.standing)} |"


def _standing(status: Tested | Deferred) -> str:
    match status:
        case Tested(tests):
            return "tested: " + ", ".join(_link(test) for test in tests)
        case Deferred(reason):
            return f"deferred: {_cell(reason)}"


def _link(test: str) -> str:
    file, _, name = test.partition("::")
    return f"[`{name}`](../../{file})"


def _cell(text: str) -> str:
    r"""Return the text as Markdown that stays inside one table cell and shows every character as written.

    >>> _cell("a | b, <c>, d_e and *f*")
    'a \\| b, &lt;c>, d\\_e and \\*f\\*'
    """
    escaped = "".join(f"\\{character}" if character in "\\|_*[]`~" else character for character in text)
    return escaped.replace("<", "&lt;")
