"""Promises about yes from a person: the confirm step, approvals, parked and deferred calls."""

from __future__ import annotations

from typing import Final

from tests.promises.entry import Group, Guarantee
from tests.promises.parts import APPROVALS, ASK_HUMAN, CONFIGURATION, DEFERRAL, LOOP, PARKING

GROUPS: Final = (
    Group(
        "G6",
        "Confirm gate and grants",
        (
            Guarantee(
                "S0-28",
                "The gate fires when the original tool is gated even if a hook redirected the call to an ungated tool.",
                APPROVALS,
            ),
            Guarantee("S0-29", "The gate fires when only the effective tool is gated.", APPROVALS),
            Guarantee("S0-30", "The gate stays silent when neither is gated.", APPROVALS),
            Guarantee("S0-50", "The confirm gate does not depend on the ask-human feature.", APPROVALS),
            Guarantee("S0-51", "The gate stands in front of tools carrying a gate tag.", APPROVALS),
            Guarantee("S0-52", "It is default-deny: with no prompter it refuses before asking anything.", APPROVALS),
            Guarantee(
                "S0-53",
                "The gate checks prompter, then expired context, and only then standing and one-shot grants.",
                APPROVALS,
            ),
            Guarantee("S0-54", "A grant restored from a journal cannot run a gated tool with nobody present.", PARKING),
            Guarantee("S0-55", "A grant is honoured from the moment it is given.", APPROVALS),
            Guarantee(
                "S0-56",
                "A grant is staged and written only after the call that triggered it is answered or deferred.",
                APPROVALS,
            ),
            Guarantee("S0-57", "A crash between grant and answer loses the grant.", PARKING),
            Guarantee(
                "S0-58",
                "After such a crash the resume asks again for the call it is about to run again.",
                PARKING,
            ),
            Guarantee("S0-59", "There is no standing denial.", APPROVALS),
            Guarantee("S0-60", "A run that ended before the operator answered persists no decision.", APPROVALS),
            Guarantee(
                "S0-61",
                "Two kinds of grant exist, standing (tool, for the conversation) and one-shot (one call id); a one-"
                "shot grant is spent when read.",
                APPROVALS,
            ),
            Guarantee(
                "S1-42",
                "Approvals are handled one by one: an approval covers the call it was shown for unless the operator "
                "chose a standing grant.",
                APPROVALS,
            ),
            Guarantee(
                "D-022",
                "The operator is shown the effective call, sanitised of control sequences before truncation, with the"
                " tag that caused the question.",
                APPROVALS,
            ),
            Guarantee(
                "D-023",
                "A refusal is an error result marked denied and final; a prompter that fails for technical reasons is"
                " a refusal with its own code; an operator who walks away is not a refusal.",
                APPROVALS,
            ),
            Guarantee(
                "D-024",
                "A standing grant is bound to tool name and identity hash; a changed tool set drops standing grants "
                "with one advisory and never blocks the resume.",
                APPROVALS,
            ),
            Guarantee(
                "D-025",
                "A grant never widens policy: every other gate still runs for a granted call.",
                APPROVALS,
            ),
            Guarantee(
                "D-026",
                "An ask verdict from any gate is answered by the one confirm step after validation, with all reasons "
                "shown in one prompt.",
                APPROVALS,
            ),
            Guarantee("D-027", "A configured gate tag that matches no tool raises a startup advisory.", CONFIGURATION),
            Guarantee("D-028", "Gated tools present and no prompter raises a startup advisory once.", CONFIGURATION),
            Guarantee("D-029", "Clearing the conversation clears its grants.", APPROVALS),
            Guarantee(
                "S0-49",
                "Turning the ask-human feature on adds the ask_human tools to the run; off, they are absent.",
                ASK_HUMAN,
            ),
            Guarantee("D-030", "An ask_human answer is ordinary tool output and satisfies no gate.", ASK_HUMAN),
        ),
    ),
    Group(
        "G7",
        "Deferral, suspend and resume",
        (
            Guarantee("S0-02", "A suspend request is looked at only at the loop boundary.", LOOP),
            Guarantee(
                "S0-03",
                "The poll happens before the iteration number is used, so suspending costs no iteration.",
                LOOP,
            ),
            Guarantee(
                "S0-11",
                "If any call of a batch deferred, nothing is appended to the conversation and the run suspends.",
                DEFERRAL,
            ),
            Guarantee("S0-62", 'A tool can answer "later" instead of returning a result.', DEFERRAL),
            Guarantee("S0-63", "That call is journaled as deferred with its handle and note.", DEFERRAL),
            Guarantee("S0-64", "Grants are flushed when the call defers.", DEFERRAL),
            Guarantee("S0-65", "The run ends suspended.", DEFERRAL),
            Guarantee("S0-66", "A deferred call is never dispatched again.", DEFERRAL),
            Guarantee("S0-67", "The turn finishes only when an answer is supplied through the checkpoint.", DEFERRAL),
            Guarantee("S1-16", "When a user decision is needed the run saves recoverable state and pauses.", PARKING),
            Guarantee("S1-17", "The model is never told a pending tool succeeded.", DEFERRAL),
            Guarantee("S1-28", "The waiting checkpoint holds the observed history.", PARKING),
            Guarantee("S1-29", "It holds the pending action: exact effective tool and arguments.", PARKING),
            Guarantee("S1-30", "It holds the tool's identity (name, source, schema/version hash).", PARKING),
            Guarantee(
                "S1-31",
                "It holds the permission boundary in force (subject, scopes, policy digest, plan id).",
                PARKING,
            ),
            Guarantee(
                "S1-32",
                "After approval the host revalidates the frozen action: identity, schema, policy, limits, ownership.",
                PARKING,
            ),
            Guarantee("S1-33", "It continues the same logical run.", PARKING),
            Guarantee("S1-34", "It does not ask the model to recreate the call.", PARKING),
            Guarantee(
                "D-031",
                "Two kinds of parking are kept apart: parked before dispatch (approval) may be dispatched once after "
                "approval; deferred after dispatch never is.",
                PARKING,
            ),
            Guarantee(
                "D-032",
                "Other calls of a batch still run when one defers or parks; their results are journaled and reused.",
                DEFERRAL,
            ),
            Guarantee(
                "D-033",
                "Answering twice, or answering a call that never deferred, is refused with a clear reason and writes "
                "nothing.",
                DEFERRAL,
            ),
            Guarantee("D-034", "A run without a store cannot suspend; parking then becomes a refusal.", PARKING),
            Guarantee(
                "D-035",
                "A supplied answer passes the same post hooks, PII scan, bounding and wrapping as a live result.",
                DEFERRAL,
            ),
            Guarantee("D-036", "A denied approval after resume gives the model one refusal result.", PARKING),
        ),
    ),
)
