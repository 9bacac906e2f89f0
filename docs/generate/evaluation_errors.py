"""The page of errors that an evaluation can end in, from `oap_core.cel.failure`, with an example of each."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from textwrap import fill
from typing import Final

from oap_core.cel.failure import MEANING, Code
from oap_core.cel.limits import ACTIVATION_DEPTH

HEAD: Final = """\
# Evaluation errors

Generated from `oap_core/cel/failure.py` by `poe docs`; edit that, not this page.

An expression that has loaded can still fail on a call. It then has no value: the outcome is an error with one of these
codes and with the place in the expression, and never with a value of the call. An error counts against the call: a
grant does not match, a wall or a gate does. `false && error` is false and `true || error` is true, in either order,
since the other side settles the result.

The examples speak about [`docs/examples/call.json`](../examples/call.json) unless an input stands before them.
"""


@dataclass(frozen=True, slots=True)
class Example:
    """An expression that ends in an error."""

    advice: str
    """What an author can do about it."""
    expression: str | None = None
    """The expression, or None where no example can have this error."""
    input: Mapping[str, object] | None = None
    """The variables, where the example call has none that fit."""
    flags: str = ""
    """Flags of the block, as the tests of the examples read them."""


def _nested(levels: int) -> object:
    value: object = 1
    for _ in range(levels):
        value = [value]
    return value


_LONG: Final = {"args": {"text": "a" * 120}}

EXAMPLES: Final[Mapping[Code, Example]] = {
    Code.NO_SUCH_KEY: Example("Ask with `has()` first, or fix the name.", 'args.approver == "kim"'),
    Code.NO_SUCH_VARIABLE: Example(
        "The host declared a variable and did not give it. Nothing in the expression is wrong.",
        "args.amount <= 200",
        {},
        "schema",
    ),
    Code.NO_SUCH_OVERLOAD: Example("Convert one side, or check the type first.", "args.amount * 1.5 <= 300.0"),
    Code.INDEX_OUT_OF_RANGE: Example("Look at `size()` first, or use a macro.", "args.items[2].price <= 100"),
    Code.DUPLICATE_KEY: Example("Make the keys of the literal differ.", '{args.currency: 1, "EUR": 2}'),
    Code.DIVIDE_BY_ZERO: Example("Compare the divisor with zero first.", "1000 / (args.amount - 180) > 10"),
    Code.OUT_OF_RANGE: Example(
        "An int has 64 bits and never wraps around. Compare before you multiply.",
        "args.amount * 100000000000000000 > 0",
    ),
    Code.INVALID_ARGUMENT: Example(
        "A function refuses what it cannot make sense of, since a guess could be wrong. That is the safe answer.",
        'url_host(args.note) == "example.org"',
    ),
    Code.BAD_REGEX: Example(
        "Write the pattern as a literal: then it is checked when the policy is loaded.",
        'args.note.matches("(" + args.note)',
    ),
    Code.BUDGET: Example(
        "Nest fewer macros, or bound the lists in the schema of the tool.",
        'args.text.split("").all(a, args.text.split("").all(b, a == b))',
        _LONG,
    ),
    Code.TOO_LARGE: Example(
        "An evaluation builds no text that is longer than the limit.",
        'args.text.replace("a", args.text).replace("a", args.text).replace("a", args.text) == ""',
        _LONG,
    ),
    Code.TOO_DEEP: Example(
        "The data of the call nests deeper than an evaluation takes. The whole call is unjudged.",
        "true",
        {"args": _nested(ACTIVATION_DEPTH)},
    ),
    Code.NOT_BOOLEAN: Example(
        "Write a comparison, so that the condition is true or false.", "args.note", flags="condition"
    ),
    Code.UNREPRESENTABLE: Example(
        "The data holds an integer of more than 64 bits or half of a surrogate pair. The whole call is unjudged.",
        "true",
        {"args": {"number": 2**63}},
    ),
    Code.INTERNAL: Example("There is no example: it is a defect of OAP. Report the expression without the data."),
}


def page() -> str:
    """Return the whole page."""
    return "\n".join([HEAD, *(line for code in Code for line in _error(code, EXAMPLES[code]))])


def _error(code: Code, example: Example) -> Iterator[str]:
    yield f"## {code}\n"
    meaning = MEANING[code]
    yield f"{fill(f'{meaning[0].upper()}{meaning[1:]}. {example.advice}', 120, break_on_hyphens=False)}\n"
    if example.input is not None:
        yield f"```json input\n{json.dumps(example.input)}\n```\n"
    if example.expression is not None:
        yield f"```cel {example.flags}".rstrip()
        yield f"{example.expression}  // => error: {code}"
        yield "```\n"
