"""What all conditions of one tool cost together, since a decision evaluates each of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from oap_core.cel.limits import EVALUATION_UNITS
from oap_core.diagnostic import Diagnostic
from oap_core.names import ToolId
from oap_core.policy.catalog import Catalog
from oap_core.policy.codes import FileCode
from oap_core.policy.limits import TOOL_UNITS
from oap_core.policy.report import blame
from oap_core.policy.rules import Rule, RuleException
from oap_core.policy.selection import Index, all_select
from oap_core.types import Stage

__all__ = ["check_cost", "check_exceptions"]

_HELP: Final = "declare `maxItems` in the catalog, nest fewer macros, or select fewer tools"
_ANY: Final = "x"
"""Stands for a name that no pattern spells out."""


def check_cost(rules: Iterable[Rule], catalog: Catalog | None, problems: list[Diagnostic]) -> None:
    """Tell of the most expensive rule of each tool and stage where the enforcing rules cost more than `TOOL_UNITS`.

    Without a catalog the tools are those that patterns name, and one for each pattern with a star.
    """
    dear = [rule for rule in rules if not rule.shadow and _units(rule)]
    told: set[Rule] = set()
    for stage in Stage:
        here = [rule for rule in dear if rule.ref.stage is stage]
        if sum(map(_units, here)) <= TOOL_UNITS:
            continue
        for name, speaking in _groups(here, stage, catalog):
            units = sum(map(_units, speaking))
            if units <= TOOL_UNITS:
                continue
            worst = max(speaking, key=lambda rule: (_units(rule), rule.address))
            if worst not in told:
                told.add(worst)
                _tell(worst, name, len(speaking), units, problems)


def check_exceptions(exceptions: Iterable[RuleException], problems: list[Diagnostic]) -> None:
    """Tell of the most expensive exception where all of them together cost more than `TOOL_UNITS`.

    They are few, and each may be asked for any call of the tools that its rules speak about.
    """
    asked = [one for one in exceptions if one.when is not None]
    units = sum(min(one.when.cost.units, EVALUATION_UNITS) for one in asked if one.when is not None)
    if units > TOOL_UNITS:
        worst = max(asked, key=lambda one: (one.when.cost.units if one.when is not None else 0, one.id))
        message = f"the conditions of all exceptions may cost {units:,} units together, and {TOOL_UNITS:,} are the most"
        problems.append(blame(FileCode.COST_OF_TOOL, worst.span, message, _HELP, file=worst.file))


def _units(rule: Rule) -> int:
    """What an evaluation costs at most: by the estimate, and never more than its budget."""
    return 0 if rule.when is None else min(rule.when.cost.units, EVALUATION_UNITS)


def _tell(rule: Rule, name: str, count: int, units: int, problems: list[Diagnostic]) -> None:
    message = (
        f"the {count} conditions of {name} may cost {units:,} units together, and {TOOL_UNITS:,} are the most; "
        f"this one costs {_units(rule):,}"
    )
    problems.append(blame(FileCode.COST_OF_TOOL, rule.when_span or rule.span, message, _HELP, file=rule.policy.file))


def _groups(rules: list[Rule], stage: Stage, catalog: Catalog | None) -> Iterator[tuple[str, list[Rule]]]:
    """The rules that are evaluated together, each time with what they speak about."""
    if stage is Stage.PROMPT:
        yield "prompts", rules
        return
    index = Index(rules, (), frozenset(), ())
    for tool, name in _tools(rules, catalog):
        reviewed = None if catalog is None else catalog.tools.get(tool)
        yield (
            name,
            [
                rule
                for rule in index.candidates(tool)
                if (rule.constraint is None or tool in rule.constraint)
                and all_select(rule.matches, tool, reviewed) is not False
            ],
        )


def _tools(rules: list[Rule], catalog: Catalog | None) -> Iterator[tuple[ToolId, str]]:
    """The tools to sum up for, each once, with what they are called."""
    if catalog is not None:
        for tool in catalog.tools:
            yield tool, f"`{tool}`"
        return
    named = {str(glob) for rule in rules for match in rule.matches for glob in match.tools or ()}
    named |= {f"{source}/*" for rule in rules for match in rule.matches for source in match.sources or ()}
    for name in sorted({*named, "*/*"}):
        yield ToolId(name.replace("*", _ANY)), "one tool" if name == "*/*" else f"`{name}`"
