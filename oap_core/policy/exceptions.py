"""From exception files to the exceptions in force."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from oap_core.cel.program import Program
from oap_core.diagnostic import Diagnostic
from oap_core.names import RuleAddress
from oap_core.policy.catalog import Catalog
from oap_core.policy.checks.characters import check_characters
from oap_core.policy.checks.expiry import check_expiry
from oap_core.policy.checks.labels import check_exception_labels
from oap_core.policy.checks.place import Condition
from oap_core.policy.checks.width import can_apply
from oap_core.policy.codes import FileCode
from oap_core.policy.compile import match_of
from oap_core.policy.conditions import Conditions, Tools
from oap_core.policy.digest import digest
from oap_core.policy.load import Document
from oap_core.policy.model.exceptions import ExceptionModel, ExceptionsModel
from oap_core.policy.nearest import nearest
from oap_core.policy.report import blame, failed
from oap_core.policy.rules import Match, Rule, RuleException
from oap_core.policy.selection import all_select, selects
from oap_core.policy.setup import Setup
from oap_core.policy.shape import plain
from oap_core.policy.targets import check_match
from oap_core.policy.tree import node_at, scalar_at, span_at
from oap_core.types import Stage

__all__ = ["compile_exceptions"]


def compile_exceptions(
    files: Iterable[tuple[Document, ExceptionsModel]],
    rules: Mapping[RuleAddress, Rule],
    written: frozenset[RuleAddress] | None,
    setup: Setup,
    catalog: Catalog | None,
    problems: list[Diagnostic],
    words: frozenset[str] = frozenset(),
) -> tuple[RuleException, ...]:
    """Compile what can be compiled; what is wrong is added to `problems`.

    `written` are all rules that the files have, those included that could not be compiled and are not in `rules`; None
    where a file could not be understood at all, so that nobody can say which there are. `words` are those of the
    catalog that another word could pass for.
    """
    found: dict[str, RuleException] = {}
    for document, model in files:
        conditions = Conditions(setup.vocabulary, document.file, {}, {}, problems)
        for number, one in enumerate(model.exceptions):
            path = ("exceptions", number)
            _check_rules(document, path, one, rules, written, problems)
            compiled = _compiled(
                document, path, one, model.metadata.owner, rules, conditions, catalog, setup.now, problems
            )
            if one.id in found:
                first = found[one.id]
                assert document.root is not None
                where = f"on line {first.span.line}" if first.file == document.file else f"in `{first.file}`"
                message = f"the exception `{one.id}` stands twice; the first is {where}"
                span = span_at(document.root, *path, "id")
                problems.append(blame(FileCode.REPEATED_EXCEPTION, span, message, file=document.file))
            else:
                found[one.id] = compiled
        check_characters(document, words, problems)
    return tuple(found[name] for name in sorted(found))


def _check_rules(
    document: Document,
    path: tuple[str | int, ...],
    model: ExceptionModel,
    rules: Mapping[RuleAddress, Rule],
    written: frozenset[RuleAddress] | None,
    problems: list[Diagnostic],
) -> None:
    assert document.root is not None
    help_: str | None
    for place, address in enumerate(model.waives):
        span = span_at(document.root, *path, "waives", place)
        if written is None:
            continue
        if address not in written:
            near = nearest(address, written, told=len(problems))
            help_ = f"did you mean `{near}`?" if near else None
            message = f"there is no rule `{address}`"
            problems.append(blame(FileCode.UNKNOWN_RULE, span, message, help_, file=document.file))
        elif address in rules and not rules[address].ref.waivable:
            ref = rules[address].ref
            message = f"the rule `{address}` is not waivable"
            help_ = "whoever owns the rule can say `waivable: true`"
            if not ref.kind.waivable:
                message = (
                    f"the rule `{address}` stops nothing, since it says `{ref.effect}`, so there is nothing to lift"
                )
                help_ = None
            problems.append(blame(FileCode.NOT_WAIVABLE, span, message, help_, file=document.file))


def _compiled(
    document: Document,
    path: tuple[str | int, ...],
    model: ExceptionModel,
    owner: str,
    rules: Mapping[RuleAddress, Rule],
    conditions: Conditions,
    catalog: Catalog | None,
    now: datetime | None,
    problems: list[Diagnostic],
) -> RuleException:
    root = document.root
    assert root is not None
    known = len(problems)
    if model.match is not None:
        check_match(problems, document.file, root, (*path, "match"), model.match, None, catalog)
    match = match_of(model.match)
    waived = [rules[address] for address in model.waives if address in rules]
    when = None
    if model.when is not None:
        stages = {rule.ref.stage for rule in waived} or {Stage.CALL}
        for stage in sorted(stages, key=lambda stage: stage.value):
            tools = _tools(match, (rule for rule in waived if rule.ref.stage is stage), stage, catalog)
            when = conditions.load(scalar_at(root, *path, "when"), model.when, stage, tools)
    if when is not None:
        check_exception_labels(Condition(when, scalar_at(root, *path, "when"), document.file), problems)
    if not failed(problems[known:]):
        _check_width(document, path, model, match, when, rules, catalog, problems)
    found = RuleException(
        model.id,
        tuple(model.waives),
        model.expires,
        document.file,
        span_at(root, *path),
        model.reason,
        model.approved_by,
        model.owner or owner,
        model.ticket,
        match,
        when,
        digest(plain(node_at(root, *path))),
    )
    check_expiry(found, now, span_at(root, *path, "expires"), document.file, problems)
    return found


def _tools(match: Match | None, waived: Iterable[Rule], stage: Stage, catalog: Catalog | None) -> Tools:
    """The tools of the catalog that an exception and one of the rules that it lifts at this stage speak about."""
    if catalog is None or stage is Stage.PROMPT:
        return None
    rules = tuple(waived)
    return frozenset(
        tool
        for tool in catalog
        if (match is None or selects(match, tool.id, tool) is True)
        and any(all_select(rule.matches, tool.id, tool) is True for rule in rules)
    )


def _check_width(
    document: Document,
    path: tuple[str | int, ...],
    model: ExceptionModel,
    match: Match | None,
    when: Program | None,
    rules: Mapping[RuleAddress, Rule],
    catalog: Catalog | None,
    problems: list[Diagnostic],
) -> None:
    """Tell of the rules that an exception names and never meets."""
    assert document.root is not None
    constraint = None if when is None else when.tool_constraint()
    for place, address in enumerate(model.waives):
        rule = rules.get(address)
        if rule is None:
            continue
        span = span_at(document.root, *path, "waives", place)
        if rule.ref.stage is Stage.PROMPT:
            if match is not None:
                message = f"`{address}` is about prompts, which belong to no tool, and the exception selects tools"
                problems.append(blame(FileCode.NEVER_APPLIES, span, message, "take `match` away", file=document.file))
            continue
        matches = rule.matches if match is None else (*rule.matches, match)
        both = _common(constraint, rule.constraint)
        if can_apply(rule.matches, rule.constraint, catalog) and not can_apply(matches, both, catalog):
            message = f"the exception speaks about no tool that `{address}` speaks about"
            problems.append(blame(FileCode.NEVER_APPLIES, span, message, file=document.file))


def _common(one: frozenset[str] | None, other: frozenset[str] | None) -> frozenset[str] | None:
    if one is None or other is None:
        return other if one is None else one
    return one & other
