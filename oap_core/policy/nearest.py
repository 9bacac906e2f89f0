"""The known word that a misspelt one was probably meant to be, found in bounded time.

Looking for it costs the more the more words there are, and somebody who renames a source makes as many mistakes as there
are rules. So of very many words only those are compared that begin and end like the misspelt one.
"""

from __future__ import annotations

import heapq
import os
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

__all__ = ["MOST_HELPED", "nearest"]

MOST_HELPED: Final = 100
"""Mistakes for which a word is looked for among many; behind the first ones, the others are mostly like them."""

_MANY: Final = 200
_LONGEST: Final = 256


def nearest(word: str, known: Iterable[str], *, told: int = 0, cutoff: float = 0.6) -> str | None:
    """The known word that is most like another one, or None; `told` says how many mistakes have been told already."""
    words = list(known)
    if len(word) > _LONGEST:
        return None
    if len(words) > _MANY:
        if told > MOST_HELPED:
            return None
        # In one order, so that words that are alike come out the same each time.
        words = heapq.nlargest(_MANY, sorted(words), key=lambda one: _shared(word, one))
    return next(iter(get_close_matches(word, words, n=1, cutoff=cutoff)), None)


def _shared(one: str, other: str) -> int:
    """How many characters two words have in common at their begin and at their end."""
    begin = os.path.commonprefix((one, other))  # noqa: RUF071  # characters are compared, and no paths
    end = os.path.commonprefix((one[::-1], other[::-1]))  # noqa: RUF071  # as above
    return len(begin) + len(end)
