"""Rule sets from a few lines of YAML, and calls to put before them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final

from oap_core.frozen import freeze_object
from oap_core.names import RuleAddress, ToolId
from oap_core.policy.assemble import Assembled, assemble
from oap_core.policy.catalog import ToolDefinition
from oap_core.policy.facts import Facts, SessionFacts
from oap_core.policy.judge import Judged
from oap_core.policy.load import read
from oap_core.policy.ruleset import RuleSet
from oap_core.policy.setup import Setup
from oap_core.types import Reach, Stage, Subject, ToolCall, ToolResult
from tests.core.policy.worlds import EFFECTS

__all__ = ["NOW", "SETUP", "assembled", "call", "catalog", "codes", "decide", "exceptions", "policy", "rules", "tool"]

NOW: Final = datetime(2026, 6, 1, 12, tzinfo=UTC)
SETUP: Final = Setup(effects=EFFECTS)


def policy(text: str, name: str = "p", more: str = "") -> str:
    """A policy file with these rules; `more` are other keys."""
    return f"apiVersion: oap/v1\nkind: Policy\nmetadata: {{name: {name}, owner: somebody}}\n{more}\nrules:\n{text}\n"


def exceptions(text: str, name: str = "x") -> str:
    return f"apiVersion: oap/v1\nkind: Exceptions\nmetadata: {{name: {name}, owner: somebody}}\nexceptions:\n{text}\n"


def catalog(text: str) -> str:
    return f"apiVersion: oap/v1\nkind: Catalog\nmetadata: {{name: c, owner: somebody}}\ntools:\n{text}\n"


def whole(text: str) -> str:
    return text if text.startswith("apiVersion") else policy(text)


def assembled(*texts: str, setup: Setup = SETUP) -> Assembled:
    """What becomes of files; one that does not say what it is holds the rules of the policy `p`."""
    return assemble([read(whole(text), f"{number}.yaml") for number, text in enumerate(texts)], setup)


def rules(*texts: str, setup: Setup = SETUP) -> RuleSet:
    """The rule set of files that are right."""
    found = assembled(*texts, setup=setup)
    assert found.rules is not None, found.diagnostics
    return found.rules


def codes(*texts: str, setup: Setup = SETUP) -> list[str]:
    """The codes of everything that is found in files, warnings included."""
    return [str(one.code) for one in assembled(*texts, setup=setup).diagnostics]


def tool(id: str, schema: dict[str, Any] | None = None, **fields: Any) -> ToolDefinition:
    """A definition as a host gives it."""
    annotations = freeze_object(fields.pop("annotations", {}))
    tags, reach = frozenset(fields.pop("tags", ())), Reach(fields.pop("reach", "unknown"))
    frozen = None if schema is None else freeze_object(schema)
    return ToolDefinition(ToolId(id), frozen, reach=reach, tags=tags, annotations=annotations, **fields)


def call(id: str = "fs/read", args: dict[str, Any] | None = None, **fields: Any) -> Facts:
    """A call of a tool, or what became of it (`result`)."""
    original, result = fields.pop("original", None), fields.pop("result", None)
    fields.setdefault("subject", Subject("kim"))
    fields.setdefault("session", SessionFacts("s1", "test"))
    return Facts(
        Stage.CALL if result is None else Stage.RESULT,
        fields.pop("now", NOW),
        call=ToolCall.of("c1", id, args or {}),
        original=None if original is None else freeze_object(original),
        result=None if result is None else ToolResult.of_text(result),
        **fields,
    )


def prompt(text: str) -> Facts:
    return Facts(Stage.PROMPT, NOW, Subject("kim"), prompt=text)


def decide(rules: RuleSet, facts: Facts, approved: Iterable[str] = (), *, default_approved: bool = False) -> str:
    """The verdict and the rules that made it, as `deny p/a p/b`."""
    return shown(rules.decide(facts, approved=map(RuleAddress, approved), default_approved=default_approved))


def shown(judged: Judged) -> str:
    decision = judged.decision
    names = sorted({str(one.rule.address) for one in decision.deciding})
    return " ".join([decision.verdict.value, *names])


def with_default(default: Any) -> Setup:
    return replace(SETUP, default=default)
