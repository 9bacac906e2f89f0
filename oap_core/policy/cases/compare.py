"""Whether what came out of a case is what it expects, and what differs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from oap_core.cel.render import value_text
from oap_core.decision import Judgement
from oap_core.kinds import Kind
from oap_core.names import RuleAddress
from oap_core.policy.cases.expectation import Expected
from oap_core.policy.judge import UNREADABLE, Judged, RuleOutcome

__all__ = ["Reason", "deciding", "differences", "failures", "observed", "waived"]


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a case did not pass."""

    text: str
    """The sentence."""
    plain: bool = False
    """Whether it says no more than what was expected beside what came out."""


def deciding(judged: Judged) -> tuple[RuleAddress, ...]:
    """The rules that made the verdict, each once."""
    return tuple(dict.fromkeys(finding.rule.address for finding in judged.decision.deciding))


def observed(judged: Judged) -> tuple[RuleAddress, ...]:
    """Marks and shadow rules that matched, each once."""
    marks = [one for one in judged.outcomes if one.rule.ref.kind is Kind.OBSERVE]
    return tuple(dict.fromkeys(one.rule.address for one in (*marks, *judged.shadow) if one.matched is True))


def waived(judged: Judged) -> tuple[RuleAddress, ...]:
    """Rules that an exception lifted, each once."""
    return tuple(dict.fromkeys(one.finding.rule.address for one in judged.decision.waived))


def failures(judged: Judged, named: Iterable[RuleAddress] = ()) -> Iterator[tuple[RuleAddress, str]]:
    """Rules that could not be judged with the reasons: all that decide, and of those that only watch the named ones.

    A gate or a transform that is for a plugin to carry out is one of them where it made the verdict: nobody was asked.
    """
    shadow = [one for one in judged.shadow if one.rule.address in set(named)]
    told: set[RuleAddress] = set()
    unusable = next((one for one in judged.decision.findings if one.rule.address == UNREADABLE), None)
    if unusable is not None:
        yield UNREADABLE, unusable.reason
        return
    for one in (*judged.outcomes, *shadow):
        if one.matched is None and one.rule.address not in told:
            told.add(one.rule.address)
            yield one.rule.address, _reason(one)
    for finding in judged.decision.deciding:
        if finding.state is Judgement.UNJUDGED and finding.rule.address not in told:
            told.add(finding.rule.address)
            yield finding.rule.address, finding.reason


def _reason(outcome: RuleOutcome) -> str:
    return outcome.reason or "nobody can tell why"


def differences(expected: Expected, judged: Judged) -> tuple[Reason, ...]:
    """What differs from the expectation, a sentence for each; none where it holds."""
    return tuple(_differences(expected, judged))


def _differences(expected: Expected, judged: Judged) -> Iterator[Reason]:
    verdict = judged.decision.verdict
    if expected.verdict is not None and verdict is not expected.verdict:
        yield Reason(f"the verdict is `{verdict.value}` and not `{expected.verdict.value}`", plain=True)
    found = deciding(judged)
    for address in expected.by:
        if address not in found:
            yield Reason(f"`{address}` is not among the rules that decide", plain=True)
    for address in expected.observed:
        if address not in observed(judged):
            yield Reason(f"`{address}` does not match", plain=True)
    for address in expected.waived:
        if address not in waived(judged):
            yield Reason(f"no exception lifts `{address}` here", plain=True)
    if expected.unjudged and not any(failures(judged)):
        yield Reason("every rule could be evaluated, and the test says `unjudged: true`")
    if expected.message is not None:
        # Whether the host only observes is left aside, as for the verdict.
        told = replace(judged, observing=False).message
        if told != expected.message:
            got = "nothing" if told is None else value_text(told)
            yield Reason(f"the model is told {got} and not {value_text(expected.message)}")
