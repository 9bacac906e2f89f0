"""Scheme, host and port of a URL, where RFC 3986 and the browsers' rules (WHATWG) read the same; else an error.

Whoever chooses a URL looks for one that the check reads in one way and the program behind it in another. So there is
no repair here of what a browser repairs (white space, backslashes, missing or surplus slashes, odd addresses), and no
way to write a host that some program reads otherwise.
"""

import re
from dataclasses import dataclass
from typing import Final

from oap_core.cel.failure import Code, EvalError
from oap_core.cel.host import hosts

URL_CHARACTERS: Final = 8192
"""Longest URL."""

PORTS: Final = {"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21, "ssh": 22, "sftp": 22, "git": 9418}
"""Schemes whose URLs name a host of the network, and the port that each means by default."""

BROWSED: Final = frozenset({"http", "https", "ws", "wss", "ftp"})
"""Schemes for which browsers turn other letters in a host into ASCII; for the rest they percent-encode them."""

WITHOUT_HOST: Final = frozenset({
    "about", "blob", "cid", "data", "file", "filesystem", "javascript", "magnet", "mailto", "mid", "news", "sms", "tel",
    "urn", "vbscript", "view-source",
})  # fmt: skip
"""Schemes that need no `//` behind them. Any other without it may be a host and a port: `localhost:8080`."""

_UNREADABLE: Final = re.compile(r"[\s\x00-\x1f\x7f-\x9f\ud800-\udfff\\]")
"""Browsers drop or turn around what other programs keep: white space, control characters, backslashes."""
_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):(//)?")
_AUTHORITY: Final = re.compile(
    r"""(?:[A-Za-z0-9._~-]+(?::[A-Za-z0-9._~-]*)?@)?   # a user and a password, without anything to decode
    (?:\[(?P<six>[0-9A-Fa-f:.]+)\]|(?P<name>[^][:@%]+))
    (?::(?P<port>[1-9][0-9]{0,4}))?""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Origin:
    """What a connection for a URL needs to know."""

    scheme: str
    """In lower case."""
    host: str
    """As `hosts.host` gives it."""
    port: int
    """As written, or the default one of the scheme."""


def url_scheme(url: str) -> str:
    """The scheme of a URL in lower case.

    Raises `EvalError` (invalid_argument, too_large) without one, for a single letter, which is a drive, and where no
    `//` follows a scheme that needs it.
    """
    return _scheme(url)[0]


def url_host(url: str) -> str:
    """The host of a URL: a name in lower-case ASCII without a final dot, or an address without brackets.

    Raises `EvalError` (invalid_argument, too_large).
    """
    return origin(url).host


def url_port(url: str) -> int:
    """The port of a URL, that of the scheme where none is written. Raises `EvalError` (invalid_argument, too_large)."""
    return origin(url).port


def origin(url: str) -> Origin:
    """Read a URL as a whole; nothing of it is given unless all of it is in order.

    Raises `EvalError` (invalid_argument, too_large).
    """
    scheme, rest = _scheme(url)
    default = PORTS.get(scheme)
    if default is None:
        raise EvalError(Code.INVALID_ARGUMENT)
    end = next((place for place, sign in enumerate(rest) if sign in "/?#"), len(rest))
    written = _AUTHORITY.fullmatch(rest, 0, end)
    after = rest[end:]
    # Some programs know `/` alone as the end of the host, or look for the `@` before they look for the end.
    if written is None or after[:1] == "#" or (after[:1] == "?" and "@" in after):
        raise EvalError(Code.INVALID_ARGUMENT)
    six, port = written["six"], int(written["port"] or default)
    host = hosts.host(written["name"] if six is None else six)
    if (six is not None and ":" not in six) or port > 65535 or not (scheme in BROWSED or rest[:end].isascii()):
        raise EvalError(Code.INVALID_ARGUMENT)
    return Origin(scheme, host, port)


def _scheme(url: str) -> tuple[str, str]:
    """The scheme, and what follows it and its slashes."""
    if len(url) > URL_CHARACTERS:
        raise EvalError(Code.TOO_LARGE)
    start = _SCHEME.match(url)
    if start is None or _UNREADABLE.search(url):
        raise EvalError(Code.INVALID_ARGUMENT)
    scheme = start[1].lower()
    if start[2] is None and scheme not in WITHOUT_HOST:
        raise EvalError(Code.INVALID_ARGUMENT)
    return scheme, url[start.end() :]
