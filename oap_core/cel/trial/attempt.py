"""Trying one expression on one document: everything that `oap cel` shows.

A document is what a call would bring: a JSON object whose members are the variables. `now` is the one variable that
JSON has no type for: as a text in RFC 3339 it is the moment of the trial.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from oap_core.cel.activation import Activation, freeze
from oap_core.cel.codes import LoadCode
from oap_core.cel.environment import Env
from oap_core.cel.failure import Code, EvalError, Failure
from oap_core.cel.library import FUNCTIONS
from oap_core.cel.program import Program, load
from oap_core.cel.standard.moments import timestamp_from_text
from oap_core.cel.trial.evidence import Blame, Reading, Witness, readings
from oap_core.cel.trial.fit import misfits, unusable
from oap_core.cel.trial.sample import sampled
from oap_core.cel.types import DYN, TIMESTAMP, ObjectType, Type
from oap_core.cel.values import Timestamp, Value, type_of
from oap_core.diagnostic import Diagnostic, Severity
from oap_core.errors import CelError


@dataclass(frozen=True, slots=True)
class Trial:
    """What became of one expression on one document."""

    program: Program
    """The loaded expression."""
    result: Value | Failure
    """Its value, or why it has none."""
    activation: Activation
    """The frozen document."""
    unusable: str | None
    """Why the document cannot be used at all, in a sentence; None where it can."""
    misfits: tuple[str, ...]
    """Where the document differs from the schema, a sentence each."""
    doubts: tuple[Diagnostic, ...]
    """What would be wrong with the expression if the document's types were those of a schema; none where there is one."""

    @property
    def failure(self) -> Failure | None:
        """Why there is no value, or None where there is one."""
        return self.result if type(self.result) is Failure else None

    @property
    def value_type(self) -> str:
        """The type of the value, or what the checker expected of it where there is none."""
        return str(self.program.type) if self.failure is not None else type_of(self.result).name

    @property
    def readings(self) -> tuple[Reading, ...]:
        """The references of the expression and the data at each."""
        return readings(self.program.tree, self.activation)

    @property
    def blame(self) -> Blame | None:
        """The part that failed; None where nothing did, or where the data as a whole is at fault."""
        failure, program = self.failure, self.program
        if failure is None or failure.line == 0:
            return None
        offset = _offset(program.source, failure.line, failure.column)
        return Witness(FUNCTIONS, self.activation).blame(program.tree, offset, failure.code)


def _offset(source: str, line: int, column: int) -> int:
    return sum(len(text) + 1 for text in source.split("\n")[: line - 1]) + column - 1


def loaded(source: str, described: ObjectType, *, condition: bool = False) -> Program:
    """Load an expression for documents of a type, without any document. Raises `CelError` where it does not load."""
    return load(source, Env(declared({}, described)), condition=condition)


class MomentError(ValueError):
    """The document's `now` is no moment in RFC 3339."""


def declared(document: Mapping[str, object], described: ObjectType | None) -> Mapping[str, Type]:
    """The variables and their types: those of the schema, or the document's members with types unknown."""
    if described is None:
        return {**dict.fromkeys(document, DYN), "now": TIMESTAMP}
    others = {} if described.rest is None else dict.fromkeys(document, described.rest)
    return {**others, **{name: field.type for name, field in described.fields.items()}, "now": TIMESTAMP}


def attempt(
    source: str,
    document: Mapping[str, object] | None,
    described: ObjectType | None,
    now: Timestamp,
    *,
    condition: bool = False,
) -> Trial:
    """Load an expression and evaluate it on a document.

    With `condition`, a value that is no boolean is a failure, as it is in a rule. Raises `CelError` where the
    expression does not load, `MomentError` for a `now` that is no moment.
    """
    variables = dict(document or {})
    moment = _moment(variables.pop("now", now))
    program = load(source, Env(declared(variables, described)), condition=condition)
    activation = freeze({**variables, "now": moment})
    result = program.evaluate(activation)
    if condition and type(result) is not bool and type(result) is not Failure:
        result = Failure(Code.NOT_BOOLEAN, 1, 1)
    if activation.failure is not None:
        return Trial(program, result, activation, unusable(variables, activation.failure.code), (), ())
    differing = () if document is None or described is None else misfits(_frozen(variables, activation), described)
    doubts = () if described or not variables else _doubts(source, _frozen(variables, activation))
    return Trial(program, result, activation, None, differing, doubts)


def _frozen(variables: Mapping[str, object], activation: Activation) -> dict[str, Value]:
    return {name: activation.roots[name] for name in variables}


def _doubts(source: str, variables: Mapping[str, Value]) -> tuple[Diagnostic, ...]:
    """Comparisons that are false for no better reason than that the types differ."""
    types = {name: sampled(value) for name, value in variables.items()}
    try:
        load(source, Env({**types, "now": TIMESTAMP}), condition=False)
    except CelError as error:
        return tuple(
            replace(found, message=f"{found.message}, in this input", severity=Severity.WARNING)
            for found in error.diagnostics
            if found.code == LoadCode.NEVER_EQUAL
        )
    return ()


def _moment(value: object) -> Timestamp:
    if type(value) is Timestamp:
        return value
    if type(value) is str:
        try:
            return timestamp_from_text(value)
        except EvalError:
            pass
    raise MomentError("`now` must be a moment such as `2026-12-01T12:00:00Z`")
