"""Which addresses may be connected to? Only the public internet, and what the settings add to it.

The guard judges numbers: it stands where a socket is opened, after name resolution, so neither a spelling, a redirect
nor a name server that changes its mind leads around it. Networks are those of the IANA special-purpose registries
(RFC 6890 and its successors); IPv6 addresses that carry an IPv4 address are judged by what they carry.

Two things are judged before any number is known. Ports of services that are no web servers are never asked, as in
browsers. And behind a proxy, which looks names up in a network of its own, names that mean something inside a network
are not asked for.
"""

from __future__ import annotations

import fnmatch
import functools
import ipaddress
import re
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

from haenyeo.model.config import is_host_pattern

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


# Those of the fetch standard (https://fetch.spec.whatwg.org/#port-blocking).
_NO_WEB_PORTS = frozenset(
    {0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109}
    | {110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530}
    | {531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190}
    | {5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080}
)
# What clouds call the service that tells a machine its secrets.
_SECRETS = frozenset({"metadata.google.internal", "metadata.goog", "instance-data.ec2.internal"})
# Reserved for private networks, or in use there; then public names that stand for whatever number they are told.
_INSIDE = (
    *(".internal", ".local", ".localdomain", ".localhost", ".home.arpa", ".intranet", ".private", ".corp", ".home"),
    *(".lan", ".nip.io", ".sslip.io", ".xip.io", ".localtest.me", ".lvh.me"),
)


class AddressGuard:
    """Says what is forbidden; `allowed` networks and names (settings' `allow_private`) are not."""

    def __init__(self, allowed: Iterable[str] = ()) -> None:
        entries = tuple(allowed)
        names = [fnmatch.translate(entry.lower()) for entry in entries if is_host_pattern(entry)]
        self._allowed_names = re.compile("|".join(names)) if names else None
        networks = (entry for entry in entries if not is_host_pattern(entry))
        self._allowed = tuple(ipaddress.ip_network(network, strict=False) for network in networks)
        self._verdict = functools.lru_cache(_MOST_REMEMBERED)(self._judge)
        self._verdict_on_place = functools.lru_cache(_MOST_REMEMBERED)(self._judge_place)

    def forbids_place(self, host: str, port: int, *, by_name: bool) -> bool:
        """Whether nothing may be asked of this host and port, whatever number it has.

        `by_name` says that somebody else looks the name up, so that the name alone must tell.
        """
        return self._verdict_on_place(host, port, by_name=by_name)

    def _judge_place(self, host: str, port: int, *, by_name: bool) -> bool:
        name = host.rstrip(".").lower()
        if port in _NO_WEB_PORTS:
            return True
        if self._allowed_names and self._allowed_names.fullmatch(name):
            return False
        return name in _SECRETS or (by_name and _means_inside(name))

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


def _means_inside(name: str) -> bool:
    """Whether a name has a meaning inside of a network only: one of a single label, or in a domain that is private."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return "." not in name or f".{name}".endswith(_INSIDE)
    return False


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
