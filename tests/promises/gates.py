"""Promises about what judges a call: authorization, plans, content, limits and breakers, denials."""

from __future__ import annotations

from typing import Final

from tests.promises.entry import Changed, Group, Guarantee, Tested
from tests.promises.parts import BREAKER, CONTENT, DENIALS, LIMITS, LOOP, PIPELINE, PLANS, RECORDS, SHADOW

GROUPS: Final = (
    Group(
        "G15",
        "Authorization",
        (
            Guarantee("S1-13", "Permissions are checked before anything executes.", PIPELINE),
            Guarantee("S1-12", "Paths are checked before anything executes.", PIPELINE),
            Guarantee("S1-14", "Tool identity is checked before anything executes.", PIPELINE),
            Guarantee("S1-15", "Risk policy is checked before anything executes.", PIPELINE),
            Guarantee(
                "S3-18",
                "The check answers: may this subject do this action on this resource.",
                Tested(("tests/core/policy/test_ruleset.py::test_may_this_subject_do_this_action_on_this_resource",)),
            ),
            Guarantee(
                "S3-19",
                "It answers for right now: each call is checked at its own time, never once at start.",
                Tested(("tests/core/policy/test_store.py::test_a_call_is_judged_by_what_is_in_force_at_its_own_time",)),
            ),
            Guarantee(
                "D-087",
                "No matching rule means deny; a rule that errors or has the wrong type means deny with code "
                "policy_error.",
                Changed(
                    3,
                    "No matching grant means deny, unless the host chose that a person is asked; a grant that cannot "
                    "be evaluated counts as not matching, a wall or a gate that cannot be evaluated as matching.",
                    Tested(
                        (
                            "tests/core/policy/test_judge.py::test_a_grant_that_cannot_be_evaluated_does_not_match",
                            "tests/core/policy/test_judge.py::test_what_stops_a_call_matches_where_it_cannot_be_evaluated",
                            "tests/core/policy/test_judge.py::test_without_a_grant_a_call_is_denied",
                            "tests/core/policy/test_judge.py::test_without_a_grant_a_person_is_asked_where_the_host_chose_that",
                        )
                    ),
                ),
            ),
            Guarantee(
                "D-088",
                "A policy file that does not load or compile fails the run at start, with file, line, rule id.",
                LOOP,
            ),
            Guarantee(
                "D-089",
                "The subject comes from the host, never from model text or tool output.",
                Tested(
                    ("tests/core/policy/test_ruleset.py::test_who_acts_comes_from_the_host_and_never_from_the_call",)
                ),
            ),
            Guarantee(
                "D-090",
                "Each decision is recorded with rule id, policy digest, verdict, and inputs digest.",
                RECORDS,
            ),
        ),
    ),
    Group(
        "G16",
        "Plan gate",
        (
            Guarantee("S3-20", "A call inside an approved plan passes the plan gate.", PLANS),
            Guarantee("S3-21", "A call outside it is stopped as needing a plan or approval.", PLANS),
            Guarantee(
                "D-091",
                "A plan is a list of phases, each naming actions, resources and reach (read, write, external); "
                "approval covers exactly that digest.",
                Changed(
                    5,
                    "A plan is a list of steps, each naming a tool id, a definition hash, constraints on arguments "
                    "and a count; arguments that a step does not name must be absent.",
                    PLANS,
                ),
            ),
            Guarantee("D-092", "Plan approval comes only from the operator channel.", PLANS),
            Guarantee(
                "D-093",
                "The agent's own justification is shown labelled as its words, next to the computed reach.",
                PLANS,
            ),
            Guarantee("D-094", "Approved plan does not bypass other gates.", PLANS),
            Guarantee("D-095", "Log-only mode records what would have been refused and refuses nothing.", SHADOW),
        ),
    ),
    Group(
        "G17",
        "Content guards",
        (
            Guarantee("S3-22", "The call's input can be inspected before it runs.", CONTENT),
            Guarantee("S3-23", "The tool's output can be inspected before the model sees it.", CONTENT),
            Guarantee("S3-24", "Input and output can be bounded.", CONTENT),
            Guarantee(
                "D-096",
                "Verdicts are pass, block, ask; an inspector that errors counts as block.",
                Changed(
                    2,
                    "A content rule answers satisfied, refused or unjudged like every other rule, and unjudged counts"
                    " against the call.",
                    CONTENT,
                ),
            ),
            Guarantee(
                "D-097",
                "Inspected size is capped in the core wrapper, same for every caller; oversize is not silently passed.",
                CONTENT,
            ),
            Guarantee("D-098", "URL rules are default-deny when enabled, strictest match wins.", CONTENT),
        ),
    ),
    Group(
        "G18",
        "Rate limits and circuit breakers",
        (
            Guarantee("S3-25", "A tool called too often is refused before it runs.", LIMITS),
            Guarantee(
                "S3-26",
                "A tool that ran away (repeated failures) is refused while its breaker is open.",
                BREAKER,
            ),
            Guarantee(
                "D-099",
                "Breaker: closed, open, half-open; exponential back-off; one probe at a time; a claim is given back "
                "on every exit that did not dispatch.",
                BREAKER,
            ),
            Guarantee("D-100", "A second breaker per origin (server) trips all its tools.", BREAKER),
            Guarantee(
                "D-101",
                "Denials, refusals, skips and non-zero exits are not failures for the breaker.",
                BREAKER,
            ),
            Guarantee(
                "D-102",
                "Checks reserve nothing unless the call is admitted; concurrent calls cannot exceed the limit.",
                LIMITS,
            ),
            Guarantee("D-103", "Repeated credential refusals end the session instead of retrying.", BREAKER),
            Guarantee(
                "D-104",
                "Breaker on by default with action deny; rate limits off until configured; a ceiling may tighten but "
                "a lower tier never loosens it.",
                BREAKER,
            ),
            Guarantee("D-105", "State survives resume of the same session or is rebuilt from the journal.", BREAKER),
        ),
    ),
    Group(
        "G19",
        "Gate denials",
        (
            Guarantee(
                "S3-27",
                "A call that any gate denies never reaches the tool: no exec, no MCP request.",
                PIPELINE,
            ),
            Guarantee("S3-28", "The denial comes back to the model as an error result.", DENIALS),
            Guarantee(
                "D-106",
                "One denial shape for all gates and the confirm gate; the operator sees the full reason, the model a "
                "safe one.",
                DENIALS,
            ),
        ),
    ),
)
