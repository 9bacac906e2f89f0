"""Trying one expression on one document: everything that `oap cel` shows.

A document is what a call would bring: a JSON object whose members are the variables. `now` is the one variable that
JSON has no type for: as a text in RFC 3339 it is the moment of the trial.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from oap_core.cel.activation import Activation, freeze
from oap_core.cel.environment import Env
from oap_core.cel.evidence import Reading, Witness, blamed, readings
from oap_core.cel.failure import Code, EvalError, Failure
from oap_core.cel.fit import misfits, unusable
from oap_core.cel.functions import Registry
from oap_core.cel.host import HOST_FUNCTIONS
from oap_core.cel.program import Program, load
from oap_core.cel.standard import STANDARD
from oap_core.cel.standard.moments import timestamp_from_text
from oap_core.cel.types import DYN, TIMESTAMP, ObjectType, Type
from oap_core.cel.values import Timestamp, Value, type_of

FUNCTIONS: Final[Registry] = STANDARD.extended(HOST_FUNCTIONS)
"""Every function that an expression has without a plugin."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What became of one expression on one document."""

    program: Program
    """The loaded expression."""
    result: Value | Failure
    """Its value, or why it has none."""
    activation: Activation
    """The frozen document."""
    misfits: tuple[str, ...]
    """Where the document differs from the schema, or why it cannot be used at all, a sentence each."""

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
        return readings(self.program.references, self.activation)

    def blamed(self) -> tuple[int, int, str | None] | None:
        """The span in the source that failed and what to do about it; None where the data as a whole is at fault."""
        failure, source = self.failure, self.program.source
        if failure is None or failure.line == 0:
            return None
        offset = _offset(source, failure.line, failure.column)
        node = blamed(self.program.tree, offset)
        if node is None:
            return offset, offset + 1, None
        return offset, max(node.end, offset + 1), Witness(FUNCTIONS, self.activation).advice(node, failure)


def _offset(source: str, line: int, column: int) -> int:
    return sum(len(text) + 1 for text in source.split("\n")[: line - 1]) + column - 1


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
    program = load(source, Env(declared(variables, described), functions=FUNCTIONS), condition=condition)
    activation = freeze({**variables, "now": moment})
    result = program.evaluate(activation)
    if condition and type(result) is not bool and type(result) is not Failure:
        result = Failure(Code.NOT_BOOLEAN, 1, 1)
    return Trial(program, result, activation, _findings(document, variables, described, activation))


def _findings(
    document: Mapping[str, object] | None,
    variables: Mapping[str, object],
    described: ObjectType | None,
    activation: Activation,
) -> tuple[str, ...]:
    if activation.failure is not None:
        return (unusable(variables, activation.failure.code),)
    if document is None or described is None:
        return ()
    return misfits({name: activation.roots[name] for name in variables}, described)


def _moment(value: object) -> Timestamp:
    if type(value) is Timestamp:
        return value
    if type(value) is str:
        try:
            return timestamp_from_text(value)
        except EvalError:
            pass
    raise MomentError("`now` must be a moment such as `2026-12-01T12:00:00Z`")
