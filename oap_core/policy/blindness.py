"""Whether a condition can see what it asks for: names of arguments that a tool does not have.

Reading an argument that is not there is an error when it happens, but `has()` of a misspelt one, or `in` with its name,
is just false, which would quietly take the teeth out of a wall. So where the schemas of the tools are known that a rule
speaks about, one whose condition asks for an argument that no call of any of them can have cannot be judged. An
exception with such a condition lifts nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from oap_core.cel.codes import LoadCode
from oap_core.cel.definition import Definition, all_definitions
from oap_core.cel.program import load
from oap_core.cel.schema import either
from oap_core.cel.tree import Binary, Has, Literal, walk
from oap_core.cel.types import Type
from oap_core.cel.values import Value
from oap_core.errors import CelError
from oap_core.policy.catalog import ANY_ARGUMENTS, ToolDefinition
from oap_core.policy.conditions import either_arguments
from oap_core.policy.rules import Rule, RuleException
from oap_core.policy.scope import Vocabulary
from oap_core.policy.selection import all_select
from oap_core.types import Stage

__all__ = ["Blindness"]


class Blindness:
    """Says why a rule or an exception cannot be judged for a tool with a given definition.

    What is the same for all tools of a host is worked out once. Any number of threads may use one.
    """

    __slots__ = ("_beside", "_known", "_listed", "_types", "_vocabulary")

    def __init__(self, vocabulary: Vocabulary, listed: Iterable[ToolDefinition] = ()) -> None:
        """`listed` are the tools of the host."""
        self._vocabulary = vocabulary
        self._listed = tuple(tool for tool in listed if tool.arguments is not ANY_ARGUMENTS)
        self._beside: dict[Rule | RuleException, frozenset[ToolDefinition]] = {}
        self._types: dict[frozenset[ToolDefinition], Type] = {}
        self._known: dict[tuple[Rule | RuleException, Stage], str | None] = {}
        """What is unknown of the arguments of the listed tools that something speaks about."""

    def __call__(self, thing: Rule | RuleException, tool: ToolDefinition, stage: Stage) -> str | None:
        """Why, in a sentence, or None where it can be judged."""
        if thing.when is None or tool.arguments is ANY_ARGUMENTS or not _asks(thing.when):
            return None
        # An exception has no constants.
        constants = thing.policy.values if isinstance(thing, Rule) else {}
        beside = self._tools_beside(thing)
        if tool not in beside:
            arguments = tool.arguments if not beside else either((self._type(beside), tool.arguments))
            unknown = self._unknown(thing.when, constants, arguments, stage)
        elif (key := (thing, stage)) in self._known:
            unknown = self._known[key]
        else:
            unknown = self._known[key] = self._unknown(thing.when, constants, self._type(beside), stage)
        return None if unknown is None else f"its condition asks for something that `{tool.id}` cannot have: {unknown}"

    def _tools_beside(self, thing: Rule | RuleException) -> frozenset[ToolDefinition]:
        """The tools of the host that it speaks about and whose arguments are known: what one has is no misspelling."""
        found = self._beside.get(thing)
        if found is None:
            matches = thing.matches if isinstance(thing, Rule) else () if thing.match is None else (thing.match,)
            found = self._beside[thing] = frozenset(
                tool for tool in self._listed if all_select(matches, tool.id, None) is not False
            )
        return found

    def _type(self, tools: frozenset[ToolDefinition]) -> Type:
        """The type of the arguments of any of these tools."""
        found = self._types.get(tools)
        if found is None:
            found = self._types[tools] = either_arguments(tools)
        return found

    def _unknown(
        self, definition: Definition, constants: Mapping[str, Value], arguments: Type, stage: Stage
    ) -> str | None:
        named = {name.removeprefix("variables."): one for name, one in definition.definitions.items()}
        env = self._vocabulary.env(stage, arguments, constants, named)
        try:
            load(definition.source, env, condition=False)
        except CelError as error:
            for problem in error.diagnostics:
                if problem.code == LoadCode.UNKNOWN_FIELD:
                    return problem.message
        for one in definition.definitions.values():
            found = self._unknown(one, constants, arguments, stage)
            if found is not None:
                return found
        return None


def _asks(definition: Definition) -> bool:
    """Whether it asks somewhere if a member is there; only that can be false because of a name."""
    return any(
        isinstance(node, Has) or (isinstance(node, Binary) and node.op == "in" and isinstance(node.left, Literal))
        for one in (definition, *all_definitions(definition.definitions))
        for node in walk(one.tree)
    )
