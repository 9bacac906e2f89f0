from __future__ import annotations

from datetime import timedelta
from typing import Final

from oap_core.cli import explain_json, explain_text
from oap_core.policy.explain import ExceptionLine, explain
from oap_core.types import View
from tests.core.policy.deciding import NOW, call, exceptions, rules

ALLOW: Final = "- {id: open, effect: allow}"
CAP: Final = "- {id: cap, effect: deny, waivable: true, when: args.n > 5, message: 'At most 5, not {args.n}.'}"


def waiver(
    *, when: str = "true", id: str = "EX-1", expires: str = "2026-07-01T00:00:00Z", waives: str = "p/cap"
) -> str:
    return (
        f"- {{id: {id}, waives: [{waives}], reason: an outage, approved_by: kim, expires: '{expires}', when: '{when}'}}"
    )


def lines(*waivers: str, args: dict[str, object] | None = None, policy: str = f"{ALLOW}\n{CAP}") -> list[ExceptionLine]:
    judged = rules(policy, exceptions("\n".join(waivers))).decide(call(args={"n": 6} if args is None else args))
    return list(explain(judged).exceptions)


def test_the_model_is_told_the_message_of_the_named_rule() -> None:
    some = rules(f"{ALLOW}\n{CAP}\n- {{id: low, effect: deny, severity: low, message: 'Something else.'}}")
    judged = some.decide(call(args={"n": 6}))
    assert judged.message == "At most 5, not 6." == explain(judged).message


def test_the_model_is_told_nothing_where_no_message_fits() -> None:
    some = rules(f"{ALLOW}\n{CAP}\n- {{id: bare, effect: deny, when: args.n == 1}}")
    assert some.decide(call(args={"n": 5})).message is None
    assert some.decide(call(args={"n": 1})).message is None
    assert some.decide(call(args={"n": "6"})).message is None
    assert some.decide(call(args={"n": 2**63})).message is None
    assert rules(CAP).decide(call(args={"n": 5})).message is None


def test_the_message_is_filled_from_the_view_that_decided() -> None:
    judged = rules(f"{ALLOW}\n{CAP}").decide(call(args={"n": 5}, original={"n": 7}))
    assert judged.message == "At most 5, not 7."


def test_no_message_of_a_rule_that_an_exception_lifts_is_told() -> None:
    some = rules(f"{ALLOW}\n{CAP}", exceptions(waiver()))
    assert some.decide(call(args={"n": 6})).message is None
    other = rules(f"{ALLOW}\n{CAP}\n- {{id: z, effect: ask, message: 'A person is asked.'}}", exceptions(waiver()))
    judged = other.decide(call(args={"n": 6}))
    assert judged.message == "A person is asked."
    assert [one.rule.address for one in judged.matched] == ["p/cap", "p/open", "p/z"]
    assert [one.finding.rule.address for one in judged.decision.waived] == ["p/cap"]


def test_a_gate_that_nobody_carries_out_counts_as_matching_for_a_reason() -> None:
    found = explain(rules(f"{ALLOW}\n- {{id: pace, effect: limit, message: 'Slower.'}}").decide(call()))
    [pace] = [line for line in found.lines if line.decides]
    assert (pace.rule.address, pace.matched, pace.stands) == ("p/pace", True, "counts as matching")
    assert pace.reason == "`limit` is for a plugin to carry out, and none was asked"
    assert (found.unjudged, found.message) == (True, None)
    assert pace.reason in explain_text.explanation(found)
    assert pace.reason in explain_json.explanation(found)


def test_an_exception_that_lifts_says_what_it_lifts() -> None:
    [line] = lines(waiver(when="args.n < 9"))
    assert (line.exception.id, line.lifts, line.matched, line.reason) == ("EX-1", ("p/cap",), True, "")
    assert [clause.values for clause in line.clauses] == ["6 < 9"]


def test_an_exception_that_does_not_lift_says_why() -> None:
    found = lines(
        waiver(id="OVER", expires="2026-06-01T12:00:00Z"),
        waiver(id="NEVER", when="args.n > 9"),
        waiver(id="ERROR", when="args.m > 9"),
    )
    assert {line.exception.id: line.reason for line in found} == {
        "OVER": "over since 2026-06-01",
        "NEVER": "its condition is false",
        "ERROR": "its condition cannot be evaluated",
    }
    assert all(line.lifts == () and line.rules == ("p/cap",) for line in found)
    assert [bool(line.clauses) for line in found if line.in_force] == [True, True]


def test_an_exception_lifts_no_rule_that_could_not_be_judged() -> None:
    [line] = lines(waiver(), args={})
    assert (line.lifts, line.reason) == ((), "only a rule that was judged is lifted")
    [line] = lines(waiver(), args={"n": 2**63})
    assert (line.lifts, line.reason) == ((), "its condition cannot be evaluated")
    [line] = lines(waiver(waives="p/pace"), policy=f"{ALLOW}\n- {{id: pace, effect: limit, waivable: true}}")
    assert (line.lifts, line.reason) == ((), "only a rule that was judged is lifted")


def test_an_exception_for_a_rule_that_does_not_match_is_not_told() -> None:
    assert lines(waiver(), args={"n": 1}) == []


def test_an_exception_for_a_question_that_was_answered_is_not_told() -> None:
    some = rules(
        f"{ALLOW}\n- {{id: ask, effect: ask, waivable: true}}", exceptions(waiver(when="args.n > 9", waives="p/ask"))
    )
    approved = [rule.address for rule in some.rules if rule.ref.effect == "ask"]
    assert explain(some.decide(call(args={"n": 1}), approved=approved)).exceptions == ()
    assert len(explain(some.decide(call(args={"n": 1}))).exceptions) == 1


def test_an_exception_is_told_for_each_view() -> None:
    some = rules(f"{ALLOW}\n{CAP}", exceptions(waiver(when="args.n < 9")))
    found = explain(some.decide(call(args={"n": 6}, original={"n": 10}, now=NOW + timedelta(days=1)))).exceptions
    assert {line.view: line.lifts for line in found} == {View.ORIGINAL: (), View.EFFECTIVE: ("p/cap",)}
