"""Running cases against a rule set. There is one engine: a case is decided by `RuleSet.decide` and by nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum

from oap_core.policy.cases.compare import Reason, differences, failures
from oap_core.policy.cases.expectation import Expected, Resolver
from oap_core.policy.cases.situation import facts_of
from oap_core.policy.cases.written import Case, Written
from oap_core.policy.judge import Judged
from oap_core.policy.ruleset import RuleSet

__all__ = ["CaseResult", "Ending", "run"]


class Ending(Enum):
    """How a case ended."""

    PASSED = "passed"
    """What it expects came out."""
    FAILED = "failed"
    """Something else came out, or a known gap is none any more."""
    ERROR = "error"
    """A rule could not be evaluated, and the case does not say that this is meant."""
    TODO = "todo"
    """A known gap: what it expects does not come out yet."""
    SKIPPED = "skipped"
    """It was not run, for a reason that it gives."""

    @property
    def bad(self) -> bool:
        """Whether the run fails because of it."""
        return self in (Ending.FAILED, Ending.ERROR)


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What became of one case."""

    case: Case
    """The case."""
    ending: Ending
    """How it ended."""
    reasons: tuple[Reason, ...] = ()
    """Why, a sentence each; none where it passed."""
    expected: Expected | None = field(default=None, repr=False)
    """What it expects, or None where it was skipped."""
    judged: Judged | None = field(default=None, repr=False)
    """What came out, or None where it was skipped."""


def run(
    tests: Iterable[Written], rules: RuleSet, chosen: Callable[[Written], bool] | None = None
) -> Iterator[CaseResult]:
    """Run the cases of tests that were prepared without an error, one after the other.

    Whether the host only observes is left aside: a test is about what the rules say.
    """
    resolver = Resolver(rules)
    for written in tests:
        if chosen is not None and not chosen(written):
            continue
        for case in written.cases():
            yield _skipped(case) if written.model.skip is not None else _run(case, rules, resolver)


def _skipped(case: Case) -> CaseResult:
    return CaseResult(case, Ending.SKIPPED, (Reason(case.written.model.skip or ""),))


def _run(case: Case, rules: RuleSet, resolver: Resolver) -> CaseResult:
    facts, expected = facts_of(case, rules.vocabulary, []), resolver.expected(case, [])
    if facts is None or expected is None:
        raise ValueError("only tests that were prepared without an error can be run")
    judged = rules.decide(facts)
    ending, reasons = _ending(expected, judged)
    if not case.written.model.todo:
        return CaseResult(case, ending, reasons, expected, judged)
    if ending is Ending.PASSED:
        gone = Reason("the known gap is closed: the expectation holds, so take `todo` away")
        return CaseResult(case, Ending.FAILED, (gone,), expected, judged)
    return CaseResult(case, Ending.TODO, reasons, expected, judged)


def _ending(expected: Expected, judged: Judged) -> tuple[Ending, tuple[Reason, ...]]:
    found = differences(expected, judged)
    if not expected.unjudged:
        errors = [
            Reason(f"`{address}` could not be evaluated: {reason}")
            for address, reason in failures(judged, expected.observed)
        ]
        if errors:
            # INVARIANT: an error counts against the call, so a test that expects `deny` would pass because of it.
            return Ending.ERROR, (*errors, *found)
    return (Ending.FAILED if found else Ending.PASSED), found
