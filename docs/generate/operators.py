"""The page of literals, operators and macros: what an expression is made of besides functions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import fill
from typing import Final

HEAD: Final = """\
# Operators and macros

Generated from `docs/generate/operators.py` by `poe docs`; edit that, not this page.

What an expression is made of besides [functions](functions.md). Each example shows an expression and what its value
equals, and a test evaluates both. They speak about [`docs/examples/call.json`](../examples/call.json).
"""


@dataclass(frozen=True, slots=True)
class Section:
    """One heading with its table and its examples."""

    title: str
    text: str
    columns: tuple[str, str]
    rows: tuple[tuple[str, str], ...]
    examples: tuple[tuple[str, str], ...]


SECTIONS: Final = (
    Section(
        "Literals",
        "A value that is written out.",
        ("written", "is"),
        (
            ("`42`, `-7`, `0x2a`", "int: a whole number of 64 bits"),
            ("`42u`", "uint: a whole number that is never negative"),
            ("`1.5`, `.5`, `1e3`", "double: a number with a fraction, as IEEE 754 has it"),
            ("`\"text\"`, `'text'`", r"string: `\n`, `\"`, `\\`, `\u00e9` and so on are escapes"),
            ('`"""text"""`', "string over several lines"),
            (r'`r"\d+"`', "raw string: a backslash is a backslash, which is what regular expressions need"),
            ('`b"abc"`', "bytes"),
            ("`true`, `false`, `null`", "bool, and null"),
            ("`[1, 2]`", "list"),
            ('`{"a": 1}`', "map; keys are string, int, uint or bool"),
            ("`// note`", "a comment, to the end of its line"),
        ),
        (
            ("0x2a", "42"),
            (r'r"\d+" == "\\d+"', "true"),
            ('"caf\\u00e9"', '"café"'),
            ('{"a": [1, 2]}.a[1]', "2"),
        ),
    ),
    Section(
        "Operators, the tightest first",
        "Operators of one row go from left to right, but for `? :`, which goes from right to left: `a ? b : c ? d : e` is "
        "`a ? b : (c ? d : e)`. Parentheses go before everything.",
        ("operator", "does"),
        (
            ("`a.b`, `a[b]`, `f(a)`, `a.f(b)`", "select a field, select by key or position, call"),
            ("`-a`, `!a`", "negate a number, negate a boolean"),
            ("`a * b`, `a / b`, `a % b`", "numbers of one type; a division of whole numbers drops the fraction"),
            ("`a + b`, `a - b`", "numbers of one type, texts, lists, moments and spans of time"),
            ("`==` `!=` `<` `<=` `>` `>=` `in`", "compare; `in` looks for an element of a list or a key of a map"),
            ("`a && b`", "true where both are"),
            ("`a || b`", "true where at least one is"),
            ("`a ? b : c`", "`b` where `a` is true, else `c`"),
        ),
        (
            ("1 + 2 * 3", "7"),
            ("7 / 2", "3"),
            ("-7 / 2", "-3"),
            ("-7 % 2", "-1"),
            ("7.0 / 2.0", "3.5"),
            ('"a" + "b"', '"ab"'),
            ("[1] + [2]", "[1, 2]"),
            ('"support" in subject.roles', "true"),
            ('"amount" in args', "true"),
            ("args.amount > 100 || args.approver == 'kim'", "true"),
            ("args.amount > 100 ? 'much' : 'little'", '"much"'),
            ("false ? 1 : true ? 2 : 3", "2"),
            ("1 / 0 == 1", "CEL307"),
            ("args.amount / (args.amount - 180)", "error: divide_by_zero"),
        ),
    ),
    Section(
        "Equality and order",
        "Values of different types are unequal, and numbers compare by what they are worth. A condition that compares "
        "types that can never be equal does not load where the types are known.",
        ("compared", "result"),
        (
            ("int, uint, double with each other", "by value; a whole number meets a double as the nearest double"),
            ("bool with a number", "never equal: `true` is not `1`"),
            ("texts", "code point by code point; `A` and `a` differ, and so do two spellings of one letter"),
            ("lists, maps", "element by element; the order of the entries of a map means nothing"),
            ("`<` and its kin", "numbers with numbers, texts with texts, bytes, bools, moments, spans"),
        ),
        (
            ("1 == 1.0", "true"),
            ("2u < 2.5", "true"),
            ("dyn(true) == dyn(1)", "false"),
            ('"a" < "b"', "true"),
            ('"EUR" == "eur"', "false"),
            ("[1, 2] == [1.0, 2.0]", "true"),
            ('{"a": 1, "b": 2} == {"b": 2, "a": 1}', "true"),
            ("0.1 + 0.2 == 0.3", "false"),
            ('1 == "1"', "CEL305"),
        ),
    ),
    Section(
        "Absence",
        "`has` is a macro: its argument is a selection, and only its last field may be absent.",
        ("written", "is"),
        (
            ("`has(a.b)`", "whether the map `a` has the key `b`; a `b` that is null is there"),
            ('`"b" in a`', "the same for a key that is no plain name"),
            ("`has(a.b) ? a.b : c`", "the field, or a value for where it is absent"),
        ),
        (
            ("has(args.note)", "true"),
            ("has(args.ticket)", "false"),
            ('has(args.ticket) && args.ticket == "T-1"', "false"),
            ('has(args.ticket) ? args.ticket : "none"', '"none"'),
            ('args.ticket == "T-1"', "error: no_such_key"),
            ("has(args.approval.by)", "error: no_such_key"),
        ),
    ),
    Section(
        "Macros over lists and maps",
        "The first argument is a name for the element at hand. On a map it is the key.",
        ("written", "is"),
        (
            ("`a.all(x, p)`", "whether `p` holds for every element; true for an empty list"),
            ("`a.exists(x, p)`", "whether `p` holds for at least one element"),
            ("`a.exists_one(x, p)`", "whether `p` holds for exactly one element"),
            ("`a.filter(x, p)`", "the elements for which `p` holds"),
            ("`a.map(x, v)`", "what `v` is for each element"),
            ("`a.map(x, p, v)`", "what `v` is for each element for which `p` holds"),
        ),
        (
            ("args.items.all(i, i.price <= 120)", "true"),
            ("[].all(i, i > 0)", "true"),
            ('args.items.exists(i, i.sku == "cup")', "true"),
            ("args.items.exists_one(i, i.price > 50)", "false"),
            ("args.items.filter(i, i.price > 100).size()", "1"),
            ("args.items.map(i, i.price)", "[120, 60]"),
            ("args.items.map(i, i.price > 100, i.sku)", '["cup"]'),
            ('{"a": 1, "b": 2}.exists(key, key == "b")', "true"),
            ("[1, 0].exists(x, 10 / x > 5)", "true"),
            ("[0, 1].all(x, 10 / x > 5)", "error: divide_by_zero"),
        ),
    ),
)


def page() -> str:
    """Return the whole page."""
    return "\n".join([HEAD, *(line for section in SECTIONS for line in _section(section))])


def _section(section: Section) -> Iterator[str]:
    yield f"## {section.title}\n"
    yield f"{fill(section.text, 120, break_on_hyphens=False)}\n"
    yield f"| {section.columns[0]} | {section.columns[1]} |"
    yield "| --- | --- |"
    for written, meaning in section.rows:
        yield f"| {written.replace('|', chr(92) + '|')} | {meaning.replace('|', chr(92) + '|')} |"
    yield "\n```cel"
    yield from (f"{expression}  // => {value}" for expression, value in section.examples)
    yield "```\n"
