"""Whether a condition can see what it asks for: names of arguments that a tool does not have.

Reading an argument that is not there is an error when it happens, but `has()` of a misspelt one is just false, which
would quietly take the teeth out of a wall. So where the schemas of the tools are known that a rule speaks about, one
whose condition asks for an argument that no call of any of them can have cannot be judged. An exception with such a
condition lifts nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from oap_core.cel.codes import LoadCode
from oap_core.cel.definition import Definition, all_definitions
from oap_core.cel.program import load
from oap_core.cel.tree import Has, walk
from oap_core.cel.types import Type
from oap_core.cel.values import Value
from oap_core.errors import CelError
from oap_core.policy.catalog import ANY_ARGUMENTS, ToolDefinition
from oap_core.policy.conditions import either_arguments
from oap_core.policy.rules import Rule, RuleException
from oap_core.policy.scope import Vocabulary
from oap_core.policy.selection import selects
from oap_core.types import Stage

__all__ = ["Blindness"]


class Blindness:
    """Says why a rule or an exception cannot be judged for a tool with a given definition."""

    __slots__ = ("_checked", "_listed", "_vocabulary")

    def __init__(self, vocabulary: Vocabulary, listed: Iterable[ToolDefinition] = (), *, checked: bool) -> None:
        """`listed` are the tools of the host, and `checked` says that the rules were loaded against the catalog."""
        self._vocabulary = vocabulary
        self._listed = tuple(listed)
        self._checked = checked

    def __call__(self, thing: Rule | RuleException, tool: ToolDefinition, stage: Stage) -> str | None:
        """Why, in a sentence, or None where it can be judged."""
        if self._checked or thing.when is None or tool.arguments is ANY_ARGUMENTS or not _asks(thing.when):
            return None
        arguments = either_arguments(frozenset([tool, *self._beside(thing)]))
        # An exception has no constants.
        constants = thing.policy.values if isinstance(thing, Rule) else {}
        unknown = self._unknown(thing.when, constants, arguments, stage)
        return None if unknown is None else f"its condition asks for something that `{tool.id}` cannot have: {unknown}"

    def _beside(self, thing: Rule | RuleException) -> Iterator[ToolDefinition]:
        """The tools of the host that it speaks about and whose arguments are known: what one has is no misspelling."""
        matches = thing.matches if isinstance(thing, Rule) else () if thing.match is None else (thing.match,)
        for tool in self._listed:
            if tool.arguments is not ANY_ARGUMENTS and all(
                selects(match, tool.id, None) is not False for match in matches
            ):
                yield tool

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
        isinstance(node, Has)
        for one in (definition, *all_definitions(definition.definitions))
        for node in walk(one.tree)
    )
