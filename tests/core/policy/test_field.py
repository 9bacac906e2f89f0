"""Cases from the field, which lie beside the checkout: each call that a decision alone can show has its right outcome.

The table `WAITING` lists everything else in them with what it waits for; nothing is left out of both.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from oap_core.cel.library import FUNCTIONS
from oap_core.decision import Judgement
from oap_core.frozen import freeze_object
from oap_core.names import RuleAddress
from oap_core.plugins import load_plugins
from oap_core.policy.assemble import Assembled, assemble
from oap_core.policy.facts import Facts, SessionFacts
from oap_core.policy.judge import Judged
from oap_core.policy.load import read
from oap_core.policy.ruleset import RuleSet
from oap_core.policy.scope import Vocabulary
from oap_core.policy.setup import Setup
from oap_core.strict_json import read as read_json
from oap_core.types import Stage, Subject, ToolCall
from tests.core.policy.deciding import NOW, exceptions, policy

FOLDER: Final = Path(__file__).parents[4] / "shared" / "cases" / "field"

# What of each case is put before the rules: calls, what must still run, variants.
SHOWN: Final = {
    "gate-02-separators": ("calls 1 2", "still 1 2 3", "variants 1 2 3 4 5 6"),
    "gate-04-quoting": ("calls 1 2 3 4", "still 1 2", "variants 1 2 3 4 5 6"),
    "gate-06-environment-prefix": ("calls 1 2", "variants 1 2 3 4 5 6"),
    "gate-08-sibling-folder": ("calls 1 2 3", "still 1 2 3", "variants 1 2 3 4 5 6"),
    "gate-10-colliding-names": ("calls 2 3", "variants 3 4"),
    "gate-12-yes-against-wall": ("calls 1 2", "variants 1 2 3 4 5"),
    "gate-14-blind-gate": ("calls 1 2 3", "variants 1 2 3 6"),
    "gate-16-large-integers": ("calls 1 2 3 4", "variants 1 2 3 4"),
    "gate-18-office-hours": ("calls 1 2 3 4", "variants 1 2 3 4 5"),
    "gate-20-lost-rewrite": ("calls 1 2",),
    "gate-22-stale-answer": ("calls 1 3",),
    "gate-24-half-done-batch": ("calls 1 2 3",),
    "gate-26-child-escapes-plan": (),
    "gate-28-whose-bucket": (),
    "gate-30-junk-from-a-gate": ("calls 5",),
    "gate-32-silent-time-out": ("calls 1 2 3 4",),
}

LOOKUP: Final = "the lookup step of the pipeline, which reads the arguments as they came"
NAMES: Final = "the frozen tool set, which gives out flat names"
APPROVALS: Final = "approvals, which keep a question and take its answer"
REWRITERS: Final = "the rewrite slot of the pipeline"
GATES: Final = "the slots of the pipeline that call a plugin"
RECOVERY: Final = "the journal and recovery of a run"
EXITS: Final = "the pipeline, its records and its exits"
WAITING: Final = {
    "gate-10-colliding-names": {NAMES: "calls 1 variants 1 2 5 6"},
    "gate-14-blind-gate": {LOOKUP: "variants 4 5"},
    "gate-16-large-integers": {LOOKUP: "variants 5", "the wrapping of results": "variants 6"},
    "gate-18-office-hours": {APPROVALS: "variants 6"},
    "gate-20-lost-rewrite": {REWRITERS: "variants 1 2 3 4 5 6"},
    "gate-22-stale-answer": {APPROVALS: "calls 2 4 variants 1 2 3 4 5 6"},
    "gate-24-half-done-batch": {RECOVERY: "calls 4 variants 1 2 3 4 5 6"},
    "gate-26-child-escapes-plan": {"the plugin oap-plan, and sessions": "calls 1 2 3 4 variants 1 2 3 4 5 6"},
    "gate-28-whose-bucket": {"the plugin oap-limits": "calls 1 2 3 4 variants 1 2 3 4 5 6"},
    "gate-30-junk-from-a-gate": {GATES: "calls 1 2 3 4 variants 1 2 3 4 5 6"},
    "gate-32-silent-time-out": {EXITS: "variants 1 2 3 4 5 6"},
}

# What the rules say where the case names it in words, or names the exit that comes after a person was asked.
SAID: Final = {
    ("gate-16-large-integers", "variants 3"): "deny records/keep-protected",
    ("gate-16-large-integers", "variants 4"): "ask records/ask-delete",
    ("gate-18-office-hours", "calls 1"): "ask hours/large",
    ("gate-18-office-hours", "calls 2"): "deny default",
    ("gate-18-office-hours", "calls 3"): "deny default",
    ("gate-18-office-hours", "calls 4"): "allow hours/office-hours",
    ("gate-20-lost-rewrite", "calls 1"): "ask mail/ask-outside",
    ("gate-20-lost-rewrite", "calls 2"): "allow mail/send",
    ("gate-22-stale-answer", "calls 1"): "ask pay/ask-transfer",
    ("gate-22-stale-answer", "calls 3"): "ask pay/ask-transfer",
    ("gate-24-half-done-batch", "calls 1"): "allow batch/append",
    ("gate-24-half-done-batch", "calls 2"): "ask batch/ask-send",
    ("gate-24-half-done-batch", "calls 3"): "allow batch/append",
    ("gate-30-junk-from-a-gate", "calls 5"): "allow files/write",
    ("gate-32-silent-time-out", "calls 1"): "ask desk/ask-run",
    ("gate-32-silent-time-out", "calls 2"): "ask desk/ask-run",
    ("gate-32-silent-time-out", "calls 3"): "deny desk/no-wipe",
    ("gate-32-silent-time-out", "calls 4"): "allow desk/use",
    ("gate-12-yes-against-wall", "variants 5"): "deny cloud/wall",
}
# The yes that a person has given before the call.
YES: Final = {
    ("gate-12-yes-against-wall", "calls"): ["ops/ask-restart"],
    ("gate-12-yes-against-wall", "variants"): ["ops/ask-restart", "ops/no-router"],
    ("gate-18-office-hours", "calls 2"): ["hours/large"],
    ("gate-20-lost-rewrite", "calls 2"): ["mail/ask-outside"],
}
# An event that judges an earlier call again.
AGAIN: Final = {("gate-18-office-hours", 2): 1, ("gate-20-lost-rewrite", 2): 1}
# Files that stand beside the policy of a case.
BESIDE: Final = {
    ("gate-12-yes-against-wall", "variants 2"): policy(
        "- {id: open, effect: allow, severity: critical, match: {tools: [shell/run]},"
        " when: \"args.command == 'systemctl restart order-router'\"}",
        name="other",
    ),
    ("gate-12-yes-against-wall", "variants 5"): policy(
        "- {id: wall, effect: deny, match: {tools: [cloud/*]}}\n"
        "- {id: open, effect: allow, match: {tools: [cloud/describe_*]}}",
        name="cloud",
    ),
    ("gate-14-blind-gate", "variants 6"): policy(
        "- {id: region, effect: deny, match: {tools: [shell/run]}, when: args.region != 'eu'}",
        name="region",
    ),
}


@dataclass(frozen=True)
class Case:
    """One file."""

    name: str
    content: dict[str, Any]

    @property
    def policy(self) -> str:
        return str(self.content["setup"]["policy"])

    @property
    def tools(self) -> list[dict[str, Any]]:
        return list(self.content["setup"].get("tools", ()))

    def entry(self, item: str) -> dict[str, Any]:
        """The call that an item such as `variants 2` is about."""
        kind, number = item.split(" ")
        place = AGAIN.get((self.name, int(number)), int(number)) - 1 if kind == "calls" else int(number) - 1
        if kind == "still":
            [found] = [one for one in self.content["expected"] if "must_still_run" in one]
            return dict(found["must_still_run"][place])
        return dict(self.content[kind][place])

    def wanted(self, item: str) -> dict[str, Any]:
        """The outcome that the case names."""
        kind, number = item.split(" ")
        if said := SAID.get((self.name, item)):
            verdict, rule = said.split(" ")
            return {"verdict": verdict, "by": [rule]}
        numbered = {one["call"]: one for one in self.content["expected"] if isinstance(one.get("call"), int)}
        if kind == "calls":
            return dict(numbered[int(number)])
        entry = self.entry(item)
        if kind == "still":
            return entry
        expect = str(entry.get("expect", ""))
        if expect.startswith(("deny", "allow")):
            return {"verdict": expect.split(" ", maxsplit=1)[0].rstrip(";,:")}
        last = numbered[max(numbered)]
        if expect.startswith("as call"):
            return dict(last)
        # A variant behaves as the last call does.
        return {"verdict": last["verdict"]}


@cache
def case(name: str) -> Case:
    file = FOLDER / f"{name}.yaml"
    if not file.exists():
        pytest.skip("the cases from the field do not lie beside this checkout")
    return Case(name, yaml.safe_load(file.read_text(encoding="utf-8")))


def items(text: str) -> Iterator[str]:
    kind = ""
    for word in text.split(" "):
        if word.isdigit():
            yield f"{kind} {word}"
        else:
            kind = word


@cache
def setup() -> Setup:
    plugins = load_plugins(["oap-authorization", "oap-shell"], FUNCTIONS)
    assert plugins.problems == ()
    return Setup(plugins.effects, Vocabulary(plugins.functions))


def assembled(case: Case, *beside: str, without_catalog: bool = False) -> Assembled:
    texts = {f"{number}.yaml": text for number, text in enumerate((case.policy, *beside))}
    if case.tools and not without_catalog:
        tools = [{"id": one["id"], "reach": one.get("reach", "unknown"), **_schema(one)} for one in case.tools]
        texts["catalog.yaml"] = json.dumps(
            {"apiVersion": "oap/v1", "kind": "Catalog", "metadata": {"name": "c", "owner": "o"}, "tools": tools}
        )
    return assemble([read(text, name) for name, text in texts.items()], setup())


def _schema(tool: dict[str, Any]) -> dict[str, Any]:
    return {"input_schema": tool["schema"]} if "schema" in tool else {}


def rule_set(case: Case, *beside: str, without_catalog: bool = False) -> RuleSet:
    found = assembled(case, *beside, without_catalog=without_catalog)
    assert found.rules is not None, found.diagnostics
    return found.rules


def moment(entry: dict[str, Any], again: Any) -> datetime:
    text = again.get("at") or entry.get("at")
    return NOW if text is None else datetime.fromisoformat(text)


def facts(case: Case, item: str) -> Facts:
    entry = case.entry(item)
    kind, number = item.split(" ")
    given: Any = read_json(entry["args_raw"]) if "args_raw" in entry else entry["args"]
    arguments = freeze_object(given)
    workspace = case.content["setup"].get("session", {}).get("workspace")
    original = None
    if case.name == "gate-20-lost-rewrite":
        # What the rewriters of the case make of the call.
        original = arguments
        kept = {key: value for key, value in arguments.items() if key != "bcc"}
        arguments = freeze_object({**kept, "body": f"{arguments['body']} (by a machine)"})
    return Facts(
        Stage.CALL,
        moment(entry, case.content[kind][int(number) - 1] if kind != "still" else {}),
        Subject("somebody"),
        SessionFacts("s1", "test", workspace),
        ToolCall("c1", ToolCall.of("c1", entry["tool"], {}).tool, arguments),
        original,
    )


def judged(rules: RuleSet, case: Case, item: str) -> Judged:
    kind = item.split(" ", maxsplit=1)[0]
    yes = YES.get((case.name, item)) or YES.get((case.name, kind)) or []
    return rules.decide(facts(case, item), approved=[RuleAddress(rule) for rule in yes])


def is_as_named(found: Judged, wanted: dict[str, Any]) -> bool:
    """Whether a decision is the named one: a list means any of them, and under `by` at least one is named."""
    decision = found.decision
    verdicts = wanted["verdict"] if isinstance(wanted["verdict"], list) else [wanted["verdict"]]
    if decision.verdict.value not in verdicts:
        return False
    names = {str(one.rule.address).replace("core/", "") for one in decision.deciding}
    if "by" in wanted and not names & set(wanted["by"]):
        return False
    classes = wanted.get("class", ["policy", "unjudged"])
    unjudged = decision.deciding[0].state is Judgement.UNJUDGED
    return not (wanted.get("code") == "policy_error" or classes == "unjudged") or unjudged


APART: Final = "gate-10-colliding-names"  # it has no catalog
RUNS: Final = [(name, item) for name, lines in SHOWN.items() for line in lines for item in items(line)]


@pytest.mark.parametrize(("name", "item"), RUNS)
def test_a_case_from_the_field_has_its_right_outcome(name: str, item: str) -> None:
    some = case(name)
    if (name, item) == ("gate-12-yes-against-wall", "variants 3"):
        lifting = exceptions(
            "- {id: e, waives: [ops/no-router], reason: r, approved_by: b, expires: '2027-01-01T00:00:00Z'}"
        )
        assert [str(one.code) for one in assembled(some, lifting).diagnostics] == ["OAP310"]
        return
    beside = [BESIDE[name, item]] if (name, item) in BESIDE else []
    # With the catalog, the check of the file beside it would refuse it: another tool, an argument that may be absent.
    rules = rule_set(some, *beside, without_catalog=item in ("variants 5", "variants 6") and bool(beside))
    found = judged(rules, some, item)
    assert is_as_named(found, some.wanted(item)), (found.decision.verdict, found.decision.deciding)


@pytest.mark.parametrize(("name", "item"), [run for run in RUNS if run[0] != APART and run not in BESIDE])
def test_without_a_catalog_the_outcome_is_never_looser(name: str, item: str) -> None:
    some = case(name)
    bare = judged(rule_set(some, without_catalog=True), some, item)
    full = judged(rule_set(some), some, item)
    assert bare.decision.verdict >= full.decision.verdict


@pytest.mark.parametrize("name", SHOWN)
def test_everything_in_a_case_is_shown_or_waits_for_something(name: str) -> None:
    some = case(name)
    shown = [item for line in SHOWN[name] for item in items(line)]
    waiting = [item for text in WAITING.get(name, {}).values() for item in items(text)]
    there = [
        f"{kind} {number}"
        for kind, entries in (("calls", some.content["calls"]), ("variants", some.content["variants"]))
        for number, _ in enumerate(entries, 1)
    ]
    for one in some.content["expected"]:
        there += [f"still {number}" for number, _ in enumerate(one.get("must_still_run", ()), 1)]
    assert sorted(shown + waiting) == sorted(there)


def test_every_case_about_gates_is_in_the_table() -> None:
    if not FOLDER.exists():
        pytest.skip("the cases from the field do not lie beside this checkout")
    assert sorted(SHOWN) == sorted(file.stem for file in FOLDER.glob("gate-*.yaml"))


def test_a_wrong_outcome_would_be_seen() -> None:
    some = case("gate-08-sibling-folder")
    found = judged(rule_set(some), some, "calls 1")
    wanted = some.wanted("calls 1")
    assert is_as_named(found, wanted)
    assert not is_as_named(found, {**wanted, "verdict": "allow"})
    assert not is_as_named(found, {**wanted, "by": ["files/inside"]})
    assert not is_as_named(found, {**wanted, "class": "unjudged"})
    assert is_as_named(found, {**wanted, "verdict": ["ask", "deny"], "by": ["x/y", "default"]})


def test_a_wall_holds_wherever_it_stands_and_under_whatever_name() -> None:
    some = case("gate-12-yes-against-wall")
    head, _, body = some.policy.partition("rules:\n")
    rules = [f"  - id:{text}" for text in body.split("  - id:")[1:]]
    one = [head + "rules:\n" + "".join(reversed(rules))]
    several = [head.replace("name: ops", f"name: ops{n}") + "rules:\n" + rule for n, rule in enumerate(rules)]
    twice = [some.policy, some.policy.replace("name: ops", "name: second")]
    for texts in (one, several, several[::-1], twice, twice[::-1]):
        split = replace_policy(some, texts)
        restart = split.decide(facts(some, "calls 2"), approved=[rule.address for rule in split.rules])
        assert restart.decision.verdict.value == "deny"
        assert str(restart.decision.rule).endswith("/no-router")
        web = split.decide(facts(some, "calls 1"), approved=[rule.address for rule in split.rules])
        assert web.decision.verdict.value == "allow"


def replace_policy(case: Case, texts: list[str]) -> RuleSet:
    first, *others = texts
    changed = replace(case, content={**case.content, "setup": {**case.content["setup"], "policy": first}})
    return rule_set(changed, *others)


def test_a_condition_on_an_optional_argument_demands_that_it_is_asked_for() -> None:
    some = case("gate-14-blind-gate")
    assert assembled(some).diagnostics == ()
    tools = [{**one, "schema": {**one["schema"], "required": []}} for one in some.tools]
    changed = replace(some, content={**some.content, "setup": {**some.content["setup"], "tools": tools}})
    assert [str(one.code) for one in assembled(changed).diagnostics] == ["CEL304"]
