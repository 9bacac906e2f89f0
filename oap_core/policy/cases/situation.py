"""What a case is judged on: its call, subject, session and moment, with what holds where it says nothing.

A subject is `tester` without roles. A session is `test`, given out by `test`, in the workspace `/w`, without labels,
and begins at the moment of the case. A `null` takes one of these away. A case that says no `now` is judged at
`LATE`, when everything that ends is over, so that no test stays green because of something that has ended by now.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from difflib import get_close_matches
from typing import Any, Final

from pydantic_core import PydanticCustomError

from oap_core.cel.types import Field
from oap_core.diagnostic import Diagnostic, printable
from oap_core.frozen import JsonObject, freeze_object
from oap_core.names import ToolId
from oap_core.policy.cases.attributes import misfit
from oap_core.policy.cases.placeholders import Path, TooMuchError
from oap_core.policy.cases.written import Case, Filled
from oap_core.policy.codes import FileCode
from oap_core.policy.facts import Facts, SessionFacts
from oap_core.policy.model.fields import moment
from oap_core.policy.scope import CORE_SESSION, CORE_SUBJECT, Vocabulary
from oap_core.types import Stage, Subject, TextPart, ToolCall, ToolResult

__all__ = ["LATE", "facts_of"]

LATE: Final = datetime(2099, 1, 1, 12, 0, tzinfo=UTC)
"""The moment of a case that says none: a Thursday, at noon in UTC, later than anything ends."""

_ID: Final = "test"


def facts_of(case: Case, vocabulary: Vocabulary, problems: list[Diagnostic]) -> Facts | None:
    """The facts of a case, or None where a value cannot be used, which is then told."""
    return _Reader(case, vocabulary, problems).facts()


class _WrongError(Exception):
    """A value cannot be used; it has been told."""


class _Reader:
    def __init__(self, case: Case, vocabulary: Vocabulary, problems: list[Diagnostic]) -> None:
        self._case = case
        self._vocabulary = vocabulary
        self._problems = problems
        self._now = case.written.model.now or LATE

    def facts(self) -> Facts | None:
        before = len(self._problems)
        try:
            filled = self._case.filled()
        except TooMuchError:
            self._blame((), "the values of the test are too long")
            return None
        self._check_given(filled)
        parts = [self._try(part, filled) for part in (_Reader._subject, _Reader._session, _Reader._call)]
        subject, session, call = parts
        original = None if filled.original is None else self._try(_Reader._original, filled)
        result = self._try(_Reader._result, filled)
        attempt = self._try(_Reader._attempt, filled)
        prompt = self._try(_Reader._prompt, filled)
        if len(self._problems) > before:
            return None
        return Facts(
            self._case.written.stage,
            self._now,
            subject,
            session,
            call,
            original,
            attempt=attempt,
            previous_outcome=filled.previous_outcome,
            result=result,
            prompt=prompt,
        )

    def _check_given(self, filled: Filled) -> None:
        """Refuse what a case says with a name that stands for nothing: it would be as if the case did not say it."""
        model = self._case.written.model
        given: list[tuple[Path, object, object]] = [
            (("subject",), model.subject, filled.subject),
            (("session",), model.session, filled.session),
            (("prompt",), model.prompt, filled.prompt),
        ]
        if model.call is not None:
            given.append((("call", "original"), model.call.original, filled.original))
        if model.result is not None:
            given.append((("result", "structured"), model.result.structured, filled.structured))
        for path, said, value in given:
            if said is not None and value is None:
                self._blame(path, f"`{'.'.join(map(str, path))}` is empty", "give a value, or take it away")

    def _try(self, part: Any, filled: Filled) -> Any:
        try:
            return part(self, filled)
        except _WrongError:
            return None

    def _blame(self, path: Path, message: str, help: str | None = None, code: FileCode = FileCode.BAD_VALUE) -> None:
        self._problems.append(self._case.written.spot.blame(code, path, message, help))

    def _wrong(self, path: Path, message: str, help: str | None = None) -> _WrongError:
        self._blame(path, message, help, FileCode.WRONG_TYPE)
        return _WrongError()

    def _call(self, filled: Filled) -> ToolCall | None:
        if self._case.written.stage is Stage.PROMPT:
            return None
        if not isinstance(filled.tool, str):
            raise self._wrong(("call", "tool"), "`call.tool` has to be a text")
        try:
            tool = ToolId(filled.tool)
        except ValueError as error:
            self._blame(("call", "tool"), str(error))
            raise _WrongError from None
        return ToolCall(_ID, tool, self._object(("call", "args"), filled.args))

    def _original(self, filled: Filled) -> JsonObject:
        return self._object(("call", "original"), filled.original)

    def _object(self, path: Path, value: object) -> JsonObject:
        if not isinstance(value, Mapping):
            raise self._wrong(path, f"`{'.'.join(map(str, path))}` has to be a mapping")
        try:
            return freeze_object(value)
        except (TypeError, ValueError):
            self._blame(path, f"`{'.'.join(map(str, path))}` is larger or deeper than a call can be")
            raise _WrongError from None

    def _attempt(self, filled: Filled) -> int:
        if type(filled.attempt) is not int or filled.attempt < 1:
            raise self._wrong(("call", "attempt"), "`call.attempt` has to be a whole number from 1 on")
        return filled.attempt

    def _result(self, filled: Filled) -> ToolResult | None:
        model = self._case.written.model.result
        if model is None:
            return None
        if not isinstance(filled.text, str):
            raise self._wrong(("result", "text"), "`result.text` has to be a text")
        structured = None if filled.structured is None else self._object(("result", "structured"), filled.structured)
        return ToolResult((TextPart(filled.text),), model.is_error, structured)

    def _prompt(self, filled: Filled) -> str | None:
        if filled.prompt is not None and not isinstance(filled.prompt, str):
            raise self._wrong(("prompt",), "`prompt` has to be a text")
        return filled.prompt

    def _subject(self, filled: Filled) -> Subject:
        given = self._given("subject", filled.subject, CORE_SUBJECT, self._vocabulary.subject)
        core: dict[str, Any] = {"id": "tester", "roles": [], "on_behalf_of": None} | {
            name: value for name, value in given.items() if name in CORE_SUBJECT
        }
        try:
            return Subject(core["id"], frozenset(core["roles"]), core["on_behalf_of"], _others(given, CORE_SUBJECT))
        except (TypeError, ValueError) as error:
            self._blame(("subject",), str(error))
            raise _WrongError from None

    def _session(self, filled: Filled) -> SessionFacts:
        given = self._given("session", filled.session, CORE_SESSION, self._vocabulary.session)
        core: dict[str, Any] = {"id": _ID, "issuer": _ID, "labels": [], "workspace": "/w", "started": self._now} | {
            name: value for name, value in given.items() if name in CORE_SESSION
        }
        return SessionFacts(
            core["id"],
            core["issuer"],
            core["workspace"],
            frozenset(core["labels"]),
            core["started"],
            _others(given, CORE_SESSION),
        )

    def _given(
        self, owner: str, value: Any, core: Mapping[str, Field], declared: Mapping[str, Field]
    ) -> dict[str, Any]:
        """What the case says about the subject or the session, where each value has its declared type."""
        if value is None:
            return {}
        if not isinstance(value, Mapping):
            raise self._wrong((owner,), f"`{owner}` has to be a mapping")
        found: dict[str, Any] = {}
        wrong = False
        for name, one in value.items():
            if name not in core and name not in declared:
                self._undeclared(owner, name, {**core, **declared})
                wrong = True
                continue
            try:
                found[name] = self._attribute(owner, name, one, {**core, **declared}[name])
            except _WrongError:
                wrong = True
        if wrong:
            raise _WrongError
        return found

    def _undeclared(self, owner: str, name: str, known: Mapping[str, Field]) -> None:
        near = get_close_matches(name, known, n=1, cutoff=0.6)
        help_ = f"declare it under `{owner}.attributes` in the configuration"
        if near:
            help_ = f"did you mean `{near[0]}`? Otherwise {help_}"
        message = f"no {owner} has `{printable(name)}`"
        self._problems.append(self._case.written.spot.blame_key(FileCode.UNKNOWN_KEY, (owner, name), message, help_))

    def _attribute(self, owner: str, name: str, value: Any, declared: Field) -> Any:
        path: Path = (owner, name)
        if value is None and name in _MAY_BE_NONE:
            return None
        if name == "started" and owner == "session":
            try:
                return moment(value)
            except PydanticCustomError as error:
                raise self._wrong(path, f"`session.started`: {error.message()}") from None
        found = misfit(value, declared.type, f"{owner}.{name}")
        if found is not None:
            raise self._wrong(path, found)
        return value


_MAY_BE_NONE: Final = frozenset({"on_behalf_of", "workspace", "started"})


def _others(given: Mapping[str, Any], core: Mapping[str, Field]) -> JsonObject:
    return freeze_object({name: value for name, value in given.items() if name not in core})
