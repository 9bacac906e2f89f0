"""The engine decides as a naive reading of the precedence does, on random rule sets and calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from random import Random
from typing import Any, Final

import pytest

from oap_core import combine
from oap_core.decision import Default, Judgement, Mode, Waiver
from oap_core.kinds import Kind
from oap_core.policy import judge
from oap_core.policy.catalog import Standing
from oap_core.policy.judge import Judged
from oap_core.policy.ruleset import RuleSet
from oap_core.policy.selection import Planned, ToolPlan
from oap_core.types import View
from tests.core.policy.reference import Expected, expected
from tests.core.policy.worlds import Call, World, approvals, call, facts, rule_set, world

CALLS: Final = 67
WORLDS: Final = 300


@cache
def drawn(seed: int) -> tuple[World, tuple[Call, ...]]:
    random = Random(seed)
    found = world(random)
    return found, tuple(call(random, found) for _ in range(CALLS))


def loaded(number: int) -> Iterator[tuple[RuleSet, World, tuple[Call, ...]]]:
    """Worlds that load. Some draw a rule or an exception that can never apply, which is an error."""
    found = ((rule_set(drawn(seed)[0]), *drawn(seed)) for seed in range(4 * number))
    usable = ((rules, world, calls) for rules, world, calls in found if rules is not None)
    return islice(usable, number)


def decided(rules: RuleSet, call: Call, world: World) -> Expected:
    """What the engine says, in the words of the reference."""
    return said(rules.decide(facts(call, world), approved=approvals(call), default_approved=call.default_approved))


def said(judged: Judged) -> Expected:
    decision = judged.decision
    return Expected(
        decision.verdict.value,
        decision.rule,
        frozenset((str(one.rule.address), one.view.value) for one in decision.deciding),
        frozenset((str(one.rule.address), one.view.value) for one in decision.against),
        frozenset((str(one.finding.rule.address), one.finding.view.value, one.exceptions) for one in decision.waived),
        frozenset(
            (str(one.rule.address), one.view.value, one.matched) for one in judged.shadow if one.matched is not False
        ),
    )


@pytest.mark.guarantee("decision-as-naive")
def test_indexed_equals_naive() -> None:
    seen: Counter[str] = Counter()
    for rules, found, calls in loaded(WORLDS):
        for one in calls:
            wanted = expected(one, found)
            assert decided(rules, one, found) == wanted, (found, one)
            seen.update(_traits(wanted, one))
            seen["calls"] += 1
        seen["worlds"] += 1
    assert seen["calls"] >= 20_000
    assert seen["worlds"] == WORLDS
    # Each of these is met often enough to matter.
    for trait in ("allow", "ask", "plan", "deny", "rewritten", "waived", "shadow", "unreadable", "result", "several"):
        assert seen[trait] >= 100, trait


def _traits(wanted: Expected, one: Call) -> Iterator[str]:
    yield wanted.verdict
    traits = {
        "rewritten": one.original is not None,
        "waived": bool(wanted.waived),
        "shadow": bool(wanted.shadow),
        "unreadable": wanted.named == "core/unreadable",
        "result": one.stage == "result",
        "several": len(wanted.deciding) > 1,
    }
    yield from (trait for trait, holds in traits.items() if holds)


def _expiry_overlooked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge, "active", lambda thing, now: True)


def _errors_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    real: Callable[..., Any] = judge._finding

    def mistaken(outcome: Any, approved: Any) -> Any:
        if outcome.matched is None and outcome.rule.ref.kind is Kind.WALL:
            return outcome.rule.finding(Judgement.SATISFIED, outcome.view)
        return real(outcome, approved)

    monkeypatch.setattr(judge, "_finding", mistaken)


def _waived_in_every_view(monkeypatch: pytest.MonkeyPatch) -> None:
    real = combine._lift

    def mistaken(holding: Any, waivers: Any) -> Any:
        doubled = [Waiver(one.exception, one.rule, view) for one in waivers for view in View]
        return real(holding, doubled)

    monkeypatch.setattr(combine, "_lift", mistaken)


def _unjudged_waived(monkeypatch: pytest.MonkeyPatch) -> None:
    real: Callable[..., Any] = judge._finding

    def mistaken(outcome: Any, approved: Any) -> Any:
        if outcome.matched is None and outcome.rule.ref.waivable:
            return outcome.rule.finding(Judgement.REFUSED, outcome.view)
        return real(outcome, approved)

    monkeypatch.setattr(judge, "_finding", mistaken)


def _other_plan(monkeypatch: pytest.MonkeyPatch, change: Callable[[ToolPlan], ToolPlan]) -> None:
    monkeypatch.setattr(
        "oap_core.policy.ruleset.Judge", lambda stage, plan, default: judge.Judge(stage, change(plan), default)
    )


def _by_source(one: Planned) -> bool:
    return any(match.tools and all(glob.source for glob in match.tools) for match in one.rule.matches)


def _source_index_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    _other_plan(
        monkeypatch, lambda plan: replace(plan, enforced=tuple(one for one in plan.enforced if not _by_source(one)))
    )


def _slips_by_tags(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wall is left out where nobody has reviewed the tool that it selects by tags."""
    _other_plan(
        monkeypatch, lambda plan: replace(plan, enforced=tuple(one for one in plan.enforced if one.blind is None))
    )


def _catalog_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Standing, "grantable", property(lambda self: True))


def _deciding(one: Planned) -> Planned:
    return replace(one, rule=replace(one.rule, ref=replace(one.rule.ref, mode=Mode.ENFORCE), _findings={}))


def _shadow_enforced(monkeypatch: pytest.MonkeyPatch) -> None:
    _other_plan(
        monkeypatch,
        lambda plan: replace(plan, enforced=(*plan.enforced, *map(_deciding, plan.shadow)), shadow=()),
    )


def _one_view(monkeypatch: pytest.MonkeyPatch) -> None:
    real: Callable[..., Any] = combine.combine_call

    def mistaken(findings: Any, *, rewritten: bool, **options: Any) -> Any:
        return real([one for one in findings if one.view is View.EFFECTIVE], rewritten=False, **options)

    monkeypatch.setattr(judge, "combine_call", mistaken)


def _yes_is_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    real: Callable[..., Any] = combine.combine_call

    def mistaken(findings: Any, *, default: Default, default_approved: bool, **options: Any) -> Any:
        return real(findings, default=Default.ASK if default_approved else default,
                    default_approved=default_approved, **options)  # fmt: skip

    monkeypatch.setattr(judge, "combine_call", mistaken)


def _wall_by_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wall that a narrower grant beats."""
    real: Callable[..., Any] = combine.combine_call

    def mistaken(findings: Any, **options: Any) -> Any:
        some = list(findings)
        granted = [one for one in some if one.rule.kind is Kind.GRANT and one.state is Judgement.SATISFIED]
        strong = any(one.rule.severity.rank > 2 for one in granted)
        return real([one for one in some if not (strong and one.rule.kind is Kind.WALL)], **options)

    monkeypatch.setattr(judge, "combine_call", mistaken)


MISTAKES: Final = (
    _expiry_overlooked,
    _errors_forgotten,
    _waived_in_every_view,
    _unjudged_waived,
    _source_index_lost,
    _slips_by_tags,
    _catalog_ignored,
    _shadow_enforced,
    _one_view,
    _yes_is_a_key,
    _wall_by_chance,
)


@pytest.mark.guarantee("decision-as-naive")
@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistaken_engine_is_caught(
    mistake: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    mistake(monkeypatch)
    assert any(
        decided(rules, one, found) != expected(one, found) for rules, found, calls in loaded(WORLDS) for one in calls
    )
