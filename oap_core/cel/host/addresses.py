"""IP addresses and networks as text, and `ip_in`.

An address has one spelling here. The others (decimal, octal, hexadecimal, shortened) are refused, since one program
takes them for one address, the next for another, and the third for a name.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final, TypeAlias

from oap_core.cel.failure import Code, EvalError

NETWORKS: Final = 10_000
"""Most networks in one list."""

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network

_ADDRESS: Final = re.compile(r"[0-9A-Fa-f:.]{2,45}")
_NETWORK: Final = re.compile(r"[0-9A-Fa-f:.]{2,45}/(?:0|[1-9][0-9]{0,2})")
_MAPPED: Final = IPv6Network("::ffff:0:0/96")
_LAST_BITS: Final = (IPv6Network("64:ff9b::/96"), IPv6Network("::/96"))
"""NAT64, and the old way to write an IPv4 address as one of IPv6: its last 32 bits are the IPv4 address."""
_LOCAL_NAT64: Final = IPv6Network("64:ff9b:1::/48")
"""Where the IPv4 address stands in these is for each network to choose."""


def ip_in(address: str, network: str | tuple[object, ...]) -> bool:
    """Whether an IP address lies in a network, or in one of several.

    An IPv4 address written as IPv6 (`::ffff:10.0.0.1`) is the IPv4 address. An IPv6 address that a gateway may turn
    into an IPv4 address inside the network (NAT64, 6to4, Teredo) is an error; against networks of IPv6 it is what it
    says. An IPv4 address is in no network of IPv6.
    Raises `EvalError` (invalid_argument, too_large, no_such_overload): every network has to be in order.
    """
    found = parse(address)
    texts = (network,) if isinstance(network, str) else network
    if len(texts) > NETWORKS:
        raise EvalError(Code.TOO_LARGE)
    answers = {_contains(one, found) for one in map(_element, texts)}
    if True in answers:
        return True
    if None in answers:
        raise EvalError(Code.INVALID_ARGUMENT)
    return False


def parse(text: str) -> Address:
    """Read an address; one that is mapped into IPv6 comes back as IPv4. Raises `EvalError` (invalid_argument)."""
    if not _ADDRESS.fullmatch(text):
        raise EvalError(Code.INVALID_ARGUMENT)
    try:
        address = ip_address(text)
    except ValueError:
        raise EvalError(Code.INVALID_ARGUMENT) from None
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address


def _element(text: object) -> Network:
    if not isinstance(text, str):
        raise EvalError(Code.NO_SUCH_OVERLOAD)
    return _network(text)


@lru_cache(maxsize=4096)
def _network(text: str) -> Network:
    """Read `address/length`: the length is not optional, and no bit behind it may be set."""
    if not _NETWORK.fullmatch(text):
        raise EvalError(Code.INVALID_ARGUMENT)
    try:
        network = ip_network(text)
    except ValueError:
        raise EvalError(Code.INVALID_ARGUMENT) from None
    # An address of these is one of IPv4 by now, so that nothing would ever lie in this network.
    if isinstance(network, IPv6Network) and network.subnet_of(_MAPPED):
        raise EvalError(Code.INVALID_ARGUMENT)
    return network


def _contains(network: Network, address: Address) -> bool | None:
    """None where it depends on the gateways on the way."""
    if address.version == network.version:
        return address in network
    if isinstance(address, IPv4Address):
        return False
    if address in _LOCAL_NAT64 or any(inner in network for inner in _carried(address)):
        return None
    return False


def _carried(address: IPv6Address) -> Iterator[IPv4Address]:
    """The IPv4 addresses that an IPv6 address is a wrapping of."""
    if address.sixtofour is not None:
        yield address.sixtofour
    if address.teredo is not None:
        yield from address.teredo
    if int(address) > 1 and any(address in network for network in _LAST_BITS):
        yield IPv4Address(int(address) & 0xFFFF_FFFF)
