"""Texts that may be meant by a text that a function refuses: a domain without its star, a network with its length.

Each is tried before it is offered, so nothing here has to be right.
"""

import re
from collections.abc import Iterator
from difflib import get_close_matches
from ipaddress import ip_network
from typing import Final

from oap_core.cel.standard.zones import zone_names

_LONGEST: Final = 200
_HOST: Final = re.compile(
    r"(?:[A-Za-z][A-Za-z0-9+.-]*://|mailto:|[^@/]*@)?(?:[^@/]*@)?([A-Za-z0-9.-]+)(?::[0-9]+)?(?:/.*)?"
)
_OFFSET: Final = re.compile(r"(?:UTC|GMT)?([+-])([0-9]{1,2})(?::?([0-9]{2}))?")


def of(text: str) -> Iterator[str]:
    """The texts that may be meant, the likeliest first."""
    if len(text) > _LONGEST:
        return
    if text != text.strip():
        yield text.strip()
    yield from _domains(text)
    yield from _networks(text)
    yield from _zones(text)


def _domains(text: str) -> Iterator[str]:
    bare = text.strip().removeprefix("*").removeprefix("@").strip(".")
    if bare != text:
        yield bare
    found = _HOST.fullmatch(bare)
    if found is not None and found[1] != bare:
        yield found[1]


def _networks(text: str) -> Iterator[str]:
    try:
        yield str(ip_network(text.strip(), strict=False))
    except ValueError:
        return


def _zones(text: str) -> Iterator[str]:
    offset = _OFFSET.fullmatch(text)
    if offset is not None:
        yield f"{offset[1]}{int(offset[2]):02d}:{offset[3] or '00'}"
        return
    wanted = text.strip().replace(" ", "_").lower()
    names = sorted(zone_names())
    for name in names:
        if name.lower() == wanted or name.lower().rpartition("/")[2] == wanted:
            yield name
    if "/" in text:
        yield from get_close_matches(text, names, n=1, cutoff=0.8)
