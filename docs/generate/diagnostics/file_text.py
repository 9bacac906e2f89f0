"""The codes about the text of a file, OAP1xx."""

from __future__ import annotations

from typing import Final

from docs.generate.diagnostics.examples import REFUND, policy
from docs.generate.diagnostics.project import File, FileEntry
from oap_core.policy.codes import FileCode
from oap_core.policy.composer import DEPTH, NODES
from oap_core.policy.files import MOST_FILES
from oap_core.policy.load import TEXT_BYTES

ENTRIES: Final = (
    FileEntry(
        FileCode.SYNTAX,
        "The text is not YAML. Most often a condition holds `: ` or begins with a sign that means something to YAML, a "
        "bracket is not closed, or a line is indented by a tab.",
        (
            policy("""\
                rules:
                  - id: refund
                    effect: allow
                    when: args.amount <= ("lead" in subject.roles ? 500 : 50)
                """),
        ),
        (
            policy("""\
                rules:
                  - id: refund
                    effect: allow
                    when: |-
                      args.amount <= ("lead" in subject.roles ? 500 : 50)
                """),
        ),
        "A condition that YAML cannot take as it is stands in quotes, or behind `|-` on lines of its own. Behind such a "
        "place the file cannot be read, so further mistakes may show once it is repaired.",
    ),
    FileEntry(
        FileCode.REPEATED_KEY,
        "A key stands twice in one mapping.",
        (
            policy("""\
                rules:
                  - id: refund-cap
                    effect: deny
                    when: args.amount > 500
                    effect: allow
                """),
        ),
        (
            policy("""\
                rules:
                  - id: refund-cap
                    effect: deny
                    when: args.amount > 500
                """),
        ),
        "Most readers of YAML take the last of the two without a word. Whoever reviews the file may have read the other.",
    ),
    FileEntry(
        FileCode.ALIAS,
        "The file uses an anchor (`&name`), a reference to one (`*name`) or a merge key (`<<`).",
        (
            policy("""\
                constants:
                  small: &limit 50
                rules:
                  - id: refund
                    effect: allow
                    when: args.amount <= constants.small
                """),
        ),
        (
            policy("""\
                constants:
                  small: 50
                rules:
                  - id: refund
                    effect: allow
                    when: args.amount <= constants.small
                """),
        ),
        "With references, a rule means something that stands elsewhere, and a few lines can stand for millions of values. "
        "What rules share has a name instead: under `constants` and `variables`. A text that begins with `*`, such as a "
        "pattern, stands in quotes.",
    ),
    FileEntry(
        FileCode.TAG,
        "A value begins with `!`, which makes a tag of YAML out of it, or the file begins with a directive (`%`).",
        (
            policy("""\
                rules:
                  - id: refund-cap
                    effect: deny
                    when: !cel args.amount > 500
                """),
        ),
        (
            policy("""\
                rules:
                  - id: refund-cap
                    effect: deny
                    when: args.amount > 500
                """),
        ),
        "Tags tell a reader of YAML to make something else of a value, and readers differ in what. A condition that begins "
        "with `!`, such as `!has(args.key)`, is read as a tag without a value: put it into quotes.",
    ),
    FileEntry(
        FileCode.SEVERAL_DOCUMENTS,
        "The file holds more than one document, separated by `---`.",
        (
            policy("""\
                rules:
                  - id: refund
                    effect: allow
                    when: args.amount <= 50
                ---
                apiVersion: oap/v1
                kind: Policy
                metadata: {name: mail, owner: data-protection}
                rules:
                  - id: no-mail
                    match: {tools: [mail/*]}
                    effect: deny
                """),
        ),
        (
            policy("""\
                rules:
                  - id: refund
                    effect: allow
                    when: args.amount <= 50
                """),
            File(
                "policies/mail.yaml",
                "apiVersion: oap/v1\n"
                "kind: Policy\n"
                "metadata: {name: mail, owner: data-protection}\n"
                "rules:\n"
                "  - id: no-mail\n"
                "    match: {tools: [mail/*]}\n"
                "    effect: deny\n",
            ),
        ),
        "Some readers take the first document and drop the rest, so a wall in the second would stand nowhere. One policy "
        "a file also gives each its own history and its own owner.",
    ),
    FileEntry(
        FileCode.AMBIGUOUS,
        "A word or a number without quotes means one thing to some readers of YAML and another to others: `no`, `on`, "
        "`0123`, `1_000`, `12:30`.",
        (
            policy("""\
                constants:
                  countries: [DE, NO, SE]
                rules:
                  - id: refund
                    effect: allow
                    when: args.country in constants.countries
                """),
        ),
        (
            policy("""\
                constants:
                  countries: [DE, "NO", SE]
                rules:
                  - id: refund
                    effect: allow
                    when: args.country in constants.countries
                """),
        ),
        "To a reader of YAML 1.1, `NO` is the value false. An editor, a formatter and this program should not have to agree "
        "about which version of YAML a policy is written in.",
    ),
    FileEntry(
        FileCode.TOO_LARGE,
        f"The file is longer than {TEXT_BYTES:,} bytes, holds more than {NODES:,} values or nests deeper than {DEPTH} "
        f"levels, or there are more than {MOST_FILES:,} files.",
        (
            policy(f"""\
                constants:
                  deep: {"[" * DEPTH}1{"]" * DEPTH}
                rules:
                  - id: refund
                    effect: allow
                    when: args.amount in constants.deep
                """),
        ),
        (
            policy("""\
                constants:
                  amounts: [1]
                rules:
                  - id: refund
                    effect: allow
                    when: args.amount in constants.amounts
                """),
        ),
        "A file of that size is no policy that anybody reads. Split it: files are independent of each other, and their "
        "order means nothing.",
    ),
    FileEntry(
        FileCode.CHARACTER,
        "A character stands in the file that cannot be seen, or looks like a blank and is none; or the file is not in "
        "UTF-8. In the line below, a no-break space follows the colon.",
        (
            policy("""\
                rules:
                  - id: refund
                    effect:\N{NO-BREAK SPACE}allow
                """),
        ),
        (
            policy("""\
                rules:
                  - id: refund
                    effect: allow
                """),
        ),
        "Such characters come along when text is copied from a web page. Some of them change the order in which a line is "
        "shown, so that a reviewer reads something else than what is loaded. Between double quotes, an escape such as "
        "`\\u00a0` says openly what is meant.",
    ),
    FileEntry(
        FileCode.KEY_NOT_TEXT,
        "A key is a number, true or false, nothing, a list or a mapping.",
        (
            policy("""\
                constants:
                  caps: {1: 50, 2: 500}
                rules:
                  - id: refund
                    effect: allow
                    when: args.amount <= constants.caps[args.tier]
                """),
        ),
        (
            policy("""\
                constants:
                  caps: {"1": 50, "2": 500}
                rules:
                  - id: refund
                    effect: allow
                    when: args.amount <= constants.caps[args.tier]
                """),
        ),
        'Every key of the format is a text, and so are the keys of JSON. Readers differ in whether `1` and `"1"` are one '
        "key.",
    ),
    FileEntry(
        FileCode.EMPTY,
        "The file holds nothing, or comments alone. `oap check` also says so of a folder in which there is no policy.",
        (REFUND, File("policies/mail.yaml", "# The rules about mail come here.\n")),
        (REFUND,),
        "A file that lost its content in a merge looks like that. If it held a wall, the wall is gone, and nobody would "
        "see it.",
    ),
    FileEntry(
        FileCode.NUMBER,
        "A number has more digits than can be held, or is not finite. Whole numbers have 64 bits.",
        (
            policy("""\
                constants:
                  house_account: 12345678901234567890
                rules:
                  - id: no-house-account
                    effect: deny
                    when: args.account == constants.house_account
                """),
        ),
        (
            policy("""\
                constants:
                  house_account: "12345678901234567890"
                rules:
                  - id: no-house-account
                    effect: deny
                    when: args.account == constants.house_account
                """),
        ),
        "Most readers round such a number to the nearest one that they can hold, and a rounded account is somebody else's. "
        "An id is a text, however many of its characters are digits.",
    ),
    FileEntry(
        FileCode.UNREADABLE,
        "The file is there and cannot be read: the rights to it are missing, it is no regular file, or its links go round "
        "in a circle.",
        (),
        (),
        "Nobody can say what stands in such a file, and leaving it out could leave out a wall. So nothing is loaded "
        "until it can be read or is gone.",
    ),
)
