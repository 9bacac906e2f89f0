"""Which rules speak about a tool, found once for each tool: the index of a rule set.

What is known of the tool decides more than its name. A grant matches no tool that a catalog does not have. A rule of any
other kind that cannot be matched up with the tool counts against its calls: where it selects by tags and nobody has
reviewed the tool, where its condition reads an argument that the tool does not have, and where a pattern that selects
nothing known is a slip of the pen away from the tool. An exception that reads such an argument lifts nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from oap_core.cel.program import Program
from oap_core.frozen import thaw_json
from oap_core.names import ToolId
from oap_core.policy.catalog import Catalog, Standing, ToolDefinition
from oap_core.policy.globs import ToolGlob, slip
from oap_core.policy.rules import Match, Rule, RuleException
from oap_core.types import Reach, Stage

__all__ = ["Index", "Planned", "ToolPlan", "all_select", "selects", "tool_view"]


@dataclass(frozen=True, slots=True)
class Planned:
    """A rule that speaks about a tool."""

    rule: Rule
    """The rule."""
    blind: str | None = None
    """Why it cannot be judged for this tool, whatever the call is; None where it can."""


@dataclass(frozen=True, slots=True)
class ToolPlan:
    """Everything that speaks about one tool at one stage."""

    standing: Standing
    """How far what is known of the tool can be relied on."""
    view: dict[str, Any]
    """What conditions see of the tool."""
    enforced: tuple[Planned, ...]
    """Rules that decide."""
    shadow: tuple[Planned, ...]
    """Rules that only watch."""
    exceptions: tuple[RuleException, ...]
    """Exceptions for one of these rules."""


def selects(match: Match, tool: ToolId, reviewed: ToolDefinition | None) -> bool | None:
    """Whether a selection holds for a tool; None where it does as far as is known, and only a review could tell."""
    if match.tools is not None and not any(glob.selects(tool) for glob in match.tools):
        return False
    if match.sources is not None and tool.source not in match.sources:
        return False
    reach = Reach.UNKNOWN if reviewed is None else reviewed.reach
    if match.reach is not None and reach not in match.reach:
        return False
    if reviewed is None:
        return None if match.reads_review else True
    if match.tags is not None and not match.tags & reviewed.tags:
        return False
    return match.annotations is None or all(
        name in reviewed.annotations and _same(reviewed.annotations[name], wanted)
        for name, wanted in match.annotations.items()
    )


def all_select(matches: Iterable[Match], tool: ToolId, reviewed: ToolDefinition | None) -> bool | None:
    """Whether all of some selections hold for a tool; None where they do as far as is known."""
    held = [selects(match, tool, reviewed) for match in matches]
    if False in held:
        return False
    return None if None in held else True


def _same(one: object, other: object) -> bool:
    # Python takes True for 1.
    return isinstance(one, bool) == isinstance(other, bool) and one == other


def tool_view(tool: ToolId, reviewed: ToolDefinition | None, seen: ToolDefinition | None) -> dict[str, Any]:
    """What conditions see of a tool. What nobody has reviewed is left out, so that reading it is an error."""
    view: dict[str, Any] = {"id": str(tool), "name": tool.name, "source": tool.source, "reach": Reach.UNKNOWN.value}
    if reviewed is not None:
        view["reach"] = reviewed.reach.value
        view["tags"] = sorted(reviewed.tags)
        view["annotations"] = thaw_json(reviewed.annotations)
    described = seen if seen is not None else reviewed
    if described is not None:
        view["definition_hash"] = described.definition_hash
    return view


Blindness = Callable[[Rule | RuleException, ToolDefinition, Stage], str | None]
"""Says why a rule or an exception cannot be judged for a tool with this definition at this stage."""


class Index:
    """Rules by the tools that they can speak about. Immutable, and built once for a rule set."""

    __slots__ = ("_anywhere", "_by_source", "_by_tool", "_exceptions", "_lost", "_names", "_reserved", "_selecting")

    def __init__(
        self,
        rules: Iterable[Rule],
        exceptions: Iterable[RuleException],
        known: frozenset[ToolId],
        reserved: tuple[tuple[ToolGlob, frozenset[str]], ...],
    ) -> None:
        """Sort the rules; `known` are the tools that are known to exist."""
        rules = tuple(rules)
        self._names: frozenset[str] = frozenset(map(str, known | _corroborated(rules)))
        self._selecting: dict[ToolGlob, bool] = {}
        self._reserved = reserved
        self._by_tool: dict[str, list[Rule]] = {}
        self._by_source: dict[str, list[Rule]] = {}
        self._anywhere: list[Rule] = []
        self._lost: list[Rule] = []
        for rule in rules:
            self._enter(rule)
        self._exceptions = tuple(exceptions)

    def _enter(self, rule: Rule) -> None:
        tools, sources = _reachable(rule)
        if tools is not None:
            for tool in tools:
                self._by_tool.setdefault(tool, []).append(rule)
        elif sources is not None:
            for source in sources:
                self._by_source.setdefault(source, []).append(rule)
        else:
            self._anywhere.append(rule)
        if not rule.ref.kind.opens and not rule.shadow and any(self._unknown(rule)):
            self._lost.append(rule)

    def _unknown(self, rule: Rule) -> list[ToolGlob]:
        """The patterns of a rule that select no tool that is known."""
        return [glob for globs in _patterns(rule) for glob in globs if not self._is_known(glob)]

    def _is_known(self, glob: ToolGlob) -> bool:
        if glob.literal:
            return glob in self._names
        found = self._selecting.get(glob)
        if found is None:
            found = self._selecting[glob] = any(map(glob.selects, self._names))
        return found

    def plan(
        self, stage: Stage, tool: ToolId, seen: ToolDefinition | None, standing: Standing, catalog: Catalog | None,
        blindness: Blindness, listed: ToolDefinition | None = None,
    ) -> ToolPlan:  # fmt: skip
        """Everything that speaks about a tool; `listed` tells of its arguments where nothing else does."""
        reviewed: ToolDefinition | None = None
        if standing is Standing.REGISTERED:
            reviewed = seen
        elif standing.reviewed and catalog is not None:
            reviewed = catalog.tools.get(tool)
        definition = next((one for one in (seen, reviewed, listed) if one is not None), None)
        found: list[Planned] = []
        for rule in self.candidates(tool):
            planned = self._planned(rule, tool, reviewed, definition, standing, stage, blindness)
            if planned is not None:
                found.append(planned)
        selected = {planned.rule for planned in found}
        for rule in self._lost:
            lost = None if rule in selected or rule.ref.stage is not stage else self._slip(rule, tool, reviewed)
            if lost is not None:
                found.append(Planned(rule, f"it names `{lost}`, which nothing is known of and which may mean `{tool}`"))
        addresses = {planned.rule.address for planned in found}
        return ToolPlan(
            standing,
            tool_view(tool, reviewed, seen),
            tuple(planned for planned in found if not planned.rule.shadow),
            tuple(planned for planned in found if planned.rule.shadow),
            tuple(
                exception
                for exception in self._exceptions
                if not addresses.isdisjoint(exception.waives)
                and (exception.match is None or selects(exception.match, tool, reviewed) is True)
                and (definition is None or blindness(exception, definition, stage) is None)
            ),
        )

    def prompts(self) -> ToolPlan:
        """Everything that speaks about prompts, which belong to no tool."""
        found = [Planned(rule) for rule in self._anywhere if rule.ref.stage is Stage.PROMPT]
        addresses = {planned.rule.address for planned in found}
        return ToolPlan(
            Standing.UNKNOWN,
            {},
            tuple(planned for planned in found if not planned.rule.shadow),
            tuple(planned for planned in found if planned.rule.shadow),
            tuple(one for one in self._exceptions if one.match is None and not addresses.isdisjoint(one.waives)),
        )

    def candidates(self, tool: ToolId) -> list[Rule]:
        """Every rule that can speak about a tool, and perhaps others."""
        return [*self._by_tool.get(tool, ()), *self._by_source.get(tool.source, ()), *self._anywhere]

    def _planned(
        self, rule: Rule, tool: ToolId, reviewed: ToolDefinition | None, definition: ToolDefinition | None,
        standing: Standing, stage: Stage, blindness: Blindness,
    ) -> Planned | None:  # fmt: skip
        if rule.ref.stage is not stage or (rule.constraint is not None and tool not in rule.constraint):
            return None
        held = all_select(rule.matches, tool, reviewed)
        if held is False:
            return None
        if rule.ref.kind.opens:
            if not standing.grantable:
                reason = "the catalog does not have the tool" if standing is Standing.ABSENT else _DIFFERS
                return Planned(rule, reason)
            if self._is_reserved(rule, tool):
                return Planned(rule, "the tool is reserved for another policy")
        if reviewed is None and rule.when is not None and _reads_review(rule.when):
            # `has()` of what is not there is just false, which would take the teeth out of a wall.
            return Planned(rule, "it reads tags or annotations, and nobody has reviewed the tool")
        if held is None:
            return Planned(rule, "it selects by tags or annotations, and nobody has reviewed the tool")
        return Planned(rule, None if definition is None else blindness(rule, definition, stage))

    def _is_reserved(self, rule: Rule, tool: ToolId) -> bool:
        return any(glob.selects(tool) and rule.policy.name not in names for glob, names in self._reserved)

    def _slip(self, rule: Rule, tool: ToolId, reviewed: ToolDefinition | None) -> str | None:
        """The pattern that may be a misspelling of the tool, where the rule would speak about it but for that."""
        unknown = self._unknown(rule)
        lost: str | None = None
        for globs, match in zip(_patterns(rule), (*rule.matches, None), strict=True):
            if any(glob.selects(tool) for glob in globs) or not globs:
                if match is not None and selects(match, tool, reviewed) is False:
                    return None
                continue
            near = next((glob for glob in globs if glob in unknown and slip(glob, tool)), None)
            if near is None:
                return None
            lost = near
        return lost


def _corroborated(rules: Iterable[Rule]) -> frozenset[ToolId]:
    """The tools that are named in several places: a name that is written twice alike is no slip of the pen."""
    places: set[tuple[str, str]] = set()
    for rule in rules:
        for match in rule.matches:
            place = rule.policy.name if match is rule.policy.match else str(rule.address)
            places.update((str(glob), place) for glob in match.tools or () if glob.literal)
        places.update((tool, str(rule.address)) for tool in rule.constraint or () if _literal_glob(tool) is not None)
    counts = Counter(name for name, _ in places)
    return frozenset(ToolId(name) for name, count in counts.items() if count > 1)


_DIFFERS: Final = "the tool is not as the catalog has it"


def _patterns(rule: Rule) -> list[tuple[ToolGlob, ...]]:
    """The patterns of each selection of a rule, and last those that its condition implies."""
    found: list[tuple[ToolGlob, ...]] = []
    for match in rule.matches:
        sources = () if match.sources is None else tuple(_source_glob(source) for source in match.sources)
        found.append(match.tools if match.tools is not None else sources)
    found.append(() if rule.constraint is None else tuple(filter(None, map(_literal_glob, rule.constraint))))
    return found


def _reads_review(when: Program) -> bool:
    return any(path.startswith(("tool.tags", "tool.annotations")) for path in when.all_references)


def _source_glob(source: str) -> ToolGlob:
    return ToolGlob(f"{source}/*")


def _literal_glob(tool: str) -> ToolGlob | None:
    try:
        glob = ToolGlob(tool)
    except ValueError:
        return None
    return glob if glob.literal else None


def _reachable(rule: Rule) -> tuple[set[str] | None, set[str] | None]:
    """The only tools, or else the only sources, that a rule can speak about; None for any."""
    tools: set[str] | None = None if rule.constraint is None else set(rule.constraint)
    sources: set[str] | None = None
    for match in rule.matches:
        if match.tools is not None:
            if all(glob.literal for glob in match.tools):
                named = {str(glob) for glob in match.tools}
                tools = named if tools is None else tools & named
            named_sources = {glob.source for glob in match.tools}
            if None not in named_sources:
                some = {source for source in named_sources if source is not None}
                sources = some if sources is None else sources & some
        if match.sources is not None:
            sources = set(match.sources) if sources is None else sources & match.sources
    return tools, sources
