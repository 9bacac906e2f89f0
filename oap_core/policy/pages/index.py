"""The page that leads to the others: every policy, every exception, and for each tool what opens and what stops it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from oap_core.kinds import Kind
from oap_core.policy.catalog import ToolDefinition
from oap_core.policy.compile import Compiled
from oap_core.policy.pages.markdown import code, link, table, text
from oap_core.policy.pages.spoken import spoken
from oap_core.policy.pages.words import moment_text
from oap_core.policy.rules import Rule
from oap_core.policy.ruleset import RuleSet
from oap_core.types import Stage

__all__ = ["lines"]

_KINDS: Final = (Kind.GRANT, Kind.WALL, Kind.GATE)
_TOOL_HEAD: Final = ("Tool", "What it is", "Reach", "Opened by", "Stopped by", "Held by")


def lines(
    policies: Sequence[Compiled], rules: RuleSet, files: Mapping[str, str], cases: Mapping[str, int]
) -> Iterator[str]:
    """The lines of the page; `files` are the pages of the policies by name, `cases` the number of tests of each."""
    yield "# Policies"
    yield ""
    yield f"A call that nothing opens: {'asked for' if rules.default.value == 'ask' else 'denied'}."
    yield ""
    head = ("Policy", "What it is for", "Owner", "Look at it again by", "Rules", "Tests")
    yield from table(head, [_policy(one, files, cases) for one in policies])
    if rules.exceptions:
        yield "## Exceptions"
        yield ""
        by_end = sorted(rules.exceptions, key=lambda one: (one.expires, one.id))
        rows = [
            (code(one.id), _names(one.waives, files), text(one.approved_by), text(one.owner), moment_text(one.expires))
            for one in by_end
        ]
        yield from table(("Exception", "Lifts", "Approved by", "Owner", "Ends"), rows)
    if rules.catalog is not None:
        yield "## Tools"
        yield ""
        tools = sorted(rules.catalog, key=lambda tool: tool.id)
        deciding = [rule for rule in rules.rules if rule.ref.stage is Stage.CALL and not rule.shadow]
        yield from table(_TOOL_HEAD, [_tool(tool, deciding, files) for tool in tools])


def _policy(one: Compiled, files: Mapping[str, str], cases: Mapping[str, int]) -> tuple[str, ...]:
    name = one.policy.name
    review = one.model.metadata.review
    return (
        link(name, files[name]),
        text(one.policy.description),
        text(one.policy.owner),
        "" if review is None else review.isoformat(),
        f"{len(one.rules):,}",
        f"{cases[name]:,}" if cases[name] else "none",
    )


def _tool(tool: ToolDefinition, rules: Iterable[Rule], files: Mapping[str, str]) -> tuple[str, ...]:
    about = [rule for rule in rules if spoken(rule, tool)]
    by_kind = [[rule.address for rule in about if rule.ref.kind is kind] for kind in _KINDS]
    opened, *others = (_names(found, files) for found in by_kind)
    return (code(tool.id), text(tool.description), tool.reach.value, opened or "nothing", *others)


def _names(addresses: Iterable[str], files: Mapping[str, str]) -> str:
    return ", ".join(f"[{code(address)}]({files[address.partition('/')[0]]})" for address in addresses)
