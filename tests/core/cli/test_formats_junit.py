"""The outcomes of test cases as JUnit XML: counts, places, and that no text breaks the document."""

from __future__ import annotations

import unicodedata
import xml.etree.ElementTree as ET
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oap_core.cli.formats.junit import CaseReport, junit
from tests.core.cli.hostile import TEXTS


def case(suite: str = "payments", name: str = "n", outcome: str = "passed", **more: Any) -> CaseReport:
    fields: dict[str, Any] = {"file": "p.yaml", "line": 3, "message": "", "details": "", "seconds": None, **more}
    return CaseReport(suite=suite, name=name, outcome=outcome, **fields)


def test_junit_groups_the_cases_by_suite() -> None:
    cases = (
        case(name="small", seconds=0.25),
        case("workspace", "reads", "error", message="no such argument", details="line 1\nline 2"),
        case(name="large", outcome="failed", message="expected ask, got allow", details="50 > 50 is false", seconds=1),
        case("workspace", "later", "skipped", message="todo"),
        case("workspace", "noted", message="first", details="second"),
    )
    assert junit(iter(cases)) == JUNIT


JUNIT: Final = """\
<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="5" failures="1" errors="1" skipped="1" time="1.250000">
  <testsuite name="payments" tests="2" failures="1" errors="0" skipped="0" time="1.250000">
    <testcase name="small" classname="payments" file="p.yaml" line="3" time="0.250000" />
    <testcase name="large" classname="payments" file="p.yaml" line="3" time="1.000000">
      <failure message="expected ask, got allow">50 &gt; 50 is false</failure>
    </testcase>
  </testsuite>
  <testsuite name="workspace" tests="3" failures="0" errors="1" skipped="1">
    <testcase name="reads" classname="workspace" file="p.yaml" line="3">
      <error message="no such argument">line 1
line 2</error>
    </testcase>
    <testcase name="later" classname="workspace" file="p.yaml" line="3">
      <skipped message="todo" />
    </testcase>
    <testcase name="noted" classname="workspace" file="p.yaml" line="3">
      <system-out>first
second</system-out>
    </testcase>
  </testsuite>
</testsuites>"""


@pytest.mark.parametrize("more", [{"message": "said"}, {"details": "said"}])
def test_what_a_passed_case_has_to_say_is_kept(more: dict[str, str]) -> None:
    assert parsed(junit([case(**more)]))[0][0][0].text == "said"


def test_junit_of_no_cases_says_that_there_were_none() -> None:
    assert dict(parsed(junit(())).items()) == {"tests": "0", "failures": "0", "errors": "0", "skipped": "0"}


@pytest.mark.parametrize("outcome", ["", "Passed", "todo", "failure"])
def test_an_outcome_that_is_none_is_refused(outcome: str) -> None:
    with pytest.raises(ValueError, match="one of passed, failed, error, skipped"):
        case(outcome=outcome)


@pytest.mark.parametrize("seconds", [-1.0, float("nan"), float("inf")])
def test_a_time_that_is_none_is_refused(seconds: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        case(seconds=seconds)


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("\0", r"\u0000"),
        ("\r\n", "\\u000d\n"),
        ("\x1b[31m", r"\u001b[31m"),
        ("\x9b", r"\u009b"),
        ("\ud800", r"\ud800"),
        ("\uffff", r"\uffff"),
        (" \t\n ]]>&amp;<!-- é漢😀 ", " \t\n ]]>&amp;<!-- é漢😀 "),
    ],
)
def test_what_xml_cannot_hold_is_escaped(text: str, held: str) -> None:
    element = parsed(junit([case(name=text, outcome="failed", message=text, details=text)]))[0][0]
    assert (element.get("name"), element[0].get("message"), element[0].text) == (held, held, held)


OUTCOMES: Final = ("passed", "failed", "error", "skipped")
REPORTS: Final = st.builds(
    CaseReport,
    TEXTS,
    TEXTS,
    TEXTS,
    st.integers(1, 99),
    st.sampled_from(OUTCOMES),
    TEXTS,
    TEXTS,
    st.none() | st.floats(0, 1e6),
)


@given(st.lists(REPORTS, max_size=8))
def test_any_text_comes_back_or_is_visibly_escaped(cases: list[CaseReport]) -> None:
    root = parsed(junit(cases))
    suites = list(dict.fromkeys(one.suite for one in cases))
    assert [held(suite) for suite in suites] == [suite.get("name") for suite in root]
    assert len(list(root.iter("testcase"))) == len(cases)
    for totals, members in zip(
        [root, *root], [cases, *([one for one in cases if one.suite == suite] for suite in suites)], strict=True
    ):
        counted = [int(totals.get(name, "-1")) for name in ("tests", "failures", "errors", "skipped")]
        assert counted == [len(members), *(sum(one.outcome == word for one in members) for word in OUTCOMES[1:])]
    for one, element in zip(sorted(cases, key=lambda one: suites.index(one.suite)), root.iter("testcase"), strict=True):
        about = [element.get(name) for name in ("name", "classname", "file", "line")]
        assert about == [held(one.name), held(one.suite), held(one.file), str(one.line)]
        if one.outcome == "passed":
            said = "".join(element.itertext())
            assert held(one.message) in said
            assert held(one.details) in said
        else:
            assert element[0].get("message") == held(one.message)
            assert (element[0].text or "") == held(one.details)


def held(text: str) -> str:
    return "".join(f"\\u{ord(char):04x}" if is_unheld(char) else char for char in text)


def is_unheld(char: str) -> bool:
    return char in "\ufffe\uffff" or (unicodedata.category(char) in {"Cc", "Cs"} and char not in "\t\n")


def parsed(text: str) -> ET.Element:
    assert text.isascii()
    return ET.fromstring(text)  # noqa: S314  # it was written by the product a moment ago
