"""Only the public internet may be connected to, however an address is written."""

from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.fetch.guard import AddressGuard

FORBIDDEN = (
    *("0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.100.100.200", "127.0.0.1", "127.255.255.255"),
    *("168.63.129.16", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.192", "192.0.2.1", "192.88.99.1"),
    *("192.168.0.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"),
    *("::", "::1", "::7f00:1", "::ffff:10.0.0.1", "::ffff:127.0.0.1", "::ffff:0:127.0.0.1", "64:ff9b::10.0.0.1"),
    *("64:ff9b::127.0.0.1", "64:ff9b:1::1", "100::1", "2001::1", "2001:0:7f00:1::", "2001:db8::1", "2002:7f00:1::1"),
    *(
        "2002:a00:1::",
        "2600::5efe:10.0.0.1",
        "2600::200:5efe:127.0.0.1",
        "3fff::1",
        "5f00::1",
        "fc00::1",
        "fd00:ec2::254",
    ),
    *("fe80::1", "fe80::1%eth0", "::1%lo", "fec0::1", "ff02::1"),
)
PUBLIC = (
    *("1.1.1.1", "8.8.8.8", "100.63.255.255", "172.32.0.1", "192.0.1.1", "223.255.255.255", "::ffff:8.8.8.8"),
    *("64:ff9b::8.8.8.8", "2001:4860:4860::8888", "2606:4700::1111", "2600::5efe:8.8.8.8"),
)


@pytest.mark.parametrize("address", FORBIDDEN)
def test_what_is_not_the_public_internet_is_forbidden(address: str) -> None:
    assert AddressGuard().forbids(address)


@pytest.mark.parametrize("address", PUBLIC)
def test_the_public_internet_is_not(address: str) -> None:
    assert not AddressGuard().forbids(address)


@pytest.mark.parametrize("nonsense", ["", "localhost", "0", "0x7f.1", "127.1", "1.2.3.4.", "[::1]", "1.2.3.4:80"])
def test_what_is_no_number_is_forbidden(nonsense: str) -> None:
    assert AddressGuard().forbids(nonsense)


def test_settings_open_one_network_and_no_more() -> None:
    guard = AddressGuard(["127.0.0.0/24", "fd00::/8"])
    opened = ["127.0.0.1", "127.0.0.255", "::ffff:127.0.0.1", "fd12::1"]
    assert not any(guard.forbids(address) for address in opened)
    # A tunnel around an allowed address ends in somebody else's network.
    still_shut = ["127.0.1.1", "::1", "64:ff9b::127.0.0.1", "2002:7f00:1::1", "::7f00:1", "fc00::1", "10.0.0.1"]
    assert all(guard.forbids(address) for address in still_shut)


@given(st.ip_addresses(v=4))
def test_an_ipv4_address_is_judged_alike_in_every_wrapping(ip: ipaddress.IPv4Address) -> None:
    guard = AddressGuard()
    verdict = guard.forbids(str(ip))
    assert guard.forbids(f"::ffff:{ip}") == verdict
    assert guard.forbids(f"64:ff9b::{ip}") == verdict


@given(st.ip_addresses())
def test_nothing_the_standard_library_calls_special_is_let_through(
    ip: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> None:
    special = (
        ip.is_private or ip.is_loopback or ip.is_link_local or ip.is_multicast or ip.is_reserved or ip.is_unspecified
    )
    carries_ipv4 = ip.version == 6 and (int(ip) >> 32 in (0xFFFF, 0x64FF9B << 64))
    assert AddressGuard().forbids(str(ip)) or carries_ipv4 or not special


@pytest.mark.parametrize("port", [22, 25, 6000, 6667, 10080])
def test_ports_of_other_services_are_forbidden_everywhere(port: int) -> None:
    guard = AddressGuard(["0.0.0.0/0", "*.example"])
    assert guard.forbids_place("reef.example", port, by_name=False)
    assert not guard.forbids_place("reef.example", 8080, by_name=False)


def test_names_that_tell_secrets_are_forbidden_whoever_looks_them_up() -> None:
    guard = AddressGuard(["127.0.0.0/8"])
    assert guard.forbids_place("metadata.google.internal", 80, by_name=False)
    assert not guard.forbids_place("wiki.internal", 80, by_name=False), "its number will tell"
    assert guard.forbids_place("wiki.internal", 80, by_name=True)
    assert not guard.forbids_place("reef.example", 443, by_name=True)
