from __future__ import annotations

from datetime import timedelta
from typing import Final

import pytest

from oap_core.combine import combine_call
from oap_core.types import Subject
from tests.core.policy.deciding import NOW, call, catalog, codes, decide, exceptions, policy, rules, tool

RULES: Final = """\
- {id: open, effect: allow}
- {id: cap, effect: deny, when: args.n > 5, waivable: true}
- {id: fixed, effect: deny, when: args.n > 50}
- {id: ask, effect: ask, when: args.n > 4, waivable: true}
"""


def exception(text: str = "", *, waives: str = "p/cap", expires: str = "2026-07-01T00:00:00Z", id: str = "EX-1") -> str:
    return exceptions(
        f"- {{id: {id}, waives: [{waives}], reason: r, approved_by: boss, expires: '{expires}'{text and ', ' + text}}}"
    )


@pytest.mark.guarantee("decision-exceptions")
def test_an_exception_lifts_the_rules_that_it_names_and_no_other() -> None:
    assert decide(rules(RULES), call(args={"n": 6})) == "deny p/cap"
    assert decide(rules(RULES, exception()), call(args={"n": 6})) == "ask p/ask"
    both = rules(RULES, exception(waives="p/cap, p/ask"))
    judged = both.decide(call(args={"n": 6}))
    assert judged.decision.verdict.value == "allow"
    assert {(str(one.finding.rule.address), one.exceptions) for one in judged.decision.waived} == {
        ("p/cap", ("EX-1",)),
        ("p/ask", ("EX-1",)),
    }
    assert decide(both, call(args={"n": 51})) == "deny p/fixed"


def test_an_exception_is_no_grant() -> None:
    some = rules(
        "- {id: open, effect: allow, when: args.n < 3}\n- {id: cap, effect: deny, waivable: true}", exception()
    )
    assert decide(some, call(args={"n": 9})) == "deny core/default"
    assert decide(some, call(args={"n": 1})) == "allow p/open"


@pytest.mark.guarantee("decision-exceptions")
@pytest.mark.parametrize("args", [{}, {"n": None}, {"n": "9"}, {"n": 2**63}])
def test_an_exception_never_lifts_what_could_not_be_judged(args: dict[str, object]) -> None:
    some = rules(RULES, exception(waives="p/cap, p/ask"))
    judged = some.decide(call(args=args))
    assert judged.decision.verdict.value == "deny"
    assert judged.decision.waived == ()
    assert "p/cap" in {str(one.rule.address) for one in judged.decision.against}


def test_an_exception_whose_condition_fails_or_does_not_hold_lifts_nothing() -> None:
    some = rules(RULES, exception("when: args.ticket == 'T1'", waives="p/cap, p/ask"))
    assert decide(some, call(args={"n": 6, "ticket": "T1"})) == "allow p/open"
    assert decide(some, call(args={"n": 6, "ticket": "T2"})) == "deny p/cap"
    assert decide(some, call(args={"n": 6})) == "deny p/cap"
    by_subject = rules(RULES, exception("when: subject.id == 'root'", waives="p/cap, p/ask"))
    assert decide(by_subject, call(args={"n": 6}, subject=Subject("root"))) == "allow p/open"
    assert decide(by_subject, call(args={"n": 6, "subject": "root"})) == "deny p/cap"


@pytest.mark.guarantee("decision-expiry")
def test_an_exception_ends_at_its_moment() -> None:
    some = rules(RULES, exception(waives="p/cap, p/ask", expires="2026-06-01T12:00:00Z"))
    assert decide(some, call(args={"n": 6}, now=NOW - timedelta(microseconds=1))) == "allow p/open"
    assert decide(some, call(args={"n": 6}, now=NOW)) == "deny p/cap"


@pytest.mark.guarantee("decision-exceptions")
def test_an_exception_lifts_in_the_view_where_both_match() -> None:
    some = rules(RULES, exception("when: args.n < 8", waives="p/cap, p/ask"))
    assert decide(some, call(args={"n": 6}, original={"n": 7})) == "allow p/open"
    assert decide(some, call(args={"n": 6}, original={"n": 9})) == "deny p/cap"
    assert decide(some, call(args={"n": 9}, original={"n": 6})) == "deny p/cap"
    assert decide(some, call(args={"n": 1}, original={"n": 9})) == "deny p/cap"


def test_an_exception_for_some_tools_lifts_for_those_alone() -> None:
    some = rules(RULES, exception("match: {tools: [fs/*]}", waives="p/cap, p/ask"))
    assert decide(some, call("fs/read", {"n": 6})) == "allow p/open"
    assert decide(some, call("mail/send", {"n": 6})) == "deny p/cap"
    assert decide(some, call("fs.mirror/read", {"n": 6})) == "deny p/cap"


def test_an_exception_by_tags_lifts_nothing_for_a_tool_that_nobody_has_reviewed() -> None:
    lifting = exception("match: {tags: [quiet]}", waives="p/cap, p/ask")
    known = catalog(
        "- {id: fs/read, tags: [quiet], input_schema: {type: object, required: ['n'], properties: {'n': {}}}}"
    )
    assert decide(rules(RULES, lifting), call("fs/read", {"n": 6})) == "deny p/cap"
    assert decide(rules(RULES, lifting, known), call("fs/read", {"n": 6})) == "allow p/open"


@pytest.mark.parametrize("argument", ["dry_run", "dry_rum"])
def test_an_exception_is_checked_against_the_tools_at_every_stage_that_it_lifts_at(argument: str) -> None:
    known = catalog("- {id: fs/read, input_schema: {type: object, properties: {dry_run: {type: boolean}}}}")
    text = "- {id: cap, effect: deny, waivable: true}\n- {id: out, effect: deny, stage: result, waivable: true}"
    lifting = exception(f"when: '!has(args.{argument})'", waives="p/cap, p/out")
    assert codes(text, lifting, known) == ([] if argument == "dry_run" else ["CEL303"])


@pytest.mark.parametrize(("argument", "lifted"), [("dry_run", True), ("dry_rum", False)])
def test_an_exception_that_asks_for_an_argument_that_the_tool_does_not_have_lifts_nothing(
    argument: str, *, lifted: bool
) -> None:
    text = "- {id: open, effect: allow}\n- {id: cap, effect: deny, waivable: true}"
    some = rules(text, exception(f"when: '!has(args.{argument})'"))
    listed = tool("fs/read", {"type": "object", "properties": {"dry_run": {"type": "boolean"}}})
    assert decide(some, call(tool=listed)) == ("allow p/open" if lifted else "deny p/cap")


def test_each_of_several_exceptions_is_named() -> None:
    some = rules(RULES, exception(waives="p/cap, p/ask", id="B"), exception(id="A").replace("name: x", "name: z"))
    [cap] = [one for one in some.decide(call(args={"n": 6})).decision.waived if one.finding.rule.address == "p/cap"]
    assert cap.exceptions == ("A", "B")


@pytest.mark.parametrize(
    ("waives", "code"), [("p/fixed", "OAP310"), ("p/open", "OAP310"), ("p/capp", "OAP311"), ("q/cap", "OAP311")]
)
def test_an_exception_for_a_rule_that_cannot_be_lifted_does_not_load(waives: str, code: str) -> None:
    assert code in codes(RULES, exception(waives=waives))


def test_a_shadow_rule_is_not_lifted_and_lifts_nothing() -> None:
    text = "- {id: open, effect: allow}\n- {id: cap, effect: deny, mode: shadow, waivable: true}"
    judged = rules(policy(text), exception()).decide(call())
    assert (judged.decision.verdict.value, judged.decision.waived) == ("allow", ())
    assert [one.matched for one in judged.shadow] == [True]


def test_what_lifts_is_kept_for_combining_anew() -> None:
    judged = rules(RULES, exception()).decide(call(args={"n": 6}))
    again = combine_call(judged.decision.findings, rewritten=False, waivers=judged.waivers)
    assert again == judged.decision
    assert [(one.exception, str(one.rule)) for one in judged.waivers] == [("EX-1", "p/cap")]
