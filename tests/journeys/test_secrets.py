"""A secret goes to the origin it was given for, and to nobody else on the way of a crawl."""

from __future__ import annotations

from pathlib import Path

import pytest
from named_web import LOOPBACK, NOT_FOUND, NamedWeb, Reply, article, crawled, made, served

from haenyeo.model.config import FetchSettings

pytestmark = pytest.mark.slow
HOST, SIBLING = "www.reef.test", "old.reef.test"


@pytest.mark.parametrize("key", ["www.reef.test", "www.reef.test:{port}", "http://www.reef.test:{port}"])
def test_a_secret_goes_to_no_other_port_or_host(key: str, tmp_path: Path) -> None:
    web, other = NamedWeb(HOST, SIBLING), NamedWeb(HOST)
    with served(web), served(other):
        answers = {"/": article("Home", other.url(HOST, "/linked"), web.url(SIBLING, "/linked"), "/moved")}
        answers["/moved"] = Reply("", 302, (("Location", other.url(HOST, "/landing")),))
        web.hosts[HOST] = lambda path: answers.get(path, NOT_FOUND)
        web.hosts[SIBLING] = other.hosts[HOST] = lambda path: NOT_FOUND if "robots" in path else article(path)
        headers = {key.format(port=web.port): {"Authorization": "Bearer salt"}}
        fetch = FetchSettings(allow_private=LOOPBACK.allow_private, headers=headers)
        crawled(made(tmp_path / "c", web.url(HOST)), web, fetch=fetch)
    assert {asked.path for asked in other.log} == {"/robots.txt", "/linked", "/landing"}
    told = {asked.host for asked in (*web.log, *other.log) if "authorization" in asked.headers}
    assert told == ({HOST} if "port" in key else set())
    assert not [asked for asked in other.log if "authorization" in asked.headers]
