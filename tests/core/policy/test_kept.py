"""What a rule set keeps from one call to the next changes nothing: neither the decision nor what the rules said."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice
from random import Random
from typing import Any

import pytest

from oap_core.cel.activation import Activation
from oap_core.decision import Default
from oap_core.frozen import freeze_object
from oap_core.names import RuleAddress
from oap_core.policy.facts import Facts, SessionFacts
from oap_core.policy.judge import Judge, Judged
from oap_core.policy.ruleset import RuleSet
from oap_core.policy.selection import Planned
from oap_core.types import Stage, Subject, ToolCall
from tests.core.policy.worlds import Call, World, approvals, call, facts, rule_set, world

NOW = datetime(2026, 12, 1, tzinfo=UTC)


def loaded(number: int) -> Iterator[tuple[RuleSet, World, list[Call]]]:
    def drawn() -> Iterator[tuple[RuleSet, World, list[Call]]]:
        for seed in range(10_000, 10_000 + 10 * number):
            random = Random(seed)
            found = world(random)
            rules = rule_set(found)
            if rules is not None:
                yield rules, found, [call(random, found) for _ in range(20)]

    return islice(drawn(), number)


def fresh(rules: RuleSet) -> RuleSet:
    """The same rules, of which nothing is kept yet."""
    return rules.seeing(rules.listed)


def decided(rules: RuleSet, one: Call, found: World, **changes: Any) -> Judged:
    given = replace(facts(one, found), **changes)
    return rules.decide(given, approved=approvals(one), default_approved=one.default_approved)


def said(judged: Judged) -> tuple[Any, ...]:
    """Everything that a call could leave behind in another one."""
    activations = [(view, data(activation)) for view, activation in judged.activations]
    return judged.facts, judged.decision, judged.outcomes, judged.shadow, judged.observing, activations


def data(activation: Activation) -> object:
    if activation.failure is not None:
        return activation.failure
    return {name: value for name, value in activation.roots.items() if not name.startswith("\0")}


def test_kept_equals_fresh() -> None:
    kept = 0
    for rules, found, calls in loaded(40):
        order = [*calls, *reversed(calls), *calls]
        for number, one in enumerate(order):
            assert said(decided(rules, one, found)) == said(decided(fresh(rules), one, found)), (number, one)
            kept += number >= len(calls)
    assert kept == 40 * 40


def test_equal_answers_share_what_follows() -> None:
    rules, found, calls = next(loaded(1))
    one = next(one for one in calls if one.stage == "call")
    assert decided(rules, one, found).decision is decided(rules, one, found).decision


def test_a_yes_to_one_call_is_none_to_the_next() -> None:
    for rules, found, calls in loaded(40):
        for one in calls:
            given = facts(one, found)
            with_yes = rules.decide(given, approved=approvals(one), default_approved=one.default_approved)
            without = rules.decide(given)
            assert said(without) == said(fresh(rules).decide(given))
            assert said(with_yes) == said(decided(fresh(rules), one, found))


def test_what_is_kept_is_bounded() -> None:
    rules, found, calls = next(loaded(1))
    given = facts(next(one for one in calls if one.stage == "call"), found)
    for number in range(1000):
        rules.decide(given, approved=(RuleAddress(f"nobody/r{number}"),))
    assert all(len(one._kept) <= 64 for one in rules._judges.values())


def test_threads_get_what_one_alone_gets() -> None:
    rules, found, calls = next(loaded(1))
    expected = [said(decided(fresh(rules), one, found)) for one in calls]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            runs = list(pool.map(lambda _: [said(decided(rules, one, found)) for one in calls], range(24)))
    finally:
        sys.setswitchinterval(interval)
    assert all(run == expected for run in runs)


def test_a_judge_keeps_to_its_stage() -> None:
    plan = next(loaded(1))[0].plan(prompt())
    with pytest.raises(ValueError, match="speak about a call"):
        Judge(Stage.CALL, plan, Default.DENY).judge(prompt())


def prompt() -> Facts:
    return Facts(Stage.PROMPT, NOW, Subject("s"), prompt="hello")


def shown(subject: Subject, session: SessionFacts) -> object:
    call = ToolCall.of("c", "a/b", {})
    return data(Facts(Stage.CALL, NOW, subject, session, call).activation({}))


def test_a_session_shows_each_subject_as_it_is() -> None:
    session = SessionFacts("s", "i", labels=frozenset({"a"}))
    one, other = Subject("one", frozenset({"x"})), Subject("other")
    alike = Subject("one", frozenset({"x"}), attributes=freeze_object({"more": 1}))
    expected = [shown(each, replace(session)) for each in (one, other, alike, one)]
    assert [shown(each, session) for each in (one, other, alike, one)] == expected
    assert expected[0] == expected[3]
    assert len({str(each) for each in expected}) == 3


def test_a_session_that_gained_a_label_shows_it() -> None:
    session, subject = SessionFacts("s", "i"), Subject("one")
    before = shown(subject, session)
    after = shown(subject, replace(session, labels=frozenset({"new"})))
    assert before != after
    assert shown(subject, session) == before


def test_what_cannot_be_represented_is_so_each_time() -> None:
    session = SessionFacts("s", "i", attributes=freeze_object({"big": 2**70}))
    for _ in range(3):
        assert shown(Subject("one"), session) == shown(Subject("one"), replace(session))


def test_a_session_is_equal_whatever_was_asked_of_it() -> None:
    session = SessionFacts("s", "i")
    shown(Subject("one"), session)
    assert session == SessionFacts("s", "i")
    assert repr(session) == repr(SessionFacts("s", "i"))


def test_a_plan_is_what_its_judge_asks() -> None:
    rules, found, calls = next(loaded(1))
    given = facts(calls[0], found)
    plan = rules.plan(given)
    assert plan is rules.decide(given).plan
    assert all(isinstance(planned, Planned) for planned in plan.enforced)
