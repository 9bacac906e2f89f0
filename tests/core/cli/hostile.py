"""Texts that try to break out of the form in which they are printed."""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st

HOSTILE: Final = (
    "\n::error::pwned",
    "\r::set-output name=a::b",
    "::stop-commands::x",
    "a::b",
    "x,line=99,title=other",
    "100%0A::error::pwned",
    "##[add-path]/tmp",
    "%25%0D%0A",
    "\u2028::error::x",
    "\x85::error::x",
    "\x0b\x0c\x1c::error::x",
    "]](javascript:alert(1))",
    "\x1b[31m",
    "]]><!--",
    "\ud800",
    "\ufffe",
)

TEXTS: Final = st.text(st.characters(), max_size=20) | st.sampled_from(HOSTILE)
"""Any text whatever, halves of characters included."""
