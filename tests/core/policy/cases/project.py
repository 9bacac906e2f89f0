"""A small project that the tests of tests are about: every kind of rule, a catalog, an exception and fixtures."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from oap_core.policy.cases import Prepared, prepare
from oap_core.project import Project, load_project

NOW: Final = datetime(2026, 6, 1, tzinfo=UTC)

CONFIG: Final = """\
plugins: [oap-authorization]
catalog: [catalog.yaml]
subject: {attributes: {team: {type: string, optional: true}}}
session:
  attributes:
    case_id: {type: string}
    depth: {type: integer, optional: true}
    tier: {type: string, enum: [gold, plain], optional: true}
    path: {type: array, items: {type: object, properties: {x: {type: number}}}, optional: true}
"""

CATALOG: Final = """\
apiVersion: oap/v1
kind: Catalog
metadata: {name: tools, owner: risk}
tools:
  - id: pay/refund
    reach: write
    input_schema:
      type: object
      properties: {case_id: {type: string}, amount: {type: number}, memo: {type: string}}
      required: [case_id, amount]
      additionalProperties: false
  - {id: pay/status, reach: read}
  - {id: pay/payout, reach: write}
"""

POLICY: Final = """\
apiVersion: oap/v1
kind: Policy
metadata: {name: pay, owner: risk}
match: {tools: [pay/*]}
constants: {ask_above: 50, most: 500}
rules:
  - {id: look, match: {tools: [pay/status]}, effect: allow}
  - id: refund
    match: {tools: [pay/refund]}
    when: args.case_id == session.case_id
    effect: allow
  - id: large
    match: {tools: [pay/refund]}
    when: args.amount > constants.ask_above
    effect: ask
    message: "Above {constants.ask_above} somebody is asked."
  - id: cap
    match: {tools: [pay/refund]}
    when: args.amount > constants.most
    effect: deny
    waivable: true
    message: "{args.amount} is more than {constants.most}."
  - {id: never, match: {tools: [pay/payout]}, effect: deny}
  - {id: mark, match: {tools: [pay/refund]}, when: args.amount == 13, effect: observe}
  - id: night
    match: {tools: [pay/refund]}
    mode: shadow
    when: now.getHours("UTC") >= 22
    effect: ask
  - {id: no-secrets, stage: result, when: result.text.contains("secret"), effect: deny}
  - id: parts
    match: {tools: [pay/refund]}
    when: has(args.memo) && args.memo.split("-")[1] == "x"
    effect: deny
"""

PROMPTS: Final = """\
apiVersion: oap/v1
kind: Policy
metadata: {name: prompts, owner: risk}
rules:
  - {id: no-orders, stage: prompt, when: prompt.text.contains("ignore"), effect: deny}
  - {id: look, match: {tools: [pay/status]}, effect: allow}
"""

EXCEPTIONS: Final = """\
apiVersion: oap/v1
kind: Exceptions
metadata: {name: waivers, owner: risk}
exceptions:
  - id: EX-1
    waives: [pay/cap]
    when: subject.id == "vip"
    reason: An outage.
    approved_by: somebody
    expires: 2026-12-31T00:00:00Z
"""

FIXTURES: Final = """\
fixtures:
  own: {case_id: C1}
  large: 80
  list: [1, 2]
  long: "${repeat:ab:3}"
"""

HEAD: Final = """\
apiVersion: oap/v1
kind: PolicyTest
policies: [pay]
tests:
"""


def project(folder: Path, tests: str) -> Project:
    """The project with one file of tests, whose list begins in line 5."""
    (folder / "policies" / "tests").mkdir(parents=True, exist_ok=True)
    for name, text in {
        "oap.yaml": CONFIG,
        "catalog.yaml": CATALOG,
        "policies/pay.yaml": POLICY,
        "policies/prompts.yaml": PROMPTS,
        "policies/exceptions.yaml": EXCEPTIONS,
        "policies/fixtures.yaml": FIXTURES,
        "policies/tests/pay_test.yaml": HEAD + tests,
    }.items():
        (folder / name).write_text(text, encoding="utf-8")
    return load_project(folder / "oap.yaml", folder, NOW)


def prepared(folder: Path, tests: str) -> tuple[Project, Prepared]:
    """The project, and its tests made ready."""
    loaded = project(folder, tests)
    assert loaded.rules is not None, loaded.diagnostics
    return loaded, prepare(loaded.assembled.tests, loaded.rules, loaded.config.base)
