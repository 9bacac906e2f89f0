"""One call from a file of its own, as `oap explain` takes it: a case without a matrix and without an expectation.

Nothing in it is a hole: it may be the record of a real call, whose texts mean nothing but themselves.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from pydantic import Field

from oap_core.diagnostic import Diagnostic
from oap_core.policy.cases.situation import facts_of
from oap_core.policy.cases.written import Case, Filled, Spot, Written
from oap_core.policy.codes import FileCode
from oap_core.policy.facts import Facts
from oap_core.policy.load import Document
from oap_core.policy.model.cases import CallModel, CaseModel, ResultModel
from oap_core.policy.model.fields import FileModel, Moment, Number, Template, Text
from oap_core.policy.report import blame, ordered
from oap_core.policy.scope import Vocabulary
from oap_core.policy.shape import validate
from oap_core.policy.tree import Entry, Mapping

__all__ = ["read_call", "read_subject"]


class CallFileModel(FileModel):
    """What the file of a call holds."""

    tool: Text | None = None
    """Id of the tool."""
    args: Template = Field(default_factory=dict)
    """Its arguments."""
    original: Template | None = None
    """The arguments as the model asked them, where a rewriter changed them."""
    attempt: Number = 1
    """Which attempt it is."""
    previous_outcome: Literal["none", "ok", "error", "unknown"] = "none"
    """How the attempt before ended."""
    subject: Template | None = None
    """Who calls."""
    session: Template | None = None
    """The session."""
    now: Moment | None = None
    """The moment of the call."""
    prompt: Text | None = None
    """The prompt, where one is judged."""
    result: ResultModel | None = None
    """The result, where one is judged."""


class SubjectFileModel(FileModel):
    """What the file of a subject holds."""

    subject: Template | None = None
    """Who it is."""
    session: Template | None = None
    """The session."""


_OF_CALL: Final = frozenset({"tool", "args", "original", "attempt", "previous_outcome"})


@dataclass(frozen=True, slots=True)
class _Lone(Case):
    """A case whose values are taken as they are."""

    def filled(self) -> Filled:
        """The parts of the case as the file has them."""
        model = self.written.model
        call, result = model.call, model.result
        return Filled(
            None if call is None else call.tool,
            None if call is None else call.args,
            None if call is None else call.original,
            1 if call is None else call.attempt,
            "none" if call is None else call.previous_outcome,
            "" if result is None else result.text,
            None if result is None else result.structured,
            model.prompt,
            model.subject,
            model.session,
        )


def read_call(document: Document, vocabulary: Vocabulary, now: datetime) -> Facts | tuple[Diagnostic, ...]:
    """The facts that a file tells, at the moment that it names or else at `now`; or everything that is wrong with it."""
    if document.problems or document.root is None:
        return document.problems
    model = validate(CallFileModel, document.root, document.file)
    if isinstance(model, list):
        return ordered(model)
    if (model.tool is None) == (model.prompt is None):
        message = "a call names its `tool`, and a prompt has a `prompt` and no tool"
        return (blame(FileCode.MISSING_KEY, document.root.span, message, file=document.file),)
    call = None
    if model.tool is not None:
        call = CallModel.model_construct(
            tool=model.tool,
            args=model.args,
            original=model.original,
            attempt=model.attempt,
            previous_outcome=model.previous_outcome,
        )
    return _facts(
        document,
        CaseModel.model_construct(
            name="call",
            call=call,
            prompt=model.prompt,
            result=model.result,
            subject=model.subject,
            session=model.session,
            now=model.now or now,
        ),
        vocabulary,
    )


def read_subject(document: Document, vocabulary: Vocabulary, now: datetime) -> Facts | tuple[Diagnostic, ...]:
    """The subject and the session that a file tells, in the facts of an empty prompt; or everything that is wrong."""
    if document.problems or document.root is None:
        return document.problems
    model = validate(SubjectFileModel, document.root, document.file)
    if isinstance(model, list):
        return ordered(model)
    case = CaseModel.model_construct(
        name="subject", call=None, prompt="-", result=None, subject=model.subject, session=model.session, now=now
    )
    return _facts(document, case, vocabulary)


def _facts(document: Document, model: CaseModel, vocabulary: Vocabulary) -> Facts | tuple[Diagnostic, ...]:
    problems: list[Diagnostic] = []
    # The reader of cases looks for what belongs to the call below `call`.
    written = Written(Spot(_nested(document), ()), model, ())
    facts = facts_of(_Lone(written, 0), vocabulary, problems)
    if facts is None or problems:
        return ordered(problems)
    return facts


def _nested(document: Document) -> Document:
    root = document.root
    if not isinstance(root, Mapping):
        return document
    inner = tuple(entry for entry in root if entry.key in _OF_CALL)
    outer = tuple(entry for entry in root if entry.key not in _OF_CALL)
    call = Entry("call", root.span, Mapping(root.span, inner))
    return Document(document.file, document.text, Mapping(root.span, (call, *outer)), document.problems)
