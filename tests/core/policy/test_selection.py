"""Which rules speak about a tool, as decisions show it."""

from __future__ import annotations

from typing import Any, Final

import pytest

from tests.core.policy.deciding import call, catalog, decide, policy, rules, tool

# A match, a tool, and whether the match selects it.
SELECTED: Final[list[tuple[str, str, bool]]] = [
    ("tools: [fs/read]", "fs/read", True),
    ("tools: [fs/read]", "fs/reads", False),
    ("tools: [fs/read]", "Fs/read", False),
    ("tools: [fs/*]", "fs/read", True),
    ("tools: [fs/*]", "fs2/read", False),
    ("tools: [fs/*]", "fs.mirror/read", False),
    ("tools: ['*/read']", "fs/read", True),
    ("tools: ['*/read']", "fs/read_all", False),
    ("tools: ['*/*']", "fs/read", True),
    ("tools: [f*/r*d]", "fs/rd", True),
    ("tools: [f*/r*d]", "fs/read_record", True),
    ("tools: [f*/r*d]", "fs/reads", False),
    ("tools: [foo.bar/*]", "foo_bar/x", False),
    ("tools: [foo.bar/*]", "fooxbar/x", False),
    ("tools: ['a-*/x']", "a-b/x", True),
    ("tools: [fs/read, mail/*]", "mail/send", True),
    ("sources: [fs]", "fs/read", True),
    ("sources: [fs]", "fs2/read", False),
    ("sources: [fs, mail]", "mail/send", True),
    ("sources: [fs], tools: ['*/read']", "mail/read", False),
    ("sources: [fs], tools: ['*/read']", "fs/read", True),
    ("reach: [unknown]", "fs/read", True),
    ("reach: [write, external]", "fs/read", False),
]


@pytest.mark.parametrize(("match", "id", "selected"), SELECTED)
def test_a_match_selects(match: str, id: str, selected: bool) -> None:
    # The other rule lets the tools be known, so that nothing is taken for a misspelling.
    some = rules(f"- {{id: open, effect: allow, match: {{{match}}}}}").seeing(KNOWN)
    assert decide(some, call(id)) == ("allow p/open" if selected else "deny core/default")
    wall = rules(f"- {{id: open, effect: allow}}\n- {{id: wall, effect: deny, match: {{{match}}}}}").seeing(KNOWN)
    assert decide(wall, call(id)) == ("deny p/wall" if selected else "allow p/open")


KNOWN: Final = [
    tool(id).id
    for id in (
        "fs/read", "fs/rd", "fs/reads", "foo.bar/x", "foo_bar/x", "a-b/x", "mail/send", "mail/read", "fs2/read",
        "Fs/read", "fs.mirror/read", "fs/read_all", "fs/read_record", "fooxbar/x",
    )
]  # fmt: skip


def test_a_policy_and_its_rule_both_have_to_select() -> None:
    text = policy("- {id: open, effect: allow, match: {tools: ['*/read']}}", more="match: {tools: [fs/*]}")
    some = rules(text).seeing(KNOWN)
    assert decide(some, call("fs/read")) == "allow p/open"
    assert decide(some, call("mail/read")) == "deny core/default"
    assert decide(some, call("fs/reads")) == "deny core/default"


CATALOG: Final = catalog(
    "- {id: fs/read, reach: read, tags: [quiet, local], annotations: {readOnlyHint: true, level: 1, mixed: true}}\n"
    "- {id: mail/send, reach: external, tags: [loud], annotations: {readOnlyHint: false, level: 1.0, mixed: 1}}\n"
)


@pytest.mark.parametrize(
    ("match", "opened"),
    [
        ("reach: [read]", {"fs/read"}),
        ("reach: [read, external]", {"fs/read", "mail/send"}),
        ("tags: [quiet]", {"fs/read"}),
        ("tags: [local, loud]", {"fs/read", "mail/send"}),
        ("annotations: {readOnlyHint: true}", {"fs/read"}),
        ("annotations: {readOnlyHint: false}", {"mail/send"}),
        ("annotations: {readOnlyHint: true, level: 1}", {"fs/read"}),
        ("tags: [quiet], reach: [read], tools: ['*/read']", {"fs/read"}),
    ],
)
def test_what_the_catalog_says_selects(match: str, opened: set[str]) -> None:
    some = rules(f"- {{id: open, effect: allow, match: {{{match}}}}}", CATALOG)
    found = {id for id in ("fs/read", "mail/send") if decide(some, call(id)) == "allow p/open"}
    assert found == opened


@pytest.mark.parametrize(("value", "opened"), [("true", "fs/read"), ("1", "mail/send")])
def test_true_is_not_one(value: str, opened: str) -> None:
    some = rules(f"- {{id: open, effect: allow, match: {{annotations: {{mixed: {value}}}}}}}", CATALOG)
    assert [id for id in ("fs/read", "mail/send") if decide(some, call(id)) == "allow p/open"] == [opened]


@pytest.mark.guarantee("decision-reach")
@pytest.mark.parametrize(
    ("reach", "verdict"),
    [
        ("read", "allow p/open"),
        ("idempotent", "allow p/open"),
        ("write", "ask p/ask"),
        ("external", "deny p/wall"),
        ("unknown", "deny p/wall"),
        (None, "deny p/wall"),
    ],
)
def test_a_call_is_checked_by_the_consequence_of_its_tool(reach: str | None, verdict: str) -> None:
    text = (
        "- {id: open, effect: allow}\n- {id: ask, effect: ask, match: {reach: [write]}}\n"
        "- {id: wall, effect: deny, match: {reach: [external, unknown]}}"
    )
    said = "" if reach is None else f", reach: {reach}"
    others = "- {id: a/w, reach: write}\n- {id: a/e, reach: external}\n"
    some = rules(text, catalog(f"{others}- {{id: x/y{said}}}"))
    assert decide(some, call("x/y")) == verdict
    # What a server claims of its tool changes nothing.
    without = rules(text)
    assert decide(without, call("x/y", tool=tool("x/y", reach="read", annotations={"readOnlyHint": True}))) == (
        "deny p/wall"
    )
    assert decide(without, call("x/y", {"reach": "read", "readOnlyHint": True})) == "deny p/wall"


def test_a_condition_on_the_tool_selects_as_a_match_does() -> None:
    some = rules("- {id: open, effect: allow, when: \"tool.id == 'fs/read' || tool.name == 'send'\"}")
    assert [decide(some, call(id)) for id in ("fs/read", "mail/send", "fs/write")] == [
        "allow p/open",
        "allow p/open",
        "deny core/default",
    ]


def test_what_conditions_see_of_a_tool() -> None:
    condition = (
        "tool.id == 'fs/read' && tool.source == 'fs' && tool.name == 'read' && tool.reach == 'read'"
        " && tool.tags == ['local', 'quiet'] && tool.annotations.level == 1"
    )
    some = rules(f'- {{id: open, effect: allow, when: "{condition}"}}', CATALOG)
    assert decide(some, call("fs/read")) == "allow p/open"


@pytest.mark.parametrize("number", range(3))
def test_no_tool_is_too_strange_to_be_judged(number: int) -> None:
    strange = ["a/*", "*/b", "a/b?[c]"][number]
    some = rules("- {id: open, effect: allow, match: {tools: ['a/*']}}")
    verdict = decide(some, call(strange))
    assert verdict == ("deny core/default" if strange == "*/b" else "allow p/open")


def test_the_index_asks_the_rules_of_a_tool_alone() -> None:
    text = "\n".join(f"- {{id: r{n}, effect: deny, match: {{tools: [s{n}/t]}}}}" for n in range(200))
    some = rules("- {id: open, effect: allow}\n" + text).seeing(tool(f"s{n}/t").id for n in range(200))
    plan: Any = some.plan(call("s7/t"))
    assert {str(one.rule.address) for one in plan.enforced} == {"p/open", "p/r7"}
    assert decide(some, call("s7/t")) == "deny p/r7"


def test_an_argument_of_another_tool_that_the_rule_speaks_about_is_no_misspelling() -> None:
    wall = "- {id: open, effect: allow}\n- {id: hidden, effect: deny, match: {tools: [mail/*]}, when: has(args.bcc)}"
    send = tool("mail/send", {"type": "object", "properties": {"to": {"type": "string"}, "bcc": {"type": "string"}}})
    search = tool("mail/search", {"type": "object", "properties": {"query": {"type": "string"}}})
    alone = rules(wall)
    assert decide(alone, call("mail/search", {"query": "x"}, tool=search)) == "deny p/hidden"
    listed = alone.seeing([send, search])
    assert decide(listed, call("mail/search", {"query": "x"}, tool=search)) == "allow p/open"
    assert decide(listed, call("mail/send", {"to": "x", "bcc": "y"}, tool=send)) == "deny p/hidden"
    typo = rules(wall.replace("bcc", "bbc")).seeing([send, search])
    assert decide(typo, call("mail/send", {"to": "x", "bcc": "y"}, tool=send)) == "deny p/hidden"


def test_what_a_host_has_listed_tells_of_the_arguments_where_a_call_comes_without_the_definition() -> None:
    text = "- {id: open, effect: allow}\n- {id: hidden, effect: deny, match: {tools: [mail/*]}, when: has(args.bbc)}"
    send = tool("mail/send", {"type": "object", "properties": {"to": {"type": "string"}, "bcc": {"type": "string"}}})
    assert decide(rules(text).seeing([send]), call("mail/send", {"bcc": "y"})) == "deny p/hidden"
    right = rules(text.replace("bbc", "bcc")).seeing([send])
    assert decide(right, call("mail/send", {"to": "x"})) == "allow p/open"


def test_a_name_that_is_nearly_the_tool_counts_at_the_stage_of_its_rule_alone() -> None:
    text = "- {id: open, effect: allow}\n- {id: wall, effect: deny, stage: result, match: {tools: [mail/sent]}}"
    some = rules(text).seeing([tool("mail/send").id])
    assert decide(some, call("mail/send")) == "allow p/open"
    assert decide(some, call("mail/send", result="x")) == "deny p/wall"


def test_an_argument_that_a_variable_asks_for_is_looked_for_as_well() -> None:
    text = "- {id: open, effect: allow}\n- {id: hidden, effect: deny, when: variables.outer}"
    send = tool("mail/send", {"type": "object", "properties": {"bcc": {"type": "string"}}})
    for argument, verdict in (("bcc", "allow p/open"), ("bbc", "deny p/hidden")):
        variables = f"variables: {{outer: variables.inner, inner: has(args.{argument})}}"
        assert decide(rules(policy(text, more=variables)), call("mail/send", tool=send)) == verdict


def test_without_a_catalog_the_first_listing_is_pinned() -> None:
    first = tool("mail/send", {"type": "object", "properties": {"to": {"type": "string"}}}, description="Sends.")
    other = tool(
        "mail/send", {"type": "object", "properties": {"to": {"type": "string"}}}, description="Sends. Be bold."
    )
    some = rules("- {id: open, effect: allow}").seeing([first])
    assert decide(some, call("mail/send", {"to": "x"}, tool=first)) == "allow p/open"
    assert decide(some, call("mail/send", {"to": "x"}, tool=other)) == "deny core/default"
    assert decide(some, call("mail/send", {"to": "x"})) == "allow p/open"
    named = rules("- {id: open, effect: allow}").seeing([first.id])
    assert decide(named, call("mail/send", {"to": "x"}, tool=other)) == "allow p/open"


def test_a_name_that_is_looked_for_among_the_arguments_is_asked_for_as_well() -> None:
    text = "- {id: open, effect: allow}\n- {id: hidden, effect: deny, when: \"'bbc' in args\"}"
    send = tool("mail/send", {"type": "object", "properties": {"to": {"type": "string"}, "bcc": {"type": "string"}}})
    assert decide(rules(text), call("mail/send", {"bcc": "y"}, tool=send)) == "deny p/hidden"
    right = rules(text.replace("bbc", "bcc"))
    assert decide(right, call("mail/send", {"to": "x"}, tool=send)) == "allow p/open"
    assert decide(right, call("mail/send", {"bcc": "y"}, tool=send)) == "deny p/hidden"


@pytest.mark.parametrize("when", ["has(tool.tags) && 'money' in tool.tags", "has(tool.annotations.destructive)"])
def test_a_condition_on_what_only_a_review_can_tell_counts_where_nobody_has_reviewed(when: str) -> None:
    some = rules(f'- {{id: open, effect: allow}}\n- {{id: wall, effect: deny, when: "{when}"}}')
    assert decide(some, call("a/b")) == "deny p/wall"
    plain = tool("a/b")
    assert decide(some, call("a/b", tool=plain, registered=True)) == "allow p/open"
