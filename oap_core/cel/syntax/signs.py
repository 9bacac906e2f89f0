"""What signs mean that stand in a wrong place: in other languages, in other notations, or one beside another.

Everything here is help: it gives the author's own text as CEL would have it, or None. Whether something is a mistake
is decided elsewhere.
"""

import re
from typing import Final

from oap_core.cel.foreign import GENERATORS
from oap_core.cel.syntax.habits import ABSENCES, ALONE, RULES, presence
from oap_core.cel.syntax.nearby import (
    Token,
    after,
    argument_after,
    before,
    between,
    clause_after,
    clause_before,
    closing_of,
    copied,
    enclosing,
    members,
    operand_start,
    tokens,
)
from oap_core.cel.syntax.tokens import LIST, LONG, NAME, NUMBER, PATH, STRING

_LONGEST_TEXT: Final = 80
_TEXT: Final = re.compile(r"[A-Za-z0-9_.+@-]*")
_COMPARISONS: Final = frozenset({"==", "!=", "<", "<=", ">", ">="})
_METHODS: Final = frozenset({"contains", "startsWith", "endsWith", "matches"})
_LITERALS: Final = frozenset({LIST, LONG, NUMBER, STRING})
_NUMBER: Final = re.compile(r"[0-9]{1,20}(?:[.,][0-9]{1,20}){1,6}")
_BLANKS: Final = re.compile(r"[0-9]{1,3}(?: [0-9]{3})+(?![0-9])")
_MULTIPLES: Final = {"k": 1_000, "K": 1_000, "M": 1_000_000}


def number_with_unit(text: str, name: str) -> str | None:
    """For a number with a word behind it."""
    return f"a number has no unit: write `{text}`" if name.isalpha() else None


def call_without_brackets(source: str, start: int) -> str | None:
    """For `a.startsWith "b"`, with `start` at the text."""
    found = tokens(source, 0, start)
    right = after(source, start)
    if not found or right is None or found[-1].kind not in (PATH, NAME):
        return None
    name = found[-1].text.rpartition(".")[2]
    left = before(source, start)
    return f"write `{left}({right})`" if left is not None and "." in left and name in _METHODS else None


def repeated_side(source: str, start: int, text: str) -> str | None:
    """For `a >= 1 && <= 2`: the left side of the comparison before, once more. `start` is where the second sign is."""
    found = tokens(source, 0, start)
    right = after(source, start + len(text))
    for place in range(len(found) - 2, 0, -1):
        if found[place].text in _COMPARISONS:
            left, whole = clause_before(source, found[place].start), clause_before(source, found[-1].start)
            if left is None or right is None or whole is None:
                return None
            return f"write `{whole} {found[-1].text} {left} {text} {right}`"
        if found[place].text in ("&&", "||", "?", ":", ","):
            return None
    return None


def optional_read(source: str, question: int, place: int) -> str | None:
    """For `a.b?.c`, `a.b ?? c` and `a ?: c`: `question` is where the `?` is, `place` behind what follows it."""
    left, right, mark = before(source, question), after(source, place), source[question + 1 : place]
    condition = clause_before(source, question)
    if left is None or condition is None or right is None:
        return None
    if mark == ":" and (condition != left or "." not in left):
        return f"write `{condition} ? {condition} : {right}`"
    if "." not in left or left.endswith((")", "]")):
        return None
    return f"write `has({left}) ? {left}.{right} : ...`" if mark == "." else f"write `has({left}) ? {left} : {right}`"


def power(source: str, start: int) -> str | None:
    """For `a ** 2`, with `start` at the second star."""
    left, right = before(source, start - 1), after(source, start + 1)
    return f"there is no operator for powers: write `{left} * {left}`" if left and right == "2" else None


def slashes(source: str, start: int) -> str:
    """For `/pattern/`, with `start` at the first slash."""
    pattern = _between_slashes(source, start) or 'r"..."'
    return f"a regular expression is a text: write `text.matches({pattern})`"


def _between_slashes(source: str, start: int) -> str | None:
    """A regular expression between slashes, as a text; None where there is none, or none that is short and plain."""
    end = source.find("/", start + 1) if source.startswith("/", start) else -1
    pattern = source[start + 1 : end] if end > 0 else ""
    plain = pattern.isprintable() and 0 < len(pattern) <= _LONGEST_TEXT and '"' not in pattern
    return f'r"{pattern}"' if plain else None


def arrow(source: str, start: int, end: int) -> str | None:
    """For `list.all(i -> condition)` and its like, and for `a->b`: the arrow goes from `start` to `end`."""
    found = tokens(source, 0, start)
    name = _name_before(found)
    if name is not None:
        # Behind the method, its bracket, and the name, which may have brackets of its own.
        call = found[: -4 if found[-1].text == ")" else -2]
        first = operand_start(call, len(call))
        held = None if first is None else copied(source, call[first].start, call[-1].start)
        if held is not None:
            method = GENERATORS.get(call[-1].text, call[-1].text)
            return f"write `{held}{method}({name}, {_body(argument_after(source, end))})`"
    touching = bool(found) and found[-1].end == start and source[end : end + 1].isidentifier()
    left, right = before(source, start), after(source, end)
    return f"write `{left}.{right}`" if touching and left is not None and right is not None else None


def _name_before(found: list[Token]) -> str | None:
    """The one argument of a call that the tokens end with, where it is a name: `all(i` or `all((i)`."""
    if len(found) > 4 and found[-1].text == ")" and found[-3].text == "(":
        found = [*found[:-3], found[-2]]
    is_call = len(found) > 2 and found[-1].kind == NAME and found[-2].text == "(" and found[-3].kind == NAME
    return found[-1].text if is_call else None


def _body(text: str | None) -> str:
    """What a function of JavaScript gives, as CEL has it."""
    if text is None:
        return "..."
    if text.startswith("{") and text.endswith("}"):
        text = text[1:-1].strip().removeprefix("return ").removesuffix(";").strip()
    return text.replace("===", "==").replace("!==", "!=")


def equals(source: str, start: int, last: str) -> tuple[str, int]:
    """For a single `=`: what to write, and where the sign ends. `last` is the token before it."""
    end = start + 1
    follows = source[end : end + 1]
    if last in ("==", "!="):
        return f"write `{last}`", end
    if last in ("<", ">", ">=", "<="):
        return f"write `{last[0]}=`", end
    if follows == "~":
        return _between_as_method(source, start, end + 1), end + 1
    if follows == ">":
        return arrow(source, start, end + 1) or between(source, start, 2, ">=") or "write `>=`", end + 1
    if follows == "<":
        return between(source, start, 2, "<=") or "write `<=`", end + 1
    if follows == "!":
        return between(source, start, 2, "!=") or "write `!=`", end + 1
    left, right = before(source, start), after(source, end)
    if left is not None and right is not None and right.lower() in ABSENCES:
        return presence(left, absent=True), end
    return between(source, start, 1, "==") or "write `==` to compare", end


def _between_as_method(source: str, start: int, end: int) -> str:
    left, right = before(source, start), after(source, end)
    pattern = _between_slashes(source, end + len(source[end:]) - len(source[end:].lstrip()))
    if left is None or (right is None and pattern is None):
        return "write `text.matches(pattern)` for a regular expression"
    return f"write `{left}.matches({right if pattern is None else pattern})`"


def tilde(source: str, start: int) -> str:
    """For `a ~ b`."""
    if before(source, start) is not None:
        return _between_as_method(source, start, start + 1)
    return "there are no operators on bits; write `text.matches(pattern)` for a regular expression"


def sigil(source: str, start: int) -> str:
    """For a `$` or an `@`, as other languages put before a name or a number, or within a text without quotes."""
    place = start + 1
    follows = source[place : place + 1]
    if follows.isdigit():
        return f"a number has no currency sign: write `{after(source, place)}`"
    if follows == "{":
        inside = clause_after(source, place + 1)
        return "write the name of the variable alone" if inside is None else f"write `{inside[0]}`"
    if source[start - 1 : start].isalnum() and start:
        return f'a text needs quotes: `"{_run(source, start)}"`'
    name = after(source, place)
    return "write the name of the variable alone" if name is None else f"write `{name}`"


def _run(source: str, start: int) -> str:
    """The characters around a place that could be part of a mail address, no more than a message may show."""
    before_it, behind_it = _TEXT.match(source[:start][::-1]), _TEXT.match(source, start)
    text = (before_it[0][::-1] if before_it else "") + (behind_it[0] if behind_it else "")
    return text[:_LONGEST_TEXT]


def exclamation(source: str, start: int) -> str:
    """For a `!` between two operands, at `start`."""
    follows = source[start + 1 :].lstrip()[:2]
    left = before(source, start)
    place = source.find(follows, start + 1) if follows else start
    for text, sign in (("=", "!="), (">", "<="), ("<", ">=")):
        if follows.startswith(text):
            right = after(source, place + 1)
            return f"write `{sign}`" if left is None or right is None else f"write `{left} {sign} {right}`"
    right = members(source, tokens(source, place + 2), 0) if follows == "in" else None
    if left is not None and right is not None:
        return f"write `!({left} in {right})`"
    return "write `!(a in b)` or `a != b`"


def _plain_number(text: str) -> str:
    """For a number with commas, or with several points: what groups its digits goes, what begins its fraction stays."""
    last = max(text.rfind(","), text.rfind("."))
    sign, fraction = text[last], text[last + 1 :]
    both = "," in text and "." in text
    # A sign that stands twice groups digits, and so does a single comma before three of them.
    groups = not both and (text.count(sign) > 1 or (sign == "," and len(fraction) == 3))
    plain = text.replace(",", "").replace(".", "")
    if not groups:
        plain = f"{plain[: -len(fraction)]}.{fraction}"
    return f"a number has no signs between its digits: write `{plain}`"


def grouped(source: str, start: int) -> str | None:
    """For `1.000.000` and `1 000`, with `start` at the second group."""
    found = tokens(source, 0, start)
    number = _NUMBER.match(source, found[-1].start) if found else None
    if number is not None and number.end() > start:
        return _plain_number(number[0])
    blank = _BLANKS.match(source, found[-1].start) if found else None
    return None if blank is None else f"a number has no blanks: write `{blank[0].replace(' ', '')}`"


def comma(source: str, start: int) -> str | None:
    """For a comma that separates nothing, at `start`."""
    found = tokens(source, 0, start)
    rest = tokens(source, start + 1)
    if not found or not rest:
        return None
    touching = found[-1].end == start and rest[0].start == start + 1
    if touching and found[-1].kind == NUMBER and rest[0].kind == NUMBER:
        number = _NUMBER.match(source, found[-1].start)
        return None if number is None else _plain_number(number[0])
    opening = enclosing(found)
    if opening is None:
        names = found[-1].kind == NAME and rest[0].kind in (NAME, PATH)
        if touching and names:
            return f"write `{found[-1].text}.{rest[0].text}`"
        literals = found[-1].kind in _LITERALS and rest[0].kind in _LITERALS
        return (
            "a list is written `[a, b]`, and asked with `x in [a, b]`"
            if literals
            else "conditions are joined with `&&`"
        )
    if found[opening].text == "(":
        everything = tokens(source)
        items = members(source, everything, opening)
        if items is not None and opening and found[opening - 1].word == "in":
            left = before(source, found[opening - 1].start)
            return f"write `{left} in {items}`" if left is not None else f"a list is written `{items}`"
        return None if items is None else f"a list is written `{items}`"
    return None


def braces(source: str, opening: int) -> str | None:
    """For a map without values, whose bracket is at `opening`: a list, or the `{{ }}` of a template."""
    if source.startswith("{{", opening - 1) or source.startswith("{{", opening):
        inside = clause_after(source, source.rfind("{{", 0, opening + 2) + 2)
        return None if inside is None else f"write `{inside[0]}` without the braces"
    found = tokens(source, opening)
    end = closing_of(found, 0)
    if any(token.text == ":" for token in found[:end]):
        return "a value is missing behind the key"
    items = None if end is None else copied(source, found[0].end, found[end - 1].start)
    return None if items is None else f"a list is written `[{items}]`"


def colons(source: str, start: int) -> str | None:
    """For `a::b` and `list.exists(i: condition)`, with `start` at the first colon."""
    if source.startswith("::", start):
        return arrow(source, start, start + 2)
    found = tokens(source, 0, start)
    if len(found) == 1 and found[0].text in RULES:
        return ALONE
    return arrow(source, start, start + 1)


def interval(source: str, point: int) -> str:
    """For `1..10`, with `point` at the first point."""
    found = tokens(source, 0, point)
    low = found[-1].text if found and found[-1].kind in (NUMBER, NAME, PATH) else None
    high = after(source, point + 2)
    if low is None or high is None:
        return "there are no ranges: write `low <= x && x <= high`"
    left = None
    outer = found[:-1]
    if outer and outer[-1].text == "[":
        outer = outer[:-1]
    if outer and outer[-1].word == "in":
        first = operand_start(outer, len(outer) - 1)
        left = None if first is None else copied(source, outer[first].start, outer[-1].start)
    return f"there are no ranges: write `{low} <= {left or 'x'} && {left or 'x'} <= {high}`"


def position(source: str, start: int, text: str) -> str:
    """For `list.0`, with `start` at the point and `text` the point and the digits."""
    left, number = before(source, start), text.lstrip(".")
    if left is None or not number.isdigit():
        return 'a field whose name begins with a digit is written `a["5"]`'
    return f'write `{left}[{number}]` for an element of a list, `{left}["{number}"]` for a field'


def multiple(text: str) -> str | None:
    """For `10k` and `2M`."""
    factor = _MULTIPLES.get(text[-1:])
    digits = text[:-1]
    return f"write `{int(digits) * factor}`" if factor and digits.isdigit() and len(digits) < 10 else None


def called_in(source: str, start: int, end: int) -> str | None:
    """For `a.in(list)`, with the word between the two offsets."""
    left, right = before(source, source.rfind(".", 0, start)), members(source, tokens(source, end), 0)
    if left is None or right is None or not right.startswith("["):
        return None
    return f"write `{left} in {right[1:-1] if right.startswith('[[') or ',' not in right else right}`"
