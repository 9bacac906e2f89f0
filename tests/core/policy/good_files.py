"""One good file of each kind, with every key that the format has, and a plugin whose effect they use."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Any, Final

from pydantic import BaseModel, Field

from oap_core import Effect, Kind, Stage
from oap_core.policy.model.fields import Duration


class PauseSettings(BaseModel):
    """How long nothing runs. It says nothing about keys that it does not know."""

    length: Duration = timedelta(hours=1, minutes=30)
    reasons: Annotated[list[str | None], Field(min_length=1)]
    deep: PauseSettings | None = None


PAUSE: Final = Effect("pause", Kind.GATE, "acme-pause", stages=frozenset({Stage.RESULT}), model=PauseSettings)
POLICY: Final[dict[str, Any]] = {
    "apiVersion": "oap/v1",
    "kind": "Policy",
    "metadata": {"name": "pay", "owner": "team", "description": "Pays.", "review": "2027-06-01", "labels": {"a": "b"}},
    "match": {"tools": ["pay/*"], "sources": ["pay"], "reach": ["write", "unknown"]},
    "mode": "enforce",
    "constants": {"cap": 500, "names": ["a", None], "deep": {"a b": [1.5, True]}},
    "variables": {"large": "args.amount > constants.cap"},
    "rules": [
        {"id": "refund", "effect": "allow", "when": "!variables.large", "expires": "2026-12-31T23:59:59.5+02:00"},
        {"id": "cap", "effect": "deny", "when": "variables.large", "message": "{args.amount} is too much", "with": {}},
        {
            "id": "second",
            "effect": "ask",
            "match": {"tools": ["pay/refund"]},
            "with": {"approvers": ["lead"], "timeout": "1h30m", "quorum": 2, "show": ["args.amount"], "standing": True},
            "severity": "high",
            "waivable": True,
        },
        {"id": "watch", "effect": "observe", "note": "seen", "mode": "shadow", "stage": "result"},
        {"id": "rest", "effect": "pause", "stage": "result", "with": {"reasons": ["a", None], "length": "7d"}},
        {"id": "ends", "effect": "deny", "mode": "shadow", "expires": "2026-12-31T23:59:59Z"},
    ],
    "tests": [
        {
            "name": "large",
            "call": {"tool": "pay/refund", "args": {"amount": "${n}"}, "attempt": 2, "previous_outcome": "error"},
            "subject": {"id": "a", "roles": []},
            "session": "${session}",
            "now": "2026-12-01T12:00:00Z",
            "matrix": {"n": [1, 2]},
            "expect_each": ["allow", {"verdict": "deny", "by": ["cap"], "observed": ["watch"], "unjudged": False}],
        },
        {
            "name": "result",
            "call": {"tool": "pay/refund"},
            "result": {"text": "x", "is_error": True},
            "expect": "allow",
        },
        {"name": "gap", "prompt": "hello", "expect": {"verdict": "deny", "message": "no"}, "todo": True},
    ],
}
EXCEPTIONS: Final[dict[str, Any]] = {
    "apiVersion": "oap/v1",
    "kind": "Exceptions",
    "metadata": {"name": "let", "owner": "team"},
    "exceptions": [
        {
            "id": "E1",
            "waives": ["pay/second"],
            "match": {"tools": ["pay/refund"]},
            "when": "subject.id == 'a'",
            "reason": "because",
            "approved_by": "boss",
            "expires": "2026-12-31T23:59:59Z",
            "ticket": "T-1",
            "owner": "others",
        }
    ],
}
CATALOG: Final[dict[str, Any]] = {
    "apiVersion": "oap/v1",
    "kind": "Catalog",
    "metadata": {"name": "tools", "owner": "team"},
    "tools": [
        {
            "id": "pay/refund",
            "description": "Pays back.",
            "reach": "write",
            "tags": ["money"],
            "annotations": {"destructiveHint": True},
            "input_schema": {"type": "object", "properties": {"amount": {"type": "number"}}, "required": ["amount"]},
            "output_schema": {"type": "object"},
            "definition_hash": f"sha256:{'0' * 64}",
        }
    ],
}
TESTS: Final[dict[str, Any]] = {
    "apiVersion": "oap/v1",
    "kind": "PolicyTest",
    "policies": ["pay"],
    "tests": [{"name": "one", "call": {"tool": "pay/refund"}, "expect": {"verdict": "deny"}, "skip": "later"}],
}
FIXTURES: Final[dict[str, Any]] = {"fixtures": {"session": {"id": "s"}, "n": 1}}
HOST: Final[dict[str, Any]] = {
    "plugins": ["oap-authorization"],
    "policies": ["policies"],
    "catalog": ["catalog.yaml"],
    "default": "ask",
    "subject": {"attributes": {"team": {"type": "string", "enum": ["a"], "optional": True, "description": "Team."}}},
    "session": {"attributes": {"tags": {"type": "array", "items": {"type": "string"}}}},
    "reserved": [{"tools": ["pay/*"], "policies": ["pay"]}],
    "required": ["pay"],
    "observe_until": "2026-12-24",
    "paths": {"fold_case": True, "windows": False},
}
GOOD: Final = {"policy": POLICY, "exceptions": EXCEPTIONS, "catalog": CATALOG, "tests": TESTS, "fixtures": FIXTURES}
