"""What authors bring from Python, JavaScript, Go, SQL and templates, and what CEL has instead.

Everything here is help: it gives the author's own text as CEL would have it, or None. Whether something is a mistake
is decided elsewhere.
"""

from collections.abc import Callable
from typing import Final

from oap_core.cel.syntax.nearby import (
    after,
    before,
    between,
    clause_after,
    clause_before,
    copied,
    enclosing,
    members,
    operand_end,
    tokens,
)
from oap_core.cel.syntax.tokens import NAME, STRING

LOOP: Final = (
    "write `list.exists(x, condition)`, `list.all(x, condition)`, `list.filter(x, condition)` or `list.map(x, value)`"
)
CHOICE: Final = "write `condition ? value : other`"

ALONE: Final = "a condition stands alone; its effect is written beside it"
"""What to say to a word that belongs to a rule."""

RULES: Final = frozenset({"when", "where", "unless", "allow", "deny", "ask", "permit", "forbid", "require", "assert"})
"""Words that rules have around a condition."""

ABSENCES: Final = frozenset({"null", "none", "nil", "undefined", "absent", "missing"})
"""Words for what is not there."""

_PRESENCES: Final = frozenset({"set", "present", "defined", "there", "given"})
_COMPARISONS: Final = frozenset({"==", "!=", "<", "<=", ">", ">="})
_METHODS: Final = {
    "contains": "contains",
    "includes": "contains",
    "startswith": "startsWith",
    "starts_with": "startsWith",
    "endswith": "endsWith",
    "ends_with": "endsWith",
    "matches": "matches",
    "match": "matches",
    "rlike": "matches",
    "regexp": "matches",
}
"""Methods by what stands between two operands in other languages, in small letters."""

_SIGNS: Final = {
    "and": "&&",
    "or": "||",
    "xor": "!=",
    "eq": "==",
    "equals": "==",
    "ne": "!=",
    "neq": "!=",
    "lt": "<",
    "le": "<=",
    "lte": "<=",
    "gt": ">",
    "ge": ">=",
    "gte": ">=",
    "mod": "%",
    "div": "/",
}
"""Operators by the words that stand for them in other languages."""

_AS_PATTERN: Final = {"%": ".*", "_": ".", **{character: f"[{character}]" for character in ".+*?(){}|$["}}
"""Regular expressions for what has a meaning in a pattern of SQL, and for what has one in theirs."""

_PREFIXES: Final = {
    "has": "has({0})",
    "exists": "has({0})",
    "defined": "has({0})",
    "isset": "has({0})",
    "typeof": "type({0})",
    "size": "size({0})",
    "len": "size({0})",
    "length": "size({0})",
    "empty": "size({0}) == 0",
    "not": "!{0}",
}
"""What is meant by a word before an operand."""


def unequal(source: str, start: int) -> str | None:
    """For `a <> b`, with `start` at the first sign."""
    return between(source, start, 2, "!=")


def formatting(source: str, start: int) -> str:
    """For `"text" % values`, with `start` at the sign."""
    left, right = before(source, start), after(source, start + 1)
    if left is None or right is None:
        return 'write `"%s".format([x])`'
    return f"write `{left}.format([{right[1:-1] if right[0] == '(' else right}])`"


def is_word(text: str) -> bool:
    """Whether the word stands for an operator in some language."""
    return text.lower() in _WORDS


def operator_word(source: str, text: str, start: int) -> str | None:
    """For a word that stands where an operator has to."""
    return _WORDS[text.lower()](source, text.lower(), start)


def _sign(source: str, word: str, start: int) -> str:
    sign = _SIGNS[word]
    if sign in ("&&", "||"):
        return f"write `{sign}`"
    return between(source, start, len(word), sign) or f"write `{sign}`"


def _not(source: str, word: str, start: int) -> str:
    place = start + len(word)
    found = tokens(source, place)
    left = before(source, start)
    if found and found[0].word == "in":
        right = members(source, found, 1)
        if left is not None and right is not None:
            return f"write `!({left} in {right})`"
        return "write `!(a in b)`"
    if found and found[0].word in ("like", "between", *_METHODS):
        return f"write `!(...)` around the condition without `{source[start:place]}`"
    return "write `!(a in b)` or `!condition`"


def _in(source: str, word: str, start: int) -> str:
    left, right = before(source, start), members(source, tokens(source, start + len(word)), 0)
    return "write `in`" if left is None or right is None else f"write `{left} in {right}`"


def _is(source: str, word: str, start: int) -> str:
    found = tokens(source, start + len(word))
    negated = bool(found) and found[0].word == "not"
    left, right = before(source, start), found[negated : negated + 1]
    sign = "!=" if negated else "=="
    if left is None or not right:
        return f"write `{sign}`"
    if right[0].word in ("empty", "blank"):
        return f"write `size({left}) {'>' if negated else '=='} 0`"
    if right[0].word in ABSENCES | _PRESENCES:
        return presence(left, absent=(right[0].word in ABSENCES) is not negated)
    end = operand_end(found, int(negated))
    other = None if end is None else copied(source, right[0].start, found[end - 1].end)
    return f"write `{sign}`" if other is None else f"write `{left} {sign} {other}`"


def presence(left: str, *, absent: bool) -> str:
    """Whether something is there, or is not."""
    if "." in left and not left.endswith((")", "]")):
        return f"write `{'!' if absent else ''}has({left})`"
    return f"write `{left} {'==' if absent else '!='} null`"


def _like(source: str, word: str, start: int) -> str:
    left, found = before(source, start), tokens(source, start + len(word))
    if left is None or not found or found[0].kind != STRING:
        return "write `text.matches(pattern)`, with a regular expression"
    quote, text = found[0].text[0], found[0].text[1:-1]
    inner = text.removeprefix("%").removesuffix("%")
    if "%" in inner or "_" in inner:
        pattern = "".join(_AS_PATTERN.get(character) or character for character in text)
        return f"write `{left}.matches({quote}^{pattern}${quote})`"
    part = f"{quote}{inner}{quote}"
    if text.startswith("%") and text.endswith("%"):
        return f"write `{left}.contains({part})`"
    if "%" not in text:
        return f"write `{left} == {part}`"
    return f"write `{left}.{'endsWith' if text.startswith('%') else 'startsWith'}({part})`"


def _range(source: str, word: str, start: int) -> str:
    left, low = before(source, start), after(source, start + len(word))
    found = tokens(source, start + len(word))
    end = operand_end(found, 0)
    if left is not None and low is not None and end is not None and end + 1 < len(found):
        high = after(source, found[end].end)
        if (found[end].word == "and" or found[end].text in ("&&", ",")) and high is not None:
            return f"write `{low} <= {left} && {left} <= {high}`"
    return "write `low <= x && x <= high`"


def _method(source: str, word: str, start: int) -> str:
    left, right, name = before(source, start), after(source, start + len(word)), _METHODS[word]
    if left is None or right is None:
        return f"it is a method: write `text.{name}(part)`"
    right = right[1:-1] if right[0] == "(" and right[-1] == ")" else right
    return f"it is a method: write `{left}.{name}({right})`"


def _type_test(source: str, word: str, start: int) -> str:
    left, right = before(source, start), after(source, start + len(word))
    return f"write `type({left or 'x'}) == {(right or 'int').lower()}`"


def _if(source: str, word: str, start: int) -> str:
    value, condition = clause_before(source, start), clause_after(source, start + len(word), ("else",))
    if value in RULES:
        return ALONE
    if value is None or condition is None or source[condition[1] : condition[1] + 4].lower() != "else":
        return CHOICE
    other = clause_after(source, condition[1] + 4)
    return CHOICE if other is None else f"write `{condition[0]} ? {value} : {other[0]}`"


def _for(source: str, word: str, start: int) -> str:
    """For Python's `any(condition for x in list)` and `[value for x in list if condition]`."""
    inner = tokens(source, 0, start)
    opening = enclosing(inner)
    rest = tokens(source, start + len(word))
    if opening is None or opening + 1 >= len(inner) or len(rest) < 3 or rest[0].kind != NAME or rest[1].word != "in":
        return LOOP
    value, name, end = copied(source, inner[opening].end, start), rest[0].text, operand_end(rest, 2)
    held = None if end is None else copied(source, rest[2].start, rest[end - 1].end)
    if value is None or held is None or end is None:
        return LOOP
    found = clause_after(source, rest[end].end) if end < len(rest) and rest[end].word == "if" else None
    condition = None if found is None else found[0]
    caller = inner[opening - 1].word if opening and inner[opening].text == "(" else ""
    if caller in ("sum", "max", "min"):
        return f"there is no `{caller}`; look at each element: `{held}.all({name}, {value} <= ...)`"
    return f"write `{_as_macro(caller, held, name, value, condition)}`"


def _as_macro(caller: str, held: str, name: str, value: str, condition: str | None) -> str:
    if caller in ("any", "all"):
        macro = "exists" if caller == "any" else "all"
        return f"{held if condition is None else f'{held}.filter({name}, {condition})'}.{macro}({name}, {value})"
    if value == name and condition is not None:
        return f"{held}.filter({name}, {condition})"
    if value == name:
        return held
    return f"{held}.map({name}, {value})" if condition is None else f"{held}.map({name}, {condition}, {value})"


def _asked(source: str, _word: str, start: int) -> str:
    left = before(source, start)
    return f"write `has({'a.b' if left is None or '.' not in left else left})`"


def _choice(_source: str, _word: str, _start: int) -> str:
    return CHOICE


_WORDS: Final[dict[str, Callable[[str, str, int], str | None]]] = {
    **dict.fromkeys(_SIGNS, _sign),
    **dict.fromkeys(_METHODS, _method),
    "not": _not,
    "in": _in,
    "exists": _asked,
    "exist": _asked,
    "isset": _asked,
    "is": _is,
    "like": _like,
    "ilike": _like,
    "between": _range,
    "instanceof": _type_test,
    "if": _if,
    "then": _choice,
    "else": _choice,
    "for": _for,
}


def prefix_word(source: str, word: str, end: int) -> str | None:
    """For a word that stands before an operand and means nothing there."""
    if word in RULES:
        return ALONE
    form = _PREFIXES.get(word.lower())
    if form is not None:
        return _prefixed(source, form, end)
    if word == "lambda":
        return "a macro takes a name and a condition: `list.exists(x, x > 1)`"
    if word == "new":
        return 'nothing is made here; a moment is `now`, or a text such as `timestamp("2026-12-01T00:00:00Z")`'
    return None


def _prefixed(source: str, form: str, end: int) -> str:
    right = after(source, end)
    if form != "!{0}":
        return f"write `{form.format(right or 'a.b')}`"
    found = tokens(source, end)
    last = operand_end(found, 0)
    if right is not None and last is not None and last < len(found):
        sign = found[last]
        if sign.word == "in" or sign.text in _COMPARISONS:
            clause = clause_after(source, end, ("and", "or"))
            return "write `!(condition)`" if clause is None else f"write `!({clause[0]})`"
    return f"write `!{right or 'condition'}`"


def _as_call(source: str, end: int) -> str | None:
    """For `if(a, b, c)`, as spreadsheets have it."""
    found = tokens(source, end)
    if not found or found[0].text != "(":
        return None
    parts: list[str] = []
    place = found[0].end
    while len(parts) < 3:
        part = clause_after(source, place, borders=frozenset({","}))
        if part is None:
            return None
        parts.append(part[0])
        place = part[1] + 1
    return f"write `{parts[0]} ? {parts[1]} : {parts[2]}`"


def conditional(source: str, end: int) -> str:
    """For `if a then b else c`, with `end` behind the `if`."""
    call = _as_call(source, end)
    if call is not None:
        return call
    condition = clause_after(source, end, ("then",))
    if condition is None or source[condition[1] : condition[1] + 4].lower() != "then":
        return CHOICE
    value = clause_after(source, condition[1] + 4, ("else",))
    if value is None or source[value[1] : value[1] + 4].lower() != "else":
        return CHOICE
    other = clause_after(source, value[1] + 4)
    return CHOICE if other is None else f"write `{condition[0]} ? {value[0]} : {other[0]}`"
