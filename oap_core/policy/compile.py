"""From the model of one policy file to its rules in force."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from types import MappingProxyType
from typing import Final

from pydantic import BaseModel

from oap_core.cel.activation import freeze_value
from oap_core.cel.failure import MEANING, EvalError
from oap_core.cel.program import Program
from oap_core.cel.values import Value
from oap_core.decision import Mode, RuleRef, RuleSeverity
from oap_core.diagnostic import Diagnostic, printable
from oap_core.kinds import Effect
from oap_core.names import RuleAddress, ToolId
from oap_core.policy import tree
from oap_core.policy.catalog import Catalog, ToolDefinition
from oap_core.policy.checks.characters import check_characters, check_names
from oap_core.policy.checks.expiry import check_expiry
from oap_core.policy.checks.labels import check_labels
from oap_core.policy.checks.place import Condition
from oap_core.policy.checks.time import check_time
from oap_core.policy.checks.unused import check_unused
from oap_core.policy.checks.width import can_apply
from oap_core.policy.codes import FileCode
from oap_core.policy.conditions import Conditions, Tools
from oap_core.policy.digest import digest
from oap_core.policy.load import Document
from oap_core.policy.message import Message
from oap_core.policy.model.policy import MatchModel, PolicyModel, RuleModel
from oap_core.policy.offers import EFFECTS
from oap_core.policy.report import blame, failed
from oap_core.policy.rules import Match, Policy, Rule
from oap_core.policy.selection import all_select
from oap_core.policy.setup import AskSettings, Setup
from oap_core.policy.shape import plain, validate
from oap_core.policy.targets import check_match
from oap_core.policy.tree import key_at, node_at, scalar_at, span_at
from oap_core.types import Reach, Stage

__all__ = ["Compiled", "compile_policy", "match_of"]


@dataclass(frozen=True, slots=True)
class Compiled:
    """A policy and its rules, as far as they are right."""

    policy: Policy
    """What its rules share."""
    rules: tuple[Rule, ...]
    """Its rules."""
    document: Document
    """The file."""
    model: PolicyModel
    """What the file holds."""


def compile_policy(
    document: Document,
    model: PolicyModel,
    setup: Setup,
    catalog: Catalog | None,
    problems: list[Diagnostic],
    words: frozenset[str] = frozenset(),
    *,
    partial: bool = False,
) -> Compiled:
    """Compile what can be compiled; what is wrong is added to `problems`.

    `words` are those of the catalog that another word could pass for. With `partial`, the file has more than the model,
    so nothing is said about what the model lacks.
    """
    return _Compiler(document, model, setup, catalog, problems, words).compiled(partial=partial)


def match_of(model: MatchModel | None) -> Match | None:
    """A selection as rules hold it."""
    if model is None:
        return None
    return Match(
        None if model.tools is None else tuple(model.tools),
        None if model.sources is None else frozenset(model.sources),
        None if model.tags is None else frozenset(model.tags),
        None if model.annotations is None else MappingProxyType(dict(model.annotations)),
        None if model.reach is None else frozenset(map(Reach, model.reach)),
    )


class _Compiler:
    def __init__(
        self,
        document: Document,
        model: PolicyModel,
        setup: Setup,
        catalog: Catalog | None,
        problems: list[Diagnostic],
        words: frozenset[str],
    ) -> None:
        assert document.root is not None
        self._root: tree.Node = document.root
        self._document = document
        self._file = document.file
        self._model = model
        self._setup = setup
        self._catalog = catalog
        self._problems = problems
        self._words = words
        self._wide = True
        values = self._constants()
        meta = model.metadata
        self._policy = Policy(
            meta.name,
            meta.owner,
            document.file,
            meta.description or "",
            meta.review,
            model.constants,
            model.variables,
            match_of(model.match),
            values,
        )
        variables = {name: scalar_at(self._root, "variables", name) for name in model.variables}
        unknown = [name for name in model.constants if name not in values or self._unreadable(name)]
        self._conditions = Conditions(setup.vocabulary, document.file, values, variables, problems, unknown)

    def _blame(self, code: FileCode, path: tuple[str | int, ...], message: str, help: str | None = None) -> None:
        self._problems.append(blame(code, span_at(self._root, *path), message, help, file=self._file))

    def _constants(self) -> dict[str, Value]:
        found: dict[str, Value] = {}
        for name, value in self._model.constants.items():
            try:
                found[name] = freeze_value(value)
            except EvalError as error:
                message = f"the constant `{name}` cannot be held by a condition: {MEANING[error.code]}"
                self._blame(FileCode.CONSTANT, ("constants", name), message)
        return found

    def _unreadable(self, name: str) -> bool:
        """Whether the text of a constant has a problem, so that its value is not what is meant."""
        span = span_at(self._root, "constants", name)
        inside = ((one.line, one.column) for one in self._document.problems)
        return any((span.line, span.column) <= place <= (span.end_line, span.end_column) for place in inside)

    def compiled(self, *, partial: bool) -> Compiled:
        self._wide = self._policy.match is None or self._outer_match(self._policy.match)
        rules: list[Rule] = []
        seen: dict[str, int] = {}
        for number, model in enumerate(self._model.rules):
            path = ("rules", number)
            if model.id in seen:
                first = span_at(self._root, "rules", seen[model.id], "id").line
                message = f"the rule id `{model.id}` stands twice; the first is on line {first}"
                self._blame(FileCode.REPEATED_RULE, (*path, "id"), message)
            else:
                seen[model.id] = number
            known = len(self._problems)
            rule = self._rule(model, path)
            self._name_rule(known, path, f"{self._policy.name}/{model.id}")
            if rule is not None:
                rules.append(rule)
        if not partial:
            self._unread()
            check_unused(self._document, self._problems)
        check_characters(self._document, self._words, self._problems)
        check_names(self._root, self._file, self._problems)
        return Compiled(self._policy, tuple(rules), self._document, self._model)

    def _name_rule(self, known: int, path: tuple[str | int, ...], address: str) -> None:
        """Say of what was found since then and stands in a rule that it is about that rule."""
        span = span_at(self._root, *path)
        for number, problem in enumerate(self._problems[known:], known):
            if (span.line, span.column) <= (problem.line, problem.column) <= (span.end_line, span.end_column):
                self._problems[number] = replace(problem, rule=address)

    def _outer_match(self, match: Match) -> bool:
        """Check the selection of the policy; tell whether it can select anything."""
        known = len(self._problems)
        assert self._model.match is not None
        check_match(self._problems, self._file, self._root, ("match",), self._model.match, None, self._catalog)
        if failed(self._problems[known:]):
            return False
        possible = can_apply((match,), None, self._catalog)
        if not possible:
            self._never(("match",), f"there is no tool that all of `match` selects{self._of_catalog}")
        return possible

    @property
    def _of_catalog(self) -> str:
        return "" if self._catalog is None else ", among those of the catalog"

    def _never(self, path: tuple[str | int, ...], message: str, help: str | None = None) -> None:
        span = key_at(self._root, *path) if path[-1] == "match" else span_at(self._root, *path)
        self._problems.append(blame(FileCode.NEVER_APPLIES, span, message, help, file=self._file))

    def _check_width(
        self, path: tuple[str | int, ...], matches: tuple[Match, ...], constraint: frozenset[str] | None, tools: Tools
    ) -> None:
        """Tell of a rule that no tool is left for; `tools` are those that it selects."""
        if (tools and constraint is None) or can_apply(matches, constraint, self._catalog):
            return
        if not can_apply(matches, None, self._catalog):
            self._never(
                (*path, "match"), f"there is no tool that the policy and all of `match` select{self._of_catalog}"
            )
        elif constraint:
            names = ", ".join(f"`{printable(name)}`" for name in sorted(constraint)[:3])
            message = f"the condition holds for {names} alone, and the rule does not select that"
            help_ = None if any("/" in name for name in constraint) else "a tool id is `source/name`"
            self._never((*path, "when"), message, help_)
        else:
            self._never((*path, "when"), "the condition can never hold")

    def _unread(self) -> None:
        """Load the variables that nothing has read: they have to be right all the same, since somebody will read them."""
        for name in sorted(self._model.variables.keys() - self._conditions.read):
            scalar = scalar_at(self._root, "variables", name)
            # At the stage of results there is everything to read but a prompt.
            stage = Stage.PROMPT if "prompt" in str(scalar.value) else Stage.RESULT
            self._conditions.load(scalar, str(scalar.value), stage, None, condition=False)

    def _rule(self, model: RuleModel, path: tuple[str | int, ...]) -> Rule | None:
        known = len(self._problems)
        stage = Stage(model.stage)
        effect = self._effect(model, path, stage)
        if effect is not None and stage not in effect.stages:
            # What its condition may speak about is not known.
            return None
        matches = self._matches(model, path, stage)
        when, tools = self._when(model, path, stage, matches)
        constraint = None if when is None else when.tool_constraint()
        if when is not None and effect is not None:
            condition = Condition(when, scalar_at(self._root, *path, "when"), self._file)
            check_labels(condition, effect, self._problems)
            check_time(condition, effect, self._problems)
        if self._wide and stage is not Stage.PROMPT and not failed(self._problems[known:]):
            self._check_width(path, matches, constraint, tools)
        message, note = (self._text(model, path, key, stage, tools) for key in ("message", "note"))
        if effect is None:
            return None
        self._limits(model, path, effect)
        settings = self._settings(model, path, effect)
        self._shown(settings, path, stage, tools)
        if failed(self._problems[known:]):
            return None
        rule = Rule(
            self._ref(model, effect, stage),
            effect,
            self._policy,
            span_at(self._root, *path),
            self._hash(path),
            settings,
            matches,
            when,
            None if model.when is None else span_at(self._root, *path, "when"),
            constraint,
            message,
            note,
            model.expires,
        )
        check_expiry(rule, self._setup.now, span_at(self._root, *path, "expires"), self._file, self._problems)
        return rule

    def _matches(self, model: RuleModel, path: tuple[str | int, ...], stage: Stage) -> tuple[Match, ...]:
        """The selections that all have to hold: of the policy, of the rule."""
        match = match_of(model.match)
        if model.match is not None:
            outer = self._policy.match
            check_match(self._problems, self._file, self._root, (*path, "match"), model.match, outer, self._catalog)
        matches = tuple(one for one in (self._policy.match, match) if one is not None)
        if stage is Stage.PROMPT and matches:
            message = f"the rule `{model.id}` is about prompts, which belong to no tool, and selects tools"
            help_ = "take `match` away, or put the rule into a policy without one"
            self._blame(FileCode.NEVER_APPLIES, (*path, "stage"), message, help_)
        return matches

    def _mode(self, model: RuleModel) -> Mode:
        return Mode(model.mode or self._model.mode)

    def _ref(self, model: RuleModel, effect: Effect, stage: Stage) -> RuleRef:
        return RuleRef(
            RuleAddress(f"{self._policy.name}/{model.id}"),
            effect.name,
            effect.kind,
            stage,
            RuleSeverity(model.severity),
            self._mode(model),
            model.waivable,
            effect.judges_original,
        )

    def _hash(self, path: tuple[str | int, ...]) -> str:
        return digest({"shared": self._shared_hash, "rule": plain(node_at(self._root, *path))})

    @cached_property
    def _shared_hash(self) -> str:
        node = self._root
        assert isinstance(node, tree.Mapping)
        return digest({entry.key: plain(entry.value) for entry in node if entry.key in _SHARED})

    def _effect(self, model: RuleModel, path: tuple[str | int, ...], stage: Stage) -> Effect | None:
        effect = self._setup.effects.get(model.effect)
        if effect is None:
            shown = printable(model.effect)
            if offered := EFFECTS.get(model.effect):
                message = f"no enabled plugin offers the effect `{shown}`"
                help_ = f"`{offered}` offers it: install it and enable it under `plugins`"
            else:
                message = f"there is no effect `{shown}`"
                near = get_close_matches(model.effect.lower(), [*self._setup.effects, *EFFECTS], n=1, cutoff=0.6)
                known = ", ".join(f"`{name}`" for name in sorted(self._setup.effects))
                help_ = f"did you mean `{near[0]}`?" if near else f"known effects: {known}"
            self._blame(FileCode.UNKNOWN_EFFECT, (*path, "effect"), message, help_)
            return None
        if stage not in effect.stages:
            stages = " or ".join(f"`{one.value}`" for one in Stage if one in effect.stages)
            message = f"`{effect.name}` cannot stand at stage `{stage.value}`"
            place = "stage" if "stage" in model.model_fields_set else "effect"
            self._blame(FileCode.STAGE, (*path, place), message, f"it stands at {stages}")
        return effect

    def _limits(self, model: RuleModel, path: tuple[str | int, ...], effect: Effect) -> None:
        """What only some kinds may say."""
        if model.expires is not None and not effect.kind.expires and self._mode(model) is Mode.ENFORCE:
            message = f"`expires` on `{effect.name}` would loosen the policies by itself"
            help_ = "use `metadata.review` for a date to look at it again"
            self._blame(FileCode.EXPIRY_LOOSENS, (*path, "expires"), message, help_)
        if model.waivable and not effect.kind.waivable:
            message = f"`{effect.name}` stops nothing, so no exception can lift it"
            self._blame(FileCode.NOT_WAIVABLE, (*path, "waivable"), message, "take `waivable` away")

    def _settings(self, model: RuleModel, path: tuple[str | int, ...], effect: Effect) -> object | None:
        if effect.model is None:
            if model.with_:
                message = f"the effect `{effect.name}` takes no settings"
                self._blame(FileCode.UNKNOWN_KEY, (*path, "with"), message, "take `with` away")
            return None
        assert issubclass(effect.model, BaseModel)
        given = model.with_ is not None
        node = node_at(self._root, *path, "with") if given else tree.Mapping(span_at(self._root, *path), ())
        found = validate(effect.model, node, self._file, author=None if effect.plugin == "core" else effect.plugin)
        if isinstance(found, list):
            self._problems.extend(found)
            return None
        return found

    def _shown(self, settings: object, path: tuple[str | int, ...], stage: Stage, tools: Tools) -> None:
        """Check that what a person is shown first are arguments of the tools; one that a call leaves out is not shown."""
        for number, name in enumerate((settings.show if isinstance(settings, AskSettings) else None) or ()):
            place = (*path, "with", "show", number)
            if _ARGUMENT.fullmatch(name):
                self._conditions.load(scalar_at(self._root, *place), name, stage, tools, condition=False, absent=True)
            else:
                self._blame(FileCode.BAD_VALUE, place, "`show` names arguments, such as `args.to`")

    def _tools(self, matches: tuple[Match, ...]) -> frozenset[ToolDefinition] | None:
        if self._catalog is None:
            return None
        return frozenset(tool for tool in _named(matches, self._catalog) if all_select(matches, tool.id, tool) is True)

    def _when(
        self, model: RuleModel, path: tuple[str | int, ...], stage: Stage, matches: tuple[Match, ...]
    ) -> tuple[Program | None, Tools]:
        tools = None if stage is Stage.PROMPT else self._tools(matches)
        if model.when is None:
            return None, tools
        scalar = scalar_at(self._root, *path, "when")
        if tools and "tool" in model.when:
            tools = self._narrowed(model.when, stage, tools)
        return self._conditions.load(scalar, model.when, stage, tools), tools

    def _narrowed(self, source: str, stage: Stage, tools: frozenset[ToolDefinition]) -> frozenset[ToolDefinition]:
        """The tools that the condition itself leaves over."""
        constraint = self._conditions.constraint(source, stage)
        left = tools if constraint is None else frozenset(tool for tool in tools if tool.id in constraint)
        return left or tools

    def _text(
        self, model: RuleModel, path: tuple[str | int, ...], key: str, stage: Stage, tools: Tools
    ) -> Message | None:
        if getattr(model, key) is None:
            return None
        scalar = scalar_at(self._root, *path, key)
        return self._conditions.message(scalar, stage, tools, for_model=key == "message")


_ARGUMENT: Final = re.compile(r"args(\.([A-Za-z_]\w*|`[^`\s]+`))+", re.ASCII)


def _named(matches: tuple[Match, ...], catalog: Catalog) -> Iterable[ToolDefinition]:
    """The tools that selections can select: those that one of them names in full, or all."""
    for match in matches:
        if match.tools is not None and all(glob.literal for glob in match.tools):
            found = (catalog.tools.get(ToolId(glob)) for glob in match.tools)
            return [tool for tool in found if tool is not None]
    return catalog


_SHARED: Final = frozenset({"match", "mode", "constants", "variables"})
