"""The tokens of an expression, by the lexis of the CEL specification.

Matching one never goes back over what it has read, so a source takes time in proportion to its length.
"""

import re
from typing import Final

KEYWORDS: Final = frozenset({"true", "false", "null", "in"})
"""Words that are never names, not even of fields."""
RESERVED: Final = frozenset(
    {
        *("as", "break", "const", "continue", "else", "for", "function", "if", "import", "let"),
        *("loop", "package", "namespace", "return", "var", "void", "while"),
    }
)
"""Words that the specification keeps free; they can be names of fields and methods alone."""

_KEYWORDS: Final = "|".join(sorted(KEYWORDS))
_WORDS: Final = "|".join(sorted(KEYWORDS | RESERVED))
_BLANK: Final = r"[ \t\n\f\r]*+"
_STRING_PATTERN: Final = r"""(?:"(?!"")[^"\\\n\r]*+" | '(?!'')[^'\\\n\r]*+')"""
_ITEM: Final = rf"(?:{_STRING_PATTERN} | -?[0-9]++(?![0-9A-Za-z_.]))"
TOKEN: Final = re.compile(
    rf"""{_BLANK}(?:
    (?P<path>(?!(?:{_WORDS})\.)
        [A-Za-z_][A-Za-z0-9_]*+(?:\.(?!(?:{_KEYWORDS})\b)[A-Za-z_][A-Za-z0-9_]*+(?!{_BLANK}[(/]))++)
  | (?P<name>(?![bB]?[rR]?["'])[A-Za-z_][A-Za-z0-9_]*+)
  | (?P<list>\[{_BLANK}{_ITEM}(?:{_BLANK},{_BLANK}{_ITEM})++{_BLANK},?+{_BLANK}\])
  | (?P<mark>\.(?![0-9]) | [()\[\]{{}},?:+*%-] | [=!<>]= | [<>!] | && | \|\| | /(?!/))
  | (?P<string>{_STRING_PATTERN})
  | (?P<number>(?:[0-9]++(?:\.[0-9]++)?+ | \.[0-9]++)(?:[eE][+-]?[0-9]++)?+[A-Za-z0-9_]*+)
  | (?P<long>[bB]?(?:
        [rR](?:\"""(?:[^"]++ | "(?!""))*+\""" | '''(?:[^']++ | '(?!''))*+''' | "(?!"")[^"\n\r]*+" | '(?!'')[^'\n\r]*+')
      | \"""(?:[^"\\]++ | \\[\s\S] | "(?!""))*+\""" | '''(?:[^'\\]++ | \\[\s\S] | '(?!''))*+'''
      | "(?!"")(?:[^"\\\n\r]++ | \\[^\n\r])*+" | '(?!'')(?:[^'\\\n\r]++ | \\[^\n\r])*+'
    ))
  | (?P<quoted>`[A-Za-z0-9_.\-/\ ]++`)
  | (?P<comment>//[^\x00-\x08\n-\x1F\x7F-\x9F]*+(?:\r(?=\n))?+)
  | (?P<odd>[\s\S])
  | \Z)""",
    re.VERBOSE,
)
"""Every token with the blanks before it. A `path` is a dotted name written without blanks, a `list` one of plain
literals: both are frequent and need no parser, which takes half of its time for them."""
PATH, NAME, LIST, MARK, STRING, NUMBER, LONG, QUOTED, COMMENT, ODD = range(1, 11)
ELEMENT: Final = re.compile(_ITEM, re.VERBOSE)
