"""The codes about rules beside each other: exceptions, reservations, what is shared and what it costs, OAP310 and on."""

from __future__ import annotations

from typing import Final

from docs.generate.diagnostics.examples import REFUND, config, exceptions, policy
from docs.generate.diagnostics.project import File, FileEntry
from oap_core.diagnostic import Severity
from oap_core.policy.codes import FileCode
from oap_core.policy.limits import TOOL_UNITS

_CAP: Final = policy("""\
    rules:
      - id: refund-cap
        match: {tools: [payments/refund]}
        when: args.amount > 500
        effect: deny
        waivable: true
    """)


def _many(count: int) -> File:
    lines = [
        f"  - {{id: doubled-{number:02}, effect: deny, when: "
        f'"args.items.exists(i, args.items.exists(j, i.sku == j.sku && i.line != {number}))"}}'
        for number in range(1, count + 1)
    ]
    return policy("\n".join(["match: {tools: [payments/refund]}", "rules:", *lines, ""]))


def _exception(id: str, waives: str, expires: str) -> str:
    return (
        f"  - id: {id}\n"
        f"    waives: [{waives}]\n"
        '    when: subject.id == "agent:vip-desk" && args.amount <= 900\n'
        "    reason: Compensation after the outage of 12 November.\n"
        "    approved_by: j.doe\n"
        f"    expires: {expires}\n"
    )


_LATER: Final = "2026-12-31T23:59:59Z"

ENTRIES: Final = (
    FileEntry(
        FileCode.NOT_WAIVABLE,
        "An exception lifts a rule that is not `waivable`, or a rule says `waivable` that stops nothing.",
        (
            policy("""\
                rules:
                  - id: refund-cap
                    match: {tools: [payments/refund]}
                    when: args.amount > 500
                    effect: deny
                """),
            exceptions(f"exceptions:\n{_exception('EX-41', 'payments/refund-cap', _LATER)}"),
        ),
        (_CAP, exceptions(f"exceptions:\n{_exception('EX-41', 'payments/refund-cap', _LATER)}")),
        "Whether a wall or a gate may be lifted at all is for its owner to say, in the policy. Exceptions are written by "
        "others, and often in a hurry.",
    ),
    FileEntry(
        FileCode.UNKNOWN_RULE,
        "There is no rule with this address, in an exception or in the expectation of a test.",
        (_CAP, exceptions(f"exceptions:\n{_exception('EX-41', 'payments/refund-max', _LATER)}")),
        (_CAP, exceptions(f"exceptions:\n{_exception('EX-41', 'payments/refund-cap', _LATER)}")),
        "An exception for a rule that was renamed lifts nothing any more, and a test that names it checks nothing. Both "
        "should be told at once, and not by whoever runs into the wall.",
    ),
    FileEntry(
        FileCode.NEVER_APPLIES,
        "A rule, or an exception, speaks about no call that there could be: its selection of tools and that of its policy "
        "have nothing in common, no tool of the catalog fits, or its condition names tools that it does not select.",
        (
            policy("""\
                match: {tools: [payments/*]}
                rules:
                  - id: no-payouts
                    match: {tools: [payment/payout]}
                    effect: deny
                """),
        ),
        (
            policy("""\
                match: {tools: [payments/*]}
                rules:
                  - id: no-payouts
                    match: {tools: [payments/payout]}
                    effect: deny
                """),
        ),
        "A wall that never matches looks the same as one that does, until somebody needs it.",
    ),
    FileEntry(
        FileCode.RESERVED_TOOL,
        "A grant can open a tool that the configuration reserves for other policies.",
        (
            policy("""\
                rules:
                  - id: everything
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
        "Many teams may write policies for one host. A reservation says who may open what, and no policy can take it back. "
        "Walls and gates may speak about reserved tools all the same, since they only tighten.",
        beside=(
            config("""\
                reserved:
                  - tools: [shell/*]
                    policies: [shell]
                """),
            File(
                "policies/shell.yaml",
                "apiVersion: oap/v1\n"
                "kind: Policy\n"
                "metadata: {name: shell, owner: platform-security}\n"
                "rules:\n"
                "  - id: no-shell\n"
                "    match: {tools: [shell/*]}\n"
                "    effect: deny\n",
            ),
        ),
    ),
    FileEntry(
        FileCode.REQUIRED_POLICY,
        "The configuration says that a policy has to be there, and no file has its name.",
        (config("required: [payments, mail]\n"), REFUND),
        (config("required: [payments]\n"), REFUND),
        "A deployment that forgot a file would run without its walls. Nothing starts until the file is there, or the "
        "configuration no longer asks for it.",
    ),
    FileEntry(
        FileCode.CIRCULAR_VARIABLE,
        "A variable reads itself, by itself or through others.",
        (
            policy("""\
                variables:
                  small: args.amount <= 50 || variables.usual
                  usual: variables.small && args.currency == "EUR"
                rules:
                  - id: refund
                    effect: allow
                    when: variables.usual
                  - id: refund-cap
                    effect: deny
                    when: "!variables.small"
                """),
        ),
        (
            policy("""\
                variables:
                  small: args.amount <= 50
                  usual: variables.small && args.currency == "EUR"
                rules:
                  - id: refund
                    effect: allow
                    when: variables.usual
                  - id: refund-cap
                    effect: deny
                    when: "!variables.small"
                """),
        ),
        "A variable is evaluated when something reads it, so its evaluation would never end.",
    ),
    FileEntry(
        FileCode.CONFUSABLE,
        "A word has letters that look like others: it mixes scripts, or looks like the name of a known tool and is spelt "
        "in another way. In the line below, the first `a` is the Cyrillic one. In a policy it is a warning, in a catalog "
        "an error.",
        (
            policy("""\
                rules:
                  - id: no-payouts
                    match: {tools: [p\N{CYRILLIC SMALL LETTER A}yments/payout]}
                    effect: deny
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
        "Names of tools come from servers of others. One that only looks like a name that you know is a way around a rule, "
        "and nobody sees it in a review.",
        severity=Severity.WARNING,
    ),
    FileEntry(
        FileCode.TIME_ENDS_WALL,
        "The condition of a wall or a gate stops holding for good when `now` passes a fixed moment.",
        (
            policy("""\
                rules:
                  - id: no-payouts
                    match: {tools: [payments/payout]}
                    when: now < timestamp("2027-01-01T00:00:00Z")
                    effect: deny
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
        "That is an expiry in other words, and the passing of time should open nothing. Hours of the day come round again "
        "and are fine. If it is meant, leave it: it is a warning.",
        severity=Severity.WARNING,
    ),
    FileEntry(
        FileCode.COST_OF_TOOL,
        f"The conditions of all rules that speak about one tool may cost more than {TOOL_UNITS:,} units together. Each by "
        "itself stays within its budget.",
        (_many(26),),
        (
            policy(f"""\
                match: {{tools: [payments/refund]}}
                constants:
                  lines: {list(range(1, 27))}
                rules:
                  - id: doubled
                    effect: deny
                    when: |-
                      args.items.exists(i, !(i.line in constants.lines) && args.items.exists(j, i.sku == j.sku))
                """),
        ),
        "Every rule that speaks about a tool is evaluated for each of its calls, so their costs add up, and an attacker "
        "who chooses the data chooses the worst case. The place is that of the most expensive rule. Most often several "
        "rules ask the same thing, and one rule with a list of constants does.",
    ),
    FileEntry(
        FileCode.CONSTANT,
        "A constant has a value that no condition can hold, because it is larger or deeper than "
        "[the data of a call](../limits.md) may be.",
        (),
        (),
        "The condition that reads it would be an error on every call. The bounds of a file are the narrower ones today, so a "
        "file that can be read holds no such value; the code is there in case one of them moves.",
    ),
    FileEntry(
        FileCode.UNUSED,
        "Nothing in the policy reads this constant or variable.",
        (
            policy("""\
                constants:
                  refund_max: 500
                rules:
                  - id: refund-cap
                    when: args.amount > 50
                    effect: deny
                """),
        ),
        (
            policy("""\
                constants:
                  refund_max: 500
                rules:
                  - id: refund-cap
                    when: args.amount > constants.refund_max
                    effect: deny
                """),
        ),
        "Whoever changes the constant believes that something follows. Take it away, or read it where its value is "
        "written out.",
        severity=Severity.WARNING,
    ),
    FileEntry(
        FileCode.REPEATED_EXCEPTION,
        "Two exceptions have the same id, in one file or in two.",
        (
            _CAP,
            exceptions(
                "exceptions:\n"
                + _exception("EX-41", "payments/refund-cap", _LATER)
                + _exception("EX-41", "payments/refund-cap", "2026-12-24T18:00:00Z")
            ),
        ),
        (
            _CAP,
            exceptions(
                "exceptions:\n"
                + _exception("EX-41", "payments/refund-cap", _LATER)
                + _exception("EX-42", "payments/refund-cap", "2026-12-24T18:00:00Z")
            ),
        ),
        "The record of a decision names the exception that lifted a rule. It has to be clear which one that was, who "
        "agreed to it and until when.",
    ),
    FileEntry(
        FileCode.EXPIRED,
        "The end of a rule, of an exception or of `observe_until` has passed. The files were loaded on 1 December 2026.",
        (_CAP, exceptions(f"exceptions:\n{_exception('EX-41', 'payments/refund-cap', '2026-11-30T23:59:59Z')}")),
        (_CAP, exceptions(f"exceptions:\n{_exception('EX-41', 'payments/refund-cap', _LATER)}")),
        "What has ended does nothing any more, and a reader may take it for something that holds. Take it away, or agree "
        "on a new end.",
        severity=Severity.WARNING,
    ),
)
