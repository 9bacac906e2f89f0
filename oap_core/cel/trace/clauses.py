"""What a trace consists of."""

from dataclasses import dataclass

from oap_core.cel.failure import Failure, Outcome

Result = bool | Failure
"""What a clause came to."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One part of a condition that had a say in its outcome."""

    text: str
    """Its text as it was written, on one line, cut where it is long."""
    line: int
    """Where it begins, from 1, in the text of the condition or of `in_definition`."""
    column: int
    """Where it begins, from 1, in code points."""
    outcome: Result
    """What it came to."""
    values: str | None = None
    """The text with values in place of its operands: `50 > 50`; None where they would tell nothing new."""
    in_definition: str | None = None
    """The name of the definition in whose text it stands; None for the condition itself."""
    note: str | None = None
    """What else there is to know: the element of a list that decided, the type of a value that is no boolean."""


@dataclass(frozen=True, slots=True)
class Trace:
    """Why a condition came out as it did. It holds values of the call."""

    outcome: Outcome
    """What the condition came to."""
    clauses: tuple[Clause, ...]
    """The clauses that decided, in the order in which they stand; those behind a name follow the name."""
    cut: bool = False
    """Whether there was more to show than anybody reads, or more to evaluate than is worth it."""
