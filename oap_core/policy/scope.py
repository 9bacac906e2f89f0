"""What a condition may speak about at each stage: names, types, constants and functions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from oap_core.cel.definition import Definition
from oap_core.cel.environment import Env
from oap_core.cel.functions import Registry
from oap_core.cel.types import (
    BOOL,
    DYN,
    INT,
    STRING,
    TIMESTAMP,
    Field,
    ListType,
    MapType,
    ObjectType,
    Type,
)
from oap_core.cel.values import Value
from oap_core.names import ToolId
from oap_core.policy.facts import OUTCOMES
from oap_core.types import Reach, Stage

__all__ = ["CORE_SESSION", "CORE_SUBJECT", "Vocabulary"]


def _of(**fields: Type | Field) -> dict[str, Field]:
    return {name: kind if isinstance(kind, Field) else Field(kind) for name, kind in fields.items()}


_TEXTS: Final = ListType(STRING)
_TOOL: Final = ObjectType(
    fields=_of(
        id=STRING,
        name=STRING,
        source=STRING,
        reach=Type(STRING.name, values=frozenset(reach.value for reach in Reach)),
        tags=_TEXTS,
        annotations=MapType(STRING, DYN),
        definition_hash=STRING,
    )
)
_CALL: Final = ObjectType(
    fields=_of(id=STRING, attempt=INT, previous_outcome=Type(STRING.name, values=frozenset(OUTCOMES)))
)
_RESULT: Final = ObjectType(
    fields=_of(text=STRING, is_error=BOOL, media_types=_TEXTS, structured=Field(DYN, required=False))
)
_PROMPT: Final = ObjectType(fields=_of(text=STRING))
CORE_SUBJECT: Final[Mapping[str, Field]] = MappingProxyType(
    _of(id=STRING, roles=_TEXTS, on_behalf_of=Field(STRING, required=False))
)
"""What every subject has."""
CORE_SESSION: Final[Mapping[str, Field]] = MappingProxyType(
    # A session without a workspace is an error where a rule reads one, which counts against the call.
    _of(id=STRING, issuer=STRING, labels=_TEXTS, workspace=STRING, started=TIMESTAMP)
)
"""What every session has."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The functions and declared attributes that all conditions of one rule set share."""

    functions: Registry
    """Every function, those of enabled plugins included."""
    subject: Mapping[str, Field] = field(default_factory=lambda: MappingProxyType({}))
    """Declared attributes of subjects."""
    session: Mapping[str, Field] = field(default_factory=lambda: MappingProxyType({}))
    """Declared attributes of sessions."""

    def env(
        self,
        stage: Stage,
        arguments: Type,
        constants: Mapping[str, Value],
        definitions: Mapping[str, Definition],
    ) -> Env:
        """The declarations for the conditions of one policy, where the arguments have this type."""
        variables: dict[str, Type] = {
            "now": TIMESTAMP,
            "subject": ObjectType(fields={**CORE_SUBJECT, **self.subject}),
            "session": ObjectType(fields={**CORE_SESSION, **self.session}),
        }
        if stage is Stage.PROMPT:
            variables["prompt"] = _PROMPT
        else:
            variables |= {"args": arguments, "tool": _TOOL, "call": _CALL}
        if stage is Stage.RESULT:
            variables["result"] = _RESULT
        return Env(
            variables,
            {"constants": dict(constants)},
            self.functions,
            definitions={f"variables.{name}": program for name, program in definitions.items()},
        )

    def knowing(self, env: Env, tools: Iterable[ToolId]) -> Env:
        """The same declarations, where `tool.id` can be one of these alone."""
        known = Type(STRING.name, values=frozenset(map(str, tools)))
        return replace(
            env, variables={**env.variables, "tool": replace(_TOOL, fields={**_TOOL.fields, "id": Field(known)})}
        )
