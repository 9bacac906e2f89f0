"""Whether a condition can see what it asks for: names of arguments that a tool does not have.

Reading an argument that is not there is an error when it happens, but `has()` of a misspelt one is just false, which
would quietly take the teeth out of a wall. So where the schema of a tool is known, a rule whose condition asks for an
argument that no call of the tool can have cannot be judged for it.
"""

from __future__ import annotations

from oap_core.cel.codes import LoadCode
from oap_core.cel.definition import Definition
from oap_core.cel.program import load
from oap_core.errors import CelError
from oap_core.policy.catalog import ANY_ARGUMENTS, ToolDefinition
from oap_core.policy.rules import Rule
from oap_core.policy.scope import Vocabulary

__all__ = ["Blindness"]


class Blindness:
    """Says why a rule cannot be judged for a tool with a given definition."""

    __slots__ = ("_checked", "_vocabulary")

    def __init__(self, vocabulary: Vocabulary, *, checked: bool) -> None:
        """`checked` says that the rules were loaded against this definition already."""
        self._vocabulary = vocabulary
        self._checked = checked

    def __call__(self, rule: Rule, tool: ToolDefinition) -> str | None:
        """Why, in a sentence, or None where it can be judged."""
        if self._checked or rule.when is None or tool.arguments is ANY_ARGUMENTS:
            return None
        unknown = self._unknown(rule.when, rule, tool)
        return (
            None if unknown is None else f"its condition asks for something that `{tool.id}` does not have: {unknown}"
        )

    def _unknown(self, definition: Definition, rule: Rule, tool: ToolDefinition) -> str | None:
        named = {name.removeprefix("variables."): one for name, one in definition.definitions.items()}
        env = self._vocabulary.env(rule.ref.stage, tool.arguments, rule.policy.values, named)
        try:
            load(definition.source, env, condition=False)
        except CelError as error:
            return next((one.message for one in error.diagnostics if one.code == LoadCode.UNKNOWN_FIELD), None)
        for one in definition.definitions.values():
            found = self._unknown(one, rule, tool)
            if found is not None:
                return found
        return None
