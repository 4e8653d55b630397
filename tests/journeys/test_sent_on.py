"""A front page that only sends its readers on is followed at once, not when its links have their turn."""

from __future__ import annotations

from pathlib import Path

import pytest
from named_web import NamedWeb, Reply, article, crawled, made, served

FRONT = '<meta http-equiv=refresh content="0; URL=en/"><a href=da/>da</a> <a href=de/>de</a> <a href=en/>en</a>'


@pytest.mark.parametrize("scorer", ["default", "bfs"])
def test_where_a_page_sends_its_readers_on_to_comes_next(tmp_path: Path, scorer: str) -> None:
    web = NamedWeb("portal.example", "manual.example")
    with served(web):
        others = [web.url("portal.example", f"/reef/{number}") for number in range(30)]
        pages = {f"/reef/{number}": article(f"A reef {number}") for number in range(30)}
        pages["/"] = article("Start", web.url("manual.example"), *others)
        web.hosts["portal.example"] = lambda path: pages.get(path, Reply("", 404))
        web.hosts["manual.example"] = lambda path: Reply(FRONT) if path == "/" else article(f"reef manual {path}")
        crawled(made(tmp_path / "c", web.url("manual.example"), others[0], *others[1:9]), web, scorer=scorer, pages=13)
    asked = web.paths("manual.example")
    assert asked[:2] == ["/", "/en/"]
