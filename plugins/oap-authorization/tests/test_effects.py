"""What the two effects are, by the public names of the core alone."""

from __future__ import annotations

from importlib.metadata import entry_points, version

import oap_authorization
import pytest
from oap_authorization import OAP_API, oap_effects

from oap_core import (
    Default,
    Finding,
    Judgement,
    Kind,
    RuleAddress,
    RuleRef,
    Stage,
    Verdict,
    Waiver,
    combine_call,
    combine_content,
)

EFFECTS = {effect.name: effect for effect in oap_effects()}


def finding(name: str, effect: str, state: Judgement, stage: Stage = Stage.CALL, *, waivable: bool = False) -> Finding:
    """What is found about a rule that has one of the effects."""
    kind = EFFECTS[effect].kind
    rule = RuleRef(RuleAddress(f"p/{name}"), effect, kind, stage, waivable=waivable)
    return Finding("oap-authorization", rule, state)


def test_it_declares_a_key_and_a_wall_and_nothing_else() -> None:
    assert set(EFFECTS) == {"allow", "deny"}
    assert (EFFECTS["allow"].kind, EFFECTS["allow"].stages) == (Kind.GRANT, frozenset({Stage.CALL}))
    assert (EFFECTS["deny"].kind, EFFECTS["deny"].stages) == (Kind.WALL, frozenset(Stage))
    for effect in EFFECTS.values():
        assert (effect.plugin, effect.model, effect.judges_original) == ("oap-authorization", None, True)


def test_it_is_found_under_its_name() -> None:
    [point] = [
        one
        for one in entry_points(group="oap.plugins")
        if one.dist is not None and one.dist.name == "oap-authorization"
    ]
    assert (point.name, point.load()) == ("authorization", oap_authorization)
    assert OAP_API == 1
    assert version("oap-authorization").split(".")[:2] == version("oap-core").split(".")[:2]


@pytest.mark.parametrize(
    ("found", "verdict"),
    [
        ([], Verdict.DENY),
        ([("a", "allow", Judgement.SATISFIED)], Verdict.ALLOW),
        ([("a", "allow", Judgement.REFUSED)], Verdict.DENY),
        ([("w", "deny", Judgement.REFUSED)], Verdict.DENY),
        ([("a", "allow", Judgement.SATISFIED), ("w", "deny", Judgement.REFUSED)], Verdict.DENY),
        ([("a", "allow", Judgement.SATISFIED), ("w", "deny", Judgement.SATISFIED)], Verdict.ALLOW),
        ([("a", "allow", Judgement.REFUSED), ("b", "allow", Judgement.SATISFIED)], Verdict.ALLOW),
    ],
)
def test_a_call_runs_with_a_key_and_without_a_wall(found: list[tuple[str, str, Judgement]], verdict: Verdict) -> None:
    decision = combine_call([finding(*one) for one in found], rewritten=False)
    assert decision.verdict is verdict


def test_a_wall_holds_under_every_default_and_a_grant_is_never_missing_for_it() -> None:
    wall = finding("w", "deny", Judgement.REFUSED)
    for default in Default:
        assert combine_call([wall], rewritten=False, default=default, default_approved=True).verdict is Verdict.DENY


def test_a_waivable_wall_can_be_lifted_and_another_cannot() -> None:
    grant = finding("a", "allow", Judgement.SATISFIED)
    waiver = Waiver("e", RuleAddress("p/w"))
    for waivable, verdict in ((True, Verdict.ALLOW), (False, Verdict.DENY)):
        wall = finding("w", "deny", Judgement.REFUSED, waivable=waivable)
        assert combine_call([grant, wall], rewritten=False, waivers=[waiver]).verdict is verdict


@pytest.mark.parametrize("stage", [Stage.RESULT, Stage.PROMPT])
def test_a_wall_withholds_results_and_prompts(stage: Stage) -> None:
    assert combine_content([], stage=stage).verdict is Verdict.ALLOW
    wall = finding("w", "deny", Judgement.REFUSED, stage)
    assert combine_content([wall], stage=stage).verdict is Verdict.DENY


@pytest.mark.parametrize("stage", [Stage.RESULT, Stage.PROMPT])
def test_a_key_stands_at_calls_alone(stage: Stage) -> None:
    with pytest.raises(ValueError, match="stands at stage `call` alone"):
        finding("a", "allow", Judgement.SATISFIED, stage)
