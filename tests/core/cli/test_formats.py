"""The formats of findings: what each looks like, that none loses a finding, and that no text breaks out of one."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from random import Random
from typing import Any, Final
from urllib.parse import unquote

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oap_core.cel.codes import TITLES as CONDITION_TITLES
from oap_core.cli.formats import FORMATS, Findings, write
from oap_core.diagnostic import Diagnostic, Severity, printable, render
from oap_core.policy.codes import TITLES as FILE_TITLES
from tests.core.cli.hostile import HOSTILE, TEXTS
from tests.core.cli.sarif_schema import VALIDATOR

SOURCE: Final = "metadata: {name: p}\nrules:\n  - efect: deny\n    when: >-\n      args.x\n      > 1\n"
NAMELESS: Final = Diagnostic("OAP606", "no file has the policy `base`", 1, 1, 1, 1, help="add it")
KEY: Final = Diagnostic(
    "OAP201", "unknown key `efect`", 3, 5, 3, 10, help="did you mean `effect`?", file="policies/b.yaml"
)
OPTIONAL: Final = Diagnostic(
    "CEL304", "`x` is optional", 5, 7, 6, 10, file="policies/b.yaml", severity=Severity.WARNING
)
ELSEWHERE: Final = Diagnostic("JSON101", "no value", 7, 2, 7, 2, file="policies/a.json")
FINDINGS: Final = Findings(
    (OPTIONAL, KEY, ELSEWHERE, NAMELESS), {"policies/b.yaml": SOURCE}, "2 files, 1 rule, 3 errors, 1 warning"
)

# ------------------------------------------------------------------------------------------------------------ text

PLAIN: Final = """\
error[OAP606] 1:1  no file has the policy `base`
  help: add it
error[JSON101] policies/a.json:7:2  no value
error[OAP201] policies/b.yaml:3:5  unknown key `efect`
  3 |   - efect: deny
    |     ^^^^^ did you mean `effect`?
warning[CEL304] policies/b.yaml:5:7  `x` is optional
  5 |       args.x
    |       ^^^^^^
2 files, 1 rule, 3 errors, 1 warning"""


def test_text_is_ordered_by_place_and_ends_with_the_summary() -> None:
    assert write(FINDINGS, "text", colour=False) == PLAIN


def test_colour_marks_label_and_caret_and_changes_nothing_else() -> None:
    coloured = write(FINDINGS, "text", colour=True)
    assert click.unstyle(coloured) == PLAIN
    lines = coloured.split("\n")
    assert lines[3] == click.style("error[OAP201]", fg="red", bold=True) + " policies/b.yaml:3:5  unknown key `efect`"
    assert lines[4] == "  3 |   - efect: deny"
    assert lines[5] == "    | " + click.style("    ^^^^^ did you mean `effect`?", fg="red")
    assert lines[6].startswith(click.style("warning[CEL304]", fg="yellow", bold=True))
    assert lines[8] == "    | " + click.style("      ^^^^^^", fg="yellow")
    assert "\x1b" not in lines[-1]


def test_a_line_that_the_source_does_not_have_is_left_out() -> None:
    beyond = replace(KEY, line=8, end_line=8)
    assert write(replace(FINDINGS, diagnostics=(beyond,)), "text", colour=False).split("\n")[:2] == [
        "error[OAP201] policies/b.yaml:8:5  unknown key `efect`",
        "  help: did you mean `effect`?",
    ]


def test_many_findings_in_a_long_file_are_all_printed() -> None:
    many = 20_000
    found = tuple(Diagnostic("OAP201", f"m{line}", line, 1, line, 2, file="f") for line in range(many, 0, -1))
    lines = write(Findings(found, {"f": "a: 1\n" * many}, "done"), "text", colour=False).split("\n")
    assert len(lines) == 3 * many + 1
    assert lines[-4:] == [f"error[OAP201] f:{many}:1  m{many}", f"{many} | a: 1", "      | ^", "done"]


# ------------------------------------------------------------------------------------------------------------ json


def test_json_holds_every_field() -> None:
    assert json.loads(write(FINDINGS, "json", colour=True)) == {
        "version": 1,
        "summary": {"errors": 3, "warnings": 1, "text": "2 files, 1 rule, 3 errors, 1 warning"},
        "diagnostics": [as_object(found) for found in (NAMELESS, ELSEWHERE, KEY, OPTIONAL)],
    }


def as_object(found: Diagnostic) -> dict[str, Any]:
    return {
        "code": found.code,
        "severity": "warning" if found.severity is Severity.WARNING else "error",
        "message": found.message,
        "help": found.help,
        "file": found.file,
        "line": found.line,
        "column": found.column,
        "end_line": found.end_line,
        "end_column": found.end_column,
        "rule": found.rule,
    }


# ---------------------------------------------------------------------------------------------------------- github


COMMANDS: Final = """\
::error line=1,endLine=1,col=1,endColumn=1,title=OAP606 policy name that no file has::\
OAP606 1:1  no file has the policy `base`%0Ahelp: add it
::error file=policies/a.json,line=7,endLine=7,col=2,endColumn=2,title=JSON101::\
JSON101 policies/a.json:7:2  no value
::error file=policies/b.yaml,line=3,endLine=3,col=5,endColumn=10,title=OAP201 unknown key::\
OAP201 policies/b.yaml:3:5  unknown key `efect`%0Ahelp: did you mean `effect`?
::warning file=policies/b.yaml,line=5,endLine=6,title=CEL304 optional field read without `has()`::\
CEL304 policies/b.yaml:5:7  `x` is optional
2 files, 1 rule, 3 errors, 1 warning"""


def test_github_has_one_command_a_finding() -> None:
    assert write(FINDINGS, "github", colour=True) == COMMANDS


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_starts_a_second_command(text: str) -> None:
    found = replace(KEY, message=f"m{text}", help=text, file=f"f{text}")
    first, last = write(Findings((found,), {}, text), "github", colour=False).splitlines()
    kind, properties, data = obeyed(first) or ("", {}, "")
    assert kind == "error"
    assert properties["line"] == "3"
    assert properties["title"] == "OAP201 unknown key"
    assert data.startswith("OAP201 f")
    assert "##[" not in last
    assert obeyed(last) is None


@pytest.mark.parametrize("name", ["a, b:c%.yaml", "naïve\u00a0漢.yaml", "50%2C.yaml", "a\nb", "::error::x"])
def test_github_finds_the_file_by_its_exact_name(name: str) -> None:
    line = write(Findings((replace(KEY, file=name),), {}, "s"), "github", colour=False).split("\n")[0]
    assert (obeyed(line) or ("", {"file": ""}, ""))[1]["file"] == name


def obeyed(line: str) -> tuple[str, dict[str, str], str] | None:
    """Read a line as a runner does, or give None where it is no command."""
    line = line.lstrip()
    if not line.startswith("::") or "::" not in line[2:]:
        return None
    head, _, data = line[2:].partition("::")
    kind, _, listed = head.partition(" ")
    properties = dict(pair.split("=", 1) for pair in listed.strip().split(",") if "=" in pair)
    return kind, {name: unescaped(value, ":", ",") for name, value in properties.items()}, unescaped(data)


def unescaped(text: str, *more: str) -> str:
    for char in ("\r", "\n", *more, "%"):
        text = text.replace(f"%{ord(char):02X}", char)
    return text


# ----------------------------------------------------------------------------------------------------------- sarif


def sarif(findings: Findings) -> dict[str, Any]:
    """The one run of the log."""
    text = write(findings, "sarif", colour=True)
    assert text.isascii()
    log = json.loads(text)
    VALIDATOR.validate(log)
    run: dict[str, Any] = log["runs"][0]
    return run


def test_sarif_has_a_result_a_finding_and_a_rule_a_code() -> None:
    run = sarif(FINDINGS)
    assert run["tool"]["driver"]["rules"] == [
        {"id": "CEL304", "shortDescription": {"text": "optional field read without `has()`"}},
        {"id": "JSON101"},
        {"id": "OAP201", "shortDescription": {"text": "unknown key"}},
        {"id": "OAP606", "shortDescription": {"text": "policy name that no file has"}},
    ]
    assert [(result["ruleId"], result["ruleIndex"], result["level"]) for result in run["results"]] == [
        ("OAP606", 3, "error"),
        ("JSON101", 1, "error"),
        ("OAP201", 2, "error"),
        ("CEL304", 0, "warning"),
    ]
    nameless, _, key, optional = run["results"]
    assert key["message"]["text"] == "unknown key `efect`\nhelp: did you mean `effect`?"
    assert nameless["locations"] == [{"message": {"text": "line 1, column 1"}}]
    assert optional["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "policies/b.yaml"},
                "region": {"startLine": 5, "startColumn": 7, "endLine": 6, "endColumn": 10},
            }
        }
    ]


def test_sarif_of_no_findings_is_a_log_all_the_same() -> None:
    run = sarif(Findings((), {}, "2 files"))
    assert (run["results"], run["tool"]["driver"]["rules"]) == ([], [])
    assert run["properties"]["summary"] == "2 files"


@pytest.mark.parametrize(
    ("file", "uri"),
    [
        ("./a//b.yaml", "a/b.yaml"),
        ("../a b#c?.yaml", "../a%20b%23c%3F.yaml"),
        ("javascript:alert(1)", "javascript%3Aalert%281%29"),
        ("é%.yaml", "%C3%A9%25.yaml"),
        ("/repo/é: a.yaml", "file:///repo/%C3%A9:%20a.yaml"),
        ("//host/a.yaml", "file:///host/a.yaml"),
    ],
)
def test_a_path_becomes_an_address(file: str, uri: str) -> None:
    location = sarif(Findings((replace(KEY, file=file),), {}, "s"))["results"][0]["locations"][0]
    assert location["physicalLocation"]["artifactLocation"]["uri"] == uri


@pytest.mark.parametrize("text", ["[click](https://evil.example)", r"[click\](https://evil.example)", "[a](1)"])
def test_no_message_holds_a_link(text: str) -> None:
    found = replace(KEY, message=text, help=text)
    assert "](" not in sarif(Findings((found,), {}, "s"))["results"][0]["message"]["text"]


TITLES: Final[dict[str, str]] = {str(code): text for code, text in (*FILE_TITLES.items(), *CONDITION_TITLES.items())}


@pytest.mark.parametrize("code", TITLES)
def test_every_code_of_a_file_has_a_title(code: str) -> None:
    rules = sarif(Findings((replace(KEY, code=code),), {}, "s"))["tool"]["driver"]["rules"]
    assert rules == [{"id": code, "shortDescription": {"text": TITLES[code]}}]


# ------------------------------------------------------------------------------------------------------ all of them

PLACES: Final = st.integers(1, 30)


# A path of several parts is normalised where it becomes an address.
NAMES: Final = TEXTS.map(lambda text: "f" + text.replace("/", "-"))


@st.composite
def diagnostics(draw: st.DrawFn) -> Diagnostic:
    line, column, more = draw(PLACES), draw(PLACES), draw(st.integers(0, 2))
    end_column = draw(PLACES) if more else column + draw(st.integers(0, 5))
    return Diagnostic(
        draw(st.sampled_from(["OAP201", "OAP102", "CEL304", "JSON101", "X1"])),
        "m" + draw(TEXTS),
        line,
        column,
        line + more,
        end_column,
        help=draw(st.none() | TEXTS),
        file=draw(st.none() | st.sampled_from(["a.yaml", "b/c.yaml"]) | NAMES),
        severity=draw(st.sampled_from(Severity)),
        rule=draw(st.sampled_from([None, "desk/refund"])),
    )


@st.composite
def findings(draw: st.DrawFn) -> Findings:
    found = tuple(draw(st.lists(diagnostics(), max_size=6)))
    names = {one.file for one in found if one.file is not None and draw(st.booleans())}
    return Findings(found, {name: "\n".join(draw(st.lists(TEXTS, max_size=30))) for name in names}, draw(TEXTS))


def place(found: Diagnostic) -> str:
    name = "" if found.file is None else "".join(map(printable, found.file)) + ":"
    return f"{found.code} {name}{found.line}:{found.column}"


@given(findings(), st.randoms())
def test_every_format_names_every_code_and_place_in_one_order(some: Findings, random: Random) -> None:
    shuffled = list(some.diagnostics)
    random.shuffle(shuffled)
    ordered = sorted(
        some.diagnostics, key=lambda one: (one.file is not None, one.file or "", one.line, one.column, one.code)
    )
    for format, places in PLACES_IN.items():
        text = write(some, format, colour=False)
        assert places(text) == [place(found) for found in ordered]
        assert text == write(replace(some, diagnostics=tuple(shuffled)), format, colour=False)
        text.encode("utf-8")


DIFFERENCES: Final[dict[str, tuple[Any, Any]]] = {
    "file": (None, ""),
    "line": (2, 3),
    "column": (4, 5),
    "code": ("OAP201", "OAP202"),
    "end_line": (4, 3),
    "end_column": (10, 11),
    "severity": (Severity.ERROR, Severity.WARNING),
    "message": ("m", "n"),
    "help": (None, ""),
    "rule": (None, "desk/refund"),
}


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("field", DIFFERENCES)
def test_findings_that_differ_in_one_thing_have_an_order_too(format: str, field: str) -> None:
    one, other = (replace(KEY, **{field: value}) for value in DIFFERENCES[field])
    forward, backward = (
        write(Findings(found, {}, "s"), format, colour=False) for found in ((one, other), (other, one))
    )
    assert forward == backward


def test_a_finding_that_stands_there_twice_is_shown_twice() -> None:
    twice = Findings((replace(KEY, message="m"),) * 2, {}, "s")
    assert [len(places(write(twice, format, colour=False))) for format, places in PLACES_IN.items()] == [2, 2, 2, 2]


@pytest.mark.parametrize("format", ["json", "github", "sarif"])
def test_what_a_program_reads_is_not_cut(format: str) -> None:
    found = replace(KEY, message="m" * 5000, help="h" * 5000)
    text = write(Findings((found,), {}, "s"), format, colour=False)
    assert found.message in text
    assert "h" * 5000 in text


def test_no_format_is_left_out() -> None:
    assert tuple(PLACES_IN) == FORMATS
    with pytest.raises(ValueError, match="text, json, github, sarif"):
        write(FINDINGS, "yaml", colour=False)


def places_in_text(text: str) -> list[str]:
    assert all(line.isprintable() for line in text.split("\n"))
    headings = re.findall(r"^(?:error|warning)\[(\w+)\] (.*?\d:\d+)  m", text, re.MULTILINE)
    return [" ".join(heading) for heading in headings]


def places_in_json(text: str) -> list[str]:
    assert text.isascii()
    objects = json.loads(text)["diagnostics"]
    return [place(Diagnostic(**{**one, "severity": Severity(one["severity"])})) for one in objects]


def places_in_github(text: str) -> list[str]:
    *commands, last = f"{text}\n".splitlines()
    assert obeyed(last) is None
    found = []
    for command in commands:
        kind, properties, data = obeyed(command) or ("", {}, "")
        assert kind in {"error", "warning"}
        assert properties.keys() - {"file", "col", "endColumn"} == {"line", "endLine", "title"}
        assert ("col" in properties) == ("endColumn" in properties) == (properties["line"] == properties["endLine"])
        start = re.match(r"(\w+ (.*?)\d+:\d+)  m", data)
        assert start is not None
        assert bool(start[2]) == ("file" in properties)
        found.append(start[1])
    return found


def places_in_sarif(text: str) -> list[str]:
    assert text.isascii()
    log = json.loads(text)
    VALIDATOR.validate(log)
    return [place_in_result(result) for result in log["runs"][0]["results"]]


def place_in_result(result: dict[str, Any]) -> str:
    (location,) = result["locations"]
    if "message" in location:
        line, column = map(int, re.findall(r"\d+", location["message"]["text"]))
        return place(Diagnostic(result["ruleId"], "m", line, column, line, column))
    physical = location["physicalLocation"]
    file = unquote(physical["artifactLocation"]["uri"], errors="surrogatepass")
    names = ("startLine", "startColumn", "endLine", "endColumn")
    line, column, end_line, end_column = (physical["region"][name] for name in names)
    return place(Diagnostic(result["ruleId"], "m", line, column, end_line, end_column, file=file))


PLACES_IN: Final = {
    "text": places_in_text,
    "json": places_in_json,
    "github": places_in_github,
    "sarif": places_in_sarif,
}


@given(findings())
def test_text_shows_each_finding_as_it_is_rendered_alone(some: Findings) -> None:
    text = write(some, "text", colour=False)
    assert click.unstyle(write(some, "text", colour=True)) == text
    for found in some.diagnostics:
        if found.file is not None and found.file in some.sources:
            assert render(found, some.sources[found.file]) in text


@given(findings())
def test_json_gives_the_exact_values_back(some: Findings) -> None:
    read = json.loads(write(some, "json", colour=False))
    # Two halves of a character that stand side by side are one character in JSON.
    expected = json.loads(json.dumps([as_object(found) for found in some.diagnostics]))
    assert sorted(read["diagnostics"], key=repr) == sorted(expected, key=repr)
    assert read["summary"]["errors"] + read["summary"]["warnings"] == len(expected)
