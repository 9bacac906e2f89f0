"""The example policies: each project loaded once, and assembled again in memory with something changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Final

from oap_core.config import load_config
from oap_core.policy.assemble import Assembled, assemble
from oap_core.policy.cases import Ending, Written, prepare, run
from oap_core.policy.files import gather
from oap_core.policy.load import Document
from oap_core.policy.report import failed
from oap_core.policy.ruleset import RuleSet
from oap_core.policy.setup import Setup
from oap_core.policy.tree import Mapping as MappingNode
from oap_core.policy.tree import Node, Scalar
from oap_core.project import set_up

ROOT: Final = Path(__file__).parents[2] / "policies"
NAMES: Final = ("outreach", "payments", "starter", "workspace")
NOW: Final = datetime(2027, 1, 15, 12, 0, tzinfo=UTC)
"""A moment at which nothing in the examples has ended."""


@dataclass(frozen=True)
class ExampleSet:
    """One project of `policies/`."""

    name: str
    setup: Setup
    documents: tuple[Document, ...]
    rules: RuleSet
    tests: tuple[Written, ...]

    def kind(self, kind: str) -> list[Document]:
        """The documents of one kind."""
        return [one for one in self.documents if kind_of(one) == kind]

    def with_roots(self, roots: Mapping[str, Node], *, catalog: bool = True) -> Assembled:
        """The project with other contents for some of its files, with or without its catalog."""
        found = []
        for document in self.documents:
            if kind_of(document) in ("PolicyTest", None) or (kind_of(document) == "Catalog" and not catalog):
                continue
            root = roots.get(document.file or "", document.root)
            found.append(Document(document.file, document.text, root, ()))
        return assemble(found, self.setup)


def kind_of(document: Document) -> str | None:
    """What a document says that it is."""
    entry = document.root.get("kind") if isinstance(document.root, MappingNode) else None
    value = entry.value.value if entry is not None and isinstance(entry.value, Scalar) else None
    return value if isinstance(value, str) else None


@cache
def example(name: str) -> ExampleSet:
    """One project; everything about it has to be right."""
    folder = ROOT / name
    config = load_config(folder / "oap.yaml", folder, NOW)
    _, setup, problems = set_up(config)
    assert not config.diagnostics
    assert not problems, [one.message for one in problems]
    documents = gather([path for path, _ in (*config.policies, *config.catalog)])
    assembled = assemble(documents, setup)
    assert assembled.rules is not None, [one.message for one in assembled.diagnostics]
    prepared = prepare(assembled.tests, assembled.rules, folder)
    assert not failed(prepared.diagnostics), [one.message for one in prepared.diagnostics]
    return ExampleSet(name, setup, documents, assembled.rules, prepared.tests)


def survives(tests: Iterable[Written], rules: RuleSet) -> bool:
    """Whether every case passes with these rules; a case that names a rule which is not there cannot even be run."""
    try:
        return all(result.ending is Ending.PASSED for result in run(tests, rules))
    except ValueError:
        return False
