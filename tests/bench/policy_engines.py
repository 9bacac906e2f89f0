"""Engines that decide about the work, ours and those of others, each in its best form.

An engine that is not installed is left away. Each gets its policies parsed and its call prepared beforehand, in the form
in which its own function takes them.

- ours: `RuleSet.decide` on `Facts`. The arguments are frozen, every condition evaluated and the findings combined anew
  for each call; what it has worked out for equal answers of the same rules it keeps.
- cedarpy: a `PolicySet` and `Entities` that are parsed, the context as the JSON text that it would make of it. Each policy
  names its tool in its scope (`action == Action::"..."`), the narrowest thing that it can say.
- AGT agentmesh (`PolicyEngine`): a condition a rule, such as `tool == '...' and amount > 5`; the tool stands first, so
  that most conditions end there.
- AGT agent_os (`PolicyEvaluator`): its rules compare one field with one value, so they cannot ask for a tool and an amount.
  Here the host does the first half: it calls the field `<tool>.amount`, and rules speak about that. It is shown, and does
  not count as one that can express the rules.
- cel-python: an interpreted program a rule, asked in turn until one says no; it stands for a host that has no index.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from oap_core.decision import Verdict
from oap_core.policy.facts import Facts
from tests.bench.policy_work import Work, facts, last_rule, rule_set

__all__ = ["OURS", "Engine", "WrongDecisionError", "engines", "proven"]

OURS: Final = "ours"


class WrongDecisionError(Exception):
    """An engine that is fast but wrong is not worth timing."""


@dataclass(frozen=True, slots=True)
class Engine:
    """One engine with the work loaded."""

    name: str
    """As the table shows it."""
    allows: dict[str, Callable[[], bool]]
    """Decides about each of the calls `miss` and `hit`."""
    expresses: bool = True
    """Whether its rules say all of what ours say."""

    @classmethod
    def of(cls, name: str, allows: Callable[[Any], bool], calls: dict[str, Any], *, expresses: bool = True) -> Engine:
        """Build one from what decides and the calls in its form."""
        return cls(name, {call: partial(allows, prepared) for call, prepared in calls.items()}, expresses)


def engines(work: Work) -> list[Engine]:
    """Every engine that is installed. Raises `WrongDecisionError` where one decides otherwise than it has to."""
    made = [_ours(work)]
    made += [make(work) for package, make in _PEERS.items() if find_spec(package) is not None]
    return [proven(engine, work) for engine in made]


def proven(engine: Engine, work: Work) -> Engine:
    """Give an engine back that decides as it has to. Raises `WrongDecisionError`."""
    found = {name: allows() for name, allows in engine.allows.items()}
    if found != {"miss": True, "hit": False}:
        raise WrongDecisionError(f"{engine.name} decides wrongly about {work.rules} rules: {found}")
    return engine


def _ours(work: Work) -> Engine:
    rules = rule_set(work)
    calls = {name: facts(work, work.last, amount) for name, amount in work.amounts.items()}
    decision = rules.decide(calls["hit"]).decision
    if [finding.rule.address for finding in decision.deciding] != [last_rule(work)]:
        raise WrongDecisionError("the last rule alone has to decide")
    decide, allow = rules.decide, Verdict.ALLOW

    def allows(call: Facts) -> bool:
        return decide(call).verdict is allow

    return Engine.of(OURS, allows, calls)


def _cedarpy(work: Work) -> Engine:
    cedarpy = import_module("cedarpy")
    lines = []
    for tool, limits in work.limits():
        scope = f'principal, action == Action::"{tool}", resource'
        lines.append(f"permit ({scope});")
        lines += [f"forbid ({scope}) when {{ context.amount > {limit} }};" for limit in limits]
    policies, entities = cedarpy.PolicySet.from_str("\n".join(lines)), cedarpy.Entities.from_json_str("[]")
    authorized, allow = cedarpy.is_authorized, cedarpy.Decision.Allow

    def call(amount: int) -> dict[str, Any]:
        return {
            "principal": {"type": "Subject", "id": "teller"},
            "action": {"type": "Action", "id": work.last},
            "resource": {"type": "Session", "id": "session-1"},
            "context": json.dumps(work.arguments(amount)),
        }

    def allows(request: dict[str, Any]) -> bool:
        return authorized(request, policies, entities).decision is allow

    return Engine.of("cedarpy", allows, {name: call(amount) for name, amount in work.amounts.items()})


def _agentmesh(work: Work) -> Engine:
    module = import_module("agentmesh.governance.policy")
    rules = []
    for tool, limits in work.limits():
        rules += [
            module.PolicyRule(name=f"{tool}-{limit}", condition=f"tool == '{tool}' and amount > {limit}", priority=1)
            for limit in limits
        ]
        rules.append(module.PolicyRule(name=tool, condition=f"tool == '{tool}'", action="allow"))
    engine = module.PolicyEngine()
    engine.load_policy(module.Policy(name="bench", agents=["*"], rules=rules))
    calls = {name: {"tool": work.last, **work.arguments(amount)} for name, amount in work.amounts.items()}
    evaluate = engine.evaluate

    def allows(call: dict[str, Any]) -> bool:
        return bool(evaluate("did:mesh:teller", call).allowed)

    return Engine.of("AGT agentmesh", allows, calls)


def _agent_os(work: Work) -> Engine:
    evaluator, schema = import_module("agent_os.policies.evaluator"), import_module("agent_os.policies.schema")
    rules = []
    for tool, limits in work.limits():
        rules += [
            schema.PolicyRule(
                name=f"{tool}-{limit}",
                condition=schema.PolicyCondition(field=f"{tool}.amount", operator="gt", value=limit),
                action="deny",
                priority=1,
            )
            for limit in limits
        ]
        condition = schema.PolicyCondition(field="tool", operator="eq", value=tool)
        rules.append(schema.PolicyRule(name=tool, condition=condition, action="allow"))
    evaluate = evaluator.PolicyEvaluator([schema.PolicyDocument(name="bench", rules=rules)]).evaluate
    calls = {
        name: {"tool": work.last, f"{work.last}.amount": amount, **work.arguments(amount)}
        for name, amount in work.amounts.items()
    }

    def allows(call: dict[str, Any]) -> bool:
        return bool(evaluate(call).allowed)

    return Engine.of("AGT agent_os", allows, calls, expresses=False)


def _cel_python(work: Work) -> Engine:
    celpy = import_module("celpy")
    # It writes about every evaluation where that is asked for, and looks whether it is.
    logging.getLogger("celpy").setLevel(logging.ERROR)
    environment = celpy.Environment(runner_class=celpy.InterpretedRunner)

    def program(source: str) -> Any:
        return environment.program(environment.compile(source)).evaluate

    walls, grants = [], []
    for tool, limits in work.limits():
        walls += [program(f'tool == "{tool}" && args.amount > {limit}') for limit in limits]
        grants.append(program(f'tool == "{tool}"'))
    calls = {
        name: {"tool": celpy.json_to_cel(work.last), "args": celpy.json_to_cel(work.arguments(amount))}
        for name, amount in work.amounts.items()
    }

    def allows(call: dict[str, Any]) -> bool:
        return not any(wall(call) for wall in walls) and any(grant(call) for grant in grants)

    return Engine.of("cel-python", allows, calls)


_PEERS: Final[dict[str, Callable[[Work], Engine]]] = {
    "cedarpy": _cedarpy,
    "agentmesh": _agentmesh,
    "agent_os": _agent_os,
    "celpy": _cel_python,
}
