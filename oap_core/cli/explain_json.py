"""What `oap explain --json` prints. It holds values of the call."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from oap_core.cel.failure import Failure
from oap_core.cel.trace import Clause
from oap_core.names import ToolId
from oap_core.policy.explain import ExceptionLine, Explanation, Line
from oap_core.policy.reach import Reachable, Speaking
from oap_core.policy.rules import Rule, RuleException
from oap_core.policy.selection import ToolPlan
from oap_core.types import Stage

__all__ = ["explanation", "reach", "rules"]


def explanation(found: Explanation, near: str | None = None) -> str:
    """One object about a decision; `near` is a tool of the catalog that may be meant."""
    judged = found.judged
    facts = judged.facts
    return _text(
        {
            "verdict": found.verdict.value,
            "stage": facts.stage.value,
            "tool": None if facts.call is None else facts.call.tool,
            "standing": judged.plan.standing.value if facts.call is not None else None,
            "did_you_mean": near,
            "now": facts.now.isoformat(),
            "named": found.named,
            "unjudged": found.unjudged,
            "observing": judged.observing,
            "message": found.message,
            "note": found.note,
            "nearest": None if found.nearest is None else found.nearest.rule.address,
            "against": [
                {"rule": one.rule.address, "view": one.view.value, "state": one.state.value, "reason": one.reason}
                for one in judged.decision.against
            ],
            "rules": [_line(line) for line in found.lines],
            "shadow": [_line(line) for line in found.shadow],
            "exceptions": [_exception(line) for line in found.exceptions],
        }
    )


def _line(line: Line) -> dict[str, Any]:
    return {
        **_rule(line.rule),
        "view": line.view.value,
        "matched": line.matched,
        "decides": line.decides,
        "in_force": line.in_force,
        "reason": line.reason,
        "waived_by": list(line.waived_by),
        "clauses": [_clause(clause) for clause in line.clauses],
    }


def _exception(line: ExceptionLine) -> dict[str, Any]:
    return {
        **_written(line.exception),
        "view": line.view.value,
        "rules": list(line.rules),
        "lifts": list(line.lifts),
        "in_force": line.in_force,
        "matched": line.matched,
        "why_not": line.reason,
        "clauses": [_clause(clause) for clause in line.clauses],
    }


def _written(exception: RuleException) -> dict[str, Any]:
    return {
        "id": exception.id,
        "waives": list(exception.waives),
        "expires": exception.expires.isoformat(),
        "reason": exception.reason,
        "approved_by": exception.approved_by,
        "file": exception.file,
        "line": exception.span.line,
    }


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "rule": rule.address,
        "effect": rule.ref.effect,
        "kind": rule.ref.kind.value,
        "severity": rule.ref.severity.value,
        "file": rule.policy.file,
        "line": rule.span.line,
    }


def _clause(clause: Clause) -> dict[str, Any]:
    outcome = clause.outcome
    return {
        "text": clause.text,
        "line": clause.line,
        "column": clause.column,
        "outcome": {"error": outcome.code.value} if isinstance(outcome, Failure) else outcome,
        "values": clause.values,
        "in": clause.in_definition,
        "note": clause.note,
    }


def reach(found: Iterable[Reachable]) -> str:
    """One object about what a subject can call."""
    return _text(
        {
            "tools": [
                {
                    "tool": one.tool,
                    "reach": one.reach.value,
                    "answer": one.answer.value,
                    "grants": [_speaking(speaking) for speaking in one.grants],
                    "gates": [_speaking(speaking) for speaking in one.gates],
                    "walls": [_speaking(speaking) for speaking in one.walls],
                    "exceptions": [_written(exception) for exception in one.exceptions],
                }
                for one in found
            ]
        }
    )


def _speaking(one: Speaking) -> dict[str, Any]:
    return {**_rule(one.rule), "always": one.always, "blind": one.blind}


def rules(tool: ToolId, plans: dict[Stage, ToolPlan]) -> str:
    """One object about the rules that speak about a tool."""
    return _text(
        {
            "tool": tool,
            "rules": [
                {
                    **_rule(planned.rule),
                    "stage": stage.value,
                    "mode": planned.rule.ref.mode.value,
                    "when": None if planned.rule.when is None else planned.rule.when.source,
                    "blind": planned.blind,
                    "expires": None if planned.rule.expires is None else planned.rule.expires.isoformat(),
                }
                for stage, plan in plans.items()
                for planned in (*plan.enforced, *plan.shadow)
            ],
            "exceptions": [
                _written(one) for one in dict.fromkeys(one for plan in plans.values() for one in plan.exceptions)
            ],
        }
    )


def _text(value: dict[str, Any]) -> str:
    return json.dumps(value, indent=2)
