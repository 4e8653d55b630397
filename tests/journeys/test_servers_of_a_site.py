"""What one server of a site does concerns none of the others: they are asked, at the site's pace, as if it were not."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from certificates import Authority
from named_web import NOT_FOUND, NamedWeb, Reply, article, crawled, made, served

pytestmark = pytest.mark.slow
WWW, SIBLING = "www.reef.test", "old.reef.test"
PAGES = 20


def reef(web: NamedWeb, *beside: str) -> None:
    """A site of twenty pages, each of which links to the next and to all addresses beside."""

    def answer(path: str) -> Reply:
        number = path.strip("/")
        if not number.isdigit() or int(number) >= PAGES:
            return NOT_FOUND
        return article(f"Page {number}", f"/{int(number) + 1}", *(f"{address}/{number}" for address in beside))

    web.hosts[WWW] = answer


@pytest.mark.parametrize("trouble", ["no such name", "nobody listens", "no TLS"])
def test_a_dead_sibling_does_not_stop_a_site(trouble: str, tmp_path: Path) -> None:
    web = NamedWeb(WWW)
    if trouble == "nobody listens":
        web.addresses[SIBLING] = "127.0.0.77"
    if trouble == "no TLS":
        web.addresses[SIBLING] = web.addresses[WWW]
    with served(web):
        scheme = "https" if trouble == "no TLS" else "http"
        reef(web, web.url(SIBLING, "", scheme))
        crawled(made(tmp_path / "c", web.url(WWW, "/0"), web.url(SIBLING, "/first", scheme)), web, pages=PAGES)
    assert set(web.paths(WWW)) >= {f"/{number}" for number in range(PAGES)}


@pytest.mark.parametrize("proof", [Authority.expired, Authority.selfsigned])
def test_a_sibling_whose_certificate_is_bad_does_not_stop_a_site(
    proof: Callable[[Authority, str], ssl.SSLContext], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority = Authority(tmp_path / "authority")
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.certificate))
    web = NamedWeb(WWW, SIBLING)
    web.secure = {WWW: authority.trusted(f"DNS:{WWW}"), SIBLING: proof(authority, f"DNS:{SIBLING}")}
    with served(web):
        reef(web, web.url(SIBLING, "", "https"))
        seeds = [web.url(host, path, "https") for host, path in ((WWW, "/0"), (SIBLING, "/first"))]
        ended = crawled(made(tmp_path / "c", *seeds), web, pages=PAGES).ended
    assert set(web.paths(WWW)) >= {f"/{number}" for number in range(PAGES)}
    assert SIBLING not in {asked.host for asked in web.log}
    assert [cause.reason for cause in ended.causes if cause.seeds] == ["robots.txt unreachable: certificate"]


def test_a_server_that_needs_rest_rests_alone(tmp_path: Path) -> None:
    web = NamedWeb(WWW, SIBLING)
    with served(web):
        reef(web, web.url(SIBLING, ""))
        web.hosts[SIBLING] = lambda path: (
            NOT_FOUND if path == "/robots.txt" else Reply("busy", 503, (("Retry-After", "60"),))
        )
        crawled(made(tmp_path / "c", web.url(WWW, "/0")), web, pages=PAGES)
    assert set(web.paths(WWW)) >= {f"/{number}" for number in range(PAGES)}
    assert len(web.paths(SIBLING)) == 1, "nothing is asked of it before the time it named"


def test_a_server_found_while_its_sibling_rests_is_asked(tmp_path: Path) -> None:
    """The site is known by the dead one alone until another site links to its sibling."""
    web = NamedWeb(WWW, "guide.test")
    with served(web):
        reef(web)
        links = {"/": "/next", "/next": web.url(WWW, "/0")}
        web.hosts["guide.test"] = lambda path: article(f"Guide {path}", links[path]) if path in links else NOT_FOUND
        seeds = web.url(SIBLING, "/first"), web.url("guide.test", "/")
        crawled(made(tmp_path / "c", *seeds), web, pages=PAGES)
    assert len(set(web.paths(WWW))) >= PAGES - 2


def test_the_delay_belongs_to_the_site_whichever_server_is_asked(tmp_path: Path) -> None:
    web = NamedWeb(WWW, SIBLING)
    with served(web):
        reef(web, web.url(SIBLING, ""))
        web.hosts[SIBLING] = lambda path: NOT_FOUND if path == "/robots.txt" else article(f"Old {path}")
        crawled(made(tmp_path / "c", web.url(WWW, "/0")), web, pages=6, delay=0.5)
    times = [asked.at for asked in web.log if asked.path != "/robots.txt"]
    assert {asked.host for asked in web.log} == {WWW, SIBLING}
    gaps = [later - sooner for sooner, later in pairwise(times)]
    assert min(gaps) > 0.25, "a second server asked at once follows in a few milliseconds; a busy one may note late"
    assert sum(gaps) > 0.45 * len(gaps), "what is noted late shortens one gap and lengthens another"


def test_after_a_restart_a_dead_sibling_does_not_stop_a_site_either(tmp_path: Path) -> None:
    web = NamedWeb(WWW)
    with served(web):
        reef(web, web.url(SIBLING, ""))
        folder = made(tmp_path / "c", web.url(WWW, "/0"))
        crawled(folder, web, pages=3)
        crawled(folder, web, pages=PAGES)
    assert set(web.paths(WWW)) >= {f"/{number}" for number in range(PAGES)}


def test_one_address_that_wants_to_be_left_alone_for_ever_is_and_the_others_are_read(tmp_path: Path) -> None:
    web = NamedWeb(WWW)
    with served(web):
        reef(web)
        pages = web.hosts[WWW]
        never = Reply("", 429, (("Retry-After", "999999999999"),))
        web.hosts[WWW] = lambda path: never if path == "/1" else pages(path)
        seeds = [web.url(WWW, f"/{number}") for number in (0, 1, 2)]
        ended = crawled(made(tmp_path / "c", *seeds), web).ended
    assert set(web.paths(WWW)) >= {f"/{number}" for number in range(PAGES)}
    assert web.paths(WWW).count("/1") == 1
    assert ended.waiting == 1
    came = {asked.path: asked.at for asked in web.log}
    assert came["/2"] - came["/1"] > 10, "the site had a rest"
