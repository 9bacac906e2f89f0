"""Words of a file that are not what they look like: a warning in a policy, an error in a catalog."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from oap_core.cel.parse import parse
from oap_core.cel.report import Report
from oap_core.cel.tree import Literal, walk
from oap_core.cel.types import ObjectType
from oap_core.diagnostic import Diagnostic, printable
from oap_core.policy.catalog import ToolDefinition
from oap_core.policy.checks.lookalikes import Oddity, oddities, words
from oap_core.policy.codes import FileCode
from oap_core.policy.load import Document
from oap_core.policy.report import blame, warn
from oap_core.policy.tree import Entry, Mapping, Node, Scalar, Sequence, Span

__all__ = ["check_catalog_characters", "check_characters", "check_names", "known_words"]

_INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
)
_ALIKE: Final = str.maketrans("1I|0", "lllo")
_HELP: Final = "write the letters that are meant"


def known_words(tools: Iterable[ToolDefinition]) -> frozenset[str]:
    """The words of a catalog in ASCII, for which another word could pass."""
    found: set[str] = set()
    for tool in tools:
        arguments = tool.arguments.fields if isinstance(tool.arguments, ObjectType) else ()
        names = [str(tool.id), *tool.tags, *tool.annotations, *arguments]
        found.update(word[0] for name in names for word in words(name) if word[0].isascii())
    return frozenset(found)


def check_characters(document: Document, known: frozenset[str], problems: list[Diagnostic]) -> None:
    """Warn of odd words in what selects tools, in constants and in the texts of conditions of a policy or exceptions.

    Inside of a constant or a condition an escape is what it says, so a character that is written so is not told of.
    """
    root = document.root
    if not isinstance(root, Mapping) or _plain(document):
        return
    parts = [root, *_items(root, "rules"), *_items(root, "exceptions")]
    selections = [entry.value for part in parts for entry in part if entry.key == "match"]
    selecting = [scalar for match in selections for scalar in _texts(match)]
    known |= frozenset(word[0] for one in selecting for word in words(str(one.value)) if word[0].isascii())
    teller = _Teller(document.file, known, problems, strict=False)
    for scalar in selecting:
        teller.value(scalar)
    for match in selections:
        for entry in _members(match, "annotations"):
            teller.key(entry)
    for entry in root:
        if entry.key == "constants":
            for scalar in _texts(entry.value):
                teller.text(scalar, str(scalar.value))
        elif entry.key == "variables":
            for scalar in _texts(entry.value):
                teller.condition(scalar)
    for part in parts:
        if (when := part.get("when")) is not None and isinstance(when.value, Scalar):
            teller.condition(when.value)


def check_names(root: Node, file: str | None, problems: list[Diagnostic]) -> None:
    """Warn of names in one policy that a reader could take for each other, such as `limit_l` and `limit_1`."""
    if not isinstance(root, Mapping):
        return
    for key in ("constants", "variables"):
        section = root.get(key)
        names = section.value if section is not None else None
        pairs = [(entry.key, entry.key_span) for entry in names] if isinstance(names, Mapping) else []
        _tell_alike(key.removesuffix("s"), pairs, file, problems)
    ids = [rule.get("id") for rule in _items(root, "rules")]
    values = [entry.value for entry in ids if entry is not None and isinstance(entry.value, Scalar)]
    _tell_alike("rule", [(str(value.value), value.span) for value in values], file, problems)


def _tell_alike(what: str, names: list[tuple[str, Span]], file: str | None, problems: list[Diagnostic]) -> None:
    first: dict[str, str] = {}
    for name, span in names:
        known = first.setdefault(name.translate(_ALIKE).lower(), name)
        if known != name:
            message = f"the {what} `{name}` is hard to tell from `{known}`"
            help_ = "give one of them another name"
            problems.append(warn(FileCode.CONFUSABLE, span, message, help_, file=file))


def check_catalog_characters(document: Document, known: frozenset[str], problems: list[Diagnostic]) -> None:
    """Tell of odd words in the ids, tags, annotations and argument names of a catalog file."""
    root = document.root
    if not isinstance(root, Mapping) or _plain(document):
        return
    teller = _Teller(document.file, known, problems, strict=True)
    for tool in _items(root, "tools"):
        for entry in tool:
            if entry.key in ("id", "tags"):
                for scalar in _texts(entry.value):
                    teller.value(scalar)
        for entry in (*_members(tool, "annotations"), *_members(tool, "properties")):
            teller.key(entry)


class _Teller:
    """Tells of oddities in one file."""

    def __init__(self, file: str | None, known: frozenset[str], problems: list[Diagnostic], *, strict: bool) -> None:
        self._file = file
        self._known = known
        self._problems = problems
        self._say = blame if strict else warn

    def value(self, scalar: Scalar) -> None:
        """A text that is compared with names of tools."""
        text = str(scalar.value)
        hidden = _INVISIBLE.search(text)
        if hidden is not None:
            self._tell(scalar, 0, _hidden(hidden))
        else:
            self.text(scalar, text)

    def text(self, scalar: Scalar, text: str, start: int = 0) -> None:
        """A text that begins at an offset of a value."""
        for oddity in oddities(text, self._known):
            self._tell(scalar, start, oddity)

    def condition(self, scalar: Scalar) -> None:
        """The texts in a CEL expression."""
        source = str(scalar.value)
        if source.isascii():
            return
        tree = parse(source, Report(source))
        for node in () if tree is None else walk(tree):
            if isinstance(node, Literal) and isinstance(node.value, str):
                self.text(scalar, source[node.start : node.end], node.start)

    def key(self, entry: Entry) -> None:
        """A key of a mapping, which is a name."""
        hidden = _INVISIBLE.search(entry.key)
        found = [_hidden(hidden)] if hidden is not None else list(oddities(entry.key, self._known))
        for oddity in found:
            message = f"`{printable(entry.key)}` {oddity.message}"
            self._problems.append(self._say(FileCode.CONFUSABLE, entry.key_span, message, _HELP, file=self._file))

    def _tell(self, scalar: Scalar, start: int, oddity: Oddity) -> None:
        line, column = scalar.place(start + oddity.start)
        span = Span(line, column, line, column + 1)
        message = f"`{printable(oddity.word)}` {oddity.message}"
        self._problems.append(self._say(FileCode.CONFUSABLE, span, message, _HELP, file=self._file))


def _plain(document: Document) -> bool:
    """Whether a file cannot hold anything but ASCII; an escape between double quotes could stand for anything."""
    return document.text.isascii() and "\\" not in document.text


def _hidden(found: re.Match[str]) -> Oddity:
    return Oddity(found.start(), found.string, f"holds U+{ord(found[0]):04X}, which cannot be seen")


def _items(root: Mapping, key: str) -> Iterator[Mapping]:
    """The mappings in a list."""
    entry = root.get(key)
    for item in entry.value.items if entry is not None and isinstance(entry.value, Sequence) else ():
        if isinstance(item, Mapping):
            yield item


def _members(root: Node, key: str) -> Iterator[Entry]:
    """The entries of every mapping that stands under a key, at any depth."""
    pending = [root]
    while pending:
        node = pending.pop()
        if isinstance(node, Sequence):
            pending.extend(node.items)
        elif isinstance(node, Mapping):
            for entry in node:
                if entry.key == key and isinstance(entry.value, Mapping):
                    yield from entry.value
                pending.append(entry.value)


def _texts(root: Node) -> Iterator[Scalar]:
    """Every text in a value; keys are none."""
    pending = [root]
    while pending:
        node = pending.pop()
        if isinstance(node, Scalar):
            if isinstance(node.value, str):
                yield node
        elif isinstance(node, Sequence):
            pending.extend(reversed(node.items))
        else:
            pending.extend(entry.value for entry in reversed(node.entries))
