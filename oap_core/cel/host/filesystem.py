"""How a file system tells two names apart, as far as that can be known without looking at it.

A name has two keys. Two names with equal narrow keys are one name everywhere; two names with different wide keys are
two names everywhere. In between, file systems disagree, and a comparison has no answer.
"""

import os
import re
import sys
import unicodedata
from dataclasses import dataclass
from typing import Final

from oap_core.cel.failure import Code, EvalError

_IGNORED: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Characters without a shape: some of the file systems that fold letter case skip them in a comparison."""


@dataclass(frozen=True, slots=True)
class FileSystem:
    """What the functions on paths assume about the machine whose tools will open them."""

    windows: bool
    """Paths begin with a drive, `\\` separates, and the names that Windows reads in its own way are refused."""
    fold_case: bool
    """Names that differ in letter case alone are one name."""

    @classmethod
    def of(cls, *, fold_case: bool | None = None, windows: bool | None = None) -> "FileSystem":
        """Fill in what is None from the platform: Windows and macOS fold letter case, everything else does not."""
        windows = os.name == "nt" if windows is None else windows
        return cls(windows, windows or sys.platform == "darwin" if fold_case is None else fold_case)

    def narrow(self, name: str) -> str:
        """A key that is equal only for names that are one name whatever the file system.

        A file system that folds and is not of Windows is taken to be one of macOS, where the composed and the
        decomposed spelling of a letter are one. Elsewhere names are what they are, byte for byte.
        """
        if name.isascii():
            return name.lower() if self.fold_case else name
        if not self.fold_case:
            return name
        return "".join(map(_paired, name if self.windows else unicodedata.normalize("NFC", name)))

    def wide(self, name: str) -> str:
        """A key that is equal for all names that some file system takes for one: NFC, and case folded in full."""
        if name.isascii():
            return name.lower() if self.fold_case else name
        if not self.fold_case:
            return unicodedata.normalize("NFC", name)
        bare = _IGNORED.sub("", unicodedata.normalize("NFD", name))
        return unicodedata.normalize("NFC", unicodedata.normalize("NFD", bare).casefold())


def agreed(answers: set[bool]) -> bool:
    """The one answer of all readings. Raises `EvalError` (invalid_argument) where they disagree."""
    if len(answers) != 1:
        raise EvalError(Code.INVALID_ARGUMENT)
    return answers.pop()


def _paired(character: str) -> str:
    """Lower case where upper and lower case are a pair; file systems disagree about letters like ß and long s."""
    lower = character.lower()
    return lower if lower.upper() == character else character
