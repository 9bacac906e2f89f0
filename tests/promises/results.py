"""Promises about what the model sees: the hooks after a call, personal data, wrapping, bounds."""

from __future__ import annotations

from typing import Final

from tests.promises.entry import Group, Guarantee
from tests.promises.parts import ARTIFACTS, BOUND, DENIALS, PERSONAL_DATA, PIPELINE, WRAPPING

GROUPS: Final = (
    Group(
        "G13",
        "Post hooks and PII guard",
        (
            Guarantee("S0-36", "The tool executes, then the post hook runs.", PIPELINE),
            Guarantee(
                "S0-71",
                "The PII guard covers prompts on submission and tool outputs after execution.",
                PERSONAL_DATA,
            ),
            Guarantee(
                "S0-72",
                "The run installs the guard itself, so every path into the loop is covered.",
                PERSONAL_DATA,
            ),
            Guarantee("S0-73", "It adds to the caller's hooks and does not replace them.", PERSONAL_DATA),
            Guarantee(
                "S0-74",
                "The caller's hook runs first; the scan reads what it left, including its rewrite.",
                PERSONAL_DATA,
            ),
            Guarantee("S0-75", "Mode redact: a hit rewrites the text.", PERSONAL_DATA),
            Guarantee("S0-76", "Mode reject: a prompt with a hit is denied.", PERSONAL_DATA),
            Guarantee(
                "S0-77",
                "Mode reject: a tool output with a hit is replaced by a fixed withholding message.",
                PERSONAL_DATA,
            ),
            Guarantee("S0-78", "A scan that fails counts as a hit.", PERSONAL_DATA),
            Guarantee("S0-79", "The cause goes to the operator by advisory and log, not to the model.", PERSONAL_DATA),
            Guarantee("S0-80", "The operator warning is raised once per run.", PERSONAL_DATA),
            Guarantee("S0-81", "Each occurrence still reaches log and span.", PERSONAL_DATA),
            Guarantee("S0-82", "A mode other than off whose scanner cannot be built fails the run.", PERSONAL_DATA),
            Guarantee("S0-83", "It fails before anything is sent unscanned.", PERSONAL_DATA),
            Guarantee("S0-84", "Mode off scans nothing.", PERSONAL_DATA),
            Guarantee(
                "S1-04",
                "What goes back to the model is a safe result: post hooks, scan, bound and wrap applied.",
                PIPELINE,
            ),
            Guarantee(
                "D-078",
                "The guard cannot be removed or reordered by a plugin when the mode is on.",
                PERSONAL_DATA,
            ),
            Guarantee(
                "D-079",
                "A post hook replaces output through an explicit flag, so an empty replacement is possible.",
                PIPELINE,
            ),
            Guarantee(
                "D-080",
                "A post gate that raises withholds the output; the call still has a journaled result so it is never "
                "repeated.",
                PIPELINE,
            ),
            Guarantee(
                "D-081",
                "Redaction happens before journal, events, artifacts and model see the text.",
                PERSONAL_DATA,
            ),
            Guarantee(
                "D-082",
                "Redacted and withheld advisories are separate kinds, each once per run.",
                PERSONAL_DATA,
            ),
            Guarantee("D-083", "A scan size cap fails closed: text above it is withheld, not passed.", PERSONAL_DATA),
        ),
    ),
    Group(
        "G14",
        "Nonce wrapping and the authority of tool output",
        (
            Guarantee("S3-08", "A tool result is something the agent read, never a source of authority.", WRAPPING),
            Guarantee("S3-09", "Text from a page, file or API cannot cause an action that skips the gates.", PIPELINE),
            Guarantee("S3-10", "No returned text reaches a privileged action without the checks.", PIPELINE),
            Guarantee(
                "S3-11",
                "Every result is wrapped in nonce-tagged delimiters before the model sees it, by the core.",
                WRAPPING,
            ),
            Guarantee("S3-12", "The nonce is unpredictable and fresh per result.", WRAPPING),
            Guarantee("S3-13", "Content cannot close the wrapper.", WRAPPING),
            Guarantee("S3-14", "The system prompt says that everything inside those tags is data only.", WRAPPING),
            Guarantee("S3-15", "It also says to report, not obey, instructions found there, with examples.", WRAPPING),
            Guarantee(
                "S3-16",
                "Delimiters and rule are help, not the boundary: a model that obeys injected text still cannot run a "
                "denied call.",
                PIPELINE,
            ),
            Guarantee("S3-29", "The model reads a denial like any other content.", DENIALS),
            Guarantee(
                "D-084",
                "Journal and events keep the unwrapped text plus the nonce, so a resumed conversation is byte-"
                "identical.",
                WRAPPING,
            ),
            Guarantee("D-085", "Failure of the random source is a loud failure, never an empty nonce.", WRAPPING),
            Guarantee(
                "D-086",
                "Error results, timeouts, withheld and skipped results are wrapped too; host-authored text is marked "
                "as such in the tag.",
                WRAPPING,
            ),
        ),
    ),
    Group(
        "G24",
        "Bounded results and artifacts",
        (
            Guarantee("S1-18", "Results are returned in a bounded form.", BOUND),
            Guarantee("S1-19", "Large results may be paginated.", ARTIFACTS),
            Guarantee("S1-20", "Large results may be truncated.", BOUND),
            Guarantee("S1-21", "Large results may be stored as a separate artifact.", ARTIFACTS),
            Guarantee(
                "S1-22",
                "What the interface shows is not proof that the raw output entered the model's context.",
                ARTIFACTS,
            ),
            Guarantee(
                "D-118",
                "Bounding happens after scanning and before the journal; the bound applies to errors too.",
                BOUND,
            ),
            Guarantee("D-119", "Artifact reads are tool calls and pass the gates.", ARTIFACTS),
        ),
    ),
)
