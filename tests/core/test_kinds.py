from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from oap_core.kinds import ASK, CORE_EFFECTS, OBSERVE, PLAN, Effect, Kind, check_effect_name
from oap_core.names import CORE
from oap_core.types import Stage

CALL, RESULT, PROMPT = Stage.CALL, Stage.RESULT, Stage.PROMPT


class Settings:
    """Stands for the model of `with`."""


# What each kind may do, one column a property; this is the table that the reference shows.
COLUMNS = ("stages", "opens", "stops_calls", "withholds", "may_skip_original", "waivable", "expires", "reads_labels")
ALL = frozenset(Stage)
TABLE: dict[Kind, tuple[Any, ...]] = {
    Kind.GRANT: (frozenset({CALL}), True, False, False, False, False, True, False),
    Kind.WALL: (ALL, False, True, True, False, True, False, True),
    Kind.GATE: (ALL, False, True, True, True, True, False, True),
    Kind.TRANSFORM: (ALL, False, False, True, True, False, False, False),
    Kind.OBSERVE: (ALL, False, False, False, True, False, False, False),
}


def test_there_are_five_kinds() -> None:
    assert [kind.value for kind in Kind] == ["grant", "wall", "gate", "transform", "observe"]


@pytest.mark.parametrize("kind", Kind, ids=lambda kind: kind.value)
def test_what_a_kind_may_do(kind: Kind) -> None:
    assert tuple(getattr(kind, column) for column in COLUMNS) == TABLE[kind]


def test_the_table_names_every_property_of_a_kind() -> None:
    assert {name for name, value in vars(Kind).items() if isinstance(value, property)} == set(COLUMNS)


def test_the_effects_of_the_core() -> None:
    assert [(effect.name, effect.kind, effect.plugin) for effect in CORE_EFFECTS] == [
        (ASK, Kind.GATE, CORE),
        (OBSERVE, Kind.OBSERVE, CORE),
    ]


def test_an_effect_says_where_it_stands_and_what_it_needs() -> None:
    effect = Effect("redact", Kind.TRANSFORM, "oap-pii", frozenset({PROMPT, RESULT}), Settings)
    assert effect.stages == {PROMPT, RESULT}
    assert effect.model is Settings
    with pytest.raises(FrozenInstanceError):
        effect.name = "allow"  # type: ignore[misc]  # on purpose


def test_an_effect_stands_at_the_call_and_judges_both_views_unless_it_says_otherwise() -> None:
    effect = Effect("scan", Kind.GATE, "oap-pii")
    assert effect.stages == {CALL}
    assert effect.judges_original
    assert not Effect("limit", Kind.GATE, "oap-limits", judges_original=False).judges_original


@pytest.mark.parametrize("name", ["allow", "a", "keep-last_2", "x" * 64])
def test_an_effect_name_is_lower_case_and_short(name: str) -> None:
    assert check_effect_name(name) == name


@pytest.mark.parametrize("name", ["", "Allow", "1a", "-a", "a b", "a/b", "a\n", "é", "x" * 65])
def test_a_malformed_effect_name_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="the name of an effect"):
        Effect(name, Kind.WALL, "somebody")


@pytest.mark.parametrize("name", ["on", "off", "yes", "no", "true", "false", "null", "y", "n"])
def test_an_effect_is_no_word_that_yaml_takes_for_something_else(name: str) -> None:
    with pytest.raises(ValueError, match="YAML"):
        Effect(name, Kind.WALL, "somebody")


@pytest.mark.parametrize("name", [ASK, OBSERVE])
def test_no_plugin_declares_an_effect_of_the_core(name: str) -> None:
    with pytest.raises(ValueError, match="core"):
        Effect(name, Kind.GATE, "somebody")


@pytest.mark.parametrize("stage", [PROMPT, RESULT])
def test_a_grant_opens_calls_alone(stage: Stage) -> None:
    with pytest.raises(ValueError, match="stage `call`"):
        Effect("allow", Kind.GRANT, "somebody", frozenset({CALL, stage}))


@pytest.mark.parametrize(
    ("kind", "stages"),
    [(kind, frozenset({CALL})) for kind in Kind if kind is not Kind.GATE] + [(Kind.GATE, frozenset({CALL, RESULT}))],
)
def test_what_waits_for_a_plan_is_a_gate_at_the_call(kind: Kind, stages: frozenset[Stage]) -> None:
    with pytest.raises(ValueError, match="gate at stage `call`"):
        Effect(PLAN, kind, "oap-plan", stages)


def test_the_core_cannot_make_more_of_its_own_words_either() -> None:
    with pytest.raises(ValueError, match="kind `observe`"):
        Effect(OBSERVE, Kind.WALL, CORE)
    with pytest.raises(ValueError, match="gate at stage `call`"):
        Effect(ASK, Kind.GRANT, CORE)


@pytest.mark.parametrize(
    ("name", "kind"), [("allow", Kind.GRANT), ("deny", Kind.WALL), (PLAN, Kind.GATE)], ids=["grant", "wall", "plan"]
)
def test_what_a_rewrite_must_not_launder_judges_both_views(name: str, kind: Kind) -> None:
    with pytest.raises(ValueError, match="both views"):
        Effect(name, kind, "somebody", judges_original=False)


@pytest.mark.parametrize(
    "fields",
    [
        (None, Kind.WALL, "p"),
        ("deny", "wall", "p"),
        ("deny", Kind.WALL, None),
        ("deny", Kind.WALL, "p", {CALL}),
        ("deny", Kind.WALL, "p", frozenset({"call"})),
        ("deny", Kind.WALL, "p", frozenset({CALL}), Settings()),
    ],
)
def test_a_field_of_another_type_is_refused(fields: tuple[Any, ...]) -> None:
    with pytest.raises(TypeError):
        Effect(*fields)


def test_an_effect_names_a_stage_and_a_plugin() -> None:
    with pytest.raises(ValueError, match="no stage"):
        Effect("deny", Kind.WALL, "p", frozenset())
    with pytest.raises(ValueError, match="plugin name"):
        Effect("deny", Kind.WALL, "")
