"""The work of the policy bench: so many rules, ten for each tool, and two calls of the last tool.

Of the ten rules of a tool one grants and nine are walls, each with a limit of its own for the amount. The limits fall, so
that a call just above the last one is stopped by the last rule alone, and every rule before it has to be asked first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from oap_core.kinds import Effect, Kind
from oap_core.names import RuleAddress
from oap_core.policy.assemble import assemble
from oap_core.policy.facts import Facts, SessionFacts
from oap_core.policy.load import read
from oap_core.policy.ruleset import RuleSet
from oap_core.policy.setup import Setup, core_effects
from oap_core.types import Stage, Subject, ToolCall

__all__ = ["RULES_A_TOOL", "Work", "facts", "last_rule", "rule_set"]

RULES_A_TOOL: Final = 10
_WALLS: Final = RULES_A_TOOL - 1
_NOW: Final = datetime(2026, 12, 1, 12, tzinfo=UTC)
_EFFECTS: Final = {
    **core_effects(),
    "allow": Effect("allow", Kind.GRANT, "bench"),
    "deny": Effect("deny", Kind.WALL, "bench"),
}


@dataclass(frozen=True, slots=True)
class Work:
    """So many rules."""

    rules: int

    @property
    def tools(self) -> list[str]:
        """The tools that they speak about."""
        return [f"bank/account-{number}" for number in range(self.rules // RULES_A_TOOL)]

    @property
    def last(self) -> str:
        """The tool that is called."""
        return self.tools[-1]

    def limits(self) -> Iterator[tuple[str, list[int]]]:
        """The limits of the walls of each tool, no two alike."""
        for number, tool in enumerate(self.tools):
            yield tool, [100_000 * (_WALLS - wall) + number for wall in range(_WALLS)]

    @property
    def amounts(self) -> dict[str, int]:
        """What each of the two calls is about: `miss` meets no wall, `hit` the last one alone."""
        return {"miss": 5, "hit": 100_000 + len(self.tools)}

    def arguments(self, amount: int) -> dict[str, Any]:
        """The arguments of a call."""
        return {"amount": amount, "currency": "EUR", "to": "DE02120300000000202051"}


def rule_set(work: Work) -> RuleSet:
    """Our rules: a policy a tool, with a catalog of all tools."""
    found = assemble([read(text, name) for name, text in files(work).items()], Setup(_EFFECTS))
    if found.rules is None:
        raise ValueError(f"the rules of the bench do not load: {found.diagnostics[0]}")
    return found.rules


def files(work: Work) -> dict[str, str]:
    """The same as files by name."""
    policies = {
        f"account-{number}.yaml": _policy(number, tool, limits) for number, (tool, limits) in enumerate(work.limits())
    }
    return {**policies, "catalog.yaml": _catalog(work)}


def _policy(number: int, tool: str, limits: list[int]) -> str:
    lines = ["apiVersion: oap/v1", "kind: Policy", f"metadata: {{name: account-{number}, owner: bench}}"]
    lines += [f"match: {{tools: [{tool}]}}", "rules:", "  - {id: open, effect: allow}"]
    lines += [
        f"  - {{id: cap-{place}, when: args.amount > {limit}, effect: deny}}" for place, limit in enumerate(limits)
    ]
    return "\n".join(lines) + "\n"


def _catalog(work: Work) -> str:
    schema = (
        "{type: object, required: [amount, currency, to], additionalProperties: false, "
        "properties: {amount: {type: integer}, currency: {type: string}, to: {type: string}}}"
    )
    tools = [f"  - {{id: {tool}, reach: external, input_schema: {schema}}}" for tool in work.tools]
    return (
        "\n".join(["apiVersion: oap/v1", "kind: Catalog", "metadata: {name: bench, owner: bench}", "tools:", *tools])
        + "\n"
    )


def facts(work: Work, tool: str, amount: int) -> Facts:
    """A call as our rules take it."""
    session = SessionFacts("session-1", "bench", "/w", frozenset(), _NOW)
    subject = Subject("teller", frozenset({"support", "payments"}))
    return Facts(Stage.CALL, _NOW, subject, session, ToolCall.of("call-1", tool, work.arguments(amount)))


def last_rule(work: Work) -> RuleAddress:
    """The rule that has to stop the call `hit`."""
    return RuleAddress(f"account-{len(work.tools) - 1}/cap-{_WALLS - 1}")
