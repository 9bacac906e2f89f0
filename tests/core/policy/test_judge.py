from __future__ import annotations

import ast
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import pytest

import oap_core
from oap_core.decision import Default, Judgement
from oap_core.policy.facts import Facts
from oap_core.types import MediaPart, Stage, Subject, TextPart, ToolCall, ToolResult, View
from tests.core.policy.deciding import NOW, call, catalog, decide, policy, prompt, rules, tool, with_default

ALLOW: Final = "- {id: open, effect: allow}"
BAD: Final[dict[str, Any]] = {
    "missing": {},
    "null": {"n": None},
    "of another type": {"n": "7"},
    "beyond 64 bits": {"n": 2**63},
    "below 64 bits": {"n": -(2**63) - 1},
    "a number that is none": {"n": "ok", "other": "\ud800"},
}


@pytest.mark.guarantee("D-087")
def test_without_a_grant_a_call_is_denied() -> None:
    assert decide(rules("- {id: other, effect: allow, match: {tools: [mail/send]}}"), call()) == "deny core/default"


@pytest.mark.guarantee("D-087")
def test_without_a_grant_a_person_is_asked_where_the_host_chose_that() -> None:
    some = rules("- {id: other, effect: allow, match: {tools: [mail/send]}}", setup=with_default(Default.ASK))
    assert decide(some, call()) == "ask core/default"
    assert decide(some, call(), default_approved=True) == "allow core/default"
    wall = rules("- {id: wall, effect: deny}", setup=with_default(Default.ASK))
    assert decide(wall, call(), default_approved=True) == "deny p/wall"


@pytest.mark.guarantee("D-087")
@pytest.mark.parametrize("args", BAD.values(), ids=BAD)
def test_a_grant_that_cannot_be_evaluated_does_not_match(args: dict[str, Any]) -> None:
    found = rules("- {id: open, effect: allow, when: args.n > 5}").decide(call(args=args))
    assert found.decision.verdict.value == "deny"
    assert not any(one.state is Judgement.SATISFIED for one in found.decision.findings)
    assert {str(one.rule.address) for one in found.decision.against} <= {"core/default", "core/unreadable"}


@pytest.mark.guarantee("D-087")
@pytest.mark.parametrize("args", BAD.values(), ids=BAD)
@pytest.mark.parametrize(
    ("effect", "verdict"), [("deny", "deny"), ("ask", "ask"), ("plan", "plan"), ("limit", "deny"), ("scan", "deny")]
)
def test_what_stops_a_call_matches_where_it_cannot_be_evaluated(
    effect: str, verdict: str, args: dict[str, Any]
) -> None:
    some = rules(f"{ALLOW}\n- {{id: stop, effect: {effect}, when: args.n > 5}}")
    judged = some.decide(call(args=args), approved=[rule.address for rule in some.rules])
    [stop] = [one for one in judged.decision.against if one.rule.address == "p/stop"]
    assert stop.holds is not None
    assert (stop.state, stop.holds.value) == (Judgement.UNJUDGED, verdict)
    assert stop.reason
    [outcome] = [one for one in judged.matched if one.rule.address == "p/stop"]
    assert (outcome.matched, bool(outcome.reason)) == (None, True)


def test_a_yes_does_not_open_a_gate_that_could_not_be_judged() -> None:
    some = rules(f"{ALLOW}\n- {{id: ask, effect: ask, when: args.n > 5}}")
    assert decide(some, call(args={"n": 6}), ["p/ask"]) == "allow p/open"
    assert decide(some, call(), ["p/ask"]) == "ask p/ask"


def test_a_condition_of_unknown_type_has_to_be_a_boolean() -> None:
    some = rules(f"{ALLOW}\n- {{id: wall, effect: deny, when: args.flag}}")
    assert decide(some, call(args={"flag": False})) == "allow p/open"
    some_odd: tuple[object, ...] = (0, "", "false", None, [], {})
    for odd in some_odd:
        assert decide(some, call(args={"flag": odd})) == "deny p/wall"


def test_what_went_wrong_is_told_by_place_and_never_by_value() -> None:
    some = rules(f"{ALLOW}\n- {{id: wall, effect: deny, when: args.card.startsWith('4')}}")
    [outcome] = [one for one in some.decide(call(args={"card": 4111})).matched if one.rule.address == "p/wall"]
    assert "at 1:" in outcome.reason
    assert "4111" not in outcome.reason
    assert "4111" not in repr(some.decide(call(args={"card": 4111})))


def test_a_gate_that_a_plugin_carries_out_holds_until_somebody_has() -> None:
    some = rules(f"{ALLOW}\n- {{id: pace, effect: limit}}")
    [pace] = some.decide(call()).decision.deciding
    assert (pace.rule.address, pace.state) == ("p/pace", Judgement.UNJUDGED)


def test_a_narrower_or_more_severe_grant_never_beats_a_wall() -> None:
    some = rules(
        "- {id: wall, effect: deny, match: {tools: [cloud/*]}, severity: low}\n"
        "- {id: open, effect: allow, match: {tools: [cloud/describe]}, severity: critical}"
    )
    assert decide(some, call("cloud/describe")) == "deny p/wall"


def test_a_yes_satisfies_the_rule_that_it_names_and_no_other() -> None:
    some = rules(
        f"{ALLOW}\n- {{id: a, effect: ask}}\n- {{id: b, effect: ask}}\n- {{id: wall, effect: deny, when: 'args.n > 5'}}"
    )
    assert decide(some, call(args={"n": 1})) == "ask p/a p/b"
    assert decide(some, call(args={"n": 1}), ["p/a"]) == "ask p/b"
    assert decide(some, call(args={"n": 1}), ["p/a", "p/b"]) == "allow p/open"
    assert decide(some, call(args={"n": 6}), ["p/a", "p/b", "p/wall"]) == "deny p/wall"


@pytest.mark.guarantee("decision-expiry")
@pytest.mark.parametrize("moment", ["2026-06-01T12:00:00Z", "2026-06-01T14:00:00+02:00"])
def test_a_grant_ends_at_its_moment(moment: str) -> None:
    some = rules(f"- {{id: open, effect: allow, expires: '{moment}'}}")
    assert decide(some, call(now=NOW - timedelta(microseconds=1))) == "allow p/open"
    assert decide(some, call(now=NOW)) == "deny core/default"


def test_a_shadow_rule_that_has_expired_says_nothing() -> None:
    some = rules(f"{ALLOW}\n- {{id: watch, effect: deny, mode: shadow, expires: '2026-06-01T12:00:00Z'}}")
    assert [one.matched for one in some.decide(call(now=NOW - timedelta(seconds=1))).shadow] == [True]
    assert some.decide(call(now=NOW)).shadow == ()


@pytest.mark.guarantee("decision-expiry")
def test_expiry_is_compared_in_one_place() -> None:
    root = Path(oap_core.__file__).parent
    found = []
    for file in root.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Compare) and not all(isinstance(op, ast.Is | ast.IsNot) for op in node.ops):
                sides = (node.left, *node.comparators)
                if any(isinstance(side, ast.Attribute) and side.attr == "expires" for side in sides):
                    found.append(file.relative_to(root).as_posix())
    assert found == ["policy/rules.py"]


@pytest.mark.guarantee("decision-shadow")
def test_shadow_rules_decide_nothing_and_are_told_apart() -> None:
    some = rules(
        f"{ALLOW}\n- {{id: wall, effect: deny, mode: shadow}}\n- {{id: ask, effect: ask, mode: shadow}}\n"
        "- {id: odd, effect: deny, mode: shadow, when: args.n > 5}"
    )
    judged = some.decide(call())
    assert judged.decision.verdict.value == "allow"
    assert {(str(one.rule.address), one.matched) for one in judged.shadow} == {
        ("p/wall", True),
        ("p/ask", True),
        ("p/odd", None),
    }
    assert {str(one.rule.address) for one in judged.outcomes} == {"p/open"}
    assert decide(rules("- {id: open, effect: allow, mode: shadow}"), call()) == "deny core/default"


def test_a_policy_in_shadow_decides_nothing_but_for_rules_that_say_otherwise() -> None:
    text = "- {id: open, effect: allow}\n- {id: wall, effect: deny, mode: enforce}"
    assert decide(rules(policy(text, more="mode: shadow")), call()) == "deny core/default p/wall"


def test_a_call_that_was_not_rewritten_has_no_original_view() -> None:
    judged = rules(ALLOW).decide(call(args={"n": 1}))
    with pytest.raises(ValueError, match="original"):
        judged.activation(View.ORIGINAL)


@pytest.mark.guarantee("decision-views")
def test_each_view_needs_a_grant() -> None:
    some = rules("- {id: a, effect: allow, when: args.n == 1}\n- {id: b, effect: allow, when: args.n == 2}")
    assert decide(some, call(args={"n": 1}, original={"n": 2})) == "allow p/a p/b"
    assert decide(some, call(args={"n": 1}, original={"n": 3})) == "deny core/default"
    assert decide(some, call(args={"n": 3}, original={"n": 1})) == "deny core/default"


@pytest.mark.guarantee("decision-views")
@pytest.mark.parametrize("effect", ["deny", "ask", "plan"])
def test_a_rewrite_launders_no_wall_ask_or_plan(effect: str) -> None:
    some = rules(f"{ALLOW}\n- {{id: stop, effect: {effect}, when: args.n > 5}}")
    assert decide(some, call(args={"n": 1}, original={"n": 6})) == f"{effect} p/stop"
    assert decide(some, call(args={"n": 6}, original={"n": 1})) == f"{effect} p/stop"
    assert decide(some, call(args={"n": 1}, original={"n": 1})) == "allow p/open"


@pytest.mark.parametrize("effect", ["limit", "scan"])
def test_limits_and_scans_judge_the_effective_call(effect: str) -> None:
    some = rules(f"{ALLOW}\n- {{id: stop, effect: {effect}, when: args.n > 5}}")
    assert decide(some, call(args={"n": 1}, original={"n": 6})) == "allow p/open"
    assert decide(some, call(args={"n": 6}, original={"n": 1})) == "deny p/stop"


@pytest.mark.guarantee("decision-exact")
@pytest.mark.parametrize("odd", [2**63, -(2**63) - 1, "\ud800", [{"x": 2**70}]])
def test_what_cannot_be_represented_is_denied_even_under_a_grant_without_a_condition(odd: Any) -> None:
    for facts in (call(args={"x": odd}), call(args={"x": 1}, original={"x": odd})):
        judged = rules(ALLOW).decide(facts)
        assert judged.decision.verdict.value == "deny"
        assert judged.decision.rule == "core/unreadable"
        assert judged.decision.deciding[0].state is Judgement.UNJUDGED
    assert decide(rules(ALLOW), call(args={"x": 2**63 - 1, "y": -(2**63)})) == "allow p/open"


def test_what_cannot_be_represented_satisfies_no_yes_and_no_default() -> None:
    some = rules("- {id: ask, effect: ask}", setup=with_default(Default.ASK))
    assert decide(some, call(args={"x": 2**63}), ["p/ask"], default_approved=True) == "deny core/unreadable"


def test_a_shadow_rule_without_a_condition_does_not_match_what_cannot_be_represented_either() -> None:
    judged = rules(f"{ALLOW}\n- {{id: wall, effect: deny, mode: shadow}}").decide(call(args={"x": 2**63}))
    assert [one.matched for one in judged.shadow] == [None]


def test_a_subject_or_a_session_that_cannot_be_represented_is_denied_too() -> None:
    odd = ToolCall.of("c", "a/b", {"x": 2**63}).arguments
    assert decide(rules(ALLOW), call(subject=Subject("kim", attributes=odd))) == "deny core/default core/unreadable"


CATALOG: Final = catalog("- {id: fs/read, tags: [quiet], reach: read, input_schema: {type: object}}")


@pytest.mark.guarantee("decision-catalog")
def test_a_tool_that_the_catalog_does_not_have_matches_no_grant() -> None:
    some = rules(policy_for_all(), CATALOG)
    assert decide(some, call("fs/read")) == "allow p/open"
    assert decide(some, call("fs/write")) == "deny core/default"
    assert decide(some, call("fs/Read")) == "deny core/default"


def policy_for_all() -> str:
    return "- {id: open, effect: allow, match: {tools: ['*/*']}}"


@pytest.mark.guarantee("decision-catalog")
def test_a_tool_that_differs_from_the_catalog_matches_no_grant() -> None:
    some = rules(policy_for_all(), CATALOG)
    same = tool("fs/read", {"type": "object"}, reach="external", tags=["loud"])
    assert decide(some, call("fs/read", tool=same)) == "allow p/open"
    for other in (
        tool("fs/read", {"type": "object"}, description="now with more"),
        tool("fs/read", {"type": "object", "properties": {"path": {}}}),
        tool("fs/read"),
        tool("fs/read", {"type": "object"}, annotations={"readOnlyHint": True}),
    ):
        assert decide(some, call("fs/read", tool=other)) == "deny core/default"
        assert decide(some, call("fs/read", tool=other, registered=True)) == "deny core/default"


def test_what_a_host_sees_of_a_tool_that_differs_is_what_conditions_see_and_are_checked_against() -> None:
    seen = tool("fs/read", {"type": "object", "properties": {"path": {}}})
    known = catalog("- {id: fs/read, input_schema: {type: object, properties: {size: {}}}}")
    text = f"""
- {{id: hash, effect: deny, when: tool.definition_hash == '{seen.definition_hash}'}}
- {{id: size, effect: deny, when: has(args.size)}}
"""
    assert decide(rules(text, known), call("fs/read", {"path": "x"}, tool=seen)) == "deny core/default p/hash p/size"
    assert decide(rules(text, known), call("fs/read", {"path": "x"})) == "deny core/default"


def test_a_tool_that_the_host_registered_in_code_is_its_own_catalog() -> None:
    some = rules("- {id: open, effect: allow, match: {tags: [quiet]}}", CATALOG)
    mine = tool("host/clock", tags=["quiet"])
    assert decide(some, call("host/clock", tool=mine, registered=True)) == "allow p/open"
    assert decide(some, call("host/clock", tool=mine)) == "deny core/default"


def test_two_registered_tools_with_one_definition_are_told_apart_by_what_the_host_says_of_them() -> None:
    some = rules(
        "- {id: open, effect: allow, match: {reach: [read]}}\n- {id: wall, effect: deny, match: {tags: [secret]}}"
    )
    assert decide(some, call("h/x", tool=tool("h/x", reach="read"), registered=True)) == "allow p/open"
    assert decide(some, call("h/x", tool=tool("h/x", reach="write"), registered=True)) == "deny core/default"
    secret = tool("h/x", reach="read", tags=["secret"])
    assert decide(some, call("h/x", tool=secret, registered=True)) == "deny p/wall"


@pytest.mark.guarantee("decision-catalog")
@pytest.mark.parametrize("match", ["tags: [secret]", "annotations: {destructiveHint: true}"])
def test_a_wall_by_what_only_a_review_can_tell_holds_for_a_tool_that_nobody_has_reviewed(match: str) -> None:
    some = rules(f"{ALLOW}\n- {{id: wall, effect: deny, match: {{{match}}}}}")
    assert decide(some, call("mail/send")) == "deny p/wall"
    claims = tool("mail/send", tags=["harmless"], annotations={"destructiveHint": False})
    assert decide(some, call("mail/send", tool=claims)) == "deny p/wall"
    assert decide(some, call("mail/send", tool=claims, registered=True)) == "allow p/open"
    assert decide(rules(f"- {{id: open, effect: allow, match: {{{match}}}}}"), call()) == "deny core/default"


def test_what_nobody_has_reviewed_cannot_be_read_by_a_condition() -> None:
    some = rules(f"{ALLOW}\n- {{id: wall, effect: deny, when: \"'secret' in tool.tags\"}}")
    assert decide(some, call("mail/send", tool=tool("mail/send", tags=["harmless"]))) == "deny p/wall"
    assert decide(some, call("mail/send", tool=tool("mail/send"), registered=True)) == "allow p/open"


def test_results_need_no_grant_and_prompts_neither() -> None:
    some = rules("- {id: wall, effect: deny, match: {tools: [a/b]}}")
    assert decide(some, call(result="text")) == "allow"
    assert decide(some, prompt("hello")) == "allow"


def test_a_result_is_withheld_by_walls_scans_and_what_nobody_could_cut_out() -> None:
    text = (
        "- {id: wall, effect: deny, stage: result, when: result.text.contains('secret')}\n"
        "- {id: cut, effect: redact, stage: result, when: result.text.contains('card')}\n"
        "- {id: scan, effect: scan, stage: result, when: result.text.contains('odd')}\n"
        "- {id: mark, effect: label, stage: result, when: args.n > 5}\n"
        "- {id: call, effect: deny}"
    )
    some = rules(text)
    assert decide(some, call(result="a secret")) == "deny p/wall"
    assert decide(some, call(result="a card")) == "deny p/cut"
    assert decide(some, call(result="odd")) == "deny p/scan"
    judged = some.decide(call(result="fine"))
    assert judged.decision.verdict.value == "allow"
    assert [(str(one.rule.address), one.state) for one in judged.decision.marks] == [("p/mark", Judgement.UNJUDGED)]
    assert decide(some, call(result="\ud800")) == "deny core/unreadable p/cut p/scan p/wall"


def test_a_result_is_seen_with_its_parts() -> None:
    some = rules(
        "- {id: wall, effect: deny, stage: result, when: \"result.is_error || 'image/png' in result.media_types"
        ' || (has(result.structured) && result.structured.n > 5)"}'
    )
    told = ToolCall.of("c", "a/b", {})

    def result(*parts: Any, **fields: Any) -> Facts:
        return Facts(Stage.RESULT, NOW, Subject("kim"), call=told, result=ToolResult(parts, **fields))

    assert decide(some, result(TextPart("a"))) == "allow"
    assert decide(some, result(TextPart("a"), is_error=True)) == "deny p/wall"
    assert decide(some, result(MediaPart("image/png", b""))) == "deny p/wall"
    big = ToolCall.of("c", "a/b", {"n": 6}).arguments
    assert decide(some, result(structured=big)) == "deny p/wall"


def test_a_prompt_is_judged_by_rules_about_prompts_alone() -> None:
    some = rules("- {id: wall, effect: deny, stage: prompt, when: prompt.text.contains('x')}\n- {id: c, effect: deny}")
    assert decide(some, prompt("x")) == "deny p/wall"
    assert decide(some, prompt("y")) == "allow"


def test_the_rule_to_name_is_the_strictest_then_the_most_severe_then_the_lowest() -> None:
    some = rules(
        "- {id: z, effect: deny, severity: high}\n- {id: b, effect: deny, severity: high}\n"
        "- {id: a, effect: deny, severity: low}\n- {id: ask, effect: ask, severity: critical}"
    )
    assert some.decide(call()).decision.rule == "p/b"


def test_an_outcome_names_its_view() -> None:
    some = rules(f"{ALLOW}\n- {{id: wall, effect: deny, when: args.n > 5}}")
    judged = some.decide(call(args={"n": 1}, original={"n": 6}))
    assert {(str(one.rule.address), one.view) for one in judged.matched} == {
        ("p/open", View.ORIGINAL),
        ("p/open", View.EFFECTIVE),
        ("p/wall", View.ORIGINAL),
    }
