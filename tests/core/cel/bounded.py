"""Evaluates one expensive expression in a process with a limit on its memory: `python -m tests.core.cel.bounded NAME`.

Prints the code of the error outcome, or the outcome. What the operating system does to a process that takes too much
memory, or the test to one that does not end, is never an outcome.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from typing import Any, Final

from oap_core.cel import Env, freeze, load
from oap_core.cel.host import HOST_FUNCTIONS
from oap_core.cel.standard import STANDARD
from oap_core.cel.types import DYN
from oap_core.errors import CelError

MEMORY: Final = 1_500_000_000
"""Most bytes of address space; interpreter, libraries and the data itself need about a third of it."""

_LONG: Final = 4_000_000 - 100
_LIST: Final = list(range(1000))
_WIDE: Final = [[0]] * 40_000
_LETTERS: Final = ["a"] * 180_000

SCENARIOS: Final[Mapping[str, tuple[str, Callable[[], Any]]]] = {
    "nested comprehensions": ("x.all(a, x.all(b, a + b >= 0))", lambda: _LIST),
    "nested lists": ("x.map(a, x.map(b, x)).size() > 0", lambda: _LIST),
    "lists that grow": ("x.map(a, x + x + x + x).map(b, b + b + b + b).size() > 0", lambda: _LIST),
    "text that doubles": (
        "[0].map(a, x + x).map(a, a + a).map(a, a + a).map(a, a + a).map(a, a + a).map(a, a + a).size() > 0",
        lambda: "x" * 1_000_000,
    ),
    "text in every element": ("x.l.map(a, x.t + string(a)).size() > 0", lambda: {"l": _LIST, "t": "x" * 3_000_000}),
    "bytes in every element": ("x.l.map(a, bytes(x.t)).size() > 0", lambda: {"l": _LIST, "t": "\u00e9" * 3_000_000}),
    "replace that squares": ("x.replace('', x).size() > 0", lambda: "x" * 4000),
    "replace of every character": ("x.replace('x', 'yyyyyyyyyyyyyyyy').size() > 0", lambda: "x" * 1_000_000),
    "join that squares": ("x.l.map(a, x.t).join(x.t).size() > 0", lambda: {"l": _LIST, "t": "x" * 100_000}),
    "split into characters": ("x.split('').size() > 0 && x.split('x').size() > 0", lambda: "x" * _LONG),
    "reverse in a loop": ("x.l.all(a, x.t.reverse() == x.t)", lambda: {"l": _LIST, "t": "x" * 3_000_000}),
    "search in a loop": ("x.l.all(a, !x.t.contains('y'))", lambda: {"l": _LIST, "t": "x" * 3_000_000}),
    "search that backs up": ("x.t.contains(x.n)", lambda: {"t": "a" * 3_900_000, "n": "a" * 50_000 + "b"}),
    "comparison in a loop": (
        "x.l.all(a, x.t == x.u)",
        lambda: {"l": _LIST, "t": "x" * 1_900_000 + "a", "u": "x" * 1_900_000 + "b"},
    ),
    "lists compared in a loop": ("x.all(a, x.all(b, x == x))", lambda: [[number] for number in range(3000)]),
    "measuring in a loop": ("x.l.all(a, x.t == x.u)", lambda: {"l": list(range(9000)), "t": _WIDE, "u": [*_WIDE]}),
    "measuring a text in a loop": ("x.l.all(a, x.t.join() != '')", lambda: {"l": list(range(9000)), "t": _LETTERS}),
    "measuring a needle in a loop": (
        "x.l.all(a, !([x.t] in x.u))",
        lambda: {"l": list(range(9000)), "t": _WIDE, "u": [_WIDE]},
    ),
    "membership in a loop": ("x.all(a, a in x)", lambda: [str(number) for number in range(30_000)]),
    "an expression that backtracks elsewhere": ("x.matches('^(a+)+$')", lambda: "a" * 3_000_000 + "!"),
    "alternatives that backtrack elsewhere": ("x.matches('^(a|a|aa)*$')", lambda: "a" * 100_000 + "!"),
    "an expression in a loop": ("x.l.all(a, !x.t.matches('b$'))", lambda: {"l": _LIST, "t": "a" * 3_000_000}),
    "an expression from data": ("x.t.matches(x.r)", lambda: {"t": "a" * 1000, "r": "(a{1000}){1000}"}),
    "an endless expression from data": ("x.t.matches(x.r)", lambda: {"t": "a", "r": "(" * 1_000_000}),
    "many expressions from data": (
        "x.r.all(a, x.t.matches(a) || true) && x.r.map(a, x.t.matches(a)).size() > 0",
        lambda: {"t": "a", "r": [f"(a{{900}}){{{number % 1000}}}b{number}" for number in range(9000)]},
    ),
    "an integer of a million digits": ("int(x) == 1", lambda: "9" * 1_000_000),
    "a double of a million digits": ("double(x) == 1.0", lambda: "9" * 1_000_000 + "!"),
    "a duration that backtracks elsewhere": ("duration(x) == duration(x)", lambda: "1" * 100_000 + "!"),
    "a duration of many parts": ("duration(x) == duration('1s')", lambda: "1h" * 1_000_000),
    "a moment of a million digits": ("timestamp(x) == timestamp(x)", lambda: "2026-01-01T00:00:00." + "9" * 1_000_000),
    "a precision without an end": ("'%.999999999f'.format([1.0]).size() > 0", lambda: 1),
    "a format without an end": ("x.format([1]).size() > 0", lambda: "%d" * 1_000_000),
    "a format that repeats": (
        "x.f.format([x.t, x.t, x.t, x.t, x.t, x.t]).size() > 0",
        lambda: {"f": "%s" * 6, "t": "x" * 1_900_000},
    ),
    "a format of a large list": ("'%s'.format([x]).size() > 0", lambda: list(range(150_000))),
    "case in a loop": ("x.l.map(a, x.t.upperAscii()).size() > 0", lambda: {"l": _LIST, "t": "x" * 3_000_000}),
    "a zone of a million characters": ("timestamp(0).getHours(x) == 0", lambda: "x" * 1_000_000),
    "a zone that climbs": ("timestamp(0).getHours(x) == 0", lambda: "../../../../etc/passwd"),
    "a host of a million letters": ("url_host(x) == x", lambda: "https://" + "\u0430" * 1_000_000 + ".example/"),
    "a host of many labels": ("url_host(x) == x", lambda: "https://" + "\u0430." * 1_000_000 + "example/"),
    "a host in a loop": (
        "x.l.all(a, url_host(x.u) == '' || a == a)",
        lambda: {"l": list(range(9000)), "u": "https://" + "\u0430." * 1_900_000 + "example/"},
    ),
    "user information without an end": ("url_host(x) == x", lambda: "https://" + "a@" * 1_900_000 + "example/"),
    "mail with many signs": ("email_domain(x) == x", lambda: "a@" * 1_900_000),
    "mail in a loop": (
        "x.l.all(a, email_domain(x.m) == '' || a == a)",
        lambda: {"l": list(range(9000)), "m": "\u0430" * 3_000_000 + "@example.org"},
    ),
    "an address of a million digits": ("ip_in(x, '10.0.0.0/8')", lambda: "1" * 1_000_000),
    "a range of a million digits": ("ip_in('10.0.0.1', x)", lambda: "10.0.0.0/" + "8" * 1_000_000),
    "an address in a loop": (
        "x.l.all(a, ip_in(x.i, '10.0.0.0/8') || a == a)",
        lambda: {"l": list(range(9000)), "i": "1." * 1_900_000},
    ),
    "a path in a loop": (
        "x.l.all(a, within(x.p, '/srv') || a == a)",
        lambda: {"l": list(range(9000)), "p": "/srv/" + "a/../" * 790_000},
    ),
    "a short path in a loop": (
        "x.l.all(a, within(x.p, '/srv') || a == a)",
        lambda: {"l": list(range(9000)), "p": "/srv/" + "a/../" * 800},
    ),
    "a glob in a loop": (
        "x.l.all(a, glob(x.p, x.g) || a == a)",
        lambda: {"l": list(range(9000)), "p": "a" * 4000, "g": "*a" * 400 + "b"},
    ),
    "literals in a loop": (
        "x.all(a, " + " + ".join(["[a, a, a, a, a, a, a, a]"] * 60) + " == x)",
        lambda: list(range(9000)),
    ),
    "moments in a loop": (
        "x.all(a, " + " && ".join(["timestamp(a).getHours('Europe/Berlin') >= 0"] * 60) + ")",
        lambda: list(range(9000)),
    ),
    "the keys of a large map in a loop": (
        "x.l.exists(a, x.m.exists(k, k == 'z'))",
        lambda: {"l": list(range(9000)), "m": dict.fromkeys(map(str, range(150_000)), 0)},
    ),
    "order of long texts in a loop": (
        "x.l.exists(a, x.t > x.u)",
        lambda: {"l": list(range(9000)), "t": "a" * 1_900_000, "u": "a" * 1_899_000 + "\u4e00"},
    ),
    "long beginnings in a loop": (
        "x.l.exists(a, x.t.startsWith(x.u))",
        lambda: {"l": list(range(9000)), "t": "a" * 1_900_000, "u": "a" * 1_899_000 + "b"},
    ),
    "a long text in a list of long texts in a loop": (
        "x.l.exists(a, x.t in x.u)",
        lambda: {"l": list(range(9000)), "t": "a" * 19_000, "u": ["a" * 18_999 + "b"] * 100},
    ),
    "large patterns from the data": (
        "x.p.exists(q, x.t.matches(q))",
        lambda: {"t": "ab" * 30_000, "p": [f"(?:[ab]?){{{900 + i}}}" + "(?:[ab]?){999}" * 3 + "c" for i in range(70)]},
    ),
    "globs from the data": (
        "x.p.exists(g, glob('/x', g))",
        lambda: {"p": ["/" + "{a,b}" * 6 + f"{i:04}" + "[a-z]" * 110 for i in range(200)]},
    ),
    "foreign names in a loop": (
        "x.exists(h, domain_within(url_host(h), 'corp.example'))",
        lambda: ["https://" + ".".join(["\u4e00" * 9] * 7) + f".x{i}/" for i in range(9000)],
    ),
    "a list of foreign names": (
        "domain_within('a.b', x)",
        lambda: [".".join(["\u4e00" * 3 + "abc"[i % 3]] * 18) + f".x{i}" for i in range(9000)],
    ),
    "many small texts": (
        "x.l.map(a, [" + ", ".join(["x.t + 'x'"] * 120) + "]) == []",
        lambda: {"l": list(range(9000)), "t": "\U0001f600" * 998},
    ),
    "comparison with a light value": (
        "x.l.exists(a, x.t == x.u)",
        lambda: {"l": list(range(9000)), "t": [_LETTERS], "u": [["b"]]},
    ),
    "a path of a million steps": ("within(x, '/srv')", lambda: "/srv/" + "a/../" * 700_000),
    "a glob that backtracks elsewhere": ("glob(x, '*a*a*a*a*a*a*a*a*a*a*a*a*b')", lambda: "a" * 1_000_000),
}
"""Expressions over `x`, and what `x` is."""


def run(name: str) -> str:
    """The code of the error outcome, the outcome as text, or `load` and the codes where it does not load."""
    import resource

    source, make = SCENARIOS[name]
    data = make()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    try:
        program = load(source, Env({"x": DYN}, functions=STANDARD.extended(HOST_FUNCTIONS)))
    except CelError as error:
        return f"load {' '.join(found.code for found in error.diagnostics)}"
    outcome = program.decide(freeze({"x": data}))
    return str(outcome.matched) if outcome.failure is None else str(outcome.failure.code)


if __name__ == "__main__":
    json.dump(run(sys.argv[1]), sys.stdout)
