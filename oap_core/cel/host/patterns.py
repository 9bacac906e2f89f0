"""The pattern language of `glob`: text to alternatives of segments, and segments to a matcher in linear time.

A pattern that could be meant in two ways is refused and never repaired: `**` beside other characters, `.` or `..` as
a segment, an empty segment, an unclosed bracket or brace, braces around one alternative, a range other than
of ASCII letters of one case or of digits, a backslash.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial
from itertools import groupby, pairwise
from typing import Final, TypeAlias

from oap_core.cel.failure import Code, EvalError
from oap_core.cel.regexes import compiled

PATTERN_CHARACTERS: Final = 1000
"""Longest pattern."""

ALTERNATIVES: Final = 64
"""Most alternatives that the braces of one pattern may multiply to."""

EXPANDED: Final = 8000
"""Most tokens in all alternatives together."""

NOTHING: Final = r"[^\x00-\x{10ffff}]"
"""A regular expression that matches no text."""

MATCHER_BYTES: Final = 1 << 19
"""Most memory of one matcher."""


class Mark(Enum):
    """The parts of a pattern that stand for other text."""

    ONE = "?"
    MANY = "*"
    OPEN = "{"
    NEXT = ","
    CLOSE = "}"


@dataclass(frozen=True, slots=True)
class OneOf:
    """`[...]`: one character out of a set, or one outside of it."""

    characters: frozenset[str]
    """The set, ranges written out."""
    negated: bool
    """It is one outside of the set."""


Token: TypeAlias = str | Mark | OneOf
"""A character that stands for itself, or what stands for something else."""

Segment: TypeAlias = tuple[Token, ...]
"""What one name has to look like."""

DEEP: Final[Segment] = (Mark.MANY, Mark.MANY)
"""`**`: any number of names, none included."""


def alternatives(pattern: str) -> list[tuple[Segment, ...]]:
    """The segments of each alternative of a pattern; an absolute one begins with an empty segment.

    Raises `EvalError` (invalid_argument, too_large).
    """
    if len(pattern) > PATTERN_CHARACTERS:
        raise EvalError(Code.TOO_LARGE)
    return [_segments(tokens) for tokens in _expand(_tokens(pattern))]


def _tokens(pattern: str) -> Iterator[Token]:
    depth = position = 0
    while position < len(pattern):
        character = pattern[position]
        position += 1
        if character == "[":
            token, position = _one_of(pattern, position)
            yield token
        elif character == "," and not depth:
            yield character
        elif character in "?*{,}":
            depth += (character == "{") - (character == "}")
            if depth < 0:
                raise EvalError(Code.INVALID_ARGUMENT)
            yield Mark(character)
        elif character in "]\\":
            raise EvalError(Code.INVALID_ARGUMENT)
        else:
            yield character
    if depth:
        raise EvalError(Code.INVALID_ARGUMENT)


def _one_of(pattern: str, start: int) -> tuple[OneOf, int]:
    """Read a set from behind its bracket, and say where the pattern goes on."""
    negated = pattern[start : start + 1] in {"!", "^"}
    start += negated
    # A bracket that comes first stands for itself.
    end = pattern.find("]", start + 1)
    inside = pattern[start:end]
    if end < 0 or any(sign in inside for sign in ("/", "\\", "[:", "[.", "[=")):
        raise EvalError(Code.INVALID_ARGUMENT)
    found: set[str] = set()
    while inside:
        if len(inside) > 2 and inside[1] == "-":
            found.update(_range(inside[0], inside[2]))
            inside = inside[3:]
        else:
            found.add(inside[0])
            inside = inside[1:]
    return OneOf(frozenset(found), negated), end + 1


def _range(first: str, last: str) -> Iterator[str]:
    same_kind = any(
        first.isascii() and last.isascii() and kind(first) and kind(last)
        for kind in (str.isdigit, str.islower, str.isupper)
    )
    if not same_kind or first > last:
        raise EvalError(Code.INVALID_ARGUMENT)
    return map(chr, range(ord(first), ord(last) + 1))


def _expand(tokens: Iterator[Token]) -> list[list[Token]]:
    """Multiply the braces out. `open` holds, for each open brace, what is before it and its finished alternatives."""
    current: list[list[Token]] = [[]]
    open_: list[tuple[list[list[Token]], list[list[Token]]]] = []
    for token in tokens:
        if token is Mark.OPEN:
            open_.append((current, []))
            current = [[]]
        elif token is Mark.NEXT:
            open_[-1][1].extend(current)
            current = [[]]
        elif token is Mark.CLOSE:
            before, finished = open_.pop()
            if not finished:
                raise EvalError(Code.INVALID_ARGUMENT)
            finished.extend(current)
            if len(before) * len(finished) > ALTERNATIVES:
                raise EvalError(Code.INVALID_ARGUMENT)
            current = [[*start, *end] for start in before for end in finished]
        else:
            for tokens_so_far in current:
                tokens_so_far.append(token)
    if sum(map(len, current)) > EXPANDED:
        raise EvalError(Code.INVALID_ARGUMENT)
    return current


def _segments(tokens: list[Token]) -> tuple[Segment, ...]:
    parts: list[list[Token]] = [[]]
    for one in tokens:
        if one == "/":
            parts.append([])
        else:
            parts[-1].append(one)
    if parts == [[], []]:
        return ((),)
    for place, part in enumerate(parts):
        is_odd = part in ([], ["."], [".", "."]) and (place > 0 or part != [] or len(parts) == 1)
        if is_odd or (_has_doubled_star(part) and tuple(part) != DEEP):
            raise EvalError(Code.INVALID_ARGUMENT)
    return tuple(map(tuple, parts))


def _has_doubled_star(part: list[Token]) -> bool:
    return any(one is other is Mark.MANY for one, other in pairwise(part))


def expression(shapes: Iterable[Sequence[Segment]], key: Callable[[str], str]) -> str:
    """A regular expression for all texts of one of the shapes: each name keyed, and with a `/` before it."""
    return "|".join("".join(_expression(segment, key) for segment in segments) for segments in shapes)


def matcher(source: str) -> Callable[[str], bool]:
    """Whether the whole of a text matches, in a time that grows with the length of the text alone.

    Raises `EvalError` (invalid_argument) where the expression needs more memory or instructions than one matcher gets.
    """
    regex = compiled(source, MATCHER_BYTES)
    if regex is None:
        raise EvalError(Code.INVALID_ARGUMENT)
    fullmatch = regex.fullmatch
    return lambda text: fullmatch(text.encode()) is not None


def _expression(segment: Segment, key: Callable[[str], str]) -> str:
    if segment == DEEP:
        return "(?:/[^/]+)*"
    parts = ["/"]
    for is_literal, run in groupby(segment, lambda token: isinstance(token, str)):
        tokens = list(run)
        if is_literal:
            parts.append(_literal(key("".join(map(str, tokens)))))
        else:
            parts.extend(map(partial(_wildcard, key=key), tokens))
    return "".join(parts)


def _wildcard(token: Token, key: Callable[[str], str]) -> str:
    if not isinstance(token, OneOf):
        return "[^/]*" if token is Mark.MANY else "[^/]"
    keys = sorted({key(character) for character in token.characters})
    singles = "".join(_literal(found) for found in keys if len(found) == 1)
    if token.negated:
        return f"[^/{singles}]"
    # The key of one character may be longer than one, as that of ß is.
    return (
        "|".join(["(?:" + (f"[{singles}]" if singles else NOTHING), *(_literal(k) for k in keys if len(k) > 1)]) + ")"
    )


def _literal(text: str) -> str:
    return "".join(c if c.isalnum() or not c.isascii() else f"\\x{{{ord(c):x}}}" for c in text)
