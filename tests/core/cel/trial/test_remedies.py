"""What is said about a call that failed: it names the argument at fault, and shows none of the data."""

from __future__ import annotations

import re
from typing import Any, Final

import pytest

from oap_core.cel.library import FUNCTIONS
from oap_core.cel.trial import attempt
from oap_core.cel.trial.remedies import REMEDIES
from oap_core.cel.values import Timestamp

NOW: Final = Timestamp(1_764_547_200 * 10**9)

CASES: Final[list[tuple[str, object, str, str | None]]] = [
    ("ip_in(x, '10.0.0.0/8')", "db.example.org", "the address has to be an IP address", "db.example.org"),
    ("ip_in('10.0.0.1', x)", ["10.0.0.0/8", "10.0.0.1"], "a network has an address and a length", "10.0.0.1"),
    ("ip_in(x, '10.0.0.0/8')", "64:ff9b::a00:1", "it depends on a gateway", None),
    ("[x].all(a, ip_in(a, '10.0.0.0/8'))", "db.example.org", "the address has to be an IP address", None),
    ("domain_within(x, 'example.org')", "a b", "the host has to be one plain name", "a b"),
    ("domain_within('example.org', x)", ".example.org", "a domain is written without a dot", ".example.org"),
    ("url_host(x) == 'a'", "example.org/a", "the URL needs a scheme and a host", "example.org/a"),
    ("url_port(x) == 1", "example.org/a", "the URL needs a scheme and a host", "example.org/a"),
    ("url_scheme(x) == 'a'", "example.org/a", "the URL needs a scheme such as", "example.org/a"),
    ("email_domain(x) == 'a'", "Kim <kim@example.org>", "the text has to be one plain address", "Kim <kim"),
    ("timestamp(x) < now", "2026-12-24", "a moment needs a date, a time and an offset", "2026-12-24"),
    ("duration(x) < duration('1h')", "7d", "a span is written in", "7d"),
    ("duration(x) < duration('1h')", "9999999999h", "a span is at most some 292 years", "9999999999h"),
    ("now.getHours(x) < 17", "Berlin", "a time zone is a name such as", "Berlin"),
    ("within(x, '/srv')", "~/a", "the path has to be plain", "~/a"),
    ("within(x, '/srv')", "../a", "a path that climbs out with `..` needs a third argument", None),
    ("within('a', x)", "srv", "the folder has to be absolute", "srv"),
    ("within('a', '/srv', x)", "srv", "the folder that relative paths start from", "srv"),
    ("glob(x, '/srv/*')", "a", "where the path or the pattern is relative", None),
    ("glob('/srv/a', x)", "/srv/[", "the pattern has to be absolute", "/srv/["),
    ("within_on_disk(x, '/')", "~/a", "both have to be paths that `within` takes", None),
    ("int(x) > 1", "12.5", "the text has to be decimal digits", "12.5"),
    ("int(x) > 1", "9" * 30, "an int has 64 bits", "9" * 30),
    ("uint(x) > 1u", "-1", "the text has to be decimal digits without a sign", "-1"),
    ("double(x) > 1.0", "1,5", "the text has to be a decimal number", "1,5"),
    ("bool(x)", "yes", "the text has to be `true` or `false`", "yes"),
    ("'a'.matches(x)", "(?=a)", "RE2 has no lookahead", "(?=a)"),
    ("x.charAt(9) == 'a'", "short", "positions count from 0", None),
    ("x.format([1]) == 'a'", "%q", "clauses are", None),
]


def blamed(expression: str, x: object) -> Any:
    """The blame of an expression that fails on a document with one member."""
    blame = attempt(expression, {"x": x}, None, NOW).blame
    assert blame is not None
    return blame


@pytest.mark.parametrize(("expression", "x", "start", "shown"), CASES, ids=[case[0] for case in CASES])
def test_the_argument_at_fault_is_named(expression: str, x: object, start: str, shown: str | None) -> None:
    blame = blamed(expression, x)
    assert blame.advice.startswith(start)
    if shown is None:
        assert blame.seen is None
        assert blame.told == blame.advice
    else:
        assert blame.told.startswith(f"{blame.advice}; here it is ")
        assert shown in blame.told.removeprefix(blame.advice)


@pytest.mark.parametrize(("expression", "x", "start", "shown"), CASES, ids=[case[0] for case in CASES])
def test_the_advice_is_the_same_whatever_the_data_is(expression: str, x: object, start: str, shown: str | None) -> None:
    advice = blamed(expression, x).advice
    fixed = set(REMEDIES.values()) | {"an int has 64 bits", "a span is at most some 292 years"}
    assert set(re.split("; or (?=it depends|a path)", advice)) <= fixed


def test_remedies_are_about_functions_and_arguments_that_there_are() -> None:
    for name, position in REMEDIES:
        function = FUNCTIONS.get(name)
        assert function is not None, name
        assert position is None or position < max(len(overload.params) for overload in function.overloads)
