"""The codes about the configuration and its plugins, OAP6xx."""

from __future__ import annotations

from typing import Final

from docs.generate.diagnostics.examples import REFUND, config, policy
from docs.generate.diagnostics.project import File, FileEntry
from oap_core.config.load import LONGEST_OBSERVATION
from oap_core.policy.codes import FileCode

_ACME: Final = config("plugins: [oap-authorization, acme-tickets]\n")
_TICKETS: Final = """\
from oap_core import Effect, Kind, hookimpl

OAP_API = 1


@hookimpl
def {hook}():
    return [Effect("ticket", Kind.GATE, "acme-tickets")]
"""

ENTRIES: Final = (
    FileEntry(
        FileCode.UNKNOWN_PLUGIN,
        "The configuration enables a plugin that is not installed.",
        (config("plugins: [oap-authorization, oap-shel]\n"), REFUND),
        (config("plugins: [oap-authorization, oap-shell]\n"), REFUND),
        "Without the plugin, its effects and functions are missing, and so are the walls that use them. Nothing starts "
        "until it is there. A name under `plugins` is that of the distribution, as it is installed.",
    ),
    FileEntry(
        FileCode.PLUGIN_FAILED,
        "A plugin is installed and cannot be used. It fails when it is imported or asked, is written for another version "
        "of the interface, implements a hook that there is not, or offers something that is there already.",
        (File("acme_tickets.py", _TICKETS.format(hook="oap_effect")),),
        (File("acme_tickets.py", _TICKETS.format(hook="oap_effects")),),
        "A hook with a misspelt name would never be called, and what the plugin should stop would run. "
        "[Plugins](../../guide/plugins.md) lists every reason. The text of an exception is never shown, since it may hold "
        "anything; run the import by hand to see it.",
        beside=(_ACME, REFUND),
    ),
    FileEntry(
        FileCode.MISSING_FILE,
        "The configuration names a file or a folder that is not there. Where there is no configuration, the policies are in "
        "`policies`.",
        (config("policies: [policy]\n"), REFUND),
        (config("policies: [policies]\n"), REFUND),
        "What should stand in the file might be a wall. Paths are relative to the folder of the configuration.",
    ),
    FileEntry(
        FileCode.ATTRIBUTE,
        "An attribute of subjects or sessions is declared that every subject or session has already.",
        (
            config("""\
                subject:
                  attributes:
                    roles: {type: array, items: {type: string}}
                """),
            REFUND,
        ),
        (
            config("""\
                subject:
                  attributes:
                    team: {type: string}
                """),
            policy("""\
                rules:
                  - id: refund
                    match: {tools: [payments/refund]}
                    when: subject.team == "support"
                    effect: allow
                """),
        ),
        "A declaration that stands in for one of ours could say that `id` is optional or `roles` a text, and rules would "
        "be checked against that.",
    ),
    FileEntry(
        FileCode.OBSERVE_TOO_LONG,
        f"`observe_until` lies more than {LONGEST_OBSERVATION.days} days ahead. The file was loaded on 1 December 2026.",
        (config("observe_until: 2027-06-01\n"), REFUND),
        (config("observe_until: 2026-12-24\n"), REFUND),
        "A host that only observes stops next to nothing. That is for the first weeks with new policies. It ends by itself, "
        "so that nobody forgets it.",
    ),
    FileEntry(
        FileCode.UNKNOWN_POLICY,
        "The configuration reserves tools for a policy, or a test names one, and no file has this name.",
        (
            config("""\
                reserved:
                  - tools: [payments/payout]
                    policies: [payment]
                """),
            REFUND,
        ),
        (
            config("""\
                reserved:
                  - tools: [payments/payout]
                    policies: [payments]
                """),
            REFUND,
        ),
        "Tools that are reserved for a policy that is not there can be granted by nobody, and a misspelt name would show "
        "only as a refusal.",
    ),
)
