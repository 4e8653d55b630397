"""How many pages are kept is one number, whoever is asked: crawl, status, export, the dashboard and its interface."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner
from named_web import NOT_FOUND, NamedWeb, article, crawled, made, served

from haenyeo.cli.app import haenyeo
from haenyeo.collect.collection import create_collection
from haenyeo.demo import Address, DemoWeb
from haenyeo.model.config import FetchSettings, Topic
from haenyeo.web.desk import Desk
from haenyeo.web.queries.figures import Totals
from haenyeo.web.queries.overview import crawl_progress

pytestmark = pytest.mark.slow
PAGES = 120


def said(*arguments: str) -> str:
    result = CliRunner().invoke(haenyeo, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def on_the_dashboard(desk: Desk) -> Totals:
    """What the overview shows, and what /api/overview answers, which is made from the same."""
    desk.look()
    desk.count()
    desk.look()
    return crawl_progress(desk, datetime.now(UTC)).totals


def test_pages_that_were_judged_again_are_counted_as_they_stand(web: tuple[DemoWeb, Address], tmp_path: Path) -> None:
    topic, folder = web[0].topics()[0], tmp_path / "c"
    given = Topic(words=topic.words, seeds=topic.seeds, like=topic.like[:1])
    create_collection(folder, given, fetch=FetchSettings(allow_private=("127.0.0.0/8",)))
    name = str(folder)
    desk = Desk(folder)
    try:
        for _ in range(2):
            ended = json.loads(said("crawl", name, "--pages", str(PAGES), "--delay", "0", "--json"))
            kept = json.loads(said("status", name, "--json"))["counts"]["kept"]
            assert ended["kept"] == kept
            said("export", name, "--to", "jsonl", "--out", str(tmp_path / "out.jsonl"))
            assert len((tmp_path / "out.jsonl").read_text().splitlines()) == kept
            assert on_the_dashboard(desk).kept == kept
    finally:
        desk.close()


def test_links_to_hosts_that_are_not_there_do_not_count_as_asked_for(tmp_path: Path) -> None:
    web = NamedWeb("www.reef.test")
    with served(web):
        dead = [web.url(f"gone{number}.test", "/") for number in range(5)]
        paths = [f"/{number}" for number in range(4)]
        web.hosts["www.reef.test"] = lambda path: article(f"Page {path}", *paths, *dead) if path in paths else NOT_FOUND
        folder = made(tmp_path / "c", web.url("www.reef.test", "/0"))
        ended = crawled(folder, web, pages=20).ended
    assert ended.visited == 4
    assert json.loads(said("status", str(folder), "--json"))["counts"]["asked"] == 4
    desk = Desk(folder)
    try:
        assert on_the_dashboard(desk).asked == 4
    finally:
        desk.close()
