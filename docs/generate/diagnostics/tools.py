"""The codes about tools and their catalog, OAP4xx."""

from __future__ import annotations

from typing import Final

from docs.generate.diagnostics.examples import REFUND, TOOLS, catalog, policy
from docs.generate.diagnostics.project import FileEntry
from oap_core.diagnostic import Severity
from oap_core.policy.codes import FileCode

ENTRIES: Final = (
    FileEntry(
        FileCode.UNKNOWN_TOOL,
        "A rule, an exception or a test names a tool that the catalog does not have.",
        (
            policy("""\
                rules:
                  - id: refund-cap
                    match: {tools: [payments/refnd]}
                    when: args.amount > 500
                    effect: deny
                """),
        ),
        (
            policy("""\
                rules:
                  - id: refund-cap
                    match: {tools: [payments/refund]}
                    when: args.amount > 500
                    effect: deny
                """),
        ),
        "A misspelt tool leaves the rule without any call to judge. If the tool is new, enter it into the catalog first: "
        "that is where somebody looks at what it does.",
        beside=(TOOLS,),
    ),
    FileEntry(
        FileCode.REPEATED_TOOL,
        "The catalog has a tool twice, in one file or in two.",
        (
            REFUND,
            catalog("""\
                tools:
                  - id: payments/refund
                    reach: write
                  - id: payments/refund
                    reach: read
                """),
        ),
        (
            REFUND,
            catalog("""\
                tools:
                  - id: payments/refund
                    reach: write
                """),
        ),
        "The two entries say different things about one tool, and rules would depend on which of them counts.",
    ),
    FileEntry(
        FileCode.SCHEMA,
        "`input_schema` or `output_schema` is no JSON Schema, or the arguments are not described as an object.",
        (
            REFUND,
            catalog("""\
                tools:
                  - id: payments/refund
                    input_schema: {type: array}
                """),
        ),
        (
            REFUND,
            catalog("""\
                tools:
                  - id: payments/refund
                    input_schema: {type: object, properties: {amount: {type: integer}}}
                """),
        ),
        "Conditions are checked against the schema. With one that means nothing, no misspelt argument would be found. "
        "[JSON Schema](../json-schema.md) says which words are read.",
    ),
    FileEntry(
        FileCode.ARGUMENTS,
        "A test calls a tool with an argument that its schema does not have.",
        (
            policy("""\
                rules:
                  - id: refund
                    match: {tools: [payments/refund]}
                    when: args.amount <= 50
                    effect: allow
                tests:
                  - name: a refund without an amount
                    call: {tool: payments/refund, args: {ammount: 20}}
                    expect: {verdict: deny, by: [default], unjudged: true}
                """),
        ),
        (
            policy("""\
                rules:
                  - id: refund
                    match: {tools: [payments/refund]}
                    when: args.amount <= 50
                    effect: allow
                tests:
                  - name: a refund without an amount
                    call: {tool: payments/refund, args: {}}
                    expect: {verdict: deny, by: [default], unjudged: true}
                """),
        ),
        "A misspelt argument is absent for the rules, so the test shows something else than it says. If that is what it is "
        "about, leave it: it is a warning.",
        beside=(TOOLS,),
        severity=Severity.WARNING,
    ),
)
