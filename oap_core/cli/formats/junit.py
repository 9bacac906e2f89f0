"""Outcomes of test cases in the XML that CI services read as JUnit's."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Final

__all__ = ["CaseReport", "junit"]

_OUTCOMES: Final = {"passed": "system-out", "failed": "failure", "error": "error", "skipped": "skipped"}
"""The outcomes, and the element that holds what is to say about one."""
_COUNTS: Final = {"failures": "failed", "errors": "error", "skipped": "skipped"}
# What XML 1.0 cannot hold; and of what it can, the carriage return, which a reader would take for a line feed, and the
# control characters above ASCII, which a terminal may obey.
_UNHELD: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class CaseReport:
    """What became of one test case.

    Raises ValueError for an outcome that is none, since it would be read as passed, and for a time that is no time.
    """

    suite: str
    """Name of the group that the case belongs to, such as the policy or the file of tests."""
    name: str
    """Name of the case within its suite."""
    file: str
    """Path of the file that the case stands in, as it is shown."""
    line: int
    """Line where the case begins, counted from 1."""
    outcome: str
    """One of `passed`, `failed`, `error` and `skipped`."""
    message: str
    """One line on the outcome, or an empty text."""
    details: str
    """Whatever explains it, over several lines, or an empty text."""
    seconds: float | None
    """How long the case took, or None where nobody measured it."""

    def __post_init__(self) -> None:
        if self.outcome not in _OUTCOMES:
            raise ValueError(f"the outcome of a case is one of {', '.join(_OUTCOMES)}")
        if self.seconds is not None and not (isfinite(self.seconds) and self.seconds >= 0):
            raise ValueError("the seconds of a case are a finite number from 0 on")


def junit(cases: Iterable[CaseReport]) -> str:
    """Give one document in ASCII: the suites in the order of their first cases, the cases of each in theirs.

    Characters that the document could not hold, or not give back, stand there as a backslash, `u` and four digits.
    """
    suites: dict[str, list[CaseReport]] = {}
    for case in cases:
        suites.setdefault(case.suite, []).append(case)
    root = ET.Element("testsuites", _totals([case for suite in suites.values() for case in suite]))
    for name, members in suites.items():
        suite = ET.SubElement(root, "testsuite", {"name": _held(name), **_totals(members)})
        for case in members:
            _add(suite, case)
    ET.indent(root)
    # References instead of characters, so that the encoding of the stream it is printed on does not matter.
    document: bytes = ET.tostring(root, encoding="us-ascii")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + document.decode("ascii")


def _totals(cases: Sequence[CaseReport]) -> dict[str, str]:
    counts = {name: str(sum(case.outcome == word for case in cases)) for name, word in _COUNTS.items()}
    times = [case.seconds for case in cases if case.seconds is not None]
    return {"tests": str(len(cases)), **counts, **({"time": _time(sum(times))} if times else {})}


def _add(suite: ET.Element, case: CaseReport) -> None:
    about = {"name": _held(case.name), "classname": _held(case.suite), "file": _held(case.file), "line": str(case.line)}
    if case.seconds is not None:
        about["time"] = _time(case.seconds)
    element = ET.SubElement(suite, "testcase", about)
    if case.outcome != "passed":
        ET.SubElement(element, _OUTCOMES[case.outcome], {"message": _held(case.message)}).text = _held(case.details)
    elif case.message or case.details:
        said = "\n".join(text for text in (case.message, case.details) if text)
        ET.SubElement(element, _OUTCOMES[case.outcome]).text = _held(said)


def _time(seconds: float) -> str:
    return f"{seconds:.6f}"


def _held(text: str) -> str:
    return _UNHELD.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
