"""A request says who asks, and gives away nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from haenyeo.fetch.transport.proxies import Proxy
from haenyeo.fetch.transport.requests import HIDDEN, PageRequest, Past, Requests, user_agent
from haenyeo.fetch.transport.targets import target_of
from haenyeo.model.config import FetchSettings
from haenyeo.model.errors import SettingsError
from haenyeo.model.visits import Validators

SECRET = {"Authorization": "Bearer salt"}


def written(url: str, *, secure: bool = False, cookie: str = "", **settings: Any) -> PageRequest:
    target = target_of(url)
    assert target
    return Requests(FetchSettings(**settings)).write(target, Past(secure=secure), None, cookie)


def test_a_plain_request_says_little() -> None:
    lines = written("http://example.org/a?b").data.decode().split("\r\n")
    assert lines[:2] == ["GET /a?b HTTP/1.1", "Host: example.org"]
    assert [line.partition(":")[0] for line in lines[2:]] == ["User-Agent", "Accept", "Accept-Encoding", "", ""]


def test_the_crawler_introduces_itself() -> None:
    assert user_agent(FetchSettings()).startswith("haenyeo/")
    assert user_agent(FetchSettings(contact="https://me.example")).endswith(" (+https://me.example)")
    assert user_agent(FetchSettings(contact="x", user_agent="diver/1")) == "diver/1"


def test_a_contact_cannot_break_a_header_and_may_be_korean() -> None:
    data = written("http://example.org/", contact="해녀\r\nEvil: 1").data
    assert "해녀  Evil: 1)\r\n".encode() in data


@pytest.mark.parametrize(
    ("key", "url", "secure", "goes"),
    [
        ("example.org", "http://example.org/", False, True),
        ("EXAMPLE.org", "https://example.org/", True, True),
        ("example.org", "http://example.org/", True, False),
        ("example.org", "http://example.org:8000/", False, False),
        ("example.org", "https://example.org:8443/", False, False),
        ("example.org:8000", "http://example.org:8000/", False, True),
        ("example.org:8000", "https://example.org:8000/", False, True),
        ("example.org:8000", "http://example.org/", False, False),
        ("https://example.org", "https://example.org/", False, True),
        ("https://example.org", "http://example.org/", False, False),
        ("https://example.org", "https://example.org:444/", False, False),
        ("http://example.org:8000", "http://example.org:8000/", False, True),
        ("example.org", "http://www.example.org/", False, False),
        ("example.org", "http://example.org.evil.example/", False, False),
        ("::1", "http://[::1]/", False, True),
        ("[::1]:8000", "http://[::1]:8000/", False, True),
    ],
)
def test_secrets_go_to_their_own_origin(key: str, url: str, secure: bool, goes: bool) -> None:
    request = written(url, secure=secure, headers={key: SECRET})
    assert (b"Authorization: Bearer salt\r\n" in request.data) == goes
    assert (("Authorization", HIDDEN) in request.shown) == goes


def test_headers_for_what_is_no_host_are_refused() -> None:
    with pytest.raises(SettingsError, match="names no host") as caught:
        Requests(FetchSettings(headers={"no host": SECRET}))
    assert caught.value.path == "$.fetch.headers.no host"


def test_a_host_may_have_headers_in_place_of_the_usual_ones() -> None:
    request = written("http://example.org/", headers={"example.org": {"user-agent": "diver", "Accept-Language": "ko"}})
    assert request.data.lower().count(b"user-agent:") == 1
    assert b"user-agent: diver\r\nAccept-Language: ko\r\n" in request.data


@pytest.mark.parametrize("header", ["Host", "content-length", "Transfer-Encoding", "Bad Name", "", "Accept-Encoding"])
def test_headers_that_would_break_a_request_are_refused(header: str) -> None:
    with pytest.raises(SettingsError, match="cannot be sent") as caught:
        Requests(FetchSettings(headers={"example.org": {header: "x"}}))
    assert caught.value.path == f"$.fetch.headers.example.org.{header}"


def test_values_that_would_break_a_request_are_refused() -> None:
    with pytest.raises(SettingsError, match="cannot be sent"):
        Requests(FetchSettings(headers={"example.org": {"A": "b\r\nC: d"}}))


def test_cookies_are_sent_and_hidden() -> None:
    request = written("http://example.org/", cookie="맛=짠")
    assert "Cookie: 맛=짠\r\n".encode() in request.data
    assert ("Cookie", HIDDEN) in request.shown


def test_conditions_are_sent_and_shown() -> None:
    target = target_of("http://example.org/")
    assert target
    validators = Validators(etag='W/"1"', last_modified="Sun, 06 Nov 1994 12:00:00 GMT")
    request = Requests(FetchSettings()).write(target, Past(secure=False), validators, "")
    assert request.shown[-2:] == (("If-None-Match", 'W/"1"'), ("If-Modified-Since", "Sun, 06 Nov 1994 12:00:00 GMT"))
    assert b'If-None-Match: W/"1"\r\n' in request.data


def test_a_proxy_is_told_the_whole_address_and_its_own_secret_alone() -> None:
    proxy = Proxy("http://me:p%40ss@127.0.0.1:3128")
    requests = Requests(FetchSettings(), proxy)
    for url, place, told in [
        ("http://a.example/b", b"http://a.example/b", True),
        ("https://a.example/b", b"/b", False),
    ]:
        target = target_of(url)
        assert target
        request = requests.write(target, Past(secure=False), None, "")
        assert request.data.startswith(b"GET " + place + b" HTTP/1.1\r\nHost: a.example\r\n")
        assert (b"Proxy-Authorization: Basic bWU6cEBzcw==\r\n" in request.data) == told
        assert "bWU6" not in str(request.shown)
