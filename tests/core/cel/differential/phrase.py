"""A generated expression as a tree, so that one expression can be counted, changed, and written in many ways."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

TERNARY: Final = 0
OR: Final = 1
AND: Final = 2
RELATION: Final = 3
SUM: Final = 4
PRODUCT: Final = 5
UNARY: Final = 6
PRIMARY: Final = 7


@dataclass(frozen=True, slots=True, eq=False)
class Binder:
    """The loop variable of one macro; two binders of one name are two binders."""

    name: str


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for an expression inside another."""

    phrase: Phrase
    level: int = TERNARY
    """Weakest binding that needs no parentheses here."""


Part = str | Slot | Binder


@dataclass(frozen=True, slots=True)
class Phrase:
    """An expression: text, smaller expressions and loop variables, one after the other."""

    construct: str
    """What part of the language it uses, for counting."""
    parts: tuple[Part, ...]
    level: int = PRIMARY
    """How strongly it binds."""
    value: object = None
    """What it is worth, where it is a literal."""

    def __str__(self) -> str:
        """Write it in the plain style."""
        return PLAIN.write(self)


@dataclass(frozen=True, slots=True)
class Style:
    """How an expression is written out. Whatever the style, it means the same."""

    gap: Callable[[], str] = str
    """What stands where white space and comments may stand."""
    parentheses: Callable[[], bool] = bool
    """Whether an expression is put in parentheses that it does not need."""
    names: Callable[[Binder], str] = lambda binder: binder.name
    """What a loop variable is called."""

    def write(self, phrase: Phrase) -> str:
        """Write the expression. It nests only a few levels, since it was generated so."""
        return "".join(self._part(part) for part in phrase.parts)

    def _part(self, part: Part) -> str:
        match part:
            case str():
                return part
            case Binder():
                return f"{self.gap()}{self.names(part)}{self.gap()}"
            case Slot(phrase, level):
                text = f"{self.gap()}{self.write(phrase)}{self.gap()}"
                return f"({text})" if phrase.level < level or self.parentheses() else text


PLAIN: Final = Style()


def rewrite(phrase: Phrase, change: Callable[[Phrase], Phrase]) -> Phrase:
    """Change every part of an expression, the inner ones first."""
    parts = tuple(
        Slot(rewrite(part.phrase, change), part.level) if isinstance(part, Slot) else part for part in phrase.parts
    )
    return change(replace(phrase, parts=parts))


def below(phrase: Phrase) -> Iterator[Phrase]:
    """Every expression inside this one, and itself."""
    yield phrase
    for part in phrase.parts:
        if isinstance(part, Slot):
            yield from below(part.phrase)


def constructs(phrase: Phrase) -> Counter[str]:
    """How often each part of the language occurs."""
    return Counter(inner.construct for inner in below(phrase))


def operator(construct: str, left: Phrase, sign: str, right: Phrase, level: int) -> Phrase:
    """`left sign right`, associating to the left."""
    return Phrase(construct, (Slot(left, level), f" {sign} ", Slot(right, level + 1)), level)


def negated(phrase: Phrase) -> Phrase:
    """`!phrase`."""
    return Phrase("!", ("!", Slot(phrase, UNARY)), UNARY)


def both(left: Phrase, right: Phrase) -> Phrase:
    """`left && right`."""
    return operator("&&", left, "&&", right, AND)


def either(left: Phrase, right: Phrase) -> Phrase:
    """`left || right`."""
    return operator("||", left, "||", right, OR)


def chosen(condition: Phrase, then: Phrase, otherwise: Phrase) -> Phrase:
    """`condition ? then : otherwise`."""
    return Phrase("?:", (Slot(condition, OR), " ? ", Slot(then, OR), " : ", Slot(otherwise, TERNARY)), TERNARY)


def call(construct: str, name: str, *arguments: Phrase) -> Phrase:
    """`name(arguments)`."""
    return Phrase(construct, (f"{name}(", *_separated(arguments), ")"))


def method(construct: str, receiver: Phrase, name: str, *arguments: Phrase) -> Phrase:
    """`receiver.name(arguments)`."""
    return Phrase(construct, (Slot(receiver, PRIMARY), f".{name}(", *_separated(arguments), ")"))


def literal(construct: str, text: str, value: object) -> Phrase:
    """A value as it is written."""
    return Phrase(construct, (text,), UNARY if text.startswith("-") else PRIMARY, value)


def listing(items: list[Phrase]) -> Phrase:
    """`[items]`."""
    return Phrase("list literal", ("[", *_separated(items), "]"))


def mapping(entries: list[tuple[Phrase, Phrase]]) -> Phrase:
    """`{key: value, ...}`."""
    parts: list[Part] = []
    for key, value in entries:
        parts += [", "] if parts else []
        parts += [Slot(key), ": ", Slot(value)]
    return Phrase("map literal", ("{", *parts, "}"))


def loop(construct: str, target: Phrase, name: str, binder: Binder, *bodies: Phrase) -> Phrase:
    """`target.name(binder, bodies)`."""
    rest: list[Part] = []
    for body in bodies:
        rest += [", ", Slot(body)]
    return Phrase(construct, (Slot(target, PRIMARY), f".{name}(", binder, *rest, ")"))


def _separated(phrases: list[Phrase] | tuple[Phrase, ...]) -> list[Part]:
    parts: list[Part] = []
    for phrase in phrases:
        parts += [", ", Slot(phrase)] if parts else [Slot(phrase)]
    return parts
