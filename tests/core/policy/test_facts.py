from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from oap_core.frozen import freeze_object
from oap_core.policy.facts import OUTCOMES, Facts, SessionFacts
from oap_core.types import Stage, Subject, ToolCall, ToolResult, View
from tests.core.policy.deciding import NOW, call, decide, rules

TOLD = ToolCall.of("c1", "fs/read", {"n": 1})
KIM = Subject("kim")


@pytest.mark.parametrize(
    "fields",
    [
        {"stage": Stage.PROMPT},
        {"stage": Stage.PROMPT, "call": TOLD, "prompt": "x"},
        {"stage": Stage.CALL},
        {"stage": Stage.CALL, "call": TOLD, "prompt": "x"},
        {"stage": Stage.CALL, "call": TOLD, "result": ToolResult.of_text("x")},
        {"stage": Stage.RESULT, "call": TOLD},
        {"stage": Stage.RESULT, "call": TOLD, "result": ToolResult.of_text("x"), "original": freeze_object({})},
        {"stage": Stage.CALL, "call": TOLD, "previous_outcome": "fine"},
    ],
)
def test_what_does_not_belong_together_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        Facts(now=NOW, subject=KIM, **fields)


def test_a_moment_without_an_offset_is_refused() -> None:
    with pytest.raises(ValueError, match="offset"):
        Facts(Stage.CALL, NOW.replace(tzinfo=None), KIM, call=TOLD)


@pytest.mark.parametrize(
    ("condition", "fields"),
    [
        ("args.n == 1 && call.id == 'c1'", {}),
        ("call.attempt == 3 && call.previous_outcome == 'unknown'", {"attempt": 3, "previous_outcome": "unknown"}),
        ("call.attempt == 1 && call.previous_outcome == 'none'", {}),
        ("subject.id == 'kim' && subject.roles == ['a', 'b']", {"subject": Subject("kim", frozenset("ba"))}),
        ("!has(subject.on_behalf_of)", {}),
        ("subject.on_behalf_of == 'boss'", {"subject": Subject("kim", on_behalf_of="boss")}),
        ("session.id == 's' && session.issuer == 'i'", {"session": SessionFacts("s", "i")}),
        ("session.workspace == '/srv/w'", {"session": SessionFacts(workspace="/srv/w")}),
        ("session.started < now", {"session": SessionFacts(started=NOW - timedelta(seconds=1))}),
        ("now == timestamp('2026-06-01T12:00:00Z')", {"now": NOW.astimezone(timezone(timedelta(hours=5)))}),
        ("now.getMilliseconds() == 999", {"now": datetime(2026, 6, 1, 23, 59, 59, 999999, tzinfo=UTC)}),
    ],
)
def test_what_conditions_see(condition: str, fields: dict[str, Any]) -> None:
    condition = condition if "on_behalf_of ==" not in condition else f"has(subject.on_behalf_of) && {condition}"
    some = rules(f'- {{id: open, effect: allow, when: "{condition}"}}')
    assert decide(some, call(args={"n": 1}, **fields)) == "allow p/open"


@pytest.mark.parametrize("condition", ["session.workspace == ''", "session.started < now"])
def test_what_the_host_does_not_say_cannot_be_judged(condition: str) -> None:
    some = rules(f'- {{id: open, effect: allow}}\n- {{id: wall, effect: deny, when: "{condition}"}}')
    assert decide(some, call(session=SessionFacts("s", "i"))) == "deny p/wall"


def test_labels_are_seen_in_order_and_stop_what_walls_say() -> None:
    some = rules("- {id: open, effect: allow}\n- {id: wall, effect: deny, when: \"'untrusted' in session.labels\"}")
    assert decide(some, call(session=SessionFacts("s", "i"))) == "allow p/open"
    assert decide(some, call(session=SessionFacts("s", "i", labels=frozenset({"untrusted"})))) == "deny p/wall"


def test_each_view_has_the_arguments_of_its_own() -> None:
    facts = call(args={"n": 1}, original={"n": 2})
    some = rules("- {id: open, effect: allow}")
    judged = some.decide(facts)
    assert judged.activation(View.EFFECTIVE).roots["args"] == {"n": 1}
    assert judged.activation(View.ORIGINAL).roots["args"] == {"n": 2}
    assert set(OUTCOMES) == {"none", "ok", "error", "unknown"}


def test_one_session_serves_subjects_one_after_another() -> None:
    some = rules("- {id: open, effect: allow, when: \"subject.id == 'kim' && 'a' in subject.roles\"}")
    session = SessionFacts("s", "i")
    for _ in range(2):
        assert decide(some, call(session=session, subject=Subject("kim", frozenset("a")))) == "allow p/open"
        assert decide(some, call(session=session, subject=Subject("kim"))) == "deny core/default"
        assert decide(some, call(session=session, subject=Subject("lee", frozenset("a")))) == "deny core/default"
    assert SessionFacts("s", "i") == session


def test_no_value_of_a_call_stands_in_what_is_printed() -> None:
    facts = call(args={"card": "hunter2"}, original={"card": "hunter3"})
    shown = repr(facts) + repr(rules("- {id: open, effect: allow}").decide(facts))
    assert "hunter" not in shown
