"""What holds for `ip_in` whatever the address; single addresses stand in cases/."""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from oap_core.cel.failure import Code, EvalError
from tests.core.cel.host.calls import UNTOLD, answer, call

V4 = st.integers(0, 2**32 - 1).map(IPv4Address)
V6 = st.integers(0, 2**128 - 1).map(IPv6Address).filter(lambda address: address.ipv4_mapped is None)
V4_NETWORKS = st.builds(lambda a, length: IPv4Network((int(a), length), strict=False), V4, st.integers(0, 32))
V6_NETWORKS = st.builds(lambda a, length: IPv6Network((int(a), length), strict=False), V6, st.integers(0, 128))
CARRIERS: dict[str, Callable[[int], IPv6Address]] = {
    "NAT64": lambda four: IPv6Address((0x64_FF9B << 96) | four),
    "6to4": lambda four: IPv6Address((0x2002 << 112) | (four << 80) | 1),
    "Teredo client": lambda four: IPv6Address((0x2001_0000 << 96) | (four ^ 0xFFFF_FFFF)),
    "Teredo server": lambda four: IPv6Address((0x2001_0000 << 96) | (four << 64)),
}


@given(V4, V4_NETWORKS)
def test_an_ipv4_address_in_a_network(address: IPv4Address, network: IPv4Network) -> None:
    expected = address in network
    assert call("ip_in", str(address), str(network)) is expected
    assert call("ip_in", f"::ffff:{address}", str(network)) is expected
    assert call("ip_in", f"::FFFF:{int(address) >> 16:x}:{int(address) & 0xFFFF:x}", str(network)) is expected
    assert call("ip_in", str(address), "::/0") is False


@given(V6, V6_NETWORKS)
def test_an_ipv6_address_in_a_network(address: IPv6Address, network: IPv6Network) -> None:
    assert call("ip_in", str(address), str(network)) is (address in network)
    assert call("ip_in", address.exploded, network.exploded) is (address in network)


@given(V4, st.integers(0, 32), st.sampled_from(sorted(CARRIERS)))
def test_an_address_that_carries_another_cannot_be_told_from_it(address: IPv4Address, length: int, kind: str) -> None:
    carrier = CARRIERS[kind](int(address))
    network = IPv4Network((int(address), length), strict=False)
    assert answer("ip_in", str(carrier), str(network)) == UNTOLD
    assert call("ip_in", str(carrier), f"{carrier}/128") is True


@given(V4 | V6, st.lists(V4_NETWORKS | V6_NETWORKS, max_size=4))
def test_a_list_is_any_of_its_networks(address: object, networks: list[object]) -> None:
    texts = tuple(map(str, networks))
    answers = [answer("ip_in", str(address), text) for text in texts]
    whole = answer("ip_in", str(address), texts)
    assert whole == (True if True in answers else UNTOLD if UNTOLD in answers else False)


@given(
    st.text("0123456789abcdef.:/x% ٠", max_size=20) | st.text(), st.text("0123456789abcdef.:/", max_size=20) | st.text()
)
@example("\ud800", "10.0.0.0/8")
@example("10.0.0.1", "\ud800")
def test_ip_in_is_total(address: str, network: str) -> None:
    assert answer("ip_in", address, network) in (True, False, UNTOLD)
    assert answer("ip_in", address, "10.0.0.0/8") in (True, False, UNTOLD)
    assert answer("ip_in", "10.0.0.1", (network, "10.0.0.0/8")) in (True, UNTOLD)


@pytest.mark.parametrize(("name", "entry"), [("ip_in", "10.0.0.0/8"), ("domain_within", "example.com")])
def test_the_longest_list_is_bounded(name: str, entry: str) -> None:
    assert call(name, "11.0.0.1", (entry,) * 10_000) is False
    with pytest.raises(EvalError) as failure:
        call(name, "11.0.0.1", (entry,) * 10_001)
    assert failure.value.code is Code.TOO_LARGE
