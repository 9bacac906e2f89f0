"""Whether a condition can see what it asks for: names of arguments that a tool does not have.

Reading an argument that is not there is an error when it happens, but `has()` of a misspelt one is just false, which
would quietly take the teeth out of a wall. So where the schema of a tool is known, a rule whose condition asks for an
argument that no call of the tool can have cannot be judged for it. An exception with such a condition lifts nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

from oap_core.cel.codes import LoadCode
from oap_core.cel.definition import Definition
from oap_core.cel.program import load
from oap_core.cel.values import Value
from oap_core.errors import CelError
from oap_core.policy.catalog import ANY_ARGUMENTS, ToolDefinition
from oap_core.policy.rules import Rule, RuleException
from oap_core.policy.scope import Vocabulary
from oap_core.types import Stage

__all__ = ["Blindness"]


class Blindness:
    """Says why a rule or an exception cannot be judged for a tool with a given definition."""

    __slots__ = ("_checked", "_vocabulary")

    def __init__(self, vocabulary: Vocabulary, *, checked: bool) -> None:
        """`checked` says that the rules were loaded against this definition already."""
        self._vocabulary = vocabulary
        self._checked = checked

    def __call__(self, thing: Rule | RuleException, tool: ToolDefinition, stage: Stage) -> str | None:
        """Why, in a sentence, or None where it can be judged."""
        if self._checked or thing.when is None or tool.arguments is ANY_ARGUMENTS:
            return None
        # An exception has no constants.
        constants = thing.policy.values if isinstance(thing, Rule) else {}
        unknown = self._unknown(thing.when, constants, tool, stage)
        return (
            None if unknown is None else f"its condition asks for something that `{tool.id}` does not have: {unknown}"
        )

    def _unknown(
        self, definition: Definition, constants: Mapping[str, Value], tool: ToolDefinition, stage: Stage
    ) -> str | None:
        named = {name.removeprefix("variables."): one for name, one in definition.definitions.items()}
        env = self._vocabulary.env(stage, tool.arguments, constants, named)
        try:
            load(definition.source, env, condition=False)
        except CelError as error:
            for problem in error.diagnostics:
                if problem.code == LoadCode.UNKNOWN_FIELD:
                    return problem.message
        for one in definition.definitions.values():
            found = self._unknown(one, constants, tool, stage)
            if found is not None:
                return found
        return None
