"""The codes about types, CEL3xx."""

from __future__ import annotations

from typing import Final

from docs.generate.diagnostics.entry import Entry
from oap_core.cel.codes import LoadCode

ENTRIES: Final = (
    Entry(
        LoadCode.NO_OVERLOAD,
        "The operator or function does not take values of these types.",
        "args.amount * 1.5 <= 300.0",
        "double(args.amount) * 1.5 <= 300.0",
        "It would be an error on every call. Numbers of different types can be compared and not computed with, since the "
        "result would have to be one of the two types, and either choice loses something.",
    ),
    Entry(
        LoadCode.NOT_BOOLEAN,
        "The condition of a rule has to be true or false, and this has another type.",
        "args.amount",
        "args.amount > 0",
        "Other languages take some values for true. Which ones differs, so CEL takes none.",
    ),
    Entry(
        LoadCode.UNKNOWN_FIELD,
        "The schema declares no field of this name.",
        "args.amuont <= 200",
        "args.amount <= 200",
        "A misspelt field is absent on every call. Asking with `has()` would hide that: the answer is always no.",
    ),
    Entry(
        LoadCode.MAYBE_ABSENT,
        "The schema says that this field is optional, and nothing here asks whether it is there.",
        'args.ticket.startsWith("T-")',
        'has(args.ticket) && args.ticket.startsWith("T-")',
        "Where the field is absent, reading it is an error, and an error counts against the call. Say what should hold "
        "then: `has(x) && ...` does not match without the field, `!has(x) || ...` does.",
    ),
    Entry(
        LoadCode.NEVER_EQUAL,
        "The two sides can never be equal: by their types, because the schema lists the values and this is none of them, "
        "or because a whole number is compared with a fraction. So the comparison has the same result on every call.",
        'tool.reach == "reed"',
        'tool.reach == "read"',
        "The condition looks as if it tested something and does not. Compared with `!=`, it would match everything. In a "
        "list behind `in`, each member that can never be met is shown.",
    ),
    Entry(
        LoadCode.REGEX,
        "The regular expression is not one that RE2 takes.",
        'args.recipient.matches("^(?!admin@)")',
        '!args.recipient.startsWith("admin@")',
        "RE2 takes time in proportion to the text, whatever the text is. Lookaround and references to groups would make "
        "that impossible, so RE2 does not have them. A second condition does the same.",
    ),
    Entry(
        LoadCode.ALWAYS_FAILS,
        "This part is an error whatever the call is.",
        'domain_within(args.recipient, "*.example.org")',
        'domain_within(args.recipient, "example.org")',
        "An argument that is written out is tried when the policy is loaded, and here the function refuses it whatever the "
        "other arguments are. It is shown also where `&&`, `||` or `? :` might never reach it, since nobody means it. A "
        "division by zero, and a constant of the policy that a function refuses, are shown only where nothing around them "
        "could keep them from being reached.",
    ),
)
