"""Rules with the two effects, in policy files that a host loads."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from oap_core import PolicyError, Stage, Subject, ToolCall, ToolResult
from oap_core.policy import Facts
from oap_core.project import load_rules

NOW = datetime(2026, 6, 1, tzinfo=UTC)
HEAD = "apiVersion: oap/v1\nkind: Policy\nmetadata: {name: p, owner: somebody}\nrules:\n"
RULES = """\
- id: read
  match: {tools: [fs/*]}
  when: within(args.path, '/srv/app')
  effect: allow
- id: no-keys
  match: {tools: [fs/*]}
  when: args.path.endsWith('.pem')
  effect: deny
  severity: critical
- {id: no-secrets, stage: result, when: "result.text.contains('SECRET')", effect: deny}
- {id: no-orders, stage: prompt, when: "prompt.text.contains('rm -rf')", effect: deny}
"""


def decided(folder: Path, facts: Facts) -> tuple[str, str | None]:
    (folder / "policies").mkdir(exist_ok=True)
    (folder / "policies" / "p.yaml").write_text(HEAD + RULES, encoding="utf-8")
    decision = load_rules(folder, NOW).decide(facts).decision
    return decision.verdict.value, decision.rule


def call(path: str) -> Facts:
    return Facts(Stage.CALL, NOW, Subject("kim"), call=ToolCall.of("c", "fs/read", {"path": path}))


@pytest.mark.parametrize(
    ("path", "verdict", "rule"),
    [
        ("/srv/app/a.py", "allow", "p/read"),
        ("/srv/app/key.pem", "deny", "p/no-keys"),
        ("/etc/passwd", "deny", "core/default"),
        ("/srv/app/../x", "deny", "core/default"),
    ],
)
def test_a_call(tmp_path: Path, path: str, verdict: str, rule: str) -> None:
    assert decided(tmp_path, call(path)) == (verdict, rule)


def test_a_result_and_a_prompt(tmp_path: Path) -> None:
    told = ToolCall.of("c", "fs/read", {})
    for text, expected in (("fine", ("allow", None)), ("a SECRET", ("deny", "p/no-secrets"))):
        result = Facts(Stage.RESULT, NOW, Subject("kim"), call=told, result=ToolResult.of_text(text))
        assert decided(tmp_path, result) == expected
    assert decided(tmp_path, Facts(Stage.PROMPT, NOW, Subject("kim"), prompt="rm -rf /")) == ("deny", "p/no-orders")


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        ("{id: a, effect: allow, stage: result}", "OAP304"),
        ("{id: a, effect: allow, with: {x: 1}}", "OAP201"),
        ("{id: a, effect: deny, with: {x: 1}}", "OAP201"),
        ("{id: a, effect: allow, waivable: true}", "OAP310"),
        ("{id: a, effect: deny, expires: '2027-01-01T00:00:00Z'}", "OAP305"),
        ("{id: a, effect: allow, when: \"'x' in session.labels\"}", "OAP308"),
        ("{id: a, effect: deny, when: \"!('x' in session.labels)\"}", "OAP309"),
        ("{id: a, effect: Deny}", "OAP303"),
    ],
)
def test_what_a_rule_with_one_of_them_cannot_say(tmp_path: Path, rule: str, code: str) -> None:
    (tmp_path / "policies").mkdir()
    (tmp_path / "policies" / "p.yaml").write_text(f"{HEAD}- {rule}\n", encoding="utf-8")
    with pytest.raises(PolicyError) as raised:
        load_rules(tmp_path, NOW)
    assert code in {str(one.code) for one in raised.value.diagnostics}
