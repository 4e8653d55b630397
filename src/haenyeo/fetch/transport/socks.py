"""A way through a SOCKS5 proxy (RFC 1928, 1929): the proxy looks the name up and connects."""

from __future__ import annotations

import asyncio
import socket

from haenyeo.fetch.transport.targets import Origin
from haenyeo.model.errors import FetchError

VERSION, NO_KEY, PASSWORD, CONNECT, BY_NAME = 5, 0, 2, 1, 3
_ADDRESS_BYTES = {1: 4, 4: 16}
_LONGEST = 255
_FAILURES = {
    2: "not allowed",
    3: "network unreachable",
    4: "host unreachable",
    5: "connection refused",
    6: "timeout",
}


async def connect_through(connected: socket.socket, origin: Origin, user: str, password: str) -> None:
    """Have the proxy at the other end of a socket connect to a place; raises `FetchError` if it does not."""
    methods = bytes([NO_KEY, PASSWORD] if user else [NO_KEY])
    chosen = await _exchange(connected, bytes([VERSION, len(methods)]) + methods, 2)
    if chosen[0] != VERSION or chosen[1] not in methods:
        raise FetchError("the proxy wants another way to log in", reason="proxy: refused")
    if chosen[1] == PASSWORD:
        pair = b"".join(bytes([len(part)]) + part for part in (_bytes(user), _bytes(password)))
        if (await _exchange(connected, b"\x01" + pair, 2))[1]:
            raise FetchError("the proxy does not know this user", reason="proxy: refused")
    host = _bytes(origin.host)
    asked = bytes([VERSION, CONNECT, 0, BY_NAME, len(host)]) + host + origin.port.to_bytes(2, "big")
    told = await _exchange(connected, asked, 4)
    if told[1]:
        raise FetchError("the proxy found no way", reason=f"proxy: {_FAILURES.get(told[1], 'failed')}")
    rest = _ADDRESS_BYTES.get(told[3])
    await _read(connected, (rest if rest is not None else (await _read(connected, 1))[0]) + 2)


def _bytes(text: str) -> bytes:
    data = text.encode()
    if not 0 < len(data) <= _LONGEST:
        raise FetchError("a name too long for the proxy", reason="proxy: failed")
    return data


async def _exchange(connected: socket.socket, said: bytes, length: int) -> bytes:
    await asyncio.get_running_loop().sock_sendall(connected, said)
    return await _read(connected, length)


async def _read(connected: socket.socket, length: int) -> bytes:
    data = b""
    while len(data) < length:
        part = await asyncio.get_running_loop().sock_recv(connected, length - len(data))
        if not part:
            raise FetchError("the proxy hung up", reason="proxy: failed")
        data += part
    return data
