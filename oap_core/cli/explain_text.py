"""What `oap explain` prints for a person."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import click

from oap_core.cel.failure import Failure
from oap_core.cel.trace import Clause
from oap_core.decision import Default, Verdict
from oap_core.diagnostic import printable
from oap_core.kinds import ASK, Kind
from oap_core.names import CORE, ToolId
from oap_core.policy.catalog import Standing
from oap_core.policy.explain import ExceptionLine, Explanation, Line
from oap_core.policy.judge import UNREADABLE
from oap_core.policy.reach import Answer, Reachable, Speaking
from oap_core.policy.rules import Rule, RuleException
from oap_core.policy.selection import ToolPlan
from oap_core.types import Stage

__all__ = ["explanation", "reach", "rules"]

_COLOURS: Final = {Verdict.ALLOW: "green", Verdict.ASK: "yellow", Verdict.PLAN: "yellow", Verdict.DENY: "red"}
_ANSWERS: Final = {Answer.NEVER: "red", Answer.DEPENDS: "yellow", Answer.ALWAYS: "green"}
_INDENT: Final = "      "


def explanation(found: Explanation, near: str | None = None) -> str:
    """The verdict, and below it each rule that speaks about the call.

    `near` is a tool of the catalog that may be meant where the catalog does not have the one that is called.
    """
    return "\n".join(_explained(found, near))


def _explained(found: Explanation, near: str | None) -> Iterator[str]:
    judged = found.judged
    facts = judged.facts
    what = facts.call.tool if facts.call is not None else "prompt"
    if facts.stage is Stage.RESULT:
        what = f"the result of {what}"
    by = "" if found.named is None else f"  by {_named(found)}"
    unjudged = " (could not be judged)" if found.unjudged else ""
    word = _word(found)
    yield f"{click.style(word, fg=_COLOURS[found.verdict], bold=True)} {printable(what)}{by}{unjudged}"
    if judged.observing:
        yield f"  the host only observes: without that it is {judged.decision.verdict.value}"
    if found.message is not None:
        yield f"  told to the model: {printable(found.message)}"
    if found.note is not None:
        yield f"  note: {printable(found.note)}"
    for finding in judged.decision.against:
        if finding.rule.address == UNREADABLE:
            yield f"  the data of the call cannot be judged: {finding.reason}"
    yield from _standing(judged.plan, near)
    yield from _lines(found)
    if found.exceptions:
        yield "exceptions:"
        for exception in found.exceptions:
            yield from _exception(exception, two_views=facts.original is not None)
    if found.nearest is not None:
        yield f"  nearest grant: {found.nearest.rule.address}"


def _word(found: Explanation) -> str:
    if found.judged.facts.stage is Stage.CALL:
        return found.verdict.value.upper()
    return "WITHHELD" if found.verdict is Verdict.DENY else "GOES ON"


def _named(found: Explanation) -> str:
    address = found.named
    if address is None or address.policy != CORE:
        return str(address)
    return f"{address} (no grant matches)" if address != UNREADABLE else str(address)


def _standing(plan: ToolPlan, near: str | None) -> Iterator[str]:
    if not plan.standing.grantable:
        said = "is not in the catalog" if plan.standing is Standing.ABSENT else "is not as the catalog has it"
        meant = "" if near is None else f"; did you mean `{printable(near)}`?"
        yield f"  the tool {said}, so no grant matches it{meant}"


def _lines(found: Explanation) -> Iterator[str]:
    lines = (*found.lines, *found.shadow)
    if not lines:
        yield "  no rule speaks about it"
    widths = tuple(
        max((len(text) for text in column), default=0)
        for column in ((line.rule.ref.effect for line in lines), (line.rule.address for line in lines))
    )
    for number, line in enumerate(lines):
        if number == len(found.lines):
            yield "only watching:"
        yield from _line(line, widths, two_views=found.judged.facts.original is not None)


def _line(line: Line, widths: tuple[int, ...], *, two_views: bool) -> Iterator[str]:
    effect, address = widths
    mark = "*" if line.decides else " "
    view = f"  ({line.view.value} call)" if two_views else ""
    waived = f", lifted by {', '.join(line.waived_by)}" if line.waived_by else ""
    head = f"{mark} {line.rule.ref.effect:{effect}} {line.rule.address:{address}}  {line.stands}{waived}{view}"
    yield f"{click.style(head, bold=True) if line.decides else head}  {click.style(_place(line.rule), dim=True)}"
    if line.reason and not any(isinstance(clause.outcome, Failure) for clause in line.clauses):
        yield f"{_INDENT}{printable(line.reason)}"
    for clause in line.clauses:
        yield from _clause(clause)


def _place(rule: Rule) -> str:
    return printable(f"{rule.policy.file}:{rule.span.line}")


def _exception(line: ExceptionLine, *, two_views: bool) -> Iterator[str]:
    exception = line.exception
    view = f"  ({line.view.value} call)" if two_views else ""
    if line.lifts:
        said = f"lifts {', '.join(line.lifts)} until {exception.expires:%Y-%m-%d}"
        yield f"  {exception.id}  {said}: {printable(exception.reason)}, approved by {printable(exception.approved_by)}{view}"
    left = ", ".join(address for address in line.rules if address not in line.lifts)
    if left:
        yield f"  {exception.id}  does not lift {left}: {line.reason}{view}"
    for clause in line.clauses:
        yield from _clause(clause)


def _clause(clause: Clause) -> Iterator[str]:
    place = f"{clause.in_definition}: " if clause.in_definition is not None else ""
    outcome = clause.outcome
    said = f"fails: {outcome.meaning}" if isinstance(outcome, Failure) else f"is {str(outcome).lower()}"
    note = f"  ({printable(clause.note)})" if clause.note else ""
    text = f"{place}{clause.text}"
    if clause.values is None:
        yield f"{_INDENT}{printable(text)}   {said}{note}"
    else:
        yield f"{_INDENT}{printable(text)}"
        yield f"{_INDENT}{printable(clause.values)}   {said}{note}"


def reach(found: Iterable[Reachable], default: Default) -> str:
    """One line a tool, and below it what stands in the way."""
    lines = []
    tools = list(found)
    width = max((len(one.tool) for one in tools), default=0)
    for one in tools:
        answer = click.style(f"{one.answer.value:8}", fg=_ANSWERS[one.answer])
        lines.append(f"{answer} {printable(one.tool):{width}}  {one.reach.value}")
        if one.answer is Answer.NEVER and not one.grants:
            lines.append(f"{_INDENT}no grant can match")
        elif not one.grants and default is Default.ASK:
            lines.append(f"{_INDENT}no grant can match, so a person is asked each time")
        for group, word in ((one.grants, "opens"), (one.gates, "holds"), (one.walls, "stops")):
            lines += [f"{_INDENT}{_speaking(speaking, word)}" for speaking in group]
        lines += [f"{_INDENT}{_lifting(exception, one)}" for exception in one.exceptions]
    if not tools:
        lines.append("no tool is known: a catalog says which there are")
    return "\n".join(lines)


def _speaking(one: Speaking, word: str) -> str:
    if one.blind is not None:
        return f"{word} every call   {one.rule.address}: {printable(one.blind)}"
    if one.rule.ref.kind is Kind.GATE:
        word = {ASK: "asks"}.get(one.rule.ref.effect, word)
    return f"{word:5} {'every call' if one.always else 'some calls'}   {one.rule.address}"


def _lifting(exception: RuleException, of: Reachable) -> str:
    standing = {speaking.rule.address for speaking in (*of.gates, *of.walls)}
    named = ", ".join(address for address in exception.waives if address in standing)
    return f"lifts {named} by {exception.id} until {exception.expires:%Y-%m-%d}"


def rules(tool: ToolId, plans: dict[Stage, ToolPlan]) -> str:
    """The rules that speak about a tool, as they are written."""
    lines: list[str] = []
    planned_rules = [one.rule for plan in plans.values() for one in (*plan.enforced, *plan.shadow)]
    words = [rule.ref.effect for rule in planned_rules]
    words += ["exception" for plan in plans.values() if plan.exceptions]
    width = max(map(len, words), default=0)
    for stage, plan in plans.items():
        for planned in (*plan.enforced, *plan.shadow):
            lines += _written(planned.rule, planned.blind, stage, width)
        lines += [
            f"{'exception':{width}} {one.id} lifts {', '.join(one.waives)} until {one.expires:%Y-%m-%d}: {printable(one.reason)}"
            for one in plan.exceptions
        ]
    return "\n".join(lines) if lines else f"no rule speaks about {printable(tool)}"


def _written(rule: Rule, blind: str | None, stage: Stage, width: int) -> Iterator[str]:
    words = [f"{rule.ref.effect:{width}} {rule.address}"]
    if stage is not Stage.CALL:
        words.append(f"stage {stage.value}")
    if rule.shadow:
        words.append("shadow")
    if rule.expires is not None:
        words.append(f"until {rule.expires:%Y-%m-%d}")
    words.append(_place(rule))
    yield "  ".join(words)
    if rule.when is not None:
        yield f"{_INDENT}when {printable(' '.join(rule.when.source.split()))}"
        for name, definition in rule.when.definitions.items():
            yield f"{_INDENT}  {name}: {printable(' '.join(definition.source.split()))}"
    if blind is not None:
        yield f"{_INDENT}cannot be judged for this tool: {printable(blind)}"
