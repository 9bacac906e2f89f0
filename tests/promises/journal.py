"""Promises about what is kept: the journal, its phases, takeover."""

from __future__ import annotations

from typing import Final

from tests.promises.entry import Group, Guarantee
from tests.promises.parts import EDITS, EVENTS, FENCE, JOURNAL, RECOVERY

GROUPS: Final = (
    Group(
        "G8",
        "Journal, commit order and recovery phases",
        (
            Guarantee("S0-07", "The assistant turn is journaled before any tool of it runs.", JOURNAL),
            Guarantee("S0-08", "A crash in mid-batch resumes without a second model call for that turn.", RECOVERY),
            Guarantee(
                "S2-07",
                "With tool calls present, the tools phase is checkpointed before authorising and dispatching.",
                JOURNAL,
            ),
            Guarantee("S2-08", "The complete set of results is durable before it is projected into history.", JOURNAL),
            Guarantee("S2-09", "Results are projected into history as one commit.", JOURNAL),
            Guarantee(
                "S2-10",
                "Step edits and their checkpoint come after projection and before the next request.",
                EDITS,
            ),
            Guarantee("S2-37", "An observer can raise after state has advanced; the advance stays.", EVENTS),
            Guarantee(
                "S2-38",
                "Recovery is decided from committed progress and phase, not from a success flag.",
                RECOVERY,
            ),
            Guarantee("S2-39", "ready: settled boundary from which a suitable request proceeds.", JOURNAL),
            Guarantee("S2-40", "model: model work was pending when interrupted.", JOURNAL),
            Guarantee("S2-41", "From model, recovery never invents a response.", RECOVERY),
            Guarantee("S2-42", "tools: dispatch may have had effects.", JOURNAL),
            Guarantee("S2-43", "From tools, unsafe replay is blocked.", RECOVERY),
            Guarantee("S2-44", "projection: complete results are projected without repeating tools.", RECOVERY),
            Guarantee("S2-45", "blocked: automatic progress is refused until outside investigation.", RECOVERY),
            Guarantee(
                "S2-46",
                "committed_response_sequence counts response commits, persistent and monotonic.",
                JOURNAL,
            ),
            Guarantee("S2-47", "It survives history pruning.", JOURNAL),
            Guarantee("S2-48", "It survives separate invocations and restarts.", JOURNAL),
            Guarantee("S2-49", "It is not a transport sequence nor a replay cursor.", JOURNAL),
            Guarantee(
                "D-037",
                "Records carry a sequence starting at 1; a repeat is skipped, a gap is an error; the writer advances "
                "only after the record is durable.",
                JOURNAL,
            ),
            Guarantee(
                "D-038",
                "The fold of a journal is pure: no I/O, no clock; counters and phase are derived, not stored.",
                JOURNAL,
            ),
            Guarantee(
                "D-039",
                "An unparsable last line is dropped as torn; a broken inner line is corruption and refuses.",
                JOURNAL,
            ),
            Guarantee("D-040", "A journal of another format version is refused, newer or older.", JOURNAL),
            Guarantee("D-041", "First record is meta; the prompt in it is the text after hooks and PII scan.", JOURNAL),
            Guarantee(
                "D-042",
                "A dispatch record (call id, effective tool, argument digest, effect, idempotency key) is written "
                "after all gates and directly before the body.",
                JOURNAL,
            ),
            Guarantee("D-043", "Answered calls found in the journal are reused on resume, never run again.", RECOVERY),
            Guarantee("D-044", "A failed terminal append is an advisory, not a changed outcome.", JOURNAL),
            Guarantee(
                "D-045",
                "Operator resolution of an uncertain call is a record: happened(with result), did_not_happen, or "
                "abandon.",
                RECOVERY,
            ),
            Guarantee(
                "D-046",
                "Configuration fingerprint: provider change refused outright; model, system prompt, policy digest "
                "change refused unless forced; tool set change drops grants and warns; budgets only reported.",
                RECOVERY,
            ),
            Guarantee(
                "D-047",
                "The system prompt and policy text are stored as hashes only; no credential of the host is journaled.",
                JOURNAL,
            ),
            Guarantee("D-048", "Unanswered calls in imported history are never replayed automatically.", RECOVERY),
            Guarantee(
                "D-049",
                "A storage failure on a required record stops admission and latches; later saves do not overwrite the"
                " evidence.",
                JOURNAL,
            ),
        ),
    ),
    Group(
        "G9",
        "Takeover",
        (
            Guarantee("S0-34", "The ownership check is the last check before an irreversible effect.", FENCE),
            Guarantee(
                "S0-35",
                "A run taken over on a shared store stops at this check rather than at its next append.",
                FENCE,
            ),
            Guarantee(
                "D-050",
                "A resume writes a claim before anything else; any other holder is refused at its next append.",
                FENCE,
            ),
            Guarantee("D-051", "Being unable to tell who holds the run also stops it.", FENCE),
            Guarantee("D-052", "A claim changes no conversation state in the fold.", FENCE),
            Guarantee("D-053", "A run without a store skips the check.", FENCE),
            Guarantee(
                "D-054",
                "The tool already running when the takeover happens is the stated residue; its late result is refused.",
                FENCE,
            ),
        ),
    ),
)
