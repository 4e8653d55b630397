from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence

import pytest

from haenyeo.fetch.transport.names import NAME_SERVER_SILENT, NO_SUCH_HOST, Names, addresses_without_look_up
from haenyeo.model.errors import FetchError


class Directory:
    """A name server in memory that counts what it is asked."""

    def __init__(self, error: Exception | None = None, found: Sequence[str] = ("192.0.2.1", "2001:db8::1")) -> None:
        self.asked: list[str] = []
        self._error, self._found = error, found

    async def __call__(self, host: str) -> Sequence[str]:
        self.asked.append(host)
        if self._error:
            raise self._error
        return self._found


def look_up(directory: Directory, *hosts: str) -> list[Sequence[str]]:
    async def all_of() -> list[Sequence[str]]:
        names = Names(directory)
        return [await names.addresses(host) for host in hosts]

    return asyncio.run(all_of())


def test_a_name_is_asked_for_once_and_remembered() -> None:
    directory = Directory()
    first, second = look_up(directory, "a.example", "a.example")
    assert list(first) == list(second) == ["192.0.2.1", "2001:db8::1"]
    assert directory.asked == ["a.example"]


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "192.0.2.7", "localhost", "LOCALHOST.", "a.b.localhost"])
def test_numbers_and_this_machine_need_no_name_server(host: str) -> None:
    directory = Directory()
    (found,) = look_up(directory, host)
    assert found
    assert directory.asked == []
    assert addresses_without_look_up(host) == found


@pytest.mark.parametrize("host", ["x.onion", "a.invalid", "a.invalid.", "A.INVALID", "invalid", "onion."])
def test_names_that_are_never_resolved_are_not_asked_for(host: str) -> None:
    directory = Directory()
    with pytest.raises(FetchError) as caught:
        look_up(directory, host)
    assert caught.value.reason == NO_SUCH_HOST
    assert directory.asked == []


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (socket.gaierror(socket.EAI_NONAME, "unknown"), NO_SUCH_HOST),
        (socket.gaierror(socket.EAI_AGAIN, "try again"), NAME_SERVER_SILENT),
        (OSError("network down"), NO_SUCH_HOST),
        (UnicodeError("label too long"), NO_SUCH_HOST),
    ],
)
def test_what_goes_wrong_is_told_in_stable_words(error: Exception, reason: str) -> None:
    with pytest.raises(FetchError) as caught:
        look_up(Directory(error), "a.example")
    assert caught.value.reason == reason


def test_a_name_without_addresses_is_no_host_and_not_remembered() -> None:
    directory = Directory(found=())
    for _ in range(2):
        with pytest.raises(FetchError):
            look_up(directory, "a.example")
    assert directory.asked == ["a.example"] * 2
