"""Redirects are followed where they may be, and no further."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from haenyeo.model.pages import Url
from haenyeo.model.visits import Answer, Outcome, Validators

SECRET = {"Authorization": "Bearer salt", "User-Agent": "diver"}


def moved(location: str, *headers: str, status: str = "302 Found") -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Location: {location}", *headers, "Content-Length: 0", "", ""]
    return "\r\n".join(lines).encode("latin-1")


def site(world: Any, pages: dict[str, bytes]) -> Any:
    async def say(call: Any) -> None:
        await call.send(pages.get(call.path) or world.page(call.path.encode()))

    return say


@pytest.mark.parametrize("status", ["301 A", "302 B", "303 C", "307 D", "308 E"])
def test_every_kind_of_redirect_is_followed(world: Any, status: str) -> None:
    answer, server = world.ask(site(world, {"/x": moved("/end#there", status=status)}))
    assert (answer.outcome, answer.body) == (Outcome.PAGE, b"/end")
    assert (answer.url, answer.final_url) == (server.url + "/x", server.url + "/end")
    assert [hop.status for hop in answer.hops] == [int(status[:3]), 200]


def test_relative_and_unescaped_targets_are_read_as_browsers_do(world: Any) -> None:
    pages = {
        "/x": moved("way/1"),
        "/way/1": moved("바다".encode().decode("latin-1")),
        "/way/%EB%B0%94%EB%8B%A4": moved("../" + "해녀".encode("euc-kr").decode("latin-1")),
        "/%C7%D8%B3%E0": moved("\\end?a=해".encode().decode("latin-1")),
    }
    answer, _ = world.ask(site(world, pages))
    assert answer.body == b"/end?a=%ED%95%B4"


def test_of_several_targets_the_first_counts(world: Any) -> None:
    answer, server = world.ask(site(world, {"/x": moved("/one", "Location: /two")}))
    assert answer.body == b"/one"
    assert [call.path for call in server.calls] == ["/x", "/one"]


@pytest.mark.parametrize(
    "location",
    [
        "file:///etc/passwd",
        "ftp://127.0.0.1/",
        "javascript:alert(1)",
        "data:text/html,x",
        "http://",
        "//",
        "http://a b/",
    ],
)
def test_only_web_addresses_are_followed(world: Any, location: str) -> None:
    answer, server = world.ask(site(world, {"/x": moved(location)}))
    assert (answer.outcome, answer.reason) == (Outcome.REFUSED, "bad redirect")
    assert len(server.calls) == 1


def test_an_endless_target_is_refused(world: Any) -> None:
    answer, _ = world.ask(site(world, {"/x": moved("/" + "deep/" * 2000)}))
    assert (answer.outcome, answer.reason) == (Outcome.REFUSED, "bad redirect")


def test_a_redirect_without_target_fails(world: Any) -> None:
    answer, server = world.ask(b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n")
    assert (answer.outcome, answer.reason) == (Outcome.FAILED, "redirect without location")
    assert len(server.calls) == 1


def test_a_page_that_redirects_to_itself_is_asked_once(world: Any) -> None:
    answer, server = world.ask(site(world, {"/x": moved("/x")}))
    assert (answer.outcome, answer.reason) == (Outcome.FAILED, "redirect loop")
    assert len(server.calls) == 1


def test_a_circle_is_gone_round_once(world: Any) -> None:
    answer, server = world.ask(site(world, {"/x": moved("/y"), "/y": moved("/x")}))
    assert (answer.outcome, answer.reason) == (Outcome.FAILED, "redirect loop")
    assert len(server.calls) == 2


def test_a_counter_does_not_fool_the_limit(world: Any) -> None:
    async def say(call: Any) -> None:
        await call.send(moved(f"/x?n={call.number}"))

    answer, server = world.ask(say)
    assert (answer.outcome, answer.reason) == (Outcome.FAILED, "too many redirects")
    assert len(server.calls) == len(answer.hops) == 11


def test_a_cookie_opens_the_way(world: Any) -> None:
    async def say(call: Any) -> None:
        opened = call.headers.get("cookie") == "taste=salt"
        await call.send(world.page() if opened else moved("/x", "Set-Cookie: taste=salt"))

    answer, server = world.ask(say)
    assert answer.outcome is Outcome.PAGE
    assert len(server.calls) == 2


def test_a_session_number_is_left_out_unless_the_server_insists(world: Any) -> None:
    async def say(call: Any) -> None:
        await call.send(world.page() if "jsessionid" in call.path else moved("/x;jsessionid=0123456789ABCDEF"))

    answer, server = world.ask(say)
    assert answer.outcome is Outcome.PAGE
    assert [call.path for call in server.calls] == ["/x", "/x;jsessionid=0123456789ABCDEF"]


def test_validators_go_with_the_first_request_alone(world: Any) -> None:
    answer, server = world.ask(site(world, {"/x": moved("/end")}), validators=Validators(etag='"1"'))
    assert answer.outcome is Outcome.PAGE
    assert ["if-none-match" in call.headers for call in server.calls] == [True, False]


def test_the_caller_has_a_say(world: Any) -> None:
    asked: list[Url] = []

    async def permit(url: Url) -> str:
        asked.append(url)
        return "out of scope" if url.endswith("/private") else ""

    async def work() -> tuple[Answer, Any]:
        pages = {"/x": moved("/y"), "/y": moved("/private")}
        async with world.serve(site(world, pages)).running() as server, world.client() as client:
            return await client.fetch(Url(server.url + "/x"), None, permit), server

    answer, server = world.run(work())
    assert (answer.outcome, answer.reason, answer.final_url) == (
        Outcome.REFUSED,
        "out of scope",
        server.url + "/private",
    )
    assert asked == [server.url + "/y", server.url + "/private"]
    assert [call.path for call in server.calls] == ["/x", "/y"]


@pytest.mark.parametrize(
    "host",
    [
        *("127.9.9.9", "0177.011.011.011", "0x7f.0x9.0x9.0x9", "2131298569", "127.592137", "127.9.9.9.", "127.9.9.%39"),
        *("[::ffff:127.9.9.9]", "[::127.9.9.9]", "[64:ff9b::127.9.9.9]", "[2002:7f09:909::1]", "[::1]", "0"),
        *(
            "10.0.0.1",
            "192.168.0.1:8081",
            "169.254.169.254",
            "127.0.0.1@127.9.9.9",
            "%EF%BC%91%EF%BC%92%EF%BC%97.9.9.9",
        ),
    ],
)
def test_a_redirect_inside_is_refused_in_every_spelling(world: Any, host: str) -> None:
    answer, _ = world.ask(site(world, {"/x": moved(f"http://{host}/secret")}))
    assert (answer.outcome, answer.reason) == (Outcome.REFUSED, "forbidden address")
    assert [hop.status for hop in answer.hops] == [302]


def test_a_backslash_ends_the_host(world: Any) -> None:
    async def say(call: Any) -> None:
        await call.send(moved(f"http://{call.headers['host']}\\@127.9.9.9/") if call.path == "/x" else world.page())

    answer, server = world.ask(say)
    assert answer.final_url == server.url + "/@127.9.9.9/"


def test_the_time_for_a_chain_is_that_for_one_page(world: Any) -> None:
    async def say(call: Any) -> None:
        await asyncio.sleep(0.2)
        await call.send(moved(f"/x?n={call.number}"))

    answer, server = world.ask(say, timeout=0.5)
    assert answer.outcome is Outcome.FAILED
    assert answer.reason.startswith("timeout")
    assert len(server.calls) <= 4


class TestSecrets:
    """Headers of the settings go to the host they are meant for."""

    def two_hosts(
        self, world: Any, key: str, first: str = "127.0.0.1", second: str = "127.0.0.2"
    ) -> tuple[Any, Any, Answer]:
        async def work() -> tuple[Any, Any, Answer]:
            async def send_on(call: Any) -> None:
                await call.send(moved(there.url + "/landing") if call.path == "/x" else world.page())

            async def land(call: Any) -> None:
                await call.send(moved(here.url + "/home"))

            async with world.serve(land).running(second) as there, world.serve(send_on).running(first) as here:
                headers = {key.format(port=here.port): SECRET}
                async with world.client(headers=headers) as client:
                    return here, there, await client.fetch(Url(here.url + "/x"), None, world.anywhere)

        result: tuple[Any, Any, Answer] = world.run(work())
        return result

    @pytest.mark.parametrize("key", ["http://127.0.0.1:{port}", "127.0.0.1:{port}"])
    @pytest.mark.parametrize("second", ["127.0.0.2", "127.0.0.1"])
    def test_not_to_another_host_or_port(self, world: Any, key: str, second: str) -> None:
        here, there, answer = self.two_hosts(world, key, second=second)
        assert answer.outcome is Outcome.PAGE
        assert [call.headers.get("authorization") for call in here.calls] == ["bearer salt"] * 2
        assert [call.headers.get("user-agent") for call in here.calls] == ["diver"] * 2
        assert "authorization" not in there.calls[0].headers

    def test_nor_into_the_archive(self, world: Any) -> None:
        _, _, answer = self.two_hosts(world, "127.0.0.1:{port}")
        assert "salt" not in str([hop.request_headers for hop in answer.hops])
        assert ("Authorization", "(hidden)") in answer.hops[0].request_headers
