"""The promise list of OAP: every required behaviour, and how it stands today.

The requirements have ids such as `S0-12` (stated in the documents that OAP was asked for by) and `D-017` (derived from
them). Their sentences keep the words of those documents, where a *grant* is what OAP calls an approval and the *effect*
of a tool is what OAP calls its reach. Promises of our own have ids such as `cel-no-wrong-value`.

To prove a promise, mark a test with `@pytest.mark.guarantee("S0-12")` and turn the entry into
`Tested(("tests/core/test_x.py::test_name",))`. `tests/core/test_guarantees.py` holds both directions together: an entry
without its tests fails, and so does a marker without its entry. `docs/reference/guarantees.md` is generated from here.
"""

from __future__ import annotations

from typing import Final

from tests.promises import approvals, call, decisions, gates, journal, loop, operation, own, results, run
from tests.promises.entry import Changed, Deferred, Group, Guarantee, Tested

__all__ = ["GROUPS", "GUARANTEES", "OWN", "REQUIREMENTS", "Changed", "Deferred", "Group", "Guarantee", "Tested"]

REQUIREMENTS: Final[tuple[Group, ...]] = tuple(
    sorted(
        (
            *loop.GROUPS,
            *call.GROUPS,
            *approvals.GROUPS,
            *journal.GROUPS,
            *run.GROUPS,
            *results.GROUPS,
            *gates.GROUPS,
            *operation.GROUPS,
        ),
        key=lambda group: int(group.id.removeprefix("G")),
    )
)
OWN: Final[tuple[Group, ...]] = own.GROUPS + decisions.GROUPS
GROUPS: Final[tuple[Group, ...]] = REQUIREMENTS + OWN
GUARANTEES: Final[tuple[Guarantee, ...]] = tuple(guarantee for group in GROUPS for guarantee in group.guarantees)
