"""One test as its file has it, with the cases that it stands for.

A matrix makes one case of each combination: the keys in the order in which they are written, and the last one varies
fastest. Cases are made when they are asked for, since they can be many and large.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import prod
from typing import Any

from oap_core.diagnostic import Diagnostic, printable
from oap_core.policy.cases.placeholders import Path, fill
from oap_core.policy.codes import FileCode
from oap_core.policy.load import Document
from oap_core.policy.model.cases import CaseModel, ExpectModel
from oap_core.policy.report import blame
from oap_core.policy.tree import Scalar, Span, key_at, node_at, span_at
from oap_core.types import Stage

__all__ = ["Case", "Filled", "Spot", "Written"]


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a file, from which other places are found."""

    document: Document
    """The file."""
    path: Path
    """The way to it."""

    def span(self, *steps: str | int) -> Span:
        """Where a value stands; where there is none, the last thing on the way to it."""
        assert self.document.root is not None
        return span_at(self.document.root, *self.path, *steps)

    def blame(self, code: FileCode, steps: Path, message: str, help: str | None = None) -> Diagnostic:
        """An error at a value."""
        return blame(code, self.span(*steps), message, help, file=self.document.file)

    def blame_key(self, code: FileCode, steps: Path, message: str, help: str | None = None) -> Diagnostic:
        """An error at a key."""
        assert self.document.root is not None
        return blame(code, key_at(self.document.root, *self.path, *steps), message, help, file=self.document.file)

    def blame_inside(
        self, code: FileCode, steps: Path, stretch: tuple[int, int], message: str, help: str | None
    ) -> Diagnostic:
        """An error at a stretch of a text, given by its offsets."""
        assert self.document.root is not None
        node = node_at(self.document.root, *self.path, *steps)
        if not isinstance(node, Scalar):
            return self.blame(code, steps, message, help)
        start = node.place(stretch[0])
        return blame(code, Span(*start, *max(start, node.place(stretch[1]))), message, help, file=self.document.file)


@dataclass(frozen=True, slots=True)
class Filled:
    """The parts of a case with all holes filled; their types are still to be checked."""

    tool: Any = None
    """Id of the tool."""
    args: Any = None
    """The arguments."""
    original: Any = None
    """The arguments as the model asked them, or None where nothing was rewritten."""
    attempt: Any = 1
    """Which attempt it is."""
    previous_outcome: Any = "none"
    """How the attempt before ended."""
    text: Any = ""
    """The text of the result."""
    structured: Any = None
    """The structured value of the result."""
    prompt: Any = None
    """The prompt."""
    subject: Any = None
    """What is said of the subject."""
    session: Any = None
    """What is said of the session."""
    message: Any = None
    """What the model has to be told."""


@dataclass(frozen=True, slots=True)
class Written:
    """One test of a file. It is well formed: its holes can be filled, and each case has its expectation."""

    spot: Spot
    """Where it stands."""
    model: CaseModel
    """What the file says."""
    policies: tuple[str, ...]
    """Policies whose rules it names without the policy; none where any policy is meant."""
    matrix: Mapping[str, list[Any]] = field(default_factory=dict)
    """Values by name."""
    fixtures: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """What the names that stand in no matrix stand for."""

    @property
    def stage(self) -> Stage:
        """What is judged."""
        if self.model.prompt is not None:
            return Stage.PROMPT
        return Stage.CALL if self.model.result is None else Stage.RESULT

    @property
    def count(self) -> int:
        """How many cases it stands for."""
        return prod(len(values) for values in self.matrix.values())

    def cases(self) -> Iterator[Case]:
        """Each case, in order."""
        return (Case(self, number) for number in range(self.count))


@dataclass(frozen=True, slots=True)
class Case:
    """One combination of the values of a test."""

    written: Written
    """The test."""
    number: int
    """Which combination it is, from 0."""

    @property
    def values(self) -> dict[str, Any]:
        """The values of the matrix in this case."""
        found: dict[str, Any] = {}
        rest = self.number
        for name, values in reversed([*self.written.matrix.items()]):
            rest, place = divmod(rest, len(values))
            found[name] = values[place]
        return {name: found[name] for name in self.written.matrix}

    @property
    def expected(self) -> ExpectModel:
        """What has to come out."""
        model = self.written.model
        found = model.expect if model.expect_each is None else model.expect_each[self.number]
        assert found is not None
        return found

    @property
    def expectation_path(self) -> Path:
        """The way to the expectation, from the test."""
        return ("expect",) if self.written.model.expect_each is None else ("expect_each", self.number)

    @property
    def name(self) -> str:
        """What the case shows."""
        return printable(self.written.model.name)

    def filled(self) -> Filled:
        """The case with its holes filled. Raises `TooMuchError`."""
        model = self.written.model
        call, result = model.call, model.result
        parts: dict[str, Any] = {"subject": model.subject, "session": model.session, "prompt": model.prompt}
        parts["message"] = self.expected.message
        if call is not None:
            parts |= {
                "tool": call.tool,
                "args": call.args,
                "original": call.original,
                "attempt": call.attempt,
                "previous_outcome": call.previous_outcome,
            }
        if result is not None:
            parts |= {"text": result.text, "structured": result.structured}
        return Filled(**fill(parts, {**self.written.fixtures, **self.values}))
