from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

import pytest

from haenyeo.web.guard import Keys
from haenyeo.web.serving import Served


class Reply(NamedTuple):
    status: int
    headers: dict[str, str]
    text: str


Ask = Callable[..., Reply]
PATHS = ["/", "/pages", "/pages/1", "/pages/1/original", "/frontier", "/sites", "/records", "/refresh", "/live"]


@pytest.fixture
def cookie(served: Served) -> dict[str, str]:
    return {"Cookie": f"haenyeo-{served.port}={served.app.state.keys.token}"}


@pytest.mark.parametrize("path", PATHS)
def test_nothing_is_shown_without_the_token(ask: Ask, path: str) -> None:
    reply = ask(path, headers={})
    assert reply.status == 401
    assert "Women divers" not in reply.text


@pytest.mark.parametrize("headers", [{"Authorization": "Bearer wrong"}, {"Cookie": "haenyeo-1=x"}, {"Cookie": '[=;"='}])
def test_a_wrong_token_opens_nothing(ask: Ask, headers: dict[str, str]) -> None:
    assert ask("/", headers=headers).status == 401
    assert ask("/?token=wrong", headers={}).status == 401


def test_the_printed_address_sets_a_cookie_and_hides_the_token(ask: Ask, served: Served) -> None:
    reply = ask("/" + served.url.partition("/?")[2].join(["?", "&q=x"]), headers={})
    assert reply.status == 303
    assert reply.headers["location"] == "/?q=x"
    assert "HttpOnly" in reply.headers["set-cookie"]
    shown = ask("/", headers={"Cookie": reply.headers["set-cookie"].partition(";")[0]})
    assert shown.status == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example:{port}", "", "[::2]:{port}"]
)
def test_another_name_for_this_machine_is_refused(ask: Ask, served: Served, cookie: dict[str, str], host: str) -> None:
    assert ask("/", headers={**cookie, "Host": host.format(port=served.port)}).status == 403


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1:{port}", "http://127.0.0.1:1"])
def test_a_page_of_another_origin_is_refused(ask: Ask, served: Served, cookie: dict[str, str], origin: str) -> None:
    headers = {**cookie, "Origin": origin.format(port=served.port)}
    assert ask("/", headers=headers).status == 403
    assert ask("/crawl", {"action": "start"}, headers=headers).status == 403


def test_a_change_needs_the_forms_own_token(ask: Ask, served: Served, cookie: dict[str, str]) -> None:
    keys: Keys = served.app.state.keys
    asked = {"pattern": "*.shop.example", "action": "block"}
    assert ask("/frontier/steer", asked, headers=cookie).status == 403
    assert ask("/frontier/steer", {**asked, "form_token": "wrong"}, headers=cookie).status == 403
    assert ask("/frontier/steer", {**asked, "form_token": keys.form}, headers=cookie).status == 303
    assert ask("/frontier/steer", asked, headers={**cookie, "X-Haenyeo-Token": keys.form}).status == 303


def test_metrics_are_numbers_alone_and_need_no_key(ask: Ask) -> None:
    reply = ask("/metrics")
    assert reply.status == 200
    assert reply.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert "\nhaenyeo_pages_kept 3\n" in reply.text
    assert 'haenyeo_visits_total{found="new"}' in reply.text
    assert "a.example" not in reply.text


def test_every_answer_has_the_strict_headers(ask: Ask) -> None:
    for path in ("/", "/static/style.css", "/nowhere"):
        policy = ask(path).headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert ask(path).headers["x-content-type-options"] == "nosniff"


@pytest.mark.slow
def test_no_template_needs_more_than_the_policy_allows(ask: Ask) -> None:
    for path in ("/", "/pages", "/pages/1", "/frontier", "/sites", "/sites/a.example", "/records", "/refresh"):
        shown = ask(path).text
        assert not re.search(r"<[^>]*\s(style|on\w+)=", shown), path
        assert not re.search(r"<script(?![^>]*\bsrc=)", shown), path


def test_methods_that_change_nothing_cannot_be_used_to_change(ask: Ask) -> None:
    assert ask("/frontier/steer").status == 405
    assert ask("/pages/1/judge").status == 405
