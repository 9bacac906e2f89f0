"""The codes about tests, OAP5xx."""

from __future__ import annotations

from typing import Final

from docs.generate.diagnostics.examples import policy, tests
from docs.generate.diagnostics.project import File, FileEntry
from oap_core.policy.codes import FileCode

_REFUND: Final = policy("""\
    rules:
      - id: refund
        match: {tools: [payments/refund]}
        when: args.amount <= 500
        effect: allow
      - id: refund-ask
        match: {tools: [payments/refund]}
        when: args.amount > 50
        effect: ask
    """)

ENTRIES: Final = (
    FileEntry(
        FileCode.NO_CASES,
        "The list of tests is empty.",
        (tests("tests: []\n"),),
        (
            tests("""\
                tests:
                  - name: a small refund
                    call: {tool: payments/refund, args: {amount: 20}}
                    expect: {verdict: allow, by: [refund]}
                """),
        ),
        "A run that checks nothing passes, and everybody believes that something was checked.",
        beside=(_REFUND,),
    ),
    FileEntry(
        FileCode.EXPECTATION,
        "The expectation of a test can never come true: it names a rule for a verdict that the rule cannot lead to, or "
        "parts that do not go together.",
        (
            tests("""\
                tests:
                  - name: a small refund
                    call: {tool: payments/refund, args: {amount: 20}}
                    expect: {verdict: allow, by: [refund-ask]}
                """),
        ),
        (
            tests("""\
                tests:
                  - name: a small refund
                    call: {tool: payments/refund, args: {amount: 20}}
                    expect: {verdict: allow, by: [refund]}
                """),
        ),
        "The test would fail whatever the policy says, and its failure would say nothing about the policy. For a known gap, "
        "write what should come out and say `todo: true`.",
        beside=(_REFUND,),
    ),
    FileEntry(
        FileCode.MATRIX,
        "`expect_each` has another number of entries than the matrix has combinations, a name of the matrix is used "
        "nowhere, or there are more cases than are run.",
        (
            tests("""\
                tests:
                  - name: both sides of the limit
                    call: {tool: payments/refund, args: {amount: "${amount}"}}
                    matrix: {amount: [50, 51, 501]}
                    expect_each: [allow, ask]
                """),
        ),
        (
            tests("""\
                tests:
                  - name: both sides of the limit
                    call: {tool: payments/refund, args: {amount: "${amount}"}}
                    matrix: {amount: [50, 51, 501]}
                    expect_each: [allow, ask, deny]
                """),
        ),
        "One case would be left without an expectation, and so would be no test. With several names in a matrix, the last "
        "one varies fastest.",
        beside=(_REFUND,),
    ),
    FileEntry(
        FileCode.FIXTURE,
        "A test says `${name}`, and neither its matrix nor a file `fixtures.yaml` beside or above it has the name; or the "
        "hole is malformed.",
        (
            tests("""\
                tests:
                  - name: the support agent refunds
                    subject: "${suport}"
                    call: {tool: payments/refund, args: {amount: 20}}
                    expect: allow
                """),
        ),
        (
            tests("""\
                tests:
                  - name: the support agent refunds
                    subject: "${support}"
                    call: {tool: payments/refund, args: {amount: 20}}
                    expect: allow
                """),
        ),
        "The text `${suport}` would go into the call as it stands, and the test would be about something that never "
        "happens.",
        beside=(_REFUND, File("policies/fixtures.yaml", 'fixtures:\n  support: {id: "agent:support"}\n')),
    ),
    FileEntry(
        FileCode.REPEATED_CASE,
        "Two tests of one file have the same name.",
        (
            tests("""\
                tests:
                  - name: a refund
                    call: {tool: payments/refund, args: {amount: 20}}
                    expect: allow
                  - name: a refund
                    call: {tool: payments/refund, args: {amount: 60}}
                    expect: ask
                """),
        ),
        (
            tests("""\
                tests:
                  - name: a small refund
                    call: {tool: payments/refund, args: {amount: 20}}
                    expect: allow
                  - name: a refund above the limit
                    call: {tool: payments/refund, args: {amount: 60}}
                    expect: ask
                """),
        ),
        "When one of them fails, its name should say which.",
        beside=(_REFUND,),
    ),
)
