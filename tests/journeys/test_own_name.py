"""A crawler that was given a name by its user hears what sites say to that name."""

from __future__ import annotations

from pathlib import Path

import pytest
from named_web import NOT_FOUND, NamedWeb, Reply, article, crawled, made, served

from haenyeo.model.config import FetchSettings

pytestmark = pytest.mark.slow
HOST = "www.reef.test"


def test_rules_for_the_users_own_name_are_obeyed(tmp_path: Path) -> None:
    groups = (("reefbot", "/shut"), ("*", "/open"), ("REEFBOT/2", "/closed"))
    robots = "".join(f"User-agent: {name}\nDisallow: {path}\n\n" for name, path in groups)
    pages = {
        "/robots.txt": Reply(robots),
        "/": article("Home", "/shut", "/closed", "/open", "/hidden", "/shown", "/meta", "/other"),
        "/shut": article("Shut"),
        "/closed": article("Closed"),
        "/open": article("Open"),
        "/hidden": article("Hidden")._replace(headers=(("X-Robots-Tag", "ReefBot: noindex"),)),
        "/meta": Reply("<meta name=reefbot content=noindex>" + article("Meta").body),
        "/other": Reply("<meta name=haenyeo content=noindex>" + article("Other").body),
        "/shown": article("Shown")._replace(headers=(("X-Robots-Tag", "otherbot: noindex"),)),
    }
    web = NamedWeb(HOST)
    web.hosts[HOST] = lambda path: pages.get(path, NOT_FOUND)
    with served(web):
        fetch = FetchSettings(user_agent="ReefBot/2.0 (+https://reef.example/bot)", allow_private=("127.0.0.0/8",))
        result = crawled(made(tmp_path / "c", web.url(HOST)), web, fetch=fetch)
    assert set(web.paths(HOST)) == {"/", "/open", "/hidden", "/shown", "/meta", "/other"}
    assert {asked.headers["user-agent"] for asked in web.log} == {"ReefBot/2.0 (+https://reef.example/bot)"}
    assert result.kept == {web.url(HOST, path) for path in ("/", "/open", "/shown", "/other")}
