"""What is said about an expression that is not CEL: the words, and the help where a mistake is a common one.

Authors bring habits from other languages; `habits` and `signs` know what CEL has instead. Nothing here decides whether
something is a mistake: `source` does.
"""

import re
from dataclasses import dataclass
from typing import Final

from oap_core.cel.codes import LoadCode
from oap_core.cel.limits import LITERAL_ELEMENTS, NESTING
from oap_core.cel.syntax import characters, habits, signs
from oap_core.cel.syntax.brackets import CLOSED_BY

OPERAND: Final = 0
"""State of a reader: a value has to follow."""
OPERATOR: Final = 1
"""State of a reader: a value has just ended."""
FIELD: Final = 2
"""State of a reader: the name of a field or method has to follow a point."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """One mistake, ready for a report."""

    code: LoadCode
    """What kind of mistake."""
    start: int
    """Where it begins, in code points of the source."""
    end: int
    """Where it ends."""
    message: str
    """One sentence about it."""
    advice: str | None = None
    """What to write instead, or None."""


_OPTIONAL: Final = "optional values are left out; write `has(a.b) ? a.b : other`"
_RANGE: Final = "there are no ranges and no `..`: write `low <= x && x <= high`"

_RESERVED: Final = {
    "if": habits.CHOICE,
    "else": habits.CHOICE,
    "for": habits.LOOP,
    "while": habits.LOOP,
    "loop": habits.LOOP,
    "let": "put it into the `variables` of the policy",
    "var": "put it into the `variables` of the policy",
    "const": "put it into the `constants` of the policy",
    "return": "the value of the expression is the result",
    "function": "an expression cannot define functions",
    "import": "an expression cannot import anything",
}

_PAIRS: Final = {
    ("?", "."): "write `has(a.b) ? a.b : other`",
    ("?", "?"): "write `has(a.b) ? a.b : other`",
    ("?", ":"): "write the condition once more: `a ? a : other`",
    ("<", ">"): "write `!=`",
    ("[", "*"): habits.LOOP,
    ("*", "*"): "there is no operator for powers; multiply",
    ("/", "*"): "a comment begins with `//` and ends with its line",
    ("-", ">"): "a macro takes a name and a condition: `list.exists(x, x > 1)`",
    ("<", "<"): "there are no operators on bits",
    (">", ">"): "there are no operators on bits",
    ("+", "+"): "expressions change nothing; write `+ 1`",
}
"""Two tokens that touch, between which an operand is missing, because together they mean something in another language."""


def unexpected(source: str, state: int, previous: re.Match[str] | None, match: re.Match[str]) -> Mistake:
    """Say why a token cannot stand behind the one before it, with `state` telling what should."""
    last, text = _text(previous), _text(match)
    start, end = match.span(match.lastindex or 0)
    if match.lastgroup == "odd":
        return Mistake(*characters.odd(source, start, last))
    if state == OPERATOR and previous is not None:
        return _no_operator(source, previous, match)
    if state == FIELD:
        return _no_field(source, previous, text, start, end)
    if text == ".":
        if last == "?":
            return _missing(source, previous, text, start, end)
        message = "a name with a leading `.` is left out here"
        return Mistake(LoadCode.UNSUPPORTED, start, end, message, "write the name without it")
    if match.lastgroup == "quoted":
        message = f"the quoted name {_shown(text)} does not follow a `.`"
        return Mistake(LoadCode.SYNTAX, start, end, message, "texts are written in `\"` or `'`")
    return _missing(source, previous, text, start, end)


def _missing(source: str, previous: re.Match[str] | None, text: str, start: int, end: int) -> Mistake:
    """Say that an operand is missing before a token."""
    last = _text(previous)
    advice = _advice_on_missing(source, last, text, start, end)
    if advice is None and previous is not None and previous.end() == start:
        advice = _PAIRS.get((last, text))
    if not last:
        message = f"the expression begins with `{text}`, and an operand is missing before it"
    elif last == "(" and text == ")":
        message, advice = "there is nothing between the parentheses", "put an operand into them, or leave them out"
    elif last in "([{":
        message = f"an operand is missing between `{last}` and `{text}`"
    elif last == ",":
        message = f"something is missing between `,` and `{text}`"
        if text == ")":
            advice = "a comma behind the last argument is not allowed"
    else:
        message = f"an operand is missing between `{_short(last)}` and `{text}`"
        if text == "+" and source[end : end + 1].isdigit():
            advice = "a number has no plus sign"
    return Mistake(LoadCode.SYNTAX, start, end, message, advice)


def _advice_on_missing(source: str, last: str, text: str, start: int, end: int) -> str | None:
    """What to write where two tokens meet that mean something in another language, with the author's own text."""
    if text == "/":
        return signs.slashes(source, start) if source.find("/", end) > 0 and source[end : end + 1] != "*" else None
    if last in ("&&", "||") and text in ("==", "!=", "<", "<=", ">", ">="):
        return signs.repeated_side(source, start, text)
    if source[start - 1 : start] != last[-1:]:
        return None
    if last == "?" and text in (".", "?", ":"):
        return signs.optional_read(source, start - 1, end)
    if (last, text) == ("*", "*"):
        return signs.power(source, start)
    if (last, text) == ("-", ">"):
        return signs.arrow(source, start - 1, end)
    return habits.unequal(source, start - 1) if (last, text) == ("<", ">") else None


def _no_field(source: str, previous: re.Match[str] | None, text: str, start: int, end: int) -> Mistake:
    """Say that a `.` is not followed by a name."""
    advice = (
        'write a field that is no plain name in backticks, as in ``a.`content-type` ``, or as in `a["content-type"]`'
    )
    if text[:1] in ("'", '"') and text[1:-1].isidentifier():
        advice = f"write `.{text[1:-1]}`"
    elif text == ".":
        advice = _RANGE
    elif text[0] == "." and previous is not None and text[1:].isdigit():
        advice = signs.interval(source, previous.start(previous.lastindex or 0))
    elif text == "*":
        advice = habits.LOOP
    elif text in ("(", "["):
        advice = f"leave out the `.` before `{text}`"
    elif previous is not None and (fraction := _fraction(source, previous.start(previous.lastindex or 0))) is not None:
        advice = fraction
    return Mistake(
        LoadCode.SYNTAX, start, end, f"the name of a field is missing between `.` and {_shown(text)}", advice
    )


def _no_operator(source: str, previous: re.Match[str], match: re.Match[str]) -> Mistake:
    """Say that two operands stand side by side."""
    last, text = _text(previous), _text(match)
    start, end = match.span(match.lastindex or 0)
    if previous.lastgroup == "name" and last.lower() == "not":
        place = previous.start(previous.lastindex or 0)
        advice = habits.prefix_word(source, last, previous.end())
        return Mistake(LoadCode.SYNTAX, place, place + len(last), f"`{last}` is no operator of CEL", advice)
    if match.lastgroup == "name" and habits.is_word(text):
        advice = habits.operator_word(source, text, start)
        return Mistake(LoadCode.SYNTAX, start, end, f"`{text}` is no operator of CEL", advice)
    if text == "!":
        message = "`!` cannot stand between two operands"
        return Mistake(LoadCode.SYNTAX, start, end, message, signs.exclamation(source, start))
    message = f"an operator is missing between {_shown(last)} and {_shown(text)}"
    advice = _advice_on_operands(source, previous, match)
    return Mistake(
        LoadCode.SYNTAX, start, end, message, advice or "join them with an operator such as `&&`, `==` or `+`"
    )


def _advice_on_operands(source: str, previous: re.Match[str], match: re.Match[str]) -> str | None:
    """What to write where two operands stand side by side, by what they are."""
    last, text = _text(previous), _text(match)
    start, touching = match.start(match.lastindex or 0), previous.end() == match.start(match.lastindex or 0)
    after, before = match.lastgroup, previous.lastgroup
    if before == "name" and after in ("string", "long") and touching:
        return _prefix_advice(last)
    if before in ("string", "long"):
        if after in ("string", "long"):
            return "write `+` to join texts"
        if touching and after in ("name", "path"):
            return f"a `{last[0]}` within a text is written `\\{last[0]}`, or the text stands in the other quotes"
    if after == "quoted":
        return "a name in backticks stands behind a `.`"
    if after == "number":
        if before == "number":
            meant = signs.grouped(source, start)
            return meant or "a number has one point at most; join two numbers with an operator"
        return signs.position(source, start, text) if text.startswith(".") else None
    if text == "(":
        return "only a name can be called"
    if text == "{":
        return "a map is a value of its own; an operator has to stand before it"
    if after == "name" and text.startswith("in"):
        return f"write `in {_short(text[2:])}`"
    if before == "name" and (advice := habits.prefix_word(source, last, previous.end())) is not None:
        return advice
    if before == "number" and after == "name":
        return signs.number_with_unit(last, text)
    return signs.call_without_brackets(source, start) if after in ("string", "long") else None


def _prefix_advice(prefix: str) -> str:
    """What to tell about letters directly before a text."""
    if sorted(prefix.lower()) == ["b", "r"]:
        return "write `br` for raw bytes"
    if "f" in prefix.lower():
        return 'there are no f-strings: write `+`, or `"%s".format([x])`'
    return "a text may have the prefix `r` (raw), `b` (bytes) or `br`"


def keyword_field(source: str, text: str, start: int, end: int) -> Mistake:
    """A word of the language as the name of a field."""
    message = f"`{text}` is a word of the language and no name of a field"
    if text == "in" and (meant := signs.called_in(source, start, end)) is not None:
        return Mistake(LoadCode.RESERVED, start, end, message, meant)
    return Mistake(LoadCode.RESERVED, start, end, message, f'write ``a.`{text}` `` or `a["{text}"]`')


def reserved_word(source: str, text: str, start: int, end: int) -> Mistake:
    """A reserved word as a name."""
    message = f"`{text}` is reserved and cannot be a name"
    advice = habits.conditional(source, end) if text == "if" else _RESERVED.get(text, "choose another name")
    return Mistake(LoadCode.RESERVED, start, end, message, advice)


def text_formatting(source: str, start: int, end: int) -> Mistake:
    """A `%` behind a text."""
    message = "`%` is the remainder of a division and does not format texts"
    return Mistake(LoadCode.NO_OVERLOAD, start, end, message, habits.formatting(source, start))


def message_literal(name: str, start: int) -> Mistake:
    """A `{` behind a name."""
    message = f"message literals such as `{_short(name)}{{...}}` are left out here"
    return Mistake(LoadCode.UNSUPPORTED, start, start + 1, message, 'write a map: `{"field": value}`')


def optional_syntax(last: str, start: int) -> Mistake:
    """A `?` where the syntax of optional values has one."""
    return Mistake(LoadCode.UNSUPPORTED, start, start + 1, f"`{last}?` belongs to optional values", _OPTIONAL)


def too_deep(start: int, end: int) -> Mistake:
    """Nesting beyond the limit."""
    message = f"the expression is nested deeper than {NESTING} levels"
    advice = "a chain of operators, of `.field` or of `? :` counts one level a link; move parts into `variables`"
    return Mistake(LoadCode.TOO_DEEP, start, end, message, advice)


def too_many_elements(kind: str, start: int) -> Mistake:
    """A literal or a call beyond the limit."""
    what = {"[": "list", "{": "map"}.get(kind)
    if what is None:
        message, advice = f"the call has more than {LITERAL_ELEMENTS} arguments", "put them into a list"
    else:
        message = f"the {what} has more than {LITERAL_ELEMENTS} elements"
        advice = "move it into the `constants` of the policy"
    return Mistake(LoadCode.TOO_MANY_ELEMENTS, start, start + 1, message, advice)


def wrong_bracket(source: str, text: str, start: int, opened: int | None) -> Mistake:
    """A closing bracket that closes nothing, or not what is open."""
    if opened is None:
        message = f"`{text}` closes a bracket that was never opened"
        return Mistake(LoadCode.SYNTAX, start, start + 1, message, f"leave the `{text}` out, or open one before it")
    message = f"`{text}` cannot close the `{source[opened]}` that is open"
    return Mistake(LoadCode.SYNTAX, start, start + 1, message, f"close the `{source[opened]}` first")


def never_closed(source: str, opened: int) -> Mistake:
    """A bracket that is open at the end."""
    bracket = source[opened]
    advice = f"a `{CLOSED_BY[bracket]}` is missing behind it"
    return Mistake(LoadCode.SYNTAX, opened, opened + 1, f"`{bracket}` is never closed", advice)


def stray_comma(source: str, start: int, kind: str) -> Mistake:
    """A comma outside of arguments and elements."""
    advice = "an index is one value" if kind == "i" else signs.comma(source, start) or "a list is written `[a, b]`"
    return Mistake(
        LoadCode.SYNTAX, start, start + 1, "`,` separates arguments and elements, and there are none here", advice
    )


def stray_colon(source: str, start: int, kind: str) -> Mistake:
    """A `:` without a `?` and outside of a map."""
    advice = None
    if source.startswith("=", start + 1):
        message, advice = "`:=` is no operator of CEL", "put the value into the `variables` of the policy"
        return Mistake(LoadCode.SYNTAX, start, start + 2, message, advice)
    if kind == "i":
        advice = "there are no slices; `text.substring(from, to)` cuts a text"
    elif kind == "{":
        advice = "an entry of a map has one `:`; put a comma between entries"
    elif (meant := signs.colons(source, start)) is not None:
        advice = meant
    elif kind == "f":
        advice = "arguments have no names"
    return Mistake(LoadCode.SYNTAX, start, start + 1, "`:` has no `?` before it", advice)


def no_alternative(start: int) -> Mistake:
    """A `?` without its `:`."""
    return Mistake(LoadCode.SYNTAX, start, start + 1, "`?` has no `:` after it", habits.CHOICE)


def nested_choice(start: int) -> Mistake:
    """A `?` between another `?` and its `:`."""
    message = "a choice between `?` and `:` needs parentheses"
    return Mistake(LoadCode.SYNTAX, start, start + 1, message, "write `a ? (b ? c : d) : e`")


def no_value(source: str, start: int, opened: int) -> Mistake:
    """An entry of a map that ends behind its key; the bracket was opened at `opened`."""
    message = "an entry of a map is a key, a `:` and a value"
    advice = signs.braces(source, opened) or "a list is written `[a, b]`"
    return Mistake(LoadCode.SYNTAX, start, start + 1, message, advice)


def mixed_prefixes(before: str, text: str, start: int) -> Mistake:
    """A `!` beside a minus sign."""
    message = f"`{text}` cannot follow `{before}`: one takes a boolean, the other a number"
    return Mistake(LoadCode.SYNTAX, start, start + 1, message)


def empty() -> Mistake:
    """Nothing but blanks and comments."""
    return Mistake(LoadCode.SYNTAX, 0, 0, "the expression is empty", "write `true` for a condition that always holds")


def lone_return(start: int) -> Mistake:
    """A comment that goes on, or ends, at a carriage return."""
    message = "a carriage return in a comment is shown as the end of a line, and is none"
    return Mistake(LoadCode.CHARACTER, start, start + 1, message, "end the line with a line feed")


def _fraction(source: str, point: int) -> str | None:
    """What to say about a point behind a digit."""
    return "a double has digits on both sides of its point" if source[point - 1 : point].isdigit() else None


def ends_early(source: str, last: re.Match[str]) -> Mistake:
    """An end where something has to follow."""
    text = _text(last)
    start, end = last.span(last.lastindex or 0)
    if text == ".":
        message = "the expression ends after `.`, where the name of a field is missing"
        return Mistake(LoadCode.SYNTAX, start, end, message, _fraction(source, start))
    if text in ("(", "[", "{"):
        return never_closed(source, start)
    message = f"the expression ends after `{text}`, where an operand is missing"
    advice = f"write what comes behind the `{text}`, or leave it out"
    if text == "%":
        advice = "`%` is the remainder of a division; a share is a number such as `0.5`"
    return Mistake(LoadCode.SYNTAX, start, end, message, advice)


def _text(match: re.Match[str] | None) -> str:
    return "" if match is None or match.lastindex is None else match[match.lastindex]


def _short(text: str) -> str:
    return text if len(text) <= 30 else text[:27] + "..."


def _shown(text: str) -> str:
    """A token for a message: in backticks, or in words where it would not look like one there."""
    if text[:1] == "`":
        return f"`` {_short(text)} ``"
    return f"`{_short(text)}`"
