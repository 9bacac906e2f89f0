"""The codes about cost, CEL4xx."""

from __future__ import annotations

from typing import Final

from docs.generate.diagnostics.entry import Entry
from oap_core.cel.codes import LoadCode

ENTRIES: Final = (
    Entry(
        LoadCode.COST,
        "By the sizes that the schema declares, an evaluation may cost more than its budget.",
        "args.items.all(i, args.items.all(j, args.items.all(k, i.price + j.price + k.price <= 600)))",
        "args.items.all(i, i.price <= 200)",
        "Loops within loops multiply. An evaluation that uses up its budget is an error, and an attacker who can choose "
        "the data can choose when. Where no schema declares a size, the estimate assumes one and the budget holds when "
        "the condition runs.",
    ),
)
