"""Which outcomes of rules and exceptions the cases have shown, and which they have not.

A rule with a condition has two: it matched, and it did not. One without a condition has only the first, and so has one
whose condition says nothing but which tool it is about. An error is no outcome to be covered, and is listed where a
case does not say that it is meant.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from oap_core.cel.program import Program
from oap_core.policy.cases.run import CaseResult, Ending
from oap_core.policy.judge import Judged
from oap_core.policy.rules import Rule, RuleException, active
from oap_core.policy.ruleset import RuleSet

__all__ = ["Coverage", "Gap", "Tally"]

_COUNTED: Final = frozenset({Ending.PASSED, Ending.FAILED, Ending.ERROR})


@dataclass(frozen=True, slots=True)
class Gap:
    """One rule or exception of which an outcome was not seen."""

    name: str
    """The address of the rule, or the id of the exception."""
    matched: bool
    """Whether the outcome that was not seen is that it matches."""
    exception: bool = False
    """Whether it is an exception."""

    @property
    def told(self) -> str:
        """In a few words."""
        what = f"the exception {self.name}" if self.exception else self.name
        return f"{what} never matched" if self.matched else f"{what} never seen not to match"


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many outcomes there are, and what was seen of them."""

    total: int
    """Outcomes that there are."""
    gaps: tuple[Gap, ...]
    """Those that no case has shown."""
    errors: tuple[tuple[str, int], ...] = ()
    """Rules and exceptions that could not be evaluated though that was not meant, each with the number of cases."""

    @property
    def covered(self) -> int:
        """Outcomes that a case has shown."""
        return self.total - len(self.gaps)

    def reaches(self, percent: int) -> bool:
        """Whether at least so many of a hundred outcomes were seen. Where there is no outcome, nothing was."""
        return self.total > 0 and self.covered * 100 >= percent * self.total

    def plus(self, other: Coverage) -> Coverage:
        """The coverage of two projects together."""
        return Coverage(self.total + other.total, (*self.gaps, *other.gaps), (*self.errors, *other.errors))


class Tally:
    """Counts outcomes, case by case. What only a known gap shows does not count, since nothing is asserted there."""

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules
        self._seen: set[tuple[Rule | RuleException, bool]] = set()
        self._errors: dict[Rule | RuleException, int] = {}

    def add(self, result: CaseResult) -> None:
        """Count the outcomes of one case."""
        if result.judged is None or result.ending not in _COUNTED:
            return
        failed = set()
        for thing, matched in _outcomes(result.judged):
            if matched is None:
                failed.add(thing)
            else:
                self._seen.add((thing, matched))
        if result.expected is not None and result.expected.unjudged:
            return
        for thing in failed:
            self._errors[thing] = self._errors.get(thing, 0) + 1

    def coverage(self) -> Coverage:
        """What was seen so far."""
        things: list[Rule | RuleException] = [*self._rules.rules, *self._rules.exceptions]
        wanted = [(thing, matched) for thing in things for matched in (True, False) if matched or _can_miss(thing)]
        gaps = [
            Gap(_name(thing), matched, isinstance(thing, RuleException))
            for thing, matched in wanted
            if (thing, matched) not in self._seen
        ]
        errors = [(_name(thing), self._errors[thing]) for thing in things if thing in self._errors]
        return Coverage(len(wanted), tuple(gaps), tuple(errors))


def _name(thing: Rule | RuleException) -> str:
    return str(thing.address) if isinstance(thing, Rule) else thing.id


def _can_miss(thing: Rule | RuleException) -> bool:
    """Whether there are calls that it speaks about and does not match."""
    return thing.when is not None and not _only_names_tools(thing.when, thing)


def _only_names_tools(when: Program, thing: Rule | RuleException) -> bool:
    # Such a condition is part of the selection, and the index never asks it about another tool.
    return isinstance(thing, Rule) and thing.constraint is not None and when.all_references <= {"tool.id"}


def _outcomes(judged: Judged) -> Iterator[tuple[Rule | RuleException, bool | None]]:
    for outcome in (*judged.outcomes, *judged.shadow):
        yield outcome.rule, outcome.matched
    for exception in judged.plan.exceptions:
        if not active(exception, judged.facts.now):
            continue
        for _, activation in judged.activations:
            if activation.failure is None:
                yield exception, True if exception.when is None else exception.when.decide(activation).matched
