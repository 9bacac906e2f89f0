"""Sorting files by what they say they are, and reading each as the model of its kind has it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import PurePath
from typing import Final, TypeVar

from pydantic import BaseModel

from oap_core.diagnostic import Diagnostic, printable
from oap_core.policy.codes import FileCode
from oap_core.policy.load import Document
from oap_core.policy.model.cases import FixturesModel, PolicyTestModel
from oap_core.policy.model.catalog import CatalogModel
from oap_core.policy.model.exceptions import ExceptionsModel
from oap_core.policy.model.policy import PolicyModel
from oap_core.policy.report import blame
from oap_core.policy.shape import validate
from oap_core.policy.tree import Entry, Mapping, Scalar, Sequence, Span

M = TypeVar("M", bound=BaseModel)

__all__ = ["FIXTURES", "KINDS", "VERSION", "Sorted", "sorted_documents"]

VERSION: Final = "oap/v1"
"""The version of the file format."""
KINDS: Final = ("Policy", "Exceptions", "PolicyTest", "Catalog")
"""What a file can be."""
FIXTURES: Final = ("fixtures.yaml", "fixtures.yml")
"""Files that have no kind: values that tests beside them share."""


@dataclass(slots=True)
class Sorted:
    """The files that have the shape of their kind."""

    policies: list[tuple[Document, PolicyModel]] = field(default_factory=list)
    """Policies."""
    exceptions: list[tuple[Document, ExceptionsModel]] = field(default_factory=list)
    """Exceptions."""
    catalogs: list[tuple[Document, CatalogModel]] = field(default_factory=list)
    """Catalogs."""
    tests: list[tuple[Document, PolicyTestModel]] = field(default_factory=list)
    """Tests in files of their own."""
    fixtures: list[tuple[Document, FixturesModel]] = field(default_factory=list)
    """Values that tests share."""
    partial: list[tuple[Document, PolicyModel]] = field(default_factory=list)
    """What is left of policies without the rules that have not the shape of one: only for finding more mistakes."""
    lost: list[Document] = field(default_factory=list)
    """The files that have not, whatever they may have held."""


def sorted_documents(documents: Iterable[Document], problems: list[Diagnostic]) -> Sorted:
    """Sort files by their kind; what is wrong with their shape is added to `problems`."""
    found = Sorted()
    for document in documents:
        if document.root is None:
            found.lost.append(document)
            continue
        kind = "Fixtures" if document.file and PurePath(document.file).name in FIXTURES else _kind(document, problems)
        known = len(problems)
        if kind == "Policy":
            _read(PolicyModel, document, found.policies, problems)
        elif kind == "Exceptions":
            _read(ExceptionsModel, document, found.exceptions, problems)
        elif kind == "Catalog":
            _read(CatalogModel, document, found.catalogs, problems)
        elif kind == "PolicyTest":
            _read(PolicyTestModel, document, found.tests, problems)
        elif kind == "Fixtures":
            _read(FixturesModel, document, found.fixtures, problems)
        if kind is None or len(problems) > known:
            found.lost.append(document)
            if kind == "Policy" and (rest := _rest(document, problems[known:])) is not None:
                _read(PolicyModel, rest, found.partial, [])
    return found


def _rest(document: Document, problems: list[Diagnostic]) -> Document | None:
    """The file without the rules and tests that have a problem; None where something else has one.

    What is left can be looked at further, so that one misspelt key does not hide the mistakes of other rules.
    """
    root = document.root
    assert isinstance(root, Mapping)
    left: list[Entry] = []
    found = 0
    for entry in root:
        if entry.key not in ("rules", "tests") or not isinstance(entry.value, Sequence):
            left.append(entry)
            continue
        wrong = {item for item in entry.value.items if any(_holds(item.span, problem) for problem in problems)}
        found += sum(any(_holds(item.span, problem) for item in wrong) for problem in problems)
        if entry.key == "rules":
            kept = tuple(item for item in entry.value.items if item not in wrong)
            left.append(Entry(entry.key, entry.key_span, Sequence(entry.value.span, kept)))
    return replace(document, root=Mapping(root.span, tuple(left))) if found == len(problems) else None


def _holds(span: Span, problem: Diagnostic) -> bool:
    return (span.line, span.column) <= (problem.line, problem.column) <= (span.end_line, span.end_column)


def _read(model: type[M], document: Document, into: list[tuple[Document, M]], problems: list[Diagnostic]) -> None:
    assert document.root is not None
    read = validate(model, document.root, document.file)
    if isinstance(read, list):
        problems.extend(read)
    else:
        into.append((document, read))


def _kind(document: Document, problems: list[Diagnostic]) -> str | None:
    """What a file says that it is; None where it says nothing that is known, which is then told."""
    root = document.root
    assert root is not None
    if not isinstance(root, Mapping):
        message = "a file holds a mapping with `apiVersion` and `kind`"
        problems.append(blame(FileCode.UNKNOWN_KIND, root.span, message, file=document.file))
        return None
    found: str | None = None
    for key, known in (("apiVersion", (VERSION,)), ("kind", KINDS)):
        entry = root.get(key)
        if entry is None:
            near = get_close_matches(key, [one.key for one in root], n=1, cutoff=0.7)
            place = next((one.key_span for one in root if near and one.key == near[0]), root.span)
            help_ = f"`{printable(near[0])}` is written `{key}`" if near else f"begin the file with `{key}: {known[0]}`"
            problems.append(blame(FileCode.UNKNOWN_KIND, place, f"the file has no `{key}`", help_, file=document.file))
            return None
        value = entry.value.value if isinstance(entry.value, Scalar) else None
        if value not in known:
            shown = f"`{printable(value)}`" if isinstance(value, str) else "this"
            near = get_close_matches(str(value), known, n=1, cutoff=0.4)
            choices = ", ".join(f"`{one}`" for one in known)
            help_ = f"did you mean `{near[0]}`?" if near else f"known: {choices}"
            message = f"{shown} is no known `{key}`"
            problems.append(blame(FileCode.UNKNOWN_KIND, entry.value.span, message, help_, file=document.file))
            return None
        found = str(value)
    return found
