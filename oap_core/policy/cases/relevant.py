"""Which rules are worth showing beside a case that failed: those that could have changed what came out."""

from __future__ import annotations

from collections.abc import Iterator

from oap_core.decision import Verdict
from oap_core.kinds import Kind
from oap_core.names import DEFAULT_RULE
from oap_core.policy.cases.run import CaseResult
from oap_core.policy.explain import Line, explain
from oap_core.policy.judge import Judged
from oap_core.policy.rules import active

__all__ = ["ended", "relevant"]


def relevant(result: CaseResult) -> tuple[Line, ...]:
    """What rules said that decided, that the case names, that failed, or that could have made the other verdict.

    Evaluates conditions once more, so it is for cases that failed.
    """
    if result.judged is None or result.expected is None:
        return ()
    found = explain(result.judged)
    expected, decision = result.expected, result.judged.decision
    named = {*expected.by, *expected.observed, *expected.waived}
    wanted = set(_other(found.lines, expected.verdict, decision.verdict))
    if any(finding.rule.address == DEFAULT_RULE for finding in decision.deciding):
        wanted |= {line for line in found.lines if line.rule.ref.kind is Kind.GRANT}
    shown = [
        line
        for line in found.lines
        if line.decides or line in wanted or line.rule.address in named or (line.matched is None and line.in_force)
    ]
    return (*shown, *(line for line in found.shadow if line.rule.address in named))


def ended(judged: Judged) -> Iterator[str]:
    """Exceptions that would have lifted something that decided, had they not ended by the moment of the case."""
    decided = {finding.rule.address for finding in judged.decision.deciding}
    for exception in judged.plan.exceptions:
        if not active(exception, judged.facts.now) and not decided.isdisjoint(exception.waives):
            yield exception.id


def _other(lines: tuple[Line, ...], expected: Verdict | None, got: Verdict) -> Iterator[Line]:
    """Rules that could have made the verdict that is expected, or that stand against it."""
    for line in lines:
        holds = line.rule.ref.holds
        if expected is None or expected is got or holds is None:
            continue
        missing = expected > got and line.matched is not True and holds is expected
        standing = expected < got and line.matched is not False and holds > expected
        if missing or standing or line.waived_by:
            yield line
