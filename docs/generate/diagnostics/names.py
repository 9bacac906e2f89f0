"""The codes about names, CEL2xx."""

from __future__ import annotations

from typing import Final

from docs.generate.diagnostics.entry import Entry
from oap_core.cel.codes import LoadCode

ENTRIES: Final = (
    Entry(
        LoadCode.UNKNOWN_VARIABLE,
        "No variable has this name. Texts need quotes, or they are taken for variables.",
        "args.currency == EUR",
        'args.currency == "EUR"',
        "A name that means nothing would be an error on every call. A wall that is always an error refuses everything, and "
        "a grant that is always an error grants nothing.",
    ),
    Entry(
        LoadCode.UNKNOWN_FUNCTION,
        "No function has this name.",
        'args.currency.startWith("E")',
        'args.currency.startsWith("E")',
        "The names are those of CEL, which differ from those of other languages in small ways. [Functions](../functions.md) "
        "lists all of them.",
    ),
    Entry(
        LoadCode.UNKNOWN_CONSTANT,
        "The policy has no constant of this name.",
        "args.amount <= constants.refund_limit",
        "args.amount <= constants.refund_cap",
        "Constants are known when the policy is loaded, so a misspelt one is found then.",
    ),
    Entry(
        LoadCode.CALL_SHAPE,
        "The function exists, and is called in another way: as a method, as a plain function, or with another number of "
        "arguments.",
        'startsWith(args.currency, "E")',
        'args.currency.startsWith("E")',
        "The help shows the call as it has to be written.",
    ),
)
