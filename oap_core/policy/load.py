"""Reads the text of a YAML file strictly: one document, plain values, every key and value with its place.

It is the only module that knows the YAML parser, and takes nothing from it but the order of the parts and where they
stand. None of the parser's own words is shown.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

import yaml

from oap_core.diagnostic import Diagnostic
from oap_core.policy.characters import checked, lined
from oap_core.policy.codes import FileCode
from oap_core.policy.composer import Composer, StopError
from oap_core.policy.faults import MOST_SHOWN, Fault, Lines, diagnostics
from oap_core.policy.mistakes import explain, first_tab, past_the_last, sign_in_front
from oap_core.policy.tree import Node

__all__ = ["TEXT_BYTES", "Document", "read", "read_bytes"]

TEXT_BYTES: Final = 1_000_000
"""Longest file that is read, in bytes of UTF-8."""

_PURE: Final[Any] = yaml.SafeLoader
_FASTEST: Final[Any] = getattr(yaml, "CSafeLoader", _PURE)
_HEAD: Final = re.compile(r"(?:[ ]*(?:#[^\n]*)?\n|%[^\n]*(?:\n|\Z))*")
_DIRECTIVE: Final = re.compile(r"^%[^\n]*", re.MULTILINE)
_PERCENT: Final = re.compile(r"^%", re.MULTILINE)
_WIDE: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)
# What the parser was seen to raise, or could, when a text is made to break it.
_BREAKS: Final = (ArithmeticError, AttributeError, LookupError, MemoryError, RecursionError, TypeError, ValueError)


@dataclass(frozen=True, slots=True)
class Document:
    """A file as it was read."""

    file: str | None
    """Its name as the author knows it."""
    text: str
    """Its text: without a byte order mark, and with a line feed at the end of each line, so that places fit."""
    root: Node | None
    """What it holds, or None where the text cannot be understood at all; then there are problems."""
    problems: tuple[Diagnostic, ...]
    """What is wrong with the text, in the order of the places; a file with problems is not to be used."""


def read(text: str, file: str | None = None) -> Document:
    """Read the text of a file. Never raises: whatever is wrong with it stands in the problems."""
    return _read(text, file, _FASTEST)


def read_bytes(data: bytes, file: str | None = None) -> Document:
    """Read the content of a file, which is UTF-8, with or without a byte order mark. Never raises."""
    if len(data) > TEXT_BYTES:
        return _refused("", file, _too_large())
    if data.startswith(_WIDE) or (len(data) > 1 and 0 in data[:2]):
        fault = Fault(FileCode.CHARACTER, 0, 0, "the file is not in UTF-8 but in UTF-16 or UTF-32", "save it as UTF-8")
        return _refused("", file, fault)
    try:
        return read(data.decode("utf-8"), file)
    except UnicodeDecodeError as error:
        place = len(lined(data[: error.start].decode("utf-8")))
        message = f"the byte 0x{data[error.start]:02X} is not UTF-8"
        fault = Fault(FileCode.CHARACTER, place, place + 1, message, "save the file as UTF-8")
    return _refused(lined(data.decode("utf-8", errors="replace")), file, fault)


def _read(text: str, file: str | None, loader: Any) -> Document:
    """Read with one of the two parsers; both give the same."""
    if len(text) > TEXT_BYTES or len(text.encode("utf-8", errors="surrogatepass")) > TEXT_BYTES:
        return _refused(text, file, _too_large())
    text = lined(text)
    lines = Lines(text)
    visible, faults = checked(text)
    visible, directives = _without_directives(visible)
    composer = Composer(visible, lines)
    root: Node | None = None
    try:
        _compose(visible, composer, loader)
        if (tab := first_tab(visible, composer.covered, len(visible))) is not None:
            raise StopError(tab)
        root = composer.root
        structural = composer.faults
    except StopError as stop:
        fault = first_tab(visible, composer.covered, stop.fault.start) or stop.fault
        structural = _before(composer.faults, fault, lines)
        # A line with characters that do not belong there breaks because of them.
        if fault.code is not FileCode.SYNTAX or not _before(faults, fault, lines, same=True):
            structural.append(fault)
    if root is None and not (faults or structural or directives):
        structural.append(Fault(FileCode.EMPTY, 0, 0, "the file is empty", "a file holds one YAML mapping"))
    return Document(file, text, root, diagnostics([*faults, *directives, *structural], lines, file))


def _before(faults: list[Fault], last: Fault, lines: Lines, *, same: bool = False) -> list[Fault]:
    """The faults on lines before the one that ended the reading, or those on the same line.

    How far a parser looks ahead is its own affair, so what it said about that line is left out.
    """
    end, _ = lines.place(last.start)
    return [
        fault for fault in faults if (lines.place(fault.start)[0] == end if same else lines.place(fault.start)[0] < end)
    ]


def _refused(text: str, file: str | None, fault: Fault) -> Document:
    return Document(file, text, None, diagnostics([fault], Lines(text), file))


def _too_large() -> Fault:
    message = f"the file is longer than {TEXT_BYTES} bytes"
    return Fault(FileCode.TOO_LARGE, 0, 0, message, "split it into several files")


def _without_directives(text: str) -> tuple[str, list[Fault]]:
    """Turn directives in front of the document into comments, so that both parsers read on in the same way."""
    head = _HEAD.match(text)
    end = head.end() if head is not None else 0
    found = [match.span() for match in islice(_DIRECTIVE.finditer(text, 0, end), MOST_SHOWN)]
    message, help = "a directive of YAML has no place here", "leave the line out"
    faults = [Fault(FileCode.TAG, first, last, message, help) for first, last in found]
    return (_PERCENT.sub("#", text[:end]) + text[end:] if faults else text), faults


def _compose(text: str, composer: Composer, loader: Any) -> None:
    """Feed a composer with the parts of the first document. Raises StopError where the text is no YAML."""
    try:
        documents = 0
        events: Any = yaml.parse(text, Loader=loader)
        for event in events:
            start = event.start_mark.index
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise StopError(_second(text, start))
            else:
                _feed(event, text, composer)
    except yaml.MarkedYAMLError as error:
        mark, context = error.problem_mark, error.context_mark
        problem = mark.index if mark is not None else 0
        about = context.index if context is not None else None
        simple_key = "simple key" in (error.context or "")
        early = first_tab(text, composer.covered, problem + 1) or composer.too_deep(problem)
        raise StopError(early or explain(text, problem, about, composer.bracket, simple_key=simple_key)) from None
    except (yaml.YAMLError, *_BREAKS):
        _, start = composer.covered[-1] if composer.covered else (0, 0)
        past = past_the_last(text, start)
        raise StopError(past or Fault(FileCode.SYNTAX, 0, 0, "the text cannot be understood as YAML")) from None


def _feed(event: Any, text: str, composer: Composer) -> None:
    start, end = event.start_mark.index, event.end_mark.index
    if isinstance(event, yaml.ScalarEvent):
        composer.scalar(start, end, event.value, odd=_odd(event, text, start))
    elif isinstance(event, yaml.AliasEvent):
        composer.alias(start, end)
    elif isinstance(event, yaml.CollectionStartEvent):
        composer.open(start, mapping=isinstance(event, yaml.MappingStartEvent), odd=_odd(event, text, start))
    elif isinstance(event, yaml.CollectionEndEvent):
        composer.close(end, flow=end > start)


def _odd(event: Any, text: str, start: int) -> bool:
    """Whether a value has an anchor or a tag; a lone `!` is not always told."""
    own = isinstance(event, yaml.ScalarEvent) or bool(event.flow_style)
    return event.anchor is not None or event.tag is not None or (own and text[start : start + 1] in {"!", "&"})


def _second(text: str, start: int) -> Fault:
    if text.startswith("%", start):
        return sign_in_front(text, start)
    end = start + 3 if text.startswith("---", start) else start + 1
    message = "a second document begins here, and a file holds one"
    return Fault(FileCode.SEVERAL_DOCUMENTS, start, end, message, "move it to a file of its own")
