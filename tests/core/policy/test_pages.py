"""Pages about policies: they say what the files say, show hostile text as text, and are the same each time."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oap_core.cel.library import FUNCTIONS
from oap_core.plugins import load_plugins
from oap_core.policy.assemble import Assembled, assemble
from oap_core.policy.load import read
from oap_core.policy.pages import MARK, pages
from oap_core.policy.pages.markdown import code, table, text
from oap_core.policy.report import failed
from oap_core.policy.setup import Setup

SETUP: Final = Setup(load_plugins(["oap-authorization"], FUNCTIONS).effects)

PAY: Final[dict[str, Any]] = {
    "apiVersion": "oap/v1",
    "kind": "Policy",
    "metadata": {
        "name": "pay",
        "owner": "payments-team",
        "description": "Pays back\nwhat was paid.",
        "review": "2027-06-01",
        "labels": {"tier": "gold"},
    },
    "match": {"tools": ["pay/*"]},
    "constants": {"cap": 500, "word": "yes", "number": "7"},
    "variables": {"large": "args.amount > constants.cap"},
    "rules": [
        {"id": "refund", "effect": "allow", "match": {"tools": ["pay/refund"]}, "expires": "2026-12-31T23:59:00Z"},
        {"id": "cap", "effect": "deny", "when": "tool.id == 'pay/refund' && variables.large", "severity": "critical"},
        {
            "id": "second",
            "effect": "ask",
            "match": {"tools": ["pay/refund", "pay/look"], "reach": ["write"]},
            "with": {
                "approvers": ["lead", "boss"],
                "timeout": "90m",
                "quorum": 2,
                "show": ["args.to"],
                "standing": True,
            },
            "waivable": True,
            "message": "A second person looks at it.",
            "note": "asked about {args.amount}",
        },
        {"id": "watch", "effect": "observe", "stage": "result", "mode": "shadow", "when": "result.is_error"},
        {"id": "hide", "effect": "deny", "stage": "result", "when": "constants.word == 'no'"},
    ],
    "tests": [
        {"name": "small", "call": {"tool": "pay/refund", "args": {"amount": 1, "to": "a"}}, "expect": "ask"},
        {
            "name": "large",
            "call": {"tool": "pay/refund", "args": {"amount": "${n}", "to": "${to}"}},
            "matrix": {"n": [501, 900], "to": ["a", "b", "c"]},
            "expect": "deny",
        },
        {"name": "later", "call": {"tool": "pay/look"}, "expect": "deny", "skip": "no machine"},
        {"name": "gap", "call": {"tool": "pay/look"}, "expect": "allow", "todo": True},
    ],
}
LOOK: Final[dict[str, Any]] = {
    "apiVersion": "oap/v1",
    "kind": "Policy",
    "metadata": {"name": "look", "owner": "everybody"},
    "rules": [{"id": "free", "effect": "allow", "match": {"tools": ["pay/look"]}}],
}
EXCEPTIONS: Final[dict[str, Any]] = {
    "apiVersion": "oap/v1",
    "kind": "Exceptions",
    "metadata": {"name": "let", "owner": "risk"},
    "exceptions": [
        {
            "id": "E1",
            "waives": ["pay/second"],
            "match": {"tools": ["pay/refund"]},
            "when": "subject.id == 'batch'",
            "reason": "Nobody is awake.",
            "approved_by": "boss",
            "expires": "2026-12-31T23:59:59Z",
            "ticket": "T-1",
        }
    ],
}
CATALOG: Final[dict[str, Any]] = {
    "apiVersion": "oap/v1",
    "kind": "Catalog",
    "metadata": {"name": "tools", "owner": "risk"},
    "tools": [
        {
            "id": "pay/refund",
            "description": "Pays back.",
            "reach": "write",
            "tags": ["money"],
            "input_schema": {
                "type": "object",
                "properties": {"amount": {"type": "integer"}, "to": {"type": "string"}},
                "required": ["amount", "to"],
            },
        },
        {"id": "pay/look", "reach": "read"},
        {"id": "mail/send", "reach": "external"},
    ],
}
TESTS: Final[dict[str, Any]] = {
    "apiVersion": "oap/v1",
    "kind": "PolicyTest",
    "policies": ["look"],
    "tests": [{"name": "everybody looks", "call": {"tool": "pay/look"}, "expect": "allow"}],
}
ASKED: Final = (
    "asks `lead` or `boss`, for at most 1h30m; 2 of them have to say yes; shows `args.to` first; "
    "a yes may stand for the rest of the session"
)
ALL: Final = (PAY, LOOK, EXCEPTIONS, CATALOG, TESTS)


def assembled(*documents: dict[str, Any]) -> Assembled:
    files = [
        read(json.dumps(document, ensure_ascii=False), f"{number}.yaml") for number, document in enumerate(documents)
    ]
    found = assemble(files, SETUP)
    assert not failed(found.diagnostics), found.diagnostics
    return found


def written(*documents: dict[str, Any]) -> dict[str, str]:
    return {page.name: page.text for page in pages(assembled(*documents))}


def rows(page: str, first: str) -> list[list[str]]:
    """The cells of the table whose head begins with a word, the head left out."""
    lines = page.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith(f"| {first} |"))
    found = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        found.append([cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]])
    return found


def test_there_is_a_page_a_policy_and_one_that_leads_to_them() -> None:
    found = written(*ALL)
    assert list(found) == ["index.md", "look.md", "pay.md"]
    assert all(page.startswith(f"{MARK}\n\n# ") for page in found.values())
    assert all(page.endswith("\n") and not page.endswith("\n\n") for page in found.values())


def test_rules_are_told_in_words_in_their_order() -> None:
    found = rows(written(*ALL)["pay.md"], "Rule")
    condition = "`tool.id == 'pay/refund' && variables.large`"
    assert [row[:4] for row in found] == [
        ["`refund`", "lets the call through", "`pay/refund`", "always"],
        [
            "`cap`",
            "stops the call",
            "all of these",
            condition,
        ],
        [
            "`second`",
            ASKED,
            "`pay/refund` or `pay/look` and reach `write`",
            "always",
        ],
        ["`watch`", "`observe`: leaves a mark on the result", "results of all of these", "`result.is_error`"],
        ["`hide`", "withholds the result", "results of all of these", "`constants.word == 'no'`"],
    ]
    assert [row[4:] for row in found] == [
        ["", "medium", "enforced", "no", "2026-12-31 23:59 UTC"],
        ["", "critical", "enforced", "no", ""],
        [
            "A second person looks at it.<br>For operators: asked about \\{args.amount\\}",
            "medium",
            "enforced",
            "yes",
            "",
        ],
        ["", "medium", "watches only", "no", ""],
        ["", "medium", "enforced", "no", ""],
    ]


def test_a_policy_says_whose_it_is_and_what_it_stands_on() -> None:
    page = written(*ALL)["pay.md"]
    assert "\nPays back what was paid.\n" in page
    assert rows(page, "") == [
        ["Owner", "payments-team"],
        ["Look at it again by", "2027-06-01"],
        ["Speaks about", "`pay/*`"],
        ["Label `tier`", "gold"],
    ]
    assert rows(page, "Constant") == [["`cap`", "`500`"], ["`word`", "`yes`"], ["`number`", '`"7"`']]
    assert rows(page, "Variable") == [["`large`", "`args.amount > constants.cap`"]]


def test_exceptions_stand_with_the_rules_that_they_lift() -> None:
    found = written(*ALL)
    assert rows(found["pay.md"], "Exception") == [
        [
            "`E1`", "`pay/second`", "`pay/refund`", "`subject.id == 'batch'`", "Nobody is awake.", "boss", "risk", "T-1",
            "2026-12-31 23:59 UTC",
        ]
    ]  # fmt: skip
    assert "No exception lifts a rule of this policy." in found["look.md"]
    assert rows(found["index.md"], "Exception") == [
        ["`E1`", "[`pay/second`](pay.md)", "boss", "risk", "2026-12-31 23:59 UTC"]
    ]


def test_tools_stand_with_their_reach_and_the_rules_about_them() -> None:
    found = written(*ALL)
    assert rows(found["pay.md"], "Tool") == [
        ["`pay/look`", "read", "", "`hide`, `watch`"],
        ["`pay/refund`", "write", "`money`", "`cap`, `hide`, `refund`, `second`, `watch`"],
    ]
    assert rows(found["index.md"], "Tool") == [
        ["`mail/send`", "", "external", "nothing", "", ""],
        ["`pay/look`", "", "read", "[`look/free`](look.md)", "", ""],
        [
            "`pay/refund`", "Pays back.", "write", "[`pay/refund`](pay.md)", "[`pay/cap`](pay.md)",
            "[`pay/second`](pay.md)",
        ],
    ]  # fmt: skip
    assert "There is no catalog" in written(LOOK)["look.md"]


def test_tests_are_counted_and_named() -> None:
    found = written(*ALL)
    assert found["pay.md"].partition("## Tests\n\n")[2] == (
        "9 cases:\n\n- small\n- large (6 cases)\n- later (not run: no machine)\n- gap (a known gap)\n"
    )
    assert found["look.md"].endswith("## Tests\n\n1 case:\n\n- everybody looks\n")
    assert "Nothing tests this policy." in written(LOOK)["look.md"]


def test_tests_of_no_policy_alone_stand_in_the_index() -> None:
    tests = {key: value for key, value in TESTS.items() if key != "policies"}
    found = written(LOOK, tests)
    assert "Nothing tests this policy." in found["look.md"]
    assert found["index.md"].endswith("## Tests of no policy alone\n\n1 case:\n\n- everybody looks\n")


def test_the_index_lists_every_policy() -> None:
    assert rows(written(*ALL)["index.md"], "Policy") == [
        ["[look](look.md)", "", "everybody", "", "1", "1"],
        ["[pay](pay.md)", "Pays back what was paid.", "payments-team", "2027-06-01", "5", "9"],
    ]


def test_the_order_of_files_changes_nothing() -> None:
    assert written(*ALL) == written(*reversed(ALL))


def test_names_that_differ_in_letter_case_alone_get_pages_of_their_own() -> None:
    named = [{**LOOK, "metadata": {"name": name, "owner": "a"}} for name in ("Index", "look", "LOOK", "look-2")]
    found = written(*named)
    assert len({name.casefold() for name in found}) == 5
    links = rows(found["index.md"], "Policy")
    assert {re.findall(r"\((.*)\)", row[0])[0] for row in links} == found.keys() - {"index.md"}


def test_files_with_errors_have_no_pages() -> None:
    wrong = assemble([read("apiVersion: oap/v1\nkind: Policy\n", "a.yaml")], SETUP)
    with pytest.raises(ValueError, match="files that are right"):
        pages(wrong)


HOSTILE: Final = (
    "a | b",
    "`code`",
    "<script>alert(1)</script>",
    "<!-- comment -->",
    "[link](https://example.com)",
    "![picture](x.png)",
    "*bold* _low_ ~~gone~~",
    "line\nbreak\r\nand | more",
    "# heading",
    "- list",
    "1. list",
    "> quote",
    "--- | ---",
    "\\| \\` \\",
    "&lt;b&gt; &#124;",
    "https://example.com www.example.com",
    "@team #12 $x$ :smile:",
    "``` fence",
    "<https://example.com>",
    "[x]: /y",
    "||",
    "a\\\\|b",
)


def hostile(value: str) -> dict[str, Any]:
    """A policy with that text in every place that takes one."""
    document = deepcopy(PAY)
    document["metadata"] |= {"owner": value, "description": value, "labels": {"k": value}}
    document["constants"] |= {"word": value}
    document["variables"]["large"] = f"args.amount > constants.cap && args.to != {json.dumps(value)}"
    rule = document["rules"][2]
    rule["with"] = {"approvers": [value]}
    rule["message"] = rule["note"] = value.replace("{", "{{").replace("}", "}}")
    for case in document["tests"]:
        case["name"] = value + case["name"]
    document["tests"][2]["skip"] = value
    return document


@pytest.mark.parametrize("value", HOSTILE)
def test_hostile_text_changes_no_structure(value: str) -> None:
    quiet = written(hostile("quiet"), CATALOG)
    exceptions = deepcopy(EXCEPTIONS)
    exceptions["exceptions"][0] |= {"reason": value, "approved_by": value, "ticket": value, "owner": value}
    found = written(hostile(value), CATALOG)
    for name, page in found.items():
        assert shape(page) == shape(quiet[name])
    page = written(hostile(value), CATALOG, exceptions)["pay.md"]
    assert len(rows(page, "Exception")[0]) == 9
    # The tags that are left are ours.
    assert set(re.findall(r"(?<!\\)<[^>]*>", without_code(page.removeprefix(MARK)))) <= {"<br>", "<code>", "</code>"}


def without_code(page: str) -> str:
    return re.sub(r"(?<![\\`])`[^`]+`", "", page)


def shape(page: str) -> list[object]:
    """What kind of line each is; of a row of a table, how many cells it has."""
    return [
        len(re.findall(r"(?<!\\)\|", line)) if line.startswith("|") else line[:2] if line[:1] in "#-" else bool(line)
        for line in page.splitlines()
    ]


def unescaped(shown: str) -> str:
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", shown)


@settings(max_examples=300, deadline=None)
@given(st.text(st.characters(codec="ascii", exclude_categories=["Cc"]), max_size=30))
def test_prose_is_the_text_with_its_markup_escaped(value: str) -> None:
    shown = text(value)
    assert unescaped(shown) == " ".join(value.split())
    assert not re.search(r"(?<!\\)(?:\\\\)*[|`<\[*_]", shown)


@settings(max_examples=300, deadline=None)
@given(st.text(st.characters(codec="ascii", exclude_categories=["Cc"]), min_size=1, max_size=30))
def test_code_is_the_text_character_for_character(value: str) -> None:
    shown = code(value)
    if shown.startswith("`"):
        assert shown == f"`{value}`"
        assert not set("|`\\") & set(value)
    else:
        inner = shown.removeprefix("<code>").removesuffix("</code>")
        assert not set("|`<>\\*_[]") & set(inner)
        plain = re.sub(r"&#(\d+);", lambda found: chr(int(found[1])), inner)
        assert plain.replace("\xa0", " ") == value


# Every printable character of ASCII, those that are markup more often.
PROSE: Final = st.text(
    st.one_of(st.sampled_from("|`\\\\<>[]()*_~&#;!$:/"), st.characters(codec="ascii", exclude_categories=["Cc"])),
    max_size=20,
)


@settings(max_examples=400, deadline=None)
@given(PROSE, PROSE, PROSE)
def test_a_reader_of_markdown_shows_the_text(one: str, two: str, three: str) -> None:
    reason = "what a page looks like is asked from a reader of Markdown, and none is installed"
    markdown_it = pytest.importorskip("markdown_it", reason=reason)
    source = "\n".join([*table(("A", "B"), [(text(one), code(two))]), f"- {text(three)}", "", text(one)])
    tokens = markdown_it.MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(source)
    shown = [inline(token) for token in tokens if token.type == "inline"]
    assert shown[:4] == ["A", "B", spaced(one), spaced(two)]
    assert shown[4:] == [line for line in (spaced(three), spaced(one)) if line]


def inline(token: Any) -> str:
    """What a reader sees of a line; anything but text and code is a mistake."""
    parts = []
    for child in token.children:
        if child.type == "html_inline":
            assert child.content in {"<code>", "</code>"}
        else:
            assert child.type in {"text", "text_special", "code_inline"}
            parts.append(child.content)
    return spaced("".join(parts))


def spaced(value: str) -> str:
    return " ".join(value.split())


def test_lines_of_code_stay_apart_and_keep_their_indent() -> None:
    assert code("a\n  && b\n") == "<code>a<br>&#160;&#160;&#38;&#38; b</code>"


@pytest.mark.parametrize("value", ["a\x1b[31m", "a\u202eb", "a\u200bb"])
def test_what_cannot_be_seen_is_written_out(value: str) -> None:
    assert text(value).isprintable()
    assert code(value).isprintable()
    assert "\\" in text(value)


def test_letters_of_the_world_stay_as_they_are() -> None:
    assert text("Zahlungen über 世界") == "Zahlungen über 世界"
    assert code("世界") == "`世界`"
