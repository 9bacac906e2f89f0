"""The bounds that every command line stays within, and the one error for whatever cannot be told."""

from __future__ import annotations

from typing import Final

from oap_core.cel import Code, EvalError

LINE_BYTES: Final = 65_536
"""Longest command line, in UTF-8 bytes. One that writes a file from a here-document is as long as the file."""

SHELL_BYTES: Final = 8192
"""Most bytes of a line, with the texts inside it, that stand outside of quotes, bodies of here-documents and comments. For
a text that it stumbles over, the second reader takes time that grows with the square of them."""

NESTING: Final = 16
"""Deepest nesting of compound commands, substitutions and expansions in one text."""

COUNTED: Final = 400_000
"""Most characters of one text that are looked at once more, from the begin of each substitution to where shells that count
parentheses see its end."""

COMMANDS: Final = 2000
"""Most commands in one line, with those of the texts inside it."""

TEXTS: Final = 8
"""Deepest nesting of texts that a command hands to a shell, as in `sh -c "sh -c ls"`."""

PROGRAM_CHARACTERS: Final = 1000
"""Longest program, as written: the tree takes time that grows with the square of it."""

TREE_NODES: Final = 200_000
"""Most nodes of a syntax tree that are looked at."""


def refusal() -> EvalError:
    """The error for a text that cannot be told: it holds no word of the text."""
    return EvalError(Code.INVALID_ARGUMENT)
