"""The functions say the same as those of Google's own runtime, wherever both say anything."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, Final

import pytest

from oap_core.cel.failure import Code, EvalError
from oap_core.cel.standard import STANDARD
from tests.core.cel.standard import peer
from tests.core.cel.standard.calling import call, code_of

pytestmark = pytest.mark.skipif(not peer.installed(), reason="cel-expr-python is not installed here")

Make = Callable[[Random], Any]
ROWS: Final = 150
"""Questions for each shape of a call."""


def _text(random: Random) -> str:
    return "".join(random.choice("aab,é😀 \n") for _ in range(random.randrange(9)))


def _index(random: Random) -> int:
    return random.randrange(-2, 9)


def _whole(random: Random) -> int:
    return random.choice((random.randrange(-(2**63), 2**63), random.randrange(-1000, 1000)))


def _double(random: Random) -> float:
    return random.choice((random.uniform(-2e19, 2e19), random.uniform(-9, 9), 10.0 ** random.randrange(-9, 22)))


def _digits(random: Random) -> str:
    sign = random.choice(("", "", "-"))
    return sign + "".join(random.choice("0123456789") for _ in range(random.choice((0, 1, 3, 18, 19, 20))))


def _decimal(random: Random) -> str:
    exponent = random.choice(("", "", f"e{random.randrange(-330, 300)}", "e", "E+2"))
    return _digits(random) + random.choice(("", ".", ".5", f".{random.randrange(10**9)}")) + exponent


def _truth(random: Random) -> str:
    return random.choice(("1", "t", "true", "TRUE", "True", "0", "f", "false", "T", "yes", "", "tRue", "2"))


def _moment(random: Random) -> str:
    year, month, day = random.choice((1, 1969, 2026, 9999)), random.randrange(1, 13), random.randrange(1, 32)
    fraction = random.choice(("", "", ".5", ".123", ".123456", ".123456789", ".1234567899", "."))
    zone = random.choice(("Z", "Z", "+02:00", "-09:30", "+24:00", ""))
    clock = f"{random.randrange(25):02d}:{random.randrange(61):02d}:{random.randrange(60):02d}"
    return f"{year:04d}-{month:02d}-{day:02d}T{clock}{fraction}{zone}"


def _span(random: Random) -> str:
    parts = [
        f"{random.choice((0, 1, 59, 61, 10**6))}{random.choice(('', '.', '.5', '.000000001'))}{random.choice(_UNITS)}"
        for _ in range(random.randrange(4))
    ]
    return random.choice(("", "-", "+")) + "".join(parts)


_UNITS: Final = ("h", "m", "s", "ms", "us", "ns", "d", "")
_ZONES: Final = ("UTC", "Europe/Paris", "America/New_York", "Asia/Kathmandu", "+02:00", "-09:30", "00:45", "Nowhere")


def _zone(random: Random) -> str:
    return random.choice(_ZONES)


def _seconds(random: Random) -> int:
    return random.randrange(-62135596800, 253402300800)


@dataclass(frozen=True, slots=True)
class Shape:
    """A call: the expression over a, b, c, d, what computes it here, and what makes its values."""

    source: str
    compute: Callable[..., Any]
    makes: tuple[Make, ...]


def _plain(source: str, name: str, *makes: Make) -> Shape:
    return Shape(source, lambda *values: call(name, *values), makes)


def _parts(name: str) -> Shape:
    return Shape(f"timestamp(a).{name}(b)", lambda a, b: call(name, call("timestamp", a), b), (_seconds, _zone))


SHAPES: Final = (
    _plain("a.charAt(b)", "charAt", _text, _index),
    _plain("a.indexOf(b)", "indexOf", _text, _text),
    _plain("a.indexOf(b, c)", "indexOf", _text, lambda random: _text(random)[:2], _index),
    _plain("a.lastIndexOf(b)", "lastIndexOf", _text, _text),
    _plain("a.lastIndexOf(b, c)", "lastIndexOf", _text, lambda random: _text(random)[:2], _index),
    _plain("a.replace(b, c)", "replace", _text, lambda random: _text(random)[:2], _text),
    _plain("a.replace(b, c, d)", "replace", _text, lambda random: _text(random)[:1], _text, _index),
    _plain("a.split(b)", "split", _text, lambda random: _text(random)[:2]),
    _plain("a.split(b, c)", "split", _text, lambda random: _text(random)[:1], _index),
    _plain("a.substring(b)", "substring", _text, _index),
    _plain("a.substring(b, c)", "substring", _text, _index, _index),
    _plain("a.trim()", "trim", _text),
    _plain("a.reverse()", "reverse", _text),
    _plain("a.lowerAscii()", "lowerAscii", lambda random: _text(random).upper()),
    _plain("a.upperAscii()", "upperAscii", _text),
    _plain("strings.quote(a)", "strings.quote", lambda random: _text(random) + random.choice('"\\\a\b\f\r\t\v\n')),
    _plain("size(a)", "size", _text),
    _plain("int(a)", "int", _digits),
    _plain("int(a)", "int", _double),
    _plain("uint(a)", "uint", _digits),
    _plain("uint(a)", "uint", _double),
    _plain("uint(a)", "uint", _whole),
    _plain("double(a)", "double", _decimal),
    _plain("double(a)", "double", _whole),
    _plain("bool(a)", "bool", _truth),
    _plain("string(a)", "string", _double),
    _plain("string(a)", "string", _whole),
    Shape("string(timestamp(a))", lambda a: call("string", call("timestamp", a)), (_moment,)),
    Shape("string(timestamp(a))", lambda a: call("string", call("timestamp", a)), (_seconds,)),
    Shape("int(timestamp(a))", lambda a: call("int", call("timestamp", a)), (_moment,)),
    Shape("string(duration(a))", lambda a: call("string", call("duration", a)), (_span,)),
    Shape("duration(a).getHours()", lambda a: call("getHours", call("duration", a)), (_span,)),
    Shape("duration(a).getMinutes()", lambda a: call("getMinutes", call("duration", a)), (_span,)),
    Shape("duration(a).getSeconds()", lambda a: call("getSeconds", call("duration", a)), (_span,)),
    Shape("duration(a).getMilliseconds()", lambda a: call("getMilliseconds", call("duration", a)), (_span,)),
    *map(
        _parts,
        (
            "getFullYear", "getMonth", "getDate", "getDayOfMonth", "getDayOfWeek", "getDayOfYear", "getHours",
            "getMinutes", "getSeconds", "getMilliseconds",
        ),
    ),
    _plain("'%d|%x|%o|%b|%f'.format([a, a, a, a, a])", "format", _whole),
    _plain("'%.3f|%e'.format([a, a])", "format", lambda random: random.uniform(-9, 9)),
)  # fmt: skip


def _format(source: str) -> Callable[[Any], Any]:
    pattern = source.partition("'")[2].partition("'")[0]
    return lambda value: call("format", pattern, (value,) * pattern.count("%"))


def _ours(shape: Shape, values: tuple[Any, ...]) -> str:
    compute = _format(shape.source) if ".format(" in shape.source else shape.compute
    try:
        return peer.shown(compute(*values))
    except EvalError:
        return peer.ERROR


def test_random_calls_give_what_the_peer_gives() -> None:
    random = Random("standard functions")
    questions = [(shape, tuple(make(random) for make in shape.makes)) for shape in SHAPES for _ in range(ROWS)]
    answers = peer.ask([(shape.source, values) for shape, values in questions])
    mine = [_ours(shape, values) for shape, values in questions]
    different = [
        (shape.source, values, ours, theirs)
        for (shape, values), ours, theirs in zip(questions, mine, answers, strict=True)
        if ours != theirs and not _known(shape.source, values, ours)
    ]
    assert different == []
    assert sum(answer != peer.ERROR for answer in mine) > len(mine) / 2


def _known(source: str, values: tuple[Any, ...], ours: str) -> bool:
    """Where the peer leaves the specification: it takes doubles and durations out of range, and refuses a whole text."""
    if source == "double(a)":
        return ours == peer.ERROR and math.isinf(float(values[0]))
    if "duration(a)" in source:
        return code_of("duration", values[0]) is Code.OUT_OF_RANGE
    return source == "a.substring(b, c)" and values[2] == len(values[0])


def test_every_example_holds_for_the_peer() -> None:
    examples = [(f"({one}) == ({other})", ()) for function in STANDARD for one, other in function.examples]
    wrong = [source for (source, _), answer in zip(examples, peer.ask(examples), strict=True) if answer != "true"]
    assert wrong == []
