"""From exception files to the exceptions in force."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from oap_core.diagnostic import Diagnostic
from oap_core.names import RuleAddress
from oap_core.policy.catalog import Catalog
from oap_core.policy.codes import FileCode
from oap_core.policy.compile import match_of
from oap_core.policy.conditions import Conditions
from oap_core.policy.digest import digest
from oap_core.policy.load import Document
from oap_core.policy.model.exceptions import ExceptionModel, ExceptionsModel
from oap_core.policy.report import blame
from oap_core.policy.rules import Rule, RuleException
from oap_core.policy.selection import selects
from oap_core.policy.setup import Setup
from oap_core.policy.shape import plain
from oap_core.policy.targets import check_match
from oap_core.policy.tree import node_at, scalar_at, span_at
from oap_core.types import Stage

__all__ = ["compile_exceptions"]


def compile_exceptions(
    files: Iterable[tuple[Document, ExceptionsModel]],
    rules: Mapping[RuleAddress, Rule],
    written: frozenset[RuleAddress],
    setup: Setup,
    catalog: Catalog | None,
    problems: list[Diagnostic],
) -> tuple[RuleException, ...]:
    """Compile what can be compiled; what is wrong is added to `problems`.

    `written` are all rules that the files have, those included that could not be compiled and are not in `rules`.
    """
    found: dict[str, RuleException] = {}
    for document, model in files:
        conditions = Conditions(setup.vocabulary, document.file, {}, {}, problems)
        for number, one in enumerate(model.exceptions):
            path = ("exceptions", number)
            _check_rules(document, path, one, rules, written, problems)
            compiled = _compiled(document, path, one, model.metadata.owner, rules, conditions, catalog, problems)
            if one.id in found:
                first = found[one.id]
                assert document.root is not None
                where = f"on line {first.span.line}" if first.file == document.file else f"in `{first.file}`"
                message = f"the exception `{one.id}` stands twice; the first is {where}"
                span = span_at(document.root, *path, "id")
                problems.append(blame(FileCode.REPEATED_EXCEPTION, span, message, file=document.file))
            else:
                found[one.id] = compiled
    return tuple(found[name] for name in sorted(found))


def _check_rules(
    document: Document,
    path: tuple[str | int, ...],
    model: ExceptionModel,
    rules: Mapping[RuleAddress, Rule],
    written: frozenset[RuleAddress],
    problems: list[Diagnostic],
) -> None:
    assert document.root is not None
    for place, address in enumerate(model.waives):
        span = span_at(document.root, *path, "waives", place)
        if address not in written:
            near = get_close_matches(address, written, n=1, cutoff=0.6)
            help_ = f"did you mean `{near[0]}`?" if near else None
            message = f"there is no rule `{address}`"
            problems.append(blame(FileCode.UNKNOWN_RULE, span, message, help_, file=document.file))
        elif address in rules and not rules[address].ref.waivable:
            message = f"the rule `{address}` is not waivable"
            help_ = "whoever owns the rule can say `waivable: true`"
            problems.append(blame(FileCode.NOT_WAIVABLE, span, message, help_, file=document.file))


def _compiled(
    document: Document,
    path: tuple[str | int, ...],
    model: ExceptionModel,
    owner: str,
    rules: Mapping[RuleAddress, Rule],
    conditions: Conditions,
    catalog: Catalog | None,
    problems: list[Diagnostic],
) -> RuleException:
    root = document.root
    assert root is not None
    if model.match is not None:
        check_match(problems, document.file, root, (*path, "match"), model.match, None, catalog)
    match = match_of(model.match)
    waived = [rules[address] for address in model.waives if address in rules]
    when = None
    if model.when is not None:
        stages = {rule.ref.stage for rule in waived} or {Stage.CALL}
        tools = None
        if catalog is not None and stages == {Stage.CALL}:
            tools = frozenset(
                tool
                for tool in catalog
                if (match is None or selects(match, tool.id, tool) is True)
                and any(all(selects(one, tool.id, tool) is True for one in rule.matches) for rule in waived)
            )
        for stage in sorted(stages, key=lambda stage: stage.value):
            when = conditions.load(scalar_at(root, *path, "when"), model.when, stage, tools)
    return RuleException(
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
