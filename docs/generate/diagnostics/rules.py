"""The codes about single rules, OAP301 to OAP309."""

from __future__ import annotations

from typing import Final

from docs.generate.diagnostics.examples import REFUND, policy
from docs.generate.diagnostics.project import File, FileEntry
from oap_core.policy.codes import FileCode

ENTRIES: Final = (
    FileEntry(
        FileCode.REPEATED_RULE,
        "Two rules of one policy have the same id.",
        (
            policy("""\
                rules:
                  - id: refund-cap
                    match: {tools: [payments/refund]}
                    effect: deny
                  - id: refund-cap
                    match: {tools: [payments/payout]}
                    effect: deny
                """),
        ),
        (
            policy("""\
                rules:
                  - id: refund-cap
                    match: {tools: [payments/refund]}
                    effect: deny
                  - id: payout-cap
                    match: {tools: [payments/payout]}
                    effect: deny
                """),
        ),
        "A rule is named in decisions, tests and exceptions as `policy/rule`. With two of one name, an exception for one "
        "of them would lift the other as well.",
    ),
    FileEntry(
        FileCode.REPEATED_POLICY,
        "Two policies have the same name. The name of the file does not matter.",
        (
            REFUND,
            File(
                "policies/mail.yaml",
                "apiVersion: oap/v1\n"
                "kind: Policy\n"
                "metadata: {name: payments, owner: data-protection}\n"
                "rules:\n"
                "  - id: no-mail\n"
                "    match: {tools: [mail/*]}\n"
                "    effect: deny\n",
            ),
        ),
        (
            REFUND,
            File(
                "policies/mail.yaml",
                "apiVersion: oap/v1\n"
                "kind: Policy\n"
                "metadata: {name: mail, owner: data-protection}\n"
                "rules:\n"
                "  - id: no-mail\n"
                "    match: {tools: [mail/*]}\n"
                "    effect: deny\n",
            ),
        ),
        "The name is the first part of the address of each rule, and what the configuration reserves tools for.",
    ),
    FileEntry(
        FileCode.UNKNOWN_EFFECT,
        "No enabled plugin offers this effect. The core offers `ask` and `observe`; `allow` and `deny` come from "
        "`oap-authorization`.",
        (
            policy("""\
                rules:
                  - id: refund-cap
                    effect: dney
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
        "A rule whose effect nobody carries out would do nothing. Where a plugin of ours offers the effect, the help names "
        "it; install it and enter it under `plugins` in the [configuration](../configuration.md).",
    ),
    FileEntry(
        FileCode.STAGE,
        "The effect cannot stand at the stage that the rule names. [Effects](../effects.md) lists the stages of each.",
        (
            policy("""\
                rules:
                  - id: show-status
                    stage: result
                    match: {tools: [payments/status]}
                    effect: allow
                """),
        ),
        (
            policy("""\
                rules:
                  - id: show-status
                    match: {tools: [payments/status]}
                    effect: allow
                """),
        ),
        "Results and prompts need no grant: they are shown unless a rule withholds them. So an `allow` there would only "
        "look as if it did something.",
    ),
    FileEntry(
        FileCode.EXPIRY_LOOSENS,
        "`expires` stands on a rule that stops calls, or that changes what is seen.",
        (
            policy("""\
                rules:
                  - id: no-payouts
                    match: {tools: [payments/payout]}
                    effect: deny
                    expires: 2026-12-31T23:59:59Z
                """),
        ),
        (
            policy("""\
                rules:
                  - id: no-payouts
                    match: {tools: [payments/payout]}
                    effect: deny
                """),
        ),
        "The passing of time never opens anything. A wall goes when somebody takes it away, in a change that others "
        "review; `metadata.review` says when to look at it again. Grants, exceptions and rules in shadow mode can expire.",
    ),
    FileEntry(
        FileCode.MESSAGE_HOLE,
        "The braces of a `message` or a `note` do not fit together. What stands in braces is CEL; a brace that is meant is "
        "written twice.",
        (
            policy("""\
                rules:
                  - id: refund-cap
                    effect: deny
                    message: "Amounts above {args.limit are for people."
                """),
        ),
        (
            policy("""\
                rules:
                  - id: refund-cap
                    effect: deny
                    message: "Amounts above {args.limit} are for people."
                """),
        ),
        "The message tells the model what would help. With a hole that cannot be filled, it would tell nonsense.",
    ),
    FileEntry(
        FileCode.RESULT_IN_MESSAGE,
        "A `message` quotes the result of a tool.",
        (
            policy("""\
                rules:
                  - id: no-errors
                    stage: result
                    match: {tools: [payments/status]}
                    when: result.is_error
                    effect: deny
                    message: "The tool said {result.text}"
                """),
        ),
        (
            policy("""\
                rules:
                  - id: no-errors
                    stage: result
                    match: {tools: [payments/status]}
                    when: result.is_error
                    effect: deny
                    message: The tool failed. Try again later.
                    note: "The tool said {result.text}"
                """),
        ),
        "A message reaches the model as words of this program, outside the wrap that marks what came from a tool. A result "
        "may hold orders that somebody planted there. `note` goes to the operator and to the record alone.",
    ),
    FileEntry(
        FileCode.LABELS_IN_GRANT,
        "A grant, an exception or a rule that changes what is seen reads `session.labels`. Only walls and gates may.",
        (
            policy("""\
                rules:
                  - id: refund
                    match: {tools: [payments/refund]}
                    when: '"verified" in session.labels'
                    effect: allow
                """),
        ),
        (
            policy("""\
                rules:
                  - id: refund
                    match: {tools: [payments/refund]}
                    effect: allow
                  - id: no-refund-after-untrusted
                    match: {tools: [payments/refund]}
                    when: '"untrusted" in session.labels'
                    effect: deny
                """),
        ),
        "Results leave labels, and whoever writes the results could earn a grant with them. Labels only grow, so what "
        "depends on them may only become stricter. That somebody was verified is for the host to say: as an attribute of "
        "the session.",
    ),
    FileEntry(
        FileCode.LABELS_NEGATED,
        "A wall or a gate reads labels in such a way that one more label could make it stop matching.",
        (
            policy("""\
                rules:
                  - id: no-refund-unless-calm
                    match: {tools: [payments/refund]}
                    when: '!("calm" in session.labels)'
                    effect: deny
                """),
        ),
        (
            policy("""\
                rules:
                  - id: no-refund-after-untrusted
                    match: {tools: [payments/refund]}
                    when: '"untrusted" in session.labels'
                    effect: deny
                """),
        ),
        "Labels only grow, and growing may only tighten. Behind a `!` it would be the other way round: a result that "
        "leaves the right label would open the wall.",
    ),
)
