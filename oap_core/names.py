"""The texts that address something: a tool, a rule, and the plain names that they are made of.

A name reaches terminals, logs, records and globs, so it is checked where it enters and carries its type from there.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final, Self

from oap_core.diagnostic import printable

__all__ = ["CORE", "DEFAULT_RULE", "RuleAddress", "ToolId", "check_name"]

CORE: Final = "core"
"""The author of everything that no plugin made, and the policy name that no file may use."""

_MAX_NAME: Final = 256
_SEGMENT: Final = r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}"
_RULE: Final = re.compile(rf"(?P<policy>{_SEGMENT})/(?P<rule>{_SEGMENT})|plugin:(?P<plugin>{_SEGMENT})")


def check_name(value: object, what: str) -> str:
    """Give a name back that is safe to print, compare and store; `what` says in an error which name it was.

    Safe means: 1 to 256 code points, in normal form C, all printable, no white space at either end. Raises TypeError
    where it is no string, else ValueError.
    """
    if not isinstance(value, str):
        raise TypeError(f"{what} is a string")
    if not value:
        raise ValueError(f"{what} is empty")
    if len(value) > _MAX_NAME:
        raise ValueError(f"{what} is longer than {_MAX_NAME} characters")
    # Invisible and bidirectional characters and lone surrogates are not printable either.
    if not value.isprintable():
        raise ValueError(f"{what} has a control or invisible character: `{printable(value)}`")
    if value != value.strip():
        raise ValueError(f"{what} has white space at an end: `{value}`")
    if not unicodedata.is_normalized("NFC", value):
        raise ValueError(f"{what} is not in Unicode normal form C: `{value}`")
    return value


class ToolId(str):
    """The id of a tool, `source/name`, where the source comes from host configuration and never from a server.

    There is exactly one slash, so that a server cannot reach into another source by a name. Raises TypeError for
    anything but a string and ValueError for a malformed one.
    """

    __slots__ = ()

    def __new__(cls, text: str) -> Self:
        """Check the text."""
        check_name(text, "a tool id")
        source, _, name = text.partition("/")
        if text.count("/") != 1 or not source or not name:
            raise ValueError(f"a tool id is `source/name` with one slash: `{text}`")
        if source != source.strip() or name != name.strip():
            raise ValueError(f"a tool id has no white space around its slash: `{text}`")
        return super().__new__(cls, text)

    @property
    def source(self) -> str:
        """The part before the slash: who offers the tool."""
        return self.partition("/")[0]

    @property
    def name(self) -> str:
        """The part behind the slash: what that source calls the tool."""
        return self.partition("/")[2]


class RuleAddress(str):
    """The address of a rule: `policy/rule`, or `plugin:name` for the wall of a plugin that hooks without effects.

    Both parts are ASCII letters, digits, dots, underscores and dashes, at most 100 each, and start with a letter or a
    digit. Addresses order by code point. Raises TypeError for anything but a string and ValueError for a malformed
    one.
    """

    __slots__ = ()

    def __new__(cls, text: str) -> Self:
        """Check the text."""
        if not isinstance(text, str):
            raise TypeError("a rule address is a string")
        if not _RULE.fullmatch(text):
            raise ValueError(f"a rule address is `policy/rule`: `{printable(text)}`")
        return super().__new__(cls, text)

    @property
    def policy(self) -> str | None:
        """The name of the policy, or None for the wall of a plugin."""
        return self._part("policy")

    @property
    def rule(self) -> str | None:
        """The id of the rule in its policy, or None for the wall of a plugin."""
        return self._part("rule")

    @property
    def plugin(self) -> str | None:
        """The name of the plugin whose wall this is, or None for a rule of a policy."""
        return self._part("plugin")

    def _part(self, name: str) -> str | None:
        found = _RULE.fullmatch(self)
        return found[name] if found else None


DEFAULT_RULE: Final = RuleAddress("core/default")
"""What decides where no grant matches."""
