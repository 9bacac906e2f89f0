"""`email_domain`: the domain that a mail to one plain address goes to.

RFC 5322 allows much more than `name@domain`, and programs differ in how much of it they know: comments, quoted parts,
display names, groups, routes, encoded words. Each of these has been used to send a mail elsewhere, so each is refused.
"""

import re
from typing import Final

from oap_core.cel.failure import Code, EvalError
from oap_core.cel.host import hosts

ADDRESS_CHARACTERS: Final = 254
"""Longest address, as for SMTP."""

LOCAL_CHARACTERS: Final = 64
"""Longest part before the `@`, as for SMTP."""

_LOCAL: Final = re.compile(r"[A-Za-z0-9#$&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9#$&'*+/=?^_`{|}~-]+)*")
"""Without `%` and `!`, by which old mail servers sent on to another domain."""


def email_domain(address: str) -> str:
    """The domain of one address in lower-case ASCII.

    Raises `EvalError` (invalid_argument) for anything but `name@domain`: several addresses, a display name, white
    space, a quoted or non-ASCII name, an IP address as the domain, a domain that ends in a dot.
    """
    local, at, domain = address.partition("@")
    if len(address) > ADDRESS_CHARACTERS or len(local) > LOCAL_CHARACTERS or not at or domain.endswith("."):
        raise EvalError(Code.INVALID_ARGUMENT)
    # `=?` and `?=` enclose what some programs decode before they look for the `@`.
    if not _LOCAL.fullmatch(local) or "=?" in local or "?=" in local:
        raise EvalError(Code.INVALID_ARGUMENT)
    return hosts.name(domain)
