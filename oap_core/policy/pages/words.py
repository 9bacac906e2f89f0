"""Rules and selections of tools in words, as the pages and the tables in them say it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

from oap_core.decision import Mode
from oap_core.kinds import ASK, Effect, Kind
from oap_core.policy.model.fields import duration_text
from oap_core.policy.pages.markdown import code
from oap_core.policy.rules import Match, Rule
from oap_core.policy.setup import AskSettings
from oap_core.types import Stage

__all__ = ["deed", "json_text", "mode", "moment_text", "selection", "subject_of", "when"]

_DEEDS: Final = {
    (Kind.GRANT, Stage.CALL): "lets the call through",
    (Kind.WALL, Stage.CALL): "stops the call",
    (Kind.WALL, Stage.RESULT): "withholds the result",
    (Kind.WALL, Stage.PROMPT): "withholds the prompt",
    (Kind.GATE, Stage.CALL): "stops the call until something holds",
    (Kind.GATE, Stage.RESULT): "withholds the result until something holds",
    (Kind.GATE, Stage.PROMPT): "withholds the prompt until something holds",
    (Kind.TRANSFORM, Stage.CALL): "changes what is seen of the call",
    (Kind.TRANSFORM, Stage.RESULT): "changes what the model sees of the result",
    (Kind.TRANSFORM, Stage.PROMPT): "changes what the model sees of the prompt",
    (Kind.OBSERVE, Stage.CALL): "leaves a mark on the call",
    (Kind.OBSERVE, Stage.RESULT): "leaves a mark on the result",
    (Kind.OBSERVE, Stage.PROMPT): "leaves a mark on the prompt",
}
_SUBJECTS: Final = {Stage.CALL: "calls", Stage.RESULT: "results", Stage.PROMPT: "prompts"}
_PLAIN: Final = ("allow", "deny")


def deed(rule: Rule, settings: Mapping[str, object] | None) -> str:
    """What a rule does where it matches, with its settings as the file has them."""
    if rule.effect.name == ASK and isinstance(rule.settings, AskSettings):
        return _asked(rule.settings)
    said = _DEEDS[rule.effect.kind, rule.ref.stage]
    if rule.effect.name not in _PLAIN:
        said = f"{_effect(rule.effect)}: {said}"
    if settings:
        pairs = ", ".join(code(f"{name}: {json_text(value)}") for name, value in settings.items())
        said = f"{said}, with {pairs}"
    return said


def _effect(effect: Effect) -> str:
    return code(effect.name) if effect.plugin == "core" else f"{code(effect.name)} of {code(effect.plugin)}"


def _asked(settings: AskSettings) -> str:
    names = [code(name) for name in settings.approvers]
    said = f"asks {_or(names)}, for at most {duration_text(settings.timeout)}"
    if settings.quorum > 1:
        said += f"; {settings.quorum} of them have to say yes"
    if settings.show:
        said += f"; shows {_and([code(name) for name in settings.show])} first"
    if settings.standing:
        said += "; a yes may stand for the rest of the session"
    return said


def subject_of(rule: Rule) -> str:
    """What a rule speaks about, within what its policy does: a selection of tools, or all."""
    own = rule.matches[1:] if rule.policy.match is not None else rule.matches
    if rule.ref.stage is Stage.PROMPT:
        return "prompts"
    everything = "all tools" if rule.policy.match is None else "all of these"
    which = _and([selection(match) for match in own]) if own else everything
    return which if rule.ref.stage is Stage.CALL else f"results of {which}"


def selection(match: Match | None) -> str:
    """A selection of tools; every part of it has to hold."""
    parts = []
    if match is not None and match.tools is not None:
        parts.append(_or([code(glob) for glob in match.tools]))
    if match is not None and match.sources is not None:
        parts.append(f"source {_or([code(name) for name in sorted(match.sources)])}")
    if match is not None and match.tags is not None:
        parts.append(f"tag {_or([code(tag) for tag in sorted(match.tags)])}")
    if match is not None and match.annotations is not None:
        pairs = sorted(match.annotations.items())
        parts += [f"annotation {code(f'{name}: {json_text(value)}')}" for name, value in pairs]
    if match is not None and match.reach is not None:
        parts.append(f"reach {_or([code(reach.value) for reach in sorted(match.reach, key=lambda one: one.value)])}")
    return _and(parts) if parts else "all tools"


def when(source: str | None) -> str:
    """A condition."""
    return "always" if source is None else code(source)


def mode(rule: Rule) -> str:
    """Whether a rule decides."""
    return "watches only" if rule.ref.mode is Mode.SHADOW else "enforced"


def moment_text(moment: datetime) -> str:
    """A moment for people, to the minute."""
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")


def json_text(value: object) -> str:
    """A value of a file in one line; a text stays plain where it cannot be taken for anything else."""
    if isinstance(value, str) and value.isprintable() and value == value.strip() and not _is_json(value):
        return value
    return json.dumps(value, ensure_ascii=False, default=str)


def _is_json(value: str) -> bool:
    try:
        json.loads(value)
    except (ValueError, RecursionError):
        return not value
    return True


def _and(parts: list[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _or(parts: list[str]) -> str:
    return " or ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
