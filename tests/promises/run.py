"""Promises about the bounds of a run: budgets, deadlines, cancellation, events and edits."""

from __future__ import annotations

from typing import Final

from tests.promises.entry import Group, Guarantee
from tests.promises.parts import BUDGETS, CANCELLATION, DEADLINES, EDITS, EVENTS, HOOKS, MODELS

GROUPS: Final = (
    Group(
        "G10",
        "Budgets and timeouts",
        (
            Guarantee(
                "S0-06",
                "The model call runs under the per-call timeout, which the provider adapter enforces.",
                MODELS,
            ),
            Guarantee("S0-41", "The cumulative token budget is checked before a tool batch.", BUDGETS),
            Guarantee("S0-42", "It is checked at the head of a follow-up turn.", BUDGETS),
            Guarantee("S0-43", "It is not applied to a completed answer, because those tokens are spent.", BUDGETS),
            Guarantee("S0-44", "Tool timeout exemption one: an operator who configured no timeout.", DEADLINES),
            Guarantee("S0-45", "Tool timeout exemption two: a tool marked operator-paced.", DEADLINES),
            Guarantee("S0-46", "There are only these two exemptions; every other tool is bounded.", DEADLINES),
            Guarantee("S0-47", "A command tool that times out is killed with its whole process group.", DEADLINES),
            Guarantee("S0-48", "An in-process tool stops only when its handler notices its context.", DEADLINES),
            Guarantee("S0-37", "The timeout message replaces the tool's output before the post hook runs.", DEADLINES),
            Guarantee("S0-38", "Hook, journal, event sink and model all see that same output.", DEADLINES),
            Guarantee("S2-14", "max_exchanges bounds the responses committed in this invocation.", BUDGETS),
            Guarantee("S2-15", "It does not count HTTP retries.", MODELS),
            Guarantee("S3-30", "The runner enforces the session's time budget.", BUDGETS),
            Guarantee(
                "D-055",
                "When the last allowed response has calls, that batch is fully settled before the limit is reported.",
                BUDGETS,
            ),
            Guarantee(
                "D-056",
                "max_exchanges must be positive; zero is refused at start. Zero call timeout is refused; zero tool "
                "timeout means none; zero token budget means none.",
                BUDGETS,
            ),
            Guarantee("D-057", "Finishing a pending batch on resume consumes no exchange.", BUDGETS),
            Guarantee(
                "D-058",
                "A timeout of a tool with effect write, external or unknown keeps code timeout and is marked "
                "effect_uncertain; the same call digest is then treated as in group 25.",
                DEADLINES,
            ),
            Guarantee(
                "D-059",
                "An in-process tool that ignores its deadline is abandoned after a grace period: timeout, "
                "effect_uncertain, late output discarded and logged, advisory raised.",
                DEADLINES,
            ),
            Guarantee(
                "D-060",
                "All token tiers (input, output, cache read, cache write) count to the cumulative budget.",
                MODELS,
            ),
        ),
    ),
    Group(
        "G11",
        "Cancellation",
        (
            Guarantee("S1-45", "Cancel stops a run that must stop.", CANCELLATION),
            Guarantee("S2-31", "A model request in progress is interrupted.", CANCELLATION),
            Guarantee("S2-32", "A tool call in progress is allowed to settle.", CANCELLATION),
            Guarantee("S2-33", "Cancellation that wins while confirmation is pending denies that call.", CANCELLATION),
            Guarantee("S2-34", "Calls not dispatched receive explicit skipped results.", CANCELLATION),
            Guarantee("S2-35", "Results of dispatched calls are visible before the next invocation.", CANCELLATION),
            Guarantee("S2-36", "Neither cancel nor failure promises to undo effects.", CANCELLATION),
            Guarantee(
                "S1-46",
                "After cancel, actions past the side-effect line are listed for inspection.",
                CANCELLATION,
            ),
            Guarantee("D-061", "A cancel naming another run id changes nothing.", CANCELLATION),
            Guarantee(
                "D-062",
                "A cancel racing a complete model reply uses the real outcome: a complete reply is committed, its "
                "calls skipped.",
                CANCELLATION,
            ),
            Guarantee(
                "D-063",
                "A skipped or cancelled-while-asking result is not an operator refusal and writes no decision.",
                CANCELLATION,
            ),
            Guarantee("D-064", "Cancel does not clear queued messages.", CANCELLATION),
            Guarantee("D-065", "Stop requested before admission leaves state untouched.", CANCELLATION),
        ),
    ),
    Group(
        "G12",
        "Events, observers and edits",
        (
            Guarantee("S0-68", "Hooks run in loop order.", HOOKS),
            Guarantee("S0-69", "All hooks run on the single run thread/task.", HOOKS),
            Guarantee("S2-17", "The loop publishes synchronous events at explicit boundaries.", EVENTS),
            Guarantee("S2-18", "Subscribers run inline on the publisher's path.", EVENTS),
            Guarantee("S2-19", "Subscribers must finish promptly.", EVENTS),
            Guarantee("S2-20", "Subscribers must not keep event references.", EVENTS),
            Guarantee("S2-21", "Subscribers must not re-enter the loop.", EVENTS),
            Guarantee("S2-22", "Hooks share one ordered session registry.", HOOKS),
            Guarantee("S2-23", "Hooks are installed before runs begin.", HOOKS),
            Guarantee("S2-24", "EditOnStepFinished edits the input state after tool results are committed.", EDITS),
            Guarantee("S2-25", "EditOnRunFinished edits it before the final outcome is delivered.", EDITS),
            Guarantee("S2-26", "Edits are validated by the loop.", EDITS),
            Guarantee("S2-27", "A bad edit or a raising editor rolls back all edits of that event.", EDITS),
            Guarantee("S2-28", "Edits can prune history.", EDITS),
            Guarantee("S2-29", "Edits can update persistent context statistics.", EDITS),
            Guarantee("S2-30", "An event gives no licence to change other state later or from elsewhere.", EDITS),
            Guarantee(
                "D-066",
                "Loop-owned progress (phase, counters, pending results, error) cannot be edited.",
                EDITS,
            ),
            Guarantee("D-067", "While phase is projection or blocked the history is frozen.", EDITS),
            Guarantee(
                "D-068",
                "Step edits run once per settled batch, also after skipped results and at the exchange limit; not for"
                " a reply without calls and not for a batch recovered at entry.",
                EDITS,
            ),
            Guarantee(
                "D-069",
                "A failing EditOnRunFinished turns the outcome into failed with a prefixed error; run_finished is "
                "still sent once.",
                EDITS,
            ),
            Guarantee("D-070", "An observer of run_finished that raises is logged only.", EVENTS),
            Guarantee(
                "D-071",
                "A raising subscriber stops later subscribers of that event and fails the run; declared calls not yet"
                " run are closed with skipped results.",
                EVENTS,
            ),
            Guarantee(
                "D-072",
                "run_start fires once before a session is created or opened and may abort, leaving no orphan session.",
                HOOKS,
            ),
            Guarantee(
                "D-073",
                "user_prompt_submit fires for the first prompt and each follow-up, may deny or rewrite, and does not "
                "re-fire for history rebuilt on resume.",
                HOOKS,
            ),
            Guarantee(
                "D-074",
                "pre_model_call gets counts, not the live conversation, and may abort before the call is made or "
                "counted.",
                HOOKS,
            ),
            Guarantee(
                "D-075",
                "post_model_call gets a deep copy of every reply including a truncated one; its abort is not durable.",
                HOOKS,
            ),
            Guarantee("D-076", "turn_end fires at an interactive continuation boundary and may abort.", HOOKS),
            Guarantee(
                "D-077",
                "run_end fires at teardown after stores are closed, exactly once, also after a crash; its errors "
                "become advisories.",
                HOOKS,
            ),
        ),
    ),
)
