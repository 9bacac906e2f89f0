"""Promises about one tool call: its steps and exits, the hooks before it, its arguments."""

from __future__ import annotations

from typing import Final

from tests.promises.entry import Changed, Group, Guarantee
from tests.promises.parts import HOOKS, JOURNAL, PIPELINE, REWRITERS, TELEMETRY, VALIDATION

GROUPS: Final = (
    Group(
        "G3",
        "Order and exits of one tool call",
        (
            Guarantee(
                "S0-09",
                "Per call the order is: validate arguments, confirm gate, trace, dispatch, journal the result.",
                PIPELINE,
            ),
            Guarantee(
                "S0-12",
                "A tool call leaves through one of eight named exits and no other (see table in section C).",
                PIPELINE,
            ),
            Guarantee(
                "S0-13",
                "One span covers the call from before the lookup to whichever exit, closed in one place.",
                TELEMETRY,
            ),
            Guarantee(
                "S0-14",
                "The eight steps run in the fixed order lookup, describe, pre hooks, validation, confirm, "
                "trace+dependencies, takeover check, execute+post hooks.",
                PIPELINE,
            ),
            Guarantee("S0-15", "An unknown name is counted under its own kind.", PIPELINE),
            Guarantee("S0-16", "An unknown name gets an error result the model can adapt to.", PIPELINE),
            Guarantee("S0-17", "An unknown name raises an operator warning.", PIPELINE),
            Guarantee("S0-18", "An unknown name is never dispatched and reaches no hook, gate or validator.", PIPELINE),
            Guarantee(
                "S0-19",
                "The original call is described and its gating computed before any hook runs.",
                PIPELINE,
            ),
            Guarantee(
                "S0-33",
                "The call trace is emitted only for calls that will run, and shows the effective call.",
                PIPELINE,
            ),
            Guarantee("S0-31", "A tool receives a prompter only if it declared that it needs one.", PIPELINE),
            Guarantee("S0-32", "A tool receives a work directory only if it declared that it needs one.", PIPELINE),
            Guarantee("S0-39", "A non-zero command exit is not an error outcome.", PIPELINE),
            Guarantee("S0-40", "A non-zero exit does not count in the error rate.", PIPELINE),
            Guarantee("S1-03", "Checks run in the order permission, parameters, approval.", PIPELINE),
            Guarantee(
                "S3-02",
                "Every tool call goes through the hook pipeline before it runs; there is no other path to a tool body.",
                PIPELINE,
            ),
            Guarantee(
                "S3-05",
                "A proposed call reaches the sandbox or MCP client only if it survives every hook.",
                PIPELINE,
            ),
            Guarantee("S3-06", "Results come back to the model as content parts, nothing else.", PIPELINE),
            Guarantee(
                "D-008",
                "Counting: every call, run or not, adds one to tool_calls and one to exactly one kind; denied calls "
                "under the original kind, run calls under the effective kind.",
                PIPELINE,
            ),
            Guarantee(
                "D-009",
                "A tool that does not describe itself gets kind unknown, no dependencies, name-only trace and effect "
                '"unknown" (treated as unsafe to repeat).',
                PIPELINE,
            ),
            Guarantee(
                "D-010",
                "A describe() that raises fails closed: the call is answered with an error result, an advisory is "
                "raised, nothing runs.",
                PIPELINE,
            ),
            Guarantee("D-011", "Every result record answers its call id exactly once.", JOURNAL),
        ),
    ),
    Group(
        "G4",
        "Pre hooks and rewriting",
        (
            Guarantee(
                "S0-20",
                "The pre hook sees the call exactly as the model made it, with its gating flag, in a copy it cannot "
                "use to alter the original.",
                HOOKS,
            ),
            Guarantee("S0-21", "A pre hook may deny the call.", HOOKS),
            Guarantee("S0-22", "A pre hook may rewrite the tool and the arguments.", REWRITERS),
            Guarantee("S0-23", "A rewrite to an unregistered tool aborts the run.", REWRITERS),
            Guarantee(
                "S0-24",
                "A rewrite carrying arguments that are not a valid JSON object aborts the run.",
                REWRITERS,
            ),
            Guarantee(
                "S0-25",
                "After such an abort nothing malformed is dispatched, and later calls of the batch are not dispatched"
                " either.",
                REWRITERS,
            ),
            Guarantee("S0-70", "The pre-tool hook is the only reliable place to block a tool.", PIPELINE),
            Guarantee("S3-17", "The gates run before dispatch, in the pre-tool-call stage.", PIPELINE),
            Guarantee("D-012", "Deny beats rewrite: when both are returned the rewrite is ignored.", REWRITERS),
            Guarantee(
                "D-013",
                "Hooks do not fire a second time on the rewritten call; deciding gates run after rewriters and judge "
                "the effective call; authorization judges the original call as well, so that a rewrite launders "
                "neither.",
                REWRITERS,
            ),
            Guarantee(
                "D-014",
                "A gate that raises is a denial (fail closed) with a generic message to the model and the cause to "
                "operator and log.",
                PIPELINE,
            ),
            Guarantee(
                "D-015",
                "A rewrite replaces the whole argument object; an empty object clears all arguments.",
                REWRITERS,
            ),
            Guarantee(
                "D-016",
                "Hook order is owned by the core (stage numbers), not by plugin registration order; an operator "
                "cannot reorder security gates.",
                PIPELINE,
            ),
            Guarantee(
                "D-017",
                "A hook may observe, stop, or adjust the data passing its point; it cannot add a prompt, extend a "
                "turn, or change counters, budgets or caps.",
                HOOKS,
            ),
        ),
    ),
    Group(
        "G5",
        "Argument validation",
        (
            Guarantee(
                "S0-26",
                "Validation runs before the confirm gate, so an operator is never asked about a structurally invalid "
                "call.",
                VALIDATION,
            ),
            Guarantee(
                "S0-27",
                "A command tool with a missing required argument is answered by validation, listing what is missing; "
                "the command is not started.",
                VALIDATION,
            ),
            Guarantee(
                "S1-11",
                "Tool parameters must satisfy the declared structure (type, required, enum, no unknown when closed).",
                VALIDATION,
            ),
            Guarantee("D-018", "Validation is done on the effective call, after any rewrite.", VALIDATION),
            Guarantee("D-019", 'Presence counts as supplied: false, 0, "" and [] are values, not missing.', VALIDATION),
            Guarantee(
                "D-020",
                "The message lists all required and optional parameters so the model can fix the call in one turn.",
                VALIDATION,
            ),
            Guarantee(
                "D-021",
                "Arguments that do not parse as one JSON object (duplicate keys included) never reach a hook or a "
                "tool; the exit is invalid_arguments.",
                Changed(
                    4,
                    "Arguments that do not parse as one JSON object (duplicate keys included) are never repaired: no "
                    "hook and no tool sees them, and the exit is invalid_arguments.",
                    PIPELINE,
                ),
            ),
        ),
    ),
)
