"""The codes about the keys of a file, OAP2xx."""

from __future__ import annotations

from typing import Final

from docs.generate.diagnostics.examples import policy
from docs.generate.diagnostics.project import File, FileEntry
from oap_core.policy.codes import FileCode

ENTRIES: Final = (
    FileEntry(
        FileCode.UNKNOWN_KEY,
        "No key of this name can stand here.",
        (
            policy("""\
                rules:
                  - id: refund
                    effect: allow
                    wehn: args.amount <= 50
                """),
        ),
        (
            policy("""\
                rules:
                  - id: refund
                    effect: allow
                    when: args.amount <= 50
                """),
        ),
        "Without the misspelt key, this rule would allow every refund. A key that narrows a rule makes it wider when it is "
        "dropped. [The format](../policy-format.md) lists every key.",
    ),
    FileEntry(
        FileCode.MISSING_KEY,
        "A key that has to be there is not.",
        (
            policy("""\
                rules:
                  - id: refund-cap
                    when: args.amount > 500
                """),
        ),
        (
            policy("""\
                rules:
                  - id: refund-cap
                    effect: deny
                    when: args.amount > 500
                """),
        ),
        "Whatever this program took instead would be a guess about what its author wanted.",
    ),
    FileEntry(
        FileCode.WRONG_TYPE,
        "The value has another type than the key asks for.",
        (
            policy("""\
                rules:
                  - id: refund
                    match: {tools: payments/refund}
                    effect: allow
                """),
        ),
        (
            policy("""\
                rules:
                  - id: refund
                    match: {tools: [payments/refund]}
                    effect: allow
                """),
        ),
        "Nothing is converted, since a converted value may mean something else: `1` is not true, and a text is no list of "
        "its characters. A key that is left empty is told here as well, since an empty `when` would hold for every call.",
    ),
    FileEntry(
        FileCode.BAD_VALUE,
        "The value is of the right type and not one that can stand here: a word that the key does not know, a malformed "
        "name, pattern, date or duration, a number out of range.",
        (
            policy("""\
                rules:
                  - id: refund-cap
                    effect: deny
                    severity: urgent
                """),
        ),
        (
            policy("""\
                rules:
                  - id: refund-cap
                    effect: deny
                    severity: high
                """),
        ),
        "The message says what can stand here. [The format](../policy-format.md) says it for every key.",
    ),
    FileEntry(
        FileCode.UNKNOWN_KIND,
        "The file does not say what it is, or says something that this version does not know. Every file begins with "
        "`apiVersion` and `kind`.",
        (
            File(
                "policies/payments.yaml",
                "apiVersion: oap/v1\n"
                "kind: Polcy\n"
                "metadata: {name: payments, owner: payments-risk}\n"
                "rules:\n"
                "  - id: refund-cap\n"
                "    effect: deny\n",
            ),
        ),
        (
            policy("""\
                rules:
                  - id: refund-cap
                    effect: deny
                """),
        ),
        "Files in a policy folder are never skipped, because one of them might hold a wall. YAML files that are something "
        "else lie in another folder, or in one whose name begins with a point.",
    ),
)
