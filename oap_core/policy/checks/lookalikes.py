"""What a word looks like: letters of several scripts in one word, and letters that pass for others.

Names of tools come from servers that nobody here wrote, and a name with a letter of another script passes every review.
"""

# Letters that pass for others are what this is about.
# ruff: noqa: RUF001

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from oap_core.diagnostic import printable

__all__ = ["Oddity", "oddities", "skeleton", "words"]

_WORD: Final = re.compile(r"\w+")
_PASSING: Final = frozenset({"CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU", "DESERET", "GOTHIC"})
"""Scripts with letters that pass for Latin ones."""
_LATIN: Final = "LATIN"
_LETTERS: Final = {
    # Cyrillic
    "а": "a", "е": "e", "о": "o", "р": "p", "с": "c", "у": "y", "х": "x", "і": "i", "ј": "j", "ѕ": "s", "ԁ": "d",
    "ԛ": "q", "ԝ": "w", "һ": "h", "ӏ": "l", "к": "k", "г": "r", "п": "n", "м": "m", "т": "t", "в": "b", "н": "h",
    "ь": "b", "А": "A", "В": "B", "Е": "E", "К": "K", "М": "M", "Н": "H", "О": "O", "Р": "P", "С": "C", "Т": "T",
    "У": "Y", "Х": "X", "І": "I", "Ј": "J", "Ѕ": "S", "Ԁ": "D", "Ԛ": "Q", "Ԝ": "W", "Ӏ": "I",
    # Greek
    "α": "a", "β": "b", "γ": "y", "ι": "i", "κ": "k", "ν": "v", "ο": "o", "ρ": "p", "τ": "t", "υ": "u", "χ": "x",
    "ω": "w", "ϲ": "c", "Α": "A", "Β": "B", "Ε": "E", "Ζ": "Z", "Η": "H", "Ι": "I", "Κ": "K", "Μ": "M", "Ν": "N",
    "Ο": "O", "Ρ": "P", "Τ": "T", "Υ": "Y", "Χ": "X",
    # Armenian
    "օ": "o", "ո": "n", "ս": "u", "հ": "h", "ց": "g", "ք": "p", "զ": "q", "Տ": "S", "Օ": "O", "Լ": "L", "Ս": "U",
    # Cherokee
    "Ꭰ": "D", "Ꭱ": "R", "Ꭲ": "T", "Ꭵ": "i", "Ꭺ": "A", "Ꭻ": "J", "Ꭼ": "E", "Ꮃ": "W", "Ꮇ": "M", "Ꮋ": "H", "Ꮐ": "G",
    "Ꮓ": "Z", "Ꮪ": "S", "Ꮩ": "V", "Ꮮ": "L", "Ꮯ": "C", "Ꮲ": "P", "Ꮶ": "K", "Ᏼ": "B",
    # Latin itself
    "ı": "i", "ɑ": "a", "ɡ": "g", "ȷ": "j", "ʏ": "y", "ɩ": "i", "ɪ": "i", "ʟ": "l", "ᴏ": "o", "ᴄ": "c", "ᴠ": "v",
    "ᴡ": "w", "ᴢ": "z", "ꜱ": "s",
}  # fmt: skip
"""Letters by the ASCII letter that they pass for: the common ones, and no complete list."""


@dataclass(frozen=True, slots=True)
class Oddity:
    """One word that is not what it looks like."""

    start: int
    """Offset of the character to show."""
    word: str
    """The word."""
    message: str
    """What is odd about it: the rest of a sentence that begins with the word."""


def words(text: str) -> Iterator[re.Match[str]]:
    """The words of a text: runs of letters, digits and underscores."""
    return _WORD.finditer(text)


def skeleton(word: str) -> str:
    """The same word for all words that look alike, as far as the table of letters goes."""
    return "".join(_LETTERS.get(char, char) for char in unicodedata.normalize("NFKC", word))


def oddities(text: str, known: frozenset[str]) -> Iterator[Oddity]:
    """The words that mix scripts, that are spelt with letters made to look like others, or that pass for a known word.

    `known` are words in ASCII; a word in one script alone is only told of where it looks like one of them.
    """
    if text.isascii():
        return
    for found in words(text):
        word = found[0]
        if word.isascii():
            continue
        place, what = _mixed(word)
        if place is None:
            place, what = _passing(word, known)
        if place is not None:
            yield Oddity(found.start() + place, word, what)


def _mixed(word: str) -> tuple[int | None, str]:
    """The first letter of a word that belongs to another script than its Latin ones, or that only looks like one."""
    scripts = [_script(char) for char in word]
    for place, (char, script) in enumerate(zip(word, scripts, strict=True)):
        plain = unicodedata.normalize("NFKC", char)
        if plain != char and plain.isascii() and plain.isalnum() and unicodedata.category(char)[0] == "L":
            return place, f"has {_named(char)}, which looks like `{plain}`"
        if script in _PASSING and _LATIN in scripts:
            like = _LETTERS.get(char)
            looks = "" if like is None else f", which looks like `{like}`"
            return place, f"mixes scripts: {_named(char)} stands among Latin letters{looks}"
    return None, ""


def _passing(word: str, known: frozenset[str]) -> tuple[int | None, str]:
    """Whether the whole word looks like a known one and is another."""
    plain = skeleton(word)
    if word != plain and plain in known:
        place = next(place for place, char in enumerate(word) if not char.isascii())
        return place, f"looks like `{plain}` and is spelt with {_named(word[place])}"
    return None, ""


@lru_cache(maxsize=4096)
def _script(char: str) -> str:
    return "" if not char.isalpha() else unicodedata.name(char, "").partition(" ")[0]


def _named(char: str) -> str:
    return f"`{printable(char)}` (U+{ord(char):04X})"
