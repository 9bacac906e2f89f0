from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oap_core.decision import Default
from oap_core.names import RuleAddress
from oap_core.policy import ruleset
from oap_core.policy.globs import ToolGlob
from oap_core.policy.ruleset import Reservation
from oap_core.policy.setup import Setup
from oap_core.types import Subject
from tests.core.policy.deciding import (
    NOW,
    SETUP,
    assembled,
    call,
    catalog,
    decide,
    exceptions,
    policy,
    prompt,
    rules,
    shown,
    tool,
)

FIRST: Final = """\
- {id: open, effect: allow, when: args.n < 9}
- {id: wall, effect: deny, when: args.n > 7, waivable: true, message: 'no {args.n}'}
- {id: ask, effect: ask, when: args.n > 3}
- {id: watch, effect: deny, mode: shadow}
"""
SECOND: Final = "- {id: open, effect: allow}\n- {id: wall, effect: deny, when: args.m == 1}\n"
LIFTING: Final = exceptions(
    "- {id: E1, waives: [p/wall], reason: r, approved_by: b, expires: '2026-07-01T00:00:00Z', when: args.m == 2}"
)
CATALOG: Final = catalog(
    "- {id: fs/read, reach: read, tags: [quiet], annotations: {a: true}, input_schema: {type: object,"
    " required: [n1, n2], properties: {n1: {}, n2: {}}}}".replace("n1", "'n'").replace("n2", "m")
)


@pytest.mark.guarantee("decision-order")
@given(st.randoms(use_true_random=False), st.integers(0, 10), st.integers(0, 3))
@settings(max_examples=40)
def test_the_order_of_rules_and_files_never_matters(random: Random, n: int, m: int) -> None:
    parts = [FIRST.splitlines(), SECOND.splitlines()]
    for lines in parts:
        random.shuffle(lines)
    texts = [policy("\n".join(parts[0])), policy("\n".join(parts[1]), name="q"), LIFTING]
    plain = rules(policy(FIRST), policy(SECOND, name="q"), LIFTING)
    random.shuffle(texts)
    mixed = rules(*texts)
    facts = call(args={"n": n, "m": m})
    assert mixed.decide(facts).decision == plain.decide(facts).decision
    assert mixed.revision == plain.revision
    assert [rule.address for rule in mixed.rules] == [rule.address for rule in plain.rules]


@pytest.mark.guarantee("decision-order")
@given(st.integers(0, 10), st.sampled_from(["a", "zz", "P.1_x", "9-a"]))
@settings(max_examples=30)
def test_the_name_of_a_policy_never_matters(n: int, name: str) -> None:
    facts = call(args={"n": n})
    renamed = decide(rules(policy(FIRST, name=name)), facts)
    assert {*renamed.replace(f"{name}/", "p/").split()} == {*decide(rules(policy(FIRST)), facts).split()}
    twice = decide(rules(policy(FIRST), policy(FIRST, name=name)), facts)
    assert twice.split(" ")[0] == renamed.split(" ")[0]


def test_a_policy_split_over_files_decides_alike() -> None:
    lines = FIRST.splitlines()
    split = rules(*(policy(line, name=f"p{number}") for number, line in enumerate(lines)))
    for n in range(11):
        facts = call(args={"n": n})
        assert split.decide(facts).decision.verdict is rules(FIRST).decide(facts).decision.verdict


# What is changed, and the files with that change. All of them decide something else, or could.
CHANGES: Final[dict[str, list[str]]] = {
    "a constant of a condition": [FIRST.replace("> 7", "> 8"), LIFTING, CATALOG],
    "an effect": [FIRST.replace("id: ask, effect: ask", "id: ask, effect: plan"), LIFTING, CATALOG],
    "the id of a rule": [FIRST.replace("id: ask,", "id: ask2,"), LIFTING, CATALOG],
    "the severity, which names": [FIRST.replace("id: ask,", "id: ask, severity: high,"), LIFTING, CATALOG],
    "the message": [FIRST.replace("'no {args.n}'", "'nope'"), LIFTING, CATALOG],
    "shadow to enforce": [FIRST.replace("mode: shadow", "mode: enforce"), LIFTING, CATALOG],
    "a rule is gone": [FIRST.replace("- {id: watch, effect: deny, mode: shadow}\n", ""), LIFTING, CATALOG],
    "the match of the policy": [policy(FIRST, more="match: {tools: [fs/*]}"), LIFTING, CATALOG],
    "a constant": [policy(FIRST, more="constants: {a: 1}"), LIFTING, CATALOG],
    "the name of the policy": [policy(FIRST, name="p2"), LIFTING.replace("p/wall", "p2/wall"), CATALOG],
    "the end of an exception": [FIRST, LIFTING.replace("2026-07-01", "2026-07-02"), CATALOG],
    "the condition of an exception": [FIRST, LIFTING.replace("m == 2", "m == 1"), CATALOG],
    "an exception is gone": [FIRST, CATALOG],
    "the reach of a tool": [FIRST, LIFTING, CATALOG.replace("reach: read", "reach: write")],
    "the tags of a tool": [FIRST, LIFTING, CATALOG.replace("quiet", "loud")],
    "the annotations of a tool": [FIRST, LIFTING, CATALOG.replace("a: true", "a: 1")],
    "the schema of a tool": [FIRST, LIFTING, CATALOG.replace("m: {}", "m: {type: integer}")],
    "a tool": [FIRST, LIFTING, CATALOG + "- {id: fs/write}\n"],
    "the catalog is gone": [FIRST, LIFTING],
}


@pytest.mark.guarantee("decision-revision")
@pytest.mark.parametrize("texts", CHANGES.values(), ids=CHANGES)
def test_what_decides_changes_the_revision(texts: list[str]) -> None:
    assert rules(*texts).revision != rules(FIRST, LIFTING, CATALOG).revision


def test_the_schema_of_a_tool_counts_where_its_hash_was_recorded() -> None:
    recorded = CATALOG.replace("reach: read", f"reach: read, definition_hash: 'sha256:{'0' * 64}'")
    other = recorded.replace("m: {}", "m: {type: integer}")
    assert rules(FIRST, recorded).revision != rules(FIRST, other).revision


SETUPS: Final[dict[str, Setup]] = {
    "default": replace(SETUP, default=Default.ASK),
    "observation": replace(SETUP, observe_until=NOW),
    "later observation": replace(SETUP, observe_until=NOW + timedelta(days=1)),
    "plugin": replace(SETUP, plugins={"oap-authorization": "0.1.0"}),
    "other plugin": replace(SETUP, plugins={"oap-authorization": "0.1.1"}),
    "reserved": replace(SETUP, reservations=(Reservation((ToolGlob("x/y"),), frozenset({"p"})),)),
    "an empty catalog": replace(SETUP, mandatory_catalog=True),
    "the file system": replace(SETUP, paths={"fold_case": True, "windows": False}),
    "another file system": replace(SETUP, paths={"fold_case": False, "windows": False}),
    "nothing": SETUP,
}


@pytest.mark.guarantee("decision-revision")
def test_the_configuration_that_decides_is_part_of_the_revision() -> None:
    text = "- {id: open, effect: allow, when: args.n < 9}"
    found = {name: rules(text, setup=setup).revision for name, setup in SETUPS.items()}
    assert len(set(found.values())) == len(SETUPS)
    assert all(revision.startswith("sha256:") for revision in found.values())


@pytest.mark.guarantee("decision-revision")
@pytest.mark.parametrize(
    "texts",
    [
        [FIRST.replace("effect: ask, when", "effect: ask,   when"), LIFTING, CATALOG],
        ["# a note\n\n" + FIRST, LIFTING, CATALOG],
        ["\n".join(reversed(FIRST.splitlines())), LIFTING, CATALOG],
        [LIFTING, CATALOG, FIRST],
        [policy(FIRST).replace("owner: somebody", "owner: other, description: d, review: '2027-01-01'"), LIFTING, CATALOG],
        [FIRST.replace("{id: ask, effect: ask,", "{effect: ask, id: ask,"), LIFTING, CATALOG],
        [FIRST, LIFTING, CATALOG.replace("required: ['n', m]", "required:   ['n', m]")],
    ],
    ids=["white space", "comments", "order of rules", "order of files", "owner and description", "order of keys", "flow"],
)  # fmt: skip
def test_what_decides_nothing_leaves_the_revision(texts: list[str]) -> None:
    # A rule's file begins with its head where it does not say so itself.
    assert rules(*texts).revision == rules(FIRST, LIFTING, CATALOG).revision


def test_a_rule_keeps_its_hash_while_another_one_changes() -> None:
    before, after = rules(FIRST), rules(FIRST.replace("> 7", "> 8"))
    same = {str(rule.address) for rule in before.rules if after.rule(rule.address).hash == rule.hash}  # type: ignore[union-attr]
    assert same == {"p/open", "p/ask", "p/watch"}


def test_a_rule_is_found_by_its_address() -> None:
    some = rules(FIRST)
    found = some.rule("p/wall")
    assert found is not None
    assert found.address == RuleAddress("p/wall")
    assert [some.rule(one) for one in ("p/nope", "wall", "", "a/b/c", "core/default")] == [None] * 5


@pytest.mark.guarantee("decision-threads")
def test_names_that_nobody_has_heard_of_do_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    [limit] = [name for name in vars(ruleset) if name.startswith("_MOST")]
    monkeypatch.setattr(ruleset, limit, 50)
    some = rules(FIRST)
    kept: list[int] = []
    for n in range(500):
        assert decide(some, call(f"s{n}/t", {"n": 1})) == "allow p/open"
        kept += [len(value) for value in vars(some).values() if isinstance(value, dict) and len(value) > 10]
    assert kept
    assert max(kept) <= 50


def test_answers_that_nobody_has_seen_do_not_fill_the_memory() -> None:
    some = rules("\n".join(f"- {{id: r{n}, effect: observe, when: args.n % {n + 2} == 0}}" for n in range(12)))
    for n in range(3000):
        some.decide(call(args={"n": n}), approved=[RuleAddress(f"a/b{n}")])
    judge: Any = some._judge(call())
    assert sum(len(getattr(judge, name)) for name in judge.__slots__ if isinstance(getattr(judge, name), dict)) < 500


@pytest.mark.guarantee("decision-threads")
def test_threads_decide_as_one_does(monkeypatch: pytest.MonkeyPatch) -> None:
    [limit] = [name for name in vars(ruleset) if name.startswith("_MOST")]
    monkeypatch.setattr(ruleset, limit, 5)
    texts = (policy(FIRST), policy(SECOND, name="q"), LIFTING)
    calls = [
        call(f"s{n % 9}/t", {"n": n % 11, "m": n % 4}, original={"n": n % 10, "m": 2} if n % 3 else None)
        for n in range(300)
    ]
    alone = rules(*texts)
    wanted = [shown(alone.decide(one)) for one in calls]
    shared = rules(*texts)
    start = threading.Barrier(8)

    def run(seed: int) -> list[str]:
        order = list(range(len(calls)))
        Random(seed).shuffle(order)
        start.wait()
        found = {number: shown(shared.decide(calls[number])) for number in order}
        return [found[number] for number in range(len(calls))]

    with ThreadPoolExecutor(8) as pool:
        assert all(found == wanted for found in pool.map(run, range(8)))


def test_a_set_that_sees_tools_is_another_one() -> None:
    some = rules("- {id: open, effect: allow}\n- {id: wall, effect: deny, match: {tools: [shell/exec]}}")
    seeing = some.seeing([tool("shell/exec").id, tool("shell/exit").id])
    assert seeing.revision == some.revision
    assert decide(seeing, call("shell/exit")) == "allow p/open"
    assert not some.listed


@pytest.mark.guarantee("D-089")
def test_who_acts_comes_from_the_host_and_never_from_the_call() -> None:
    text = "- {id: open, effect: allow, when: \"subject.id == 'root' || 'admin' in subject.roles\"}"
    some = rules(text)
    claims = {"subject": {"id": "root", "roles": ["admin"]}, "roles": ["admin"], "id": "root", "subject.id": "root"}
    assert decide(some, call(args=claims)) == "deny core/default"
    assert decide(some, call(args=claims, original={**claims, "user": "root"})) == "deny core/default"
    assert decide(some, call(subject=Subject("root"))) == "allow p/open"
    assert decide(some, call(subject=Subject("kim", frozenset({"admin"})))) == "allow p/open"
    withheld = rules("- {id: w, effect: deny, stage: result, when: \"subject.id != 'root'\"}")
    assert decide(withheld, call(result='{"subject": {"id": "root"}}')) == "deny p/w"
    asked = rules("- {id: w, effect: deny, stage: prompt, when: \"subject.id != 'root'\"}")
    assert decide(asked, prompt("I am root")) == "deny p/w"
    with pytest.raises(ValueError, match="cannot be called"):
        Subject("kim", attributes=call(args={"id": "root"}).call.arguments)  # type: ignore[union-attr]


# Subject, action and resource, and what the rules below say of each combination.
WHO: Final = {"nurse": Subject("n1", frozenset({"nurse"})), "doctor": Subject("d1", frozenset({"doctor"}))}
WHAT: Final = ("records/read", "records/write", "records/delete")
WHICH: Final = {"own ward": "w1", "other ward": "w2", "sealed": "sealed"}
MATRIX: Final = {
    ("nurse", "records/read", "own ward"): "allow p/read",
    ("nurse", "records/read", "other ward"): "deny core/default",
    ("nurse", "records/read", "sealed"): "deny p/sealed",
    ("nurse", "records/write", "own ward"): "deny core/default",
    ("nurse", "records/write", "other ward"): "deny core/default",
    ("nurse", "records/write", "sealed"): "deny p/sealed",
    ("nurse", "records/delete", "own ward"): "deny core/default",
    ("nurse", "records/delete", "other ward"): "deny core/default",
    ("nurse", "records/delete", "sealed"): "deny p/sealed",
    ("doctor", "records/read", "own ward"): "allow p/doctors",
    ("doctor", "records/read", "other ward"): "allow p/doctors",
    ("doctor", "records/read", "sealed"): "deny p/sealed",
    ("doctor", "records/write", "own ward"): "allow p/doctors",
    ("doctor", "records/write", "other ward"): "ask p/ask",
    ("doctor", "records/write", "sealed"): "deny p/sealed",
    ("doctor", "records/delete", "own ward"): "deny core/default",
    ("doctor", "records/delete", "other ward"): "deny core/default",
    ("doctor", "records/delete", "sealed"): "deny p/sealed",
}


@pytest.mark.guarantee("S3-18")
@pytest.mark.parametrize(("who", "what", "which"), MATRIX)
def test_may_this_subject_do_this_action_on_this_resource(who: str, what: str, which: str) -> None:
    some = rules(
        "- {id: read, effect: allow, match: {tools: [records/read]}, when: \"args.ward == 'w1'\"}\n"
        "- {id: doctors, effect: allow, match: {tools: [records/read, records/write]},"
        " when: \"'doctor' in subject.roles\"}\n"
        "- {id: ask, effect: ask, match: {tools: [records/write]}, when: \"args.ward != 'w1'\"}\n"
        "- {id: sealed, effect: deny, match: {tools: [records/*]}, when: \"args.ward == 'sealed'\"}"
    )
    decision = some.decide(call(what, {"ward": WHICH[which]}, subject=WHO[who])).decision
    assert f"{decision.verdict.value} {decision.rule}" == MATRIX[who, what, which]


def test_a_problem_anywhere_leaves_no_rule_set() -> None:
    for texts in (
        [FIRST, policy("- {id: a, effect: nope}", name="q")],
        [FIRST, "apiVersion: oap/v1\nkind: Policy\nmetadata: {name: q, owner: o}\nrules: []\n"],
        [FIRST, policy(SECOND)],
        [FIRST, "apiVersion: [\n"],
        [FIRST.replace("args.n < 9", "args.n <")],
    ):
        found = assembled(*texts)
        assert found.rules is None
        assert any(one.severity.value == "error" for one in found.diagnostics)
