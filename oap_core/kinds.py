"""What a rule may do at all: the closed set of five kinds, and how an effect declares which of them it is.

A plugin adds effects and never a kind, so whatever it adds can be combined, explained and replayed by the core.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import Final

from oap_core.names import CORE, check_name
from oap_core.types import Stage

__all__ = ["ASK", "CORE_EFFECTS", "OBSERVE", "PLAN", "Effect", "Kind", "check_effect_name", "check_rule_shape"]

ASK: Final = "ask"
"""Name of the core's gate that a person opens."""
PLAN: Final = "plan"
"""Name of the gate that an approved plan opens; the effect belongs to a plugin, its verdict to the core."""
OBSERVE: Final = "observe"
"""Name of the core's effect that only leaves a mark."""

_EFFECT_NAME: Final = re.compile(r"[a-z][a-z0-9_-]{0,63}")
# An effect name is a YAML value, and older YAML readers take these words for something else.
_YAML_WORDS: Final = frozenset({"on", "off", "yes", "no", "y", "n", "true", "false", "null"})
_EVERY_STAGE: Final = frozenset(Stage)


class Kind(Enum):
    """What an effect may do; the properties are the whole difference between two kinds."""

    GRANT = "grant"
    """Makes a call possible."""
    WALL = "wall"
    """Stops it."""
    GATE = "gate"
    """Stops it until something holds."""
    TRANSFORM = "transform"
    """Changes what is seen, never whether the call runs."""
    OBSERVE = "observe"
    """Leaves a mark."""

    @property
    def stages(self) -> frozenset[Stage]:
        """The stages in which a rule of this kind may stand: a grant at `call` alone, every other kind at each."""
        return frozenset({Stage.CALL}) if self is Kind.GRANT else _EVERY_STAGE

    @property
    def opens(self) -> bool:
        """Whether such a rule can make a call run: a grant alone, so that a gate never grants."""
        return self is Kind.GRANT

    @property
    def stops_calls(self) -> bool:
        """Whether such a rule can keep a call from running; one that cannot be evaluated then counts as matching."""
        return self in (Kind.WALL, Kind.GATE)

    @property
    def withholds(self) -> bool:
        """Whether a result or a prompt is withheld where such a rule refuses or cannot be carried out."""
        return self in (Kind.WALL, Kind.GATE, Kind.TRANSFORM)

    @property
    def may_skip_original(self) -> bool:
        """Whether an effect of this kind may declare that it judges the effective call alone."""
        return self not in (Kind.GRANT, Kind.WALL)

    @property
    def waivable(self) -> bool:
        """Whether an exception may lift such a rule: only what stops a call."""
        return self.stops_calls

    @property
    def expires(self) -> bool:
        """Whether such a rule may carry an end while it enforces: a grant alone, because expiry only tightens."""
        return self is Kind.GRANT

    @property
    def reads_labels(self) -> bool:
        """Whether such a rule may read the labels of a session: only what stops a call, because labels only grow."""
        return self.stops_calls


def check_effect_name(name: object) -> str:
    """Give the name of an effect back; raises TypeError where it is no string and ValueError where it is malformed.

    A name is lower-case ASCII, starts with a letter, has at most 64 characters, and is no word that YAML 1.1 reads as
    a boolean or as nothing.
    """
    if not isinstance(name, str):
        raise TypeError("the name of an effect is a string")
    if not _EFFECT_NAME.fullmatch(name):
        raise ValueError("the name of an effect is lower-case letters, digits, `-` and `_`, and starts with a letter")
    if name in _YAML_WORDS:
        raise ValueError(f"an effect cannot be called `{name}`, because YAML reads that as something else")
    return name


@dataclass(frozen=True, slots=True)
class Effect:
    """What a plugin, or the core, declares about one effect before any rule can use it.

    It checks itself alone. That no second plugin declares the same name, and that the plugin is who it says, is for
    the one who loads plugins. Raises TypeError or ValueError where the declaration contradicts itself.
    """

    name: str
    """The word in policy files, unique over all plugins."""
    kind: Kind
    """What a rule with this effect may do."""
    plugin: str
    """Name of the plugin that carries it out, or `core`."""
    stages: frozenset[Stage] = frozenset({Stage.CALL})
    """The stages in which a rule may use it; a subset of what the kind allows."""
    model: type[object] | None = None
    """The pydantic model of the key `with`, or None for an effect without settings; the core only hands it on."""
    judges_original: bool = True
    """Whether a match on the original call counts beside one on the effective call."""

    def __post_init__(self) -> None:
        check_effect_name(self.name)
        if not isinstance(self.kind, Kind):
            raise TypeError("the kind of an effect is a `Kind`")
        check_name(self.plugin, "a plugin name")
        if self.name in (ASK, OBSERVE) and self.plugin != CORE:
            raise ValueError(f"the effect `{self.name}` belongs to the core")
        if not isinstance(self.stages, frozenset) or not all(isinstance(stage, Stage) for stage in self.stages):
            raise TypeError("the stages of an effect are a frozen set of `Stage`")
        if not self.stages:
            raise ValueError(f"the effect `{self.name}` names no stage")
        if self.model is not None and not isinstance(self.model, type):
            raise TypeError("the model of an effect is a class")
        check_rule_shape(self.name, self.kind, self.stages, judges_original=self.judges_original)


def check_rule_shape(effect: str, kind: Kind, stages: frozenset[Stage], *, judges_original: bool) -> None:
    """Raise ValueError where an effect, or a rule that uses it, asks for more than its kind may do."""
    if not stages <= kind.stages:
        raise ValueError(f"a {kind.value} such as `{effect}` stands at stage `call` alone")
    if effect in (ASK, PLAN) and (kind is not Kind.GATE or stages != {Stage.CALL}):
        raise ValueError(f"the effect `{effect}` is a gate at stage `call`")
    if effect == OBSERVE and kind is not Kind.OBSERVE:
        raise ValueError(f"the effect `{effect}` is of kind `observe`")
    if not judges_original and (not kind.may_skip_original or effect in (ASK, PLAN)):
        raise ValueError(f"the effect `{effect}` judges both views, or a rewrite would launder it")


CORE_EFFECTS: Final = (
    Effect(ASK, Kind.GATE, CORE),
    Effect(OBSERVE, Kind.OBSERVE, CORE, stages=_EVERY_STAGE),
)
"""The effects that the core itself carries out."""
