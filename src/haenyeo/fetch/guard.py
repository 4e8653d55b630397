"""Which addresses may be connected to? Only the public internet, and what the settings add to it.

The guard judges numbers, never names: it stands where a socket is opened, after name resolution, so neither a spelling,
a redirect nor a name server that changes its mind leads around it. Networks are those of the IANA special-purpose
registries (RFC 6890 and its successors); IPv6 addresses that carry an IPv4 address are judged by what they carry.
"""

from __future__ import annotations

import functools
import ipaddress
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

_FORBIDDEN_V4 = tuple(
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",  # this host, this network
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # carriers' shared space
        "127.0.0.0/8",  # loopback
        "168.63.129.16/32",  # the host's own service in Azure, behind a public number
        "169.254.0.0/16",  # link-local, clouds' metadata services
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocol assignments
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",  # private
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, broadcast
    )
)
_PUBLIC_V6 = IPv6Network("2000::/3")
_FORBIDDEN_V6 = tuple(
    IPv6Network(network)
    for network in (
        "2001::/23",  # protocol assignments, among them Teredo, benchmarks, ORCHID
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4
        "3fff::/20",  # documentation
    )
)
# What the system itself turns into a connection to the IPv4 address in the last 32 bits.
_MAPPED = IPv6Network("::ffff:0:0/96")
# Gateways take the IPv4 address in the last 32 bits out of these.
_NAT64 = IPv6Network("64:ff9b::/96")
_LAST_32_BITS = (1 << 32) - 1
_MOST_REMEMBERED = 1 << 14


class AddressGuard:
    """Says which numeric addresses are forbidden; `allowed` networks (settings' `allow_private`) are not."""

    def __init__(self, allowed: Iterable[str] = ()) -> None:
        self._allowed = tuple(ipaddress.ip_network(network, strict=False) for network in allowed)
        self._verdict = functools.lru_cache(_MOST_REMEMBERED)(self._judge)

    def forbids(self, address: str) -> bool:
        """Whether no connection may be opened to this address; what is no numeric address is forbidden.

        >>> guard = AddressGuard(["127.0.0.0/24"])
        >>> [guard.forbids(address) for address in ("127.0.0.9", "127.0.1.9", "::ffff:10.0.0.1", "1.1.1.1")]
        [False, True, True, False]
        """
        return self._verdict(address)

    def _judge(self, address: str) -> bool:
        try:
            ip = ipaddress.ip_address(address)
        except ValueError:
            return True
        if isinstance(ip, IPv6Address) and ip in _MAPPED:
            ip = _carried(ip)
        if any(ip in network for network in self._allowed):
            return False
        return not _is_public(ip)


def _is_public(ip: IPv4Address | IPv6Address) -> bool:
    if isinstance(ip, IPv4Address):
        return not any(ip in network for network in _FORBIDDEN_V4)
    if ip in _NAT64:
        return _is_public(_carried(ip))
    return ip in _PUBLIC_V6 and not any(ip in network for network in _FORBIDDEN_V6) and not _is_tunnel_inward(ip)


def _is_tunnel_inward(ip: IPv6Address) -> bool:
    """Whether the interface part is that of ISATAP (RFC 5214, 6.1) around an IPv4 address that is not public."""
    marker = int(ip) >> 32 & _LAST_32_BITS
    return marker in (0x00005EFE, 0x02005EFE) and not _is_public(_carried(ip))


def _carried(ip: IPv6Address) -> IPv4Address:
    return IPv4Address(int(ip) & _LAST_32_BITS)
