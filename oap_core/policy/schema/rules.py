"""What a rule may say, effect by effect: the effects that enabled plugins offer, and the settings that each takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from pydantic import BaseModel

from oap_core.kinds import Effect, Kind
from oap_core.policy.schema.draft import Schema, UndescribedError, model_schema
from oap_core.types import Stage

__all__ = ["settings", "with_effects"]

_MEANING: Final = {
    Kind.GRANT: "makes a call possible",
    Kind.WALL: "stops a call",
    Kind.GATE: "stops a call until something holds",
    Kind.TRANSFORM: "changes what is seen, never whether a call runs",
    Kind.OBSERVE: "leaves a mark and changes nothing about the call",
}
_STAGES: Final = [stage.value for stage in Stage]


def settings(effects: Iterable[Effect]) -> tuple[dict[str, Schema], tuple[str, ...]]:
    """The definitions of what may stand below `with`, and the names of effects whose settings cannot be described."""
    definitions: dict[str, Schema] = {}
    undescribed = []
    for effect in effects:
        name = _definition(effect)
        if effect.model is None:
            text = f"`{effect.name}` takes no settings."
            definitions[name] = {"type": "object", "description": text, "additionalProperties": False}
            continue
        try:
            assert issubclass(effect.model, BaseModel)
            own = model_schema(effect.model, f"{name}-")
        except UndescribedError:
            undescribed.append(effect.name)
            definitions[name] = {"type": "object", "description": f"Settings of `{effect.name}`."}
            continue
        definitions.update(own.pop("definitions", {}))
        definitions[name] = own
    return definitions, tuple(undescribed)


def with_effects(rule: Schema, effects: Mapping[str, Effect]) -> Schema:
    """The schema of a rule that may name these effects, each with its own settings and stages."""
    known = sorted(effects.values(), key=lambda effect: effect.name)
    properties = {
        **rule["properties"],
        "effect": {
            "description": rule["properties"]["effect"]["description"],
            "enum": [effect.name for effect in known],
            "enumDescriptions": [_described(effect) for effect in known],
        },
        # What it holds is said effect by effect.
        "with": {"description": rule["properties"]["with"]["description"]},
    }
    return {**rule, "properties": properties, "allOf": [_of(effect) for effect in known]}


def _definition(effect: Effect) -> str:
    return f"with-{effect.name}"


def _described(effect: Effect) -> str:
    by = "the core" if effect.plugin == "core" else f"`{effect.plugin}`"
    return f"Kind `{effect.kind.value}`, from {by}: it {_MEANING[effect.kind]}."


def _of(effect: Effect) -> Schema:
    """What holds for a rule with this effect."""
    needed = []
    properties: Schema = {"with": {"$ref": f"#/definitions/{_definition(effect)}"}}
    if effect.stages != frozenset(Stage):
        properties["stage"] = {"enum": [stage for stage in _STAGES if Stage(stage) in effect.stages]}
    if Stage.CALL not in effect.stages:
        needed.append("stage")
    if not effect.kind.waivable:
        properties["waivable"] = {"enum": [False]}
    if _asks(effect):
        needed.append("with")
    then: Schema = {"properties": properties, **({"required": needed} if needed else {})}
    return {"if": {"properties": {"effect": {"const": effect.name}}, "required": ["effect"]}, "then": then}


def _asks(effect: Effect) -> bool:
    """Whether a rule with this effect has to say something below `with`."""
    model = effect.model
    if model is None or not issubclass(model, BaseModel):
        return False
    return any(field.is_required() for field in model.model_fields.values())
