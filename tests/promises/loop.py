"""Promises about the loop: exchanges, the context of a request, steering, the frozen tool set."""

from __future__ import annotations

from typing import Final

from tests.promises.entry import Group, Guarantee
from tests.promises.parts import (
    CANCELLATION,
    CONTEXT,
    FROZEN_SET,
    JOURNAL,
    LOOP,
    MODELS,
    POLICIES,
    RECOVERY,
    STEERING,
    UNKNOWN_OUTCOMES,
)

GROUPS: Final = (
    Group(
        "G1",
        "Loop and exchanges",
        (
            Guarantee(
                "S0-01",
                "One iteration makes exactly one model call, runs the tools that reply asked for, and feeds their "
                "results into the next request.",
                LOOP,
            ),
            Guarantee(
                "S0-10",
                "All results of one batch are appended as a single user message, then the loop goes on.",
                LOOP,
            ),
            Guarantee(
                "S1-01",
                "Every run is an observe, decide, act, observe cycle whose steps are separately visible and checkable.",
                LOOP,
            ),
            Guarantee("S1-02", 'A reply without tool calls takes the "respond" branch and completes the run.', LOOP),
            Guarantee(
                "S1-10",
                "A reply may be text only, one call, or several calls; all three shapes are handled.",
                LOOP,
            ),
            Guarantee(
                "S1-23",
                "The next model step is chosen from the new evidence: the following request carries the results of "
                "the previous batch.",
                LOOP,
            ),
            Guarantee("S1-24", "When the task is done the model's final text is the run's answer.", LOOP),
            Guarantee("S1-25", "A failed task ends with a failed state.", LOOP),
            Guarantee("S1-26", "A cancelled task ends with a cancelled state.", CANCELLATION),
            Guarantee(
                "S1-27",
                "An unrecoverable problem ends with its own state, not as a plain success or failure.",
                RECOVERY,
            ),
            Guarantee("S2-01", "An invocation can start from a new user message.", LOOP),
            Guarantee(
                "S2-02",
                "An invocation can start as a request to continue existing state, adding no user message.",
                LOOP,
            ),
            Guarantee(
                "S2-03",
                "The host runs invocations one at a time per session, even with several worker threads.",
                LOOP,
            ),
            Guarantee("S2-04", "Message payloads wait behind active work.", LOOP),
            Guarantee(
                "S2-05",
                "Control signals (cancel, status, suspend, steer) have their own consumer and do not wait behind "
                "payloads.",
                LOOP,
            ),
            Guarantee(
                "S2-06",
                "Input is admitted, then integrated into history, then the model request is made, in that order.",
                LOOP,
            ),
            Guarantee(
                "S2-11",
                "A model response is committed (durable) before any of its tools is dispatched.",
                JOURNAL,
            ),
            Guarantee("S2-16", "A response without tool calls completes an ordinary run.", LOOP),
            Guarantee("S3-01", "The loop repeats propose, run, feed back until the agent answers.", LOOP),
            Guarantee(
                "S3-03",
                "At the start of a turn the runner takes all inbound messages waiting for that turn and hands the "
                "whole conversation to the model.",
                LOOP,
            ),
            Guarantee("S3-04", "The model may propose zero or more calls; zero means a reply.", LOOP),
            Guarantee(
                "S3-07",
                "A turn ends in exactly one of three ways: a reply, a budget, or the watchdog (besides cancel, "
                "suspend, failure).",
                LOOP,
            ),
            Guarantee(
                "D-001",
                "A reply cut off at the output-token cap is an error: none of its calls runs, partial text is still "
                "delivered as incomplete.",
                MODELS,
            ),
            Guarantee("D-002", "A model refusal is a failed run with its own error class.", MODELS),
            Guarantee(
                "D-003",
                "Call ids inside one reply must be non-empty and unique, names non-empty; otherwise the reply is "
                "rejected before commit of any dispatch.",
                MODELS,
            ),
            Guarantee(
                "D-004",
                "Consecutive user messages are merged so the provider never sees two user turns in a row.",
                MODELS,
            ),
            Guarantee(
                "D-005",
                "A free-standing follow-up is journaled before its model call; if that append fails the run ends "
                "before the call.",
                JOURNAL,
            ),
        ),
    ),
    Group(
        "G2",
        "Tool snapshot",
        (
            Guarantee(
                "S0-04",
                "The tool set is taken once per iteration; that one snapshot serves the model request and its whole "
                "batch.",
                FROZEN_SET,
            ),
            Guarantee(
                "S0-05",
                "A tool removed during a batch does not strand a call the model already made.",
                FROZEN_SET,
            ),
            Guarantee("S1-07", "Each model request freezes the tools available at that moment.", FROZEN_SET),
            Guarantee("S1-09", "The model cannot use a tool name that is not registered.", FROZEN_SET),
            Guarantee(
                "S0-97",
                "The live set is one reference to a whole immutable set, replaced in one step.",
                FROZEN_SET,
            ),
            Guarantee("S0-98", "A reader holding a set never sees it change.", FROZEN_SET),
            Guarantee(
                "D-006",
                "On resume, pending calls are resolved by name and identity hash in the new process's set; a missing "
                "or changed tool answers with an error result and is never dispatched.",
                RECOVERY,
            ),
            Guarantee(
                "D-007",
                "The definition a tool gives the model is byte-stable across restarts, so the set hash is stable.",
                FROZEN_SET,
            ),
        ),
    ),
    Group(
        "G26",
        "Skills, context assembly",
        (
            Guarantee(
                "S1-05",
                "For each turn the context is assembled from conversation, model configuration, permissions, selected"
                " skills and available MCP tools.",
                CONTEXT,
            ),
            Guarantee("S1-06", "The request holds only what the model is meant to see for this turn.", CONTEXT),
            Guarantee(
                "S1-08",
                "After a skill or built-in capability is activated, the next request may carry an updated set.",
                CONTEXT,
            ),
            Guarantee("D-123", "Activation adds no permission by itself.", CONTEXT),
        ),
    ),
    Group(
        "G27",
        "Steering and user influence",
        (
            Guarantee(
                "S1-40",
                "The user can state completion criteria and prohibited actions at the start; prohibitions given as "
                "structured rules become deny policy for the run, free-text ones are context only.",
                POLICIES,
            ),
            Guarantee("S1-41", "The user can choose the permissions of a run.", POLICIES),
            Guarantee("S1-43", "The user can add direction to an active run by steering.", STEERING),
            Guarantee(
                "S1-44",
                "When an outcome is unknown, content conflicts or sources are too thin, the user can ask for facts to"
                " be checked first.",
                UNKNOWN_OUTCOMES,
            ),
            Guarantee(
                "D-124",
                "Steering text passes prompt hooks and the PII guard, is journaled before use, and gives no tool "
                "approval.",
                STEERING,
            ),
            Guarantee(
                "D-125",
                "Message queue is bounded; overflow is rejected visibly with the request id and never joins a run.",
                STEERING,
            ),
        ),
    ),
)
