"""What our engine makes of the vectors."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from oap_core.cel import Activation, Env, Failure, Program, load
from oap_core.errors import CelError
from tests.core.cel.conformance.vectors import Vector, same, same_type, vectors


class Result(StrEnum):
    """How one vector ended."""

    PASSED = "passed"
    REJECTED = "rejected"
    """It did not load, and the specification has a value for it."""
    FAILED = "error"
    """An error outcome, and the specification has a value for it."""
    WRONG = "wrong"
    """Another value or type than the specification has, or a value where it has an error."""
    RAISED = "raised"
    """An exception that is no load error."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How one vector ended, and what it ended with."""

    vector: Vector
    result: Result
    """How."""
    detail: str
    """Codes, value or exception, for the report of a failing test."""
    hint: str | None = None
    """What the load error advises, where it advises anything."""


@cache
def results() -> tuple[Ended, ...]:
    """All vectors, run."""
    return tuple(run(vector) for vector in vectors())


def run(vector: Vector) -> Ended:
    """Run one vector."""
    try:
        program = load(vector.source, Env(vector.variables, namespace=vector.container), condition=False)
    except CelError as error:
        codes = " ".join(found.code for found in error.diagnostics)
        hint = next((found.help for found in error.diagnostics if found.help), None)
        return Ended(vector, Result.PASSED if vector.expects_error else Result.REJECTED, codes, hint)
    except Exception as error:
        return Ended(vector, Result.RAISED, repr(error))
    if vector.deduced is not None and not same_type(program.type, vector.deduced):
        return Ended(vector, Result.WRONG, f"has the type {program.type}")
    if vector.check_only:
        return Ended(vector, Result.PASSED, "")
    return _evaluated(vector, program)


def _evaluated(vector: Vector, program: Program) -> Ended:
    try:
        value = program.evaluate(Activation(vector.bindings))
    except Exception as error:
        return Ended(vector, Result.RAISED, repr(error))
    if isinstance(value, Failure):
        return Ended(vector, Result.PASSED if vector.expects_error else Result.FAILED, value.code)
    if vector.expects_error or not same(value, vector.value):
        return Ended(vector, Result.WRONG, repr(value))
    return Ended(vector, Result.PASSED, "")
