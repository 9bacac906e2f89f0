"""One key, no wall, every gate open: how the findings of all rules become one decision.

Everything here is pure: no clock, no state, no input but the arguments. The order of the findings never matters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any, Final

from oap_core.decision import (
    Decision,
    Default,
    Finding,
    Judgement,
    Mode,
    RuleRef,
    RuleSeverity,
    Verdict,
    Waived,
    Waiver,
)
from oap_core.kinds import ASK, Kind
from oap_core.names import CORE, DEFAULT_RULE
from oap_core.types import Stage, View

__all__ = ["combine_call", "combine_content"]

_ONE_VIEW: Final = (View.EFFECTIVE,)
_BOTH_VIEWS: Final = (View.ORIGINAL, View.EFFECTIVE)


def _missing_grant(effect: str, kind: Kind, state: Judgement) -> tuple[Finding, Finding]:
    """Make what `core/default` says where no grant matches: about the effective call, and about the original one."""
    rule = RuleRef(DEFAULT_RULE, effect, kind, severity=RuleSeverity.LOW)
    return (
        Finding(CORE, rule, state, View.EFFECTIVE, reason="no grant matches the effective call"),
        Finding(CORE, rule, state, View.ORIGINAL, reason="no grant matches the original call"),
    )


_DENIED: Final = _missing_grant("deny", Kind.WALL, Judgement.REFUSED)
_ASKED: Final = _missing_grant(ASK, Kind.GATE, Judgement.REFUSED)
_APPROVED: Final = _missing_grant(ASK, Kind.GATE, Judgement.SATISFIED)


def combine_call(
    findings: Iterable[Finding],
    *,
    rewritten: bool,
    default: Default = Default.DENY,
    default_approved: bool = False,
    waivers: Iterable[Waiver] = (),
) -> Decision:
    """Decide about a call from the findings of one frozen state.

    A call runs only if a grant is satisfied in each view and no wall and no gate holds in any. `rewritten` says
    whether the call has an original view beside the effective one. Approvals come in as satisfied gates;
    `default_approved` is the yes to `core/default`, the only one that replaces a missing grant, and it does so only
    where the default is to ask. Effects that judge the effective call alone do not count in the original view.
    Transforms and marks change nothing, and shadow findings are left out.

    Raises ValueError for findings that cannot be about this call: of another stage, about the original view of a call
    that was not rewritten, two different rules under one address, or a rule that calls itself `core/default`.
    """
    views = _BOTH_VIEWS if rewritten else _ONE_VIEW
    enforced = _enforced(findings, Stage.CALL, views)
    opening = [f for f in enforced if f.rule.kind is Kind.GRANT and f.state is Judgement.SATISFIED]
    holding, waived = _lift([f for f in enforced if f.holds is not None], waivers)
    missing = [view for view in views if not any(finding.view is view for finding in opening)]
    if default is not Default.ASK:
        holding += [_DENIED[view is View.ORIGINAL] for view in missing]
    elif default_approved:
        opening += [_APPROVED[view is View.ORIGINAL] for view in missing]
    else:
        holding += [_ASKED[view is View.ORIGINAL] for view in missing]
    return _decide(Stage.CALL, enforced, opening, holding, waived)


def combine_content(findings: Iterable[Finding], *, stage: Stage, waivers: Iterable[Waiver] = ()) -> Decision:
    """Decide whether a result or a prompt goes on (`allow`) or is withheld (`deny`).

    It needs no grant and has no default. A wall or a scan that refuses withholds it; a wall, a scan or a transform
    that is unjudged withholds it too, because what should have been cut out may still be in it. Marks never withhold:
    `Decision.marks` holds the labels to add, the unjudged ones included.

    Raises ValueError for the stage `call`, for findings of another stage, for two different rules under one address,
    and for a rule that calls itself `core/default`.
    """
    if stage is Stage.CALL:
        raise ValueError("a call is decided by `combine_call`")
    enforced = _enforced(findings, stage, _ONE_VIEW)
    holding, waived = _lift([f for f in enforced if f.holds is not None], waivers)
    return _decide(stage, enforced, [], holding, waived)


def _enforced(findings: Iterable[Finding], stage: Stage, views: tuple[View, ...]) -> list[Finding]:
    """Leave the shadow findings out, refuse what cannot belong here, and bring the rest into one fixed order."""
    enforced = [finding for finding in findings if finding.rule.mode is Mode.ENFORCE]
    for finding in enforced:
        rule = finding.rule
        if rule.stage is not stage:
            raise ValueError(f"the rule `{rule.address}` does not speak about a {stage.value}")
        if finding.view not in views:
            raise ValueError(f"the rule `{rule.address}` was judged on a view that is not there")
        if rule.address == DEFAULT_RULE:
            raise ValueError(f"no rule can call itself `{DEFAULT_RULE}`")
    if len(enforced) < 2:
        return enforced
    enforced.sort(key=_place)
    distinct = enforced[:1]
    for before, finding in pairwise(enforced):
        if finding.rule.address == before.rule.address and finding.rule != before.rule:
            raise ValueError(f"two different rules call themselves `{finding.rule.address}`")
        if finding != before:
            distinct.append(finding)
    return distinct


def _lift(holding: list[Finding], waivers: Iterable[Waiver]) -> tuple[list[Finding], list[Waived]]:
    """Split what holds into what still does and what an exception lifts.

    INVARIANT: only a clean match of a waivable rule is lifted, and only in the view where the exception matches too.
    """
    exceptions: dict[tuple[str, View], set[str]] = {}
    for waiver in waivers:
        exceptions.setdefault((waiver.rule, waiver.view), set()).add(waiver.exception)
    if not exceptions:
        return holding, []
    still: list[Finding] = []
    waived: list[Waived] = []
    for finding in holding:
        lifting = exceptions.get((finding.rule.address, finding.view))
        if lifting and finding.rule.waivable and finding.state is Judgement.REFUSED:
            waived.append(Waived(finding, tuple(sorted(lifting))))
        else:
            still.append(finding)
    return still, waived


def _decide(
    stage: Stage, enforced: list[Finding], opening: list[Finding], holding: list[Finding], waived: list[Waived]
) -> Decision:
    if not holding:
        deciding = _sorted(opening, _precedence)
        return Decision(stage, Verdict.ALLOW, tuple(deciding), (), tuple(waived), tuple(enforced))
    against = _sorted(holding, _precedence)
    verdict = against[0].holds or Verdict.DENY
    deciding = [finding for finding in against if finding.holds is verdict]
    return Decision(stage, verdict, tuple(deciding), tuple(against), tuple(waived), tuple(enforced))


def _sorted(findings: list[Finding], key: Callable[[Finding], tuple[Any, ...]]) -> list[Finding]:
    # Most calls meet one rule or two, and a key costs more than everything else here.
    return sorted(findings, key=key) if len(findings) > 1 else findings


def _precedence(finding: Finding) -> tuple[Any, ...]:
    """Order by what to name first: the strictest, the most severe, the lowest address.

    The default counts as the least severe of all, because any rule says more about a call than that nothing matched.
    """
    rule, verdict = finding.rule, finding.holds
    strictness = verdict.rank if verdict is not None else 0
    severity = -1 if rule.address == DEFAULT_RULE else rule.severity.rank
    return (-strictness, -severity, *_place(finding))


def _place(finding: Finding) -> tuple[Any, ...]:
    """Order by address, then by everything else, so that no two different findings are equal in order."""
    return (
        finding.rule.address,
        # The effective view is what the operator is shown, so it comes first.
        finding.view is View.ORIGINAL,
        finding.state is Judgement.SATISFIED,
        # What is unjudged has a cause and nothing else has one.
        finding.cause.value if finding.cause is not None else "",
        finding.author,
        finding.reason,
    )
