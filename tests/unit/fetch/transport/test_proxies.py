"""A proxy is asked in our place, but never for what we would not ask ourselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from haenyeo.fetch.client import Client
from haenyeo.fetch.transport.proxies import Proxy
from haenyeo.model.config import FetchSettings
from haenyeo.model.errors import SettingsError
from haenyeo.model.pages import Url
from haenyeo.model.visits import Answer, Outcome


async def no_look_up(host: str) -> Sequence[str]:
    pytest.fail(f"{host} was looked up")


def ask_through_proxy(world: Any, *urls: str, **settings: Any) -> tuple[list[Answer], Any]:
    async def work() -> tuple[list[Answer], Any]:
        async def say(call: Any) -> None:
            await call.send(world.page(call.path.encode()))

        async with world.serve(say).running() as proxy:
            options = FetchSettings(proxy=proxy.url, **settings)
            async with Client(options, look_up=no_look_up) as client:
                return [await client.fetch(Url(url), None, world.anywhere) for url in urls], proxy

    result: tuple[list[Answer], Any] = world.run(work())
    return result


def test_names_are_left_to_the_proxy_and_connections_shared(world: Any) -> None:
    urls = ["http://reef.example/a", "http://other.example:8080/b?c"]
    answers, proxy = ask_through_proxy(world, *urls)
    assert [answer.body.decode() for answer in answers] == [call.path for call in proxy.calls] == urls
    assert [call.headers["host"] for call in proxy.calls] == ["reef.example", "other.example:8080"]
    assert proxy.connections == 1


@pytest.mark.parametrize(
    "host",
    [
        *("127.0.0.1", "0x7f.1", "10.0.0.1", "[::1]", "localhost", "a.localhost", "169.254.1.1"),
        *("metadata.google.internal", "Metadata.Google.Internal.", "metadata", "wiki", "printer.local", "db.corp"),
        *("10.0.0.1.nip.io", "host.docker.internal", "reef.example:25", "reef.example:6667"),
    ],
)
def test_what_is_forbidden_by_its_spelling_is_not_asked(world: Any, host: str) -> None:
    answers, proxy = ask_through_proxy(world, "http://reef.example/", f"http://{host}/", f"https://{host}/")
    assert [answer.reason for answer in answers] == ["", "forbidden address", "forbidden address"]
    assert all(answer.outcome is Outcome.REFUSED for answer in answers[1:])
    assert len(proxy.calls) == 1


def test_what_the_settings_allow_is_asked(world: Any) -> None:
    (answer,), _ = ask_through_proxy(world, "http://127.0.0.1/", allow_private=("127.0.0.0/24",))
    assert answer.outcome is Outcome.PAGE


def test_a_name_inside_a_network_is_asked_for_if_the_settings_name_it(world: Any) -> None:
    urls = "http://wiki.corp.internal/", "http://db.corp.internal/"
    answers, proxy = ask_through_proxy(world, *urls, allow_private=("wiki.corp.*",))
    assert [answer.reason for answer in answers] == ["", "forbidden address"]
    assert len(proxy.calls) == 1


@pytest.mark.parametrize("url", ["socks4://127.0.0.1:1080", "127.0.0.1:3128", "nonsense"])
def test_a_proxy_that_cannot_be_used_is_named(url: str) -> None:
    with pytest.raises(SettingsError, match=r"fetch\.proxy") as caught:
        Proxy(url)
    assert caught.value.path == "$.fetch.proxy"


def test_a_proxy_may_want_to_know_who_asks() -> None:
    assert Proxy("http://127.0.0.1:3128").credentials == ""
    assert Proxy("http://me:p%40ss@127.0.0.1:3128").credentials == "Basic bWU6cEBzcw=="
