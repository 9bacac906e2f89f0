"""Promises about operation: the watchdog, teardown, the panic barrier, MCP sources, unknown outcomes, observability."""

from __future__ import annotations

from typing import Final

from tests.promises.entry import Changed, Group, Guarantee
from tests.promises.parts import (
    APPROVALS,
    BARRIER,
    BREAKER,
    EVENTS,
    FROZEN_SET,
    HOOKS,
    JOURNAL,
    LOOP,
    RECORDS,
    RECOVERY,
    SOURCES,
    TELEMETRY,
    UNKNOWN_OUTCOMES,
    WATCHDOG,
)

GROUPS: Final = (
    Group(
        "G20",
        "Watchdog and loud failure",
        (
            Guarantee("S3-31", "Every human-approval wait is bounded.", APPROVALS),
            Guarantee(
                "S3-32",
                "A silence watchdog, separate from the runner, notices a turn that goes quiet.",
                WATCHDOG,
            ),
            Guarantee("S3-33", "It fails loudly rather than stalling.", WATCHDOG),
            Guarantee(
                "D-107",
                "Progress (events, tool heartbeats, stream chunks) re-arms it; a declared expected duration extends "
                "it up to a cap.",
                WATCHDOG,
            ),
            Guarantee("D-108", "Waiting for a human is not silence; that wait has its own bound.", WATCHDOG),
            Guarantee("D-109", "Warn first, then time out; each once per silence.", WATCHDOG),
            Guarantee(
                "D-110",
                "If a tool body cannot be stopped, the run ends as stalled with that call uncertain; it is not "
                "reported as failed cleanly.",
                WATCHDOG,
            ),
        ),
    ),
    Group(
        "G21",
        "Tool assembly and teardown",
        (
            Guarantee("S0-85", "Tools are assembled in a fixed order.", FROZEN_SET),
            Guarantee("S0-86", "All tools share one flat namespace.", FROZEN_SET),
            Guarantee(
                "S0-87",
                "Any name collision aborts the run rather than shadowing, so no gated tool can lose its gate.",
                FROZEN_SET,
            ),
            Guarantee(
                "D-111",
                "Order: application, remote, MCP by configured server order, custom by name, built-ins.",
                FROZEN_SET,
            ),
            Guarantee(
                "D-112",
                "A live re-listing that collides keeps the old tool and reports the skipped one, since the run cannot"
                " be aborted by a server.",
                SOURCES,
            ),
            Guarantee("D-113", "Teardown closes stores, then fires run_end.", HOOKS),
        ),
    ),
    Group(
        "G22",
        "Panic barrier",
        (
            Guarantee(
                "S0-88",
                "The barrier unwinds before the telemetry spans, so spans see the substituted error.",
                BARRIER,
            ),
            Guarantee("S0-89", "The stack is captured before any caller code runs.", BARRIER),
            Guarantee("S0-90", "run_end fires exactly once.", BARRIER),
            Guarantee("S0-91", "The stack is given to the event sink under its own guard.", BARRIER),
            Guarantee("S0-92", "The caller gets a PanicError in place of the raw error.", BARRIER),
            Guarantee("S0-93", "The stack is not on that error, because it may cross to a remote peer.", BARRIER),
            Guarantee("S0-94", "It covers the run's own thread/task only, not fatal interpreter errors.", BARRIER),
            Guarantee(
                "D-114",
                "A panic leaves the terminal reason unset and the journal at its last committed record.",
                BARRIER,
            ),
        ),
    ),
    Group(
        "G23",
        "MCP advisories and set swaps",
        (
            Guarantee(
                "S0-95",
                "Advisories from other threads go to a locked queue that the loop empties where it takes tools for a "
                "model call.",
                SOURCES,
            ),
            Guarantee("S0-96", "So an advisory arrives with the call that carries the set it is about.", SOURCES),
            Guarantee("D-115", "The new set is published before its advisory is queued.", SOURCES),
            Guarantee(
                "D-116",
                "Advisory says added, redefined, removed, skipped; no change means no advisory.",
                SOURCES,
            ),
            Guarantee("D-117", "A failed re-listing is an advisory and leaves the set as it was.", SOURCES),
        ),
    ),
    Group(
        "G25",
        "Outcome unknown and retries",
        (
            Guarantee("S1-35", "A failed read may be retried.", UNKNOWN_OUTCOMES),
            Guarantee(
                "S1-36",
                "Writes, external MCP calls and form submissions may already have had an effect.",
                UNKNOWN_OUTCOMES,
            ),
            Guarantee(
                "S1-37",
                'If the connection breaks before the result, the only truthful report is "outcome unknown".',
                UNKNOWN_OUTCOMES,
            ),
            Guarantee("S1-38", "The action is not repeated automatically.", UNKNOWN_OUTCOMES),
            Guarantee("S1-39", "The right next step is to inspect the real environment.", UNKNOWN_OUTCOMES),
            Guarantee("S2-13", "Only calls declared compatible run concurrently.", LOOP),
            Guarantee("S2-12", "Results keep call order even when calls ran concurrently.", LOOP),
            Guarantee(
                "D-120",
                "Tool annotations from a server (read-only, idempotent) are hints: trusted only if the operator says "
                "so.",
                SOURCES,
            ),
            Guarantee(
                "D-121",
                "An idempotent tool is re-dispatched after a crash only with the same idempotency key.",
                RECOVERY,
            ),
            Guarantee("D-122", "Breaker and error rate treat outcome_unknown as its own class.", BREAKER),
        ),
    ),
    Group(
        "G28",
        "Wire contract and observability",
        (
            Guarantee("S2-50", "Clients can observe status and phase.", EVENTS),
            Guarantee(
                "S2-51",
                "A defined table says which continuation requests are accepted in which phase.",
                RECOVERY,
            ),
            Guarantee(
                "D-126",
                "Status (outcome of one invocation) and phase (recovery boundary) are separate fields.",
                EVENTS,
            ),
            Guarantee(
                "D-127",
                "Events carry run id, session id, own sequence increasing per worker, schema version.",
                EVENTS,
            ),
            Guarantee(
                "D-128",
                "run_finished is sent once per admitted run, after edits and final save, with durable flag and "
                "can_continue.",
                EVENTS,
            ),
            Guarantee(
                "D-129",
                "Rejected input gives input_rejected with the request id and code and starts no run.",
                EVENTS,
            ),
            Guarantee(
                "D-130",
                "Nothing model-controlled becomes a metric label or span name; exit label, kind, gate name come from "
                "closed sets.",
                TELEMETRY,
            ),
            Guarantee(
                "D-131",
                "structlog entries for gate decisions carry run id, call id, gate, verdict, rule id and never raw "
                "arguments unless content capture is on.",
                Changed(
                    8,
                    "Records of decisions carry the arguments as the rules saw them after masking, and a keyed digest"
                    " of each masked value; where masking fails they carry digests alone.",
                    RECORDS,
                ),
            ),
            Guarantee("D-132", "Reconnecting or reading state starts no run.", JOURNAL),
        ),
    ),
)
