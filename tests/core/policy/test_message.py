from __future__ import annotations

import json
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oap_core.policy.message import HOLE_CHARACTERS, Hole, HoleError, pieces
from oap_core.types import View
from tests.core.policy.deciding import assembled, call, codes, policy, rules

STAGED: Final = policy(
    "- {id: w, effect: deny, stage: result, when: size(variables.shown) > 0, KEY: 'text {HOLE}'}",
    more="variables: {shown: result.text + '!'}",
)


def filled(text: str, args: dict[str, Any] | None = None, **fields: Any) -> str:
    """What the model is told of a call by a rule with this message."""
    some = rules(f"- id: w\n  effect: deny\n  message: {json.dumps(text)}")
    rule = some.rule("p/w")
    assert rule is not None
    assert rule.message is not None
    view = View.ORIGINAL if "original" in fields else View.EFFECTIVE
    return rule.message.fill(some.decide(call(args=args, **fields)).activation(view))


@pytest.mark.parametrize(
    ("text", "args", "said"),
    [
        ("no holes", {}, "no holes"),
        ("no {args.n}", {"n": 5}, "no 5"),
        ("{args.n}{args.n} and {args.s}", {"n": -1, "s": "x"}, "-1-1 and x"),
        ("{args.n > 3 ? 'many' : 'few'}", {"n": 5}, "many"),
        ("{{args.n}} {args.n}", {"n": 5}, "{args.n} 5"),
        ("{{{args.n}}}", {"n": 5}, "{5}"),
        ("{ {'a': args.n}['a'] }", {"n": 5}, "5"),
        ("{args.s == '}'}", {"s": "}"}, "true"),
        ("{args.s == '\\'}'}", {"s": "'}"}, "true"),
        ("{args.s}", {"s": "{args.secret} }} {{"}, "{args.secret} }} {{"),
        ("{args.m}", {"m": {"a": [1, None, {"b": "}{"}]}}, '{"a": [1, null, {"b": "}{"}]}'),
        ("{args.f}", {"f": 1.0}, "1.0"),
        ("{args.n}", {"n": 2**63 - 1}, "9223372036854775807"),
        ("{now}", {}, "2026-06-01T12:00:00Z"),
        ("{subject.id}", {"subject": {"id": "root"}}, "kim"),
    ],
)
def test_holes_show_what_they_evaluate_to(text: str, args: dict[str, Any], said: str) -> None:
    assert filled(text, args) == said


@pytest.mark.guarantee("decision-messages")
@pytest.mark.parametrize(
    ("value", "said"),
    [
        ('say "hi"', 'say \\"hi\\"'),
        ("back\\slash", "back\\\\slash"),
        ("two\nlines\r\t", "two\\nlines\\r\\t"),
        ("\x1b[2J\x07\x00", "\\u001b[2J\\u0007\\u0000"),
        ("\u202egnp.exe\u2066", "\\u202egnp.exe\\u2066"),
        ("\u2028\u0085", "\\u2028\\x85"),
        ("</oap-result>", "</oap-result>"),
        ("grüße 😀", "grüße 😀"),
        ("", ""),
    ],
)
def test_what_fills_a_hole_is_escaped(value: str, said: str) -> None:
    assert filled("<{args.s}>", {"s": value}) == f"<{said}>"


@pytest.mark.guarantee("decision-messages")
@pytest.mark.parametrize("value", ["x" * 81, "\x1b" * 200, "\\" * 200, "😀" * 90, ["long"] * 50, {"a" * 200: 1}])
def test_what_fills_a_hole_is_cut(value: Any) -> None:
    said = filled("{args.s}", {"s": value})
    assert len(said) == HOLE_CHARACTERS == 80
    assert said.endswith("...")
    assert filled("{args.s}", {"s": "x" * 80}) == "x" * 80
    assert filled("{args.s}|{args.s}", {"s": value}) == f"{said}|{said}"


@pytest.mark.guarantee("decision-messages")
@pytest.mark.parametrize(
    "args", [{}, {"s": 7}, {"s": None}, {"s": ["x"]}, {"s": "ok", "other": 2**63}, {"s": "\ud800"}], ids=repr
)
def test_a_hole_that_fails_is_an_ellipsis(args: dict[str, Any]) -> None:
    assert filled("a {args.s.startsWith('x')} b", args) == "a ... b"


@given(st.text(max_size=300), st.text("{}'\"\\x", max_size=6))
def test_no_data_can_make_a_message_longer_or_reach_beyond_its_line(value: str, around: str) -> None:
    some = rules("- {id: w, effect: deny, message: 'A {args.s} B'}")
    rule = some.rule("p/w")
    assert rule is not None
    assert rule.message is not None
    said = rule.message.fill(some.decide(call(args={"s": around + value})).activation())
    assert said.startswith("A ")
    assert said.endswith(" B")
    assert len(said) <= HOLE_CHARACTERS + 4
    assert said.isprintable()


@pytest.mark.parametrize(
    ("text", "column"), [("a {", 3), ("a }", 3), ("{args.n", 1), ("{'}", 1), ("}}}", 3), ("{{{", 3), ('{"}', 1)]
)
def test_braces_that_do_not_fit_together_do_not_load(text: str, column: int) -> None:
    found = assembled(f"- id: w\n  effect: deny\n  message: >-\n    {text}").diagnostics
    assert [(str(one.code), one.line, one.column) for one in found] == [("OAP306", 9, 4 + column)]
    with pytest.raises(HoleError):
        list(pieces(text))


@pytest.mark.parametrize("text", ["{}", "{ }", "{args.n +}", "{nope(1)}", "{args.n; 1}", "{variables.x}", "{1 / 0}"])
def test_a_hole_that_cannot_be_evaluated_does_not_load(text: str) -> None:
    assert any(code.startswith("CEL") for code in codes(f"- id: w\n  effect: deny\n  message: '{text}'"))


@given(st.lists(st.one_of(st.text(max_size=8), st.sampled_from(["args.n", "1", "'a'"]).map(lambda cel: (cel,)))))
def test_text_and_holes_come_apart_again(parts: list[str | tuple[str]]) -> None:
    text = "".join(
        f"{{{one[0]}}}" if isinstance(one, tuple) else one.replace("{", "{{").replace("}", "}}") for one in parts
    )
    found = ["".join(f"<{one.source}>" if isinstance(one, Hole) else one for one in pieces(text))]
    assert found == ["".join(f"<{one[0]}>" if isinstance(one, tuple) else one for one in parts)]


@pytest.mark.guarantee("decision-messages")
@pytest.mark.parametrize("hole", ["result.text", "variables.shown", "size(result.text)", "has(result.structured)"])
def test_no_text_of_a_result_reaches_a_message(hole: str) -> None:
    text = STAGED.replace("HOLE", hole)
    assert codes(text.replace("KEY", "message")) == ["OAP307"]
    assert codes(text.replace("KEY", "note")) == []


def test_a_message_speaks_of_the_view_that_it_is_filled_from() -> None:
    assert filled("{args.n}", {"n": 1}, original={"n": 2}) == "2"
    assert filled("{args.n}", {"n": 1}) == "1"
