"""The pages of a rule set: one a policy, made of what its file, its tests and the exceptions for its rules say."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from oap_core.policy.assemble import Assembled
from oap_core.policy.compile import Compiled
from oap_core.policy.model.cases import CaseModel
from oap_core.policy.pages import index
from oap_core.policy.pages.markdown import anchored, code, table, text
from oap_core.policy.pages.spoken import spoken
from oap_core.policy.pages.words import deed, json_text, mode, moment_text, selection, subject_of, when
from oap_core.policy.rules import Rule, RuleException
from oap_core.policy.ruleset import RuleSet

__all__ = ["MARK", "Page", "pages"]

MARK: Final = "<!-- Made by `oap docs` from the policy files: change those, not this page. -->"
"""The first line of every page, by which a page of ours is known."""
INDEX: Final = "index"
"""Name of the page that leads to the others."""

_RULE_HEAD: Final = (
    "Rule", "What it does", "Speaks about", "Condition", "Message", "Severity", "Mode", "Waivable", "Ends",
)  # fmt: skip
_EXCEPTION_HEAD: Final = ("Exception", "Lifts", "For", "Condition", "Reason", "Approved by", "Owner", "Ticket", "Ends")


@dataclass(frozen=True, slots=True)
class Page:
    """One page."""

    name: str
    """Name of its file."""
    text: str
    """Its Markdown, with a line feed at the end."""


def pages(assembled: Assembled) -> tuple[Page, ...]:
    """The page that leads to all, then one for each policy by name; equal files give equal pages.

    The files have to be right: raises ValueError where an error was found in them. Nothing on a page depends on the
    moment that it is made at.
    """
    rules = assembled.rules
    if rules is None:
        raise ValueError("pages are made of files that are right")
    policies = sorted(assembled.policies, key=lambda one: one.policy.name)
    names = _file_names([one.policy.name for one in policies])
    cases = {one.policy.name: _total(_cases_of(one, assembled)) for one in policies}
    others = [case for file in assembled.tests if not file.policies for case in file.cases]
    first = [*index.lines(policies, rules, names, cases), *_listed("## Tests of no policy alone", others)]
    found = [Page(names[one.policy.name], _page(_lines(one, rules, assembled))) for one in policies]
    return (Page(f"{INDEX}.md", _page(first)), *found)


def _page(lines: Iterable[str]) -> str:
    return "\n".join([MARK, "", *lines])


def _file_names(policies: list[str]) -> dict[str, str]:
    """A file name for each policy, all different where letter case does not count."""
    taken = {INDEX}
    names = {}
    for policy in policies:
        name, number = policy, 1
        while name.casefold() in taken:
            number += 1
            name = f"{policy}-{number}"
        taken.add(name.casefold())
        names[policy] = f"{name}.md"
    return names


def _lines(one: Compiled, rules: RuleSet, assembled: Assembled) -> Iterator[str]:
    own = [rule for rule in rules.rules if rule.policy is one.policy]
    yield anchored(one.policy.name, 1)
    yield ""
    if one.policy.description:
        yield text(one.policy.description)
        yield ""
    yield from _about(one)
    yield "## Rules"
    yield ""
    settings = {rule.id: rule.with_ for rule in one.model.rules}
    by_id = {rule.address.rule: rule for rule in own}
    in_order = [by_id[model.id] for model in one.model.rules]
    yield from table(_RULE_HEAD, [_rule(rule, settings[rule.address.rule or ""]) for rule in in_order])
    yield from _values(one)
    yield from _exceptions([each for each in rules.exceptions if any(rule.address in each.waives for rule in own)])
    yield from _tools(own, rules)
    yield from _tests(one, assembled)


def _about(one: Compiled) -> Iterator[str]:
    meta = one.model.metadata
    rows = [("Owner", text(meta.owner))]
    if meta.review is not None:
        rows.append(("Look at it again by", meta.review.isoformat()))
    rows.append(("Speaks about", selection(one.policy.match)))
    rows += [(f"Label {code(name)}", text(value)) for name, value in sorted(meta.labels.items())]
    yield from table(("", ""), rows)


def _rule(rule: Rule, settings: dict[str, object] | None) -> tuple[str, ...]:
    said = "" if rule.message is None else text(rule.message.source)
    if rule.note is not None:
        said = f"{said}<br>For operators: {text(rule.note.source)}".removeprefix("<br>")
    return (
        code(rule.address.rule or ""),
        deed(rule, settings),
        subject_of(rule),
        when(None if rule.when is None else rule.when.source),
        said,
        rule.ref.severity.value,
        mode(rule),
        "yes" if rule.ref.waivable else "no",
        "" if rule.expires is None else moment_text(rule.expires),
    )


def _values(one: Compiled) -> Iterator[str]:
    if one.model.constants:
        yield "## Constants"
        yield ""
        yield from table(
            ("Constant", "Value"), [(code(name), code(json_text(value))) for name, value in one.model.constants.items()]
        )
    if one.model.variables:
        yield "## Variables"
        yield ""
        yield from table(
            ("Variable", "Stands for"), [(code(name), code(source)) for name, source in one.model.variables.items()]
        )


def _exceptions(found: list[RuleException]) -> Iterator[str]:
    yield "## Exceptions"
    yield ""
    if not found:
        yield "No exception lifts a rule of this policy."
        yield ""
    yield from table(_EXCEPTION_HEAD, [_exception(one) for one in found])


def _exception(one: RuleException) -> tuple[str, ...]:
    return (
        code(one.id),
        ", ".join(code(address) for address in one.waives),
        selection(one.match),
        when(None if one.when is None else one.when.source),
        text(one.reason),
        text(one.approved_by),
        text(one.owner),
        "" if one.ticket is None else text(one.ticket),
        moment_text(one.expires),
    )


def _tools(own: list[Rule], rules: RuleSet) -> Iterator[str]:
    yield "## Tools"
    yield ""
    if rules.catalog is None:
        yield "There is no catalog, so nobody can say which tools there are."
        yield ""
        return
    rows = []
    for tool in sorted(rules.catalog, key=lambda tool: tool.id):
        about = [rule for rule in own if spoken(rule, tool)]
        if about:
            names = ", ".join(code(rule.address.rule or "") for rule in about)
            tags = ", ".join(code(tag) for tag in sorted(tool.tags))
            rows.append((code(tool.id), tool.reach.value, tags, names))
    if not rows:
        yield "No tool of the catalog is spoken about."
        yield ""
    yield from table(("Tool", "Reach", "Tags", "Rules"), rows)


def _tests(one: Compiled, assembled: Assembled) -> Iterator[str]:
    cases = list(_cases_of(one, assembled))
    yield from _listed("## Tests", cases)
    if not cases:
        yield "## Tests"
        yield ""
        yield "Nothing tests this policy."
        yield ""


def _listed(heading: str, cases: list[CaseModel]) -> Iterator[str]:
    """The cases by name, below a heading, where there are any."""
    if not cases:
        return
    yield heading
    yield ""
    yield f"{_counted(_total(cases))}:"
    yield ""
    for case in cases:
        number = _combinations(case)
        yield f"- {text(case.name)}{'' if number == 1 else f' ({_counted(number)})'}{_standing(case)}"
    yield ""


def _counted(number: int) -> str:
    return f"{number:,} {'case' if number == 1 else 'cases'}"


def _standing(case: CaseModel) -> str:
    if case.skip is not None:
        return f" (not run: {text(case.skip)})"
    return " (a known gap)" if case.todo else ""


def _total(cases: Iterable[CaseModel]) -> int:
    return sum(map(_combinations, cases))


def _cases_of(one: Compiled, assembled: Assembled) -> Iterator[CaseModel]:
    """The cases in the policy, and those in files of tests that name it."""
    for file in assembled.tests:
        if one.policy.name in file.policies:
            yield from file.cases


def _combinations(case: CaseModel) -> int:
    return math.prod(len(values) for values in (case.matrix or {}).values())
