"""Pages under watch while the demo web's clock is turned: new content, a redesign, an outage."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from haenyeo import Collection
from haenyeo.demo import DAY, Address, DemoWeb, serve_in_thread

Command = Callable[..., "subprocess.CompletedProcess[str]"]
Web = tuple[DemoWeb, Address]
pytestmark = pytest.mark.slow
AT_ONCE = ("--delay", "0", "--json")


@pytest.fixture
def turning() -> Iterator[Web]:
    """A demo web of its own, whose clock the test turns."""
    demo = DemoWeb()
    with serve_in_thread(demo) as address:
        yield demo, address


@pytest.fixture
def shop(turning: Web, haenyeo: Command, tmp_path: Path) -> str:
    """The address of a list of goods, with an empty collection beside it."""
    url = turning[0].url("harbourshop", "/goods?cat=divers")
    haenyeo("new", "goods", "--topic", "diving gear", "--seed", url)
    settings = tmp_path / "goods" / "haenyeo.toml"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(text.replace("allow_private = []", 'allow_private = ["127.0.0.0/8"]'), encoding="utf-8")
    return url


def records(haenyeo: Command) -> list[dict[str, str]]:
    [rule] = json.loads(haenyeo("records", "goods", "--json").stdout)["rules"]
    found: list[dict[str, str]] = json.loads(haenyeo("records", "goods", "--rule", rule["rule"], "--json").stdout)[
        "records"
    ]
    return found


def changes(haenyeo: Command, *kinds: str) -> list[dict[str, Any]]:
    wanted = [part for kind in kinds for part in ("--kind", kind)]
    found: list[dict[str, Any]] = json.loads(haenyeo("changes", "goods", *wanted, "--json").stdout)["changes"]
    return found


def listed(web: DemoWeb, *urls: str) -> set[str]:
    """The titles that the pages show now."""
    return {row["title"] for url in urls if (page := web.page(url)) for row in page.records}


def test_records_go_on_through_a_redesign(turning: Web, shop: str, haenyeo: Command) -> None:
    web, address = turning
    second = f"{shop}&page=2"
    haenyeo("records", "goods", shop, "--pages", "2", *AT_ONCE)
    haenyeo("watch", "goods", shop, *AT_ONCE)
    seen = listed(web, shop, second)
    assert {row["title"] for row in records(haenyeo)} == seen

    web.clock.now = 4.5 * DAY
    haenyeo("watch", "goods", "--now", *AT_ONCE)
    seen |= listed(web, shop, second)
    assert {row["title"] for row in records(haenyeo)} == seen
    assert changes(haenyeo, "layout", "repair", "broken") == [], "other goods are no other layout"

    web.clock.now = 5.5 * DAY
    address.log.clear()
    haenyeo("watch", "goods", "--now", *AT_ONCE)
    seen |= listed(web, shop, second)
    assert address.log.by_status().total() <= 3, "the two pages of the list, and no page to learn from"
    assert [change["grade"] for change in changes(haenyeo, "layout")] == ["alarm"]
    [repair] = changes(haenyeo, "repair")
    assert repair["version"] == 2
    assert repair["checked_on"] == [shop], "the page that showed the redesign was enough"
    assert (repair["rows_before"], repair["rows_after"]) == (0, 12)
    rows = records(haenyeo)
    assert {row["title"] for row in rows} == seen, "no gap"
    assert len({row["link"] for row in rows}) == len(rows), "no doubled row"
    assert all(row["price"] and row["date"] for row in rows)
    shown = haenyeo("changes", "goods").stdout
    assert "repaired, now version 2" in shown
    week = json.loads(haenyeo("status", "goods", "--json").stdout)["week"]
    assert (week["alarm"], week["repair"]) == (1, 1)
    assert "1 alarm" in haenyeo("status", "goods").stdout
    assert "old selector" in shown

    web.clock.now = 6.5 * DAY
    haenyeo("watch", "goods", "--now", *AT_ONCE)
    assert {row["title"] for row in records(haenyeo)} == seen | listed(web, shop, second)
    assert len(changes(haenyeo, "layout", "repair", "broken")) == 2, "the redesign is told once"


def test_further_pages_of_a_list_are_taken_though_its_first_has_not_changed(
    turning: Web, shop: str, haenyeo: Command
) -> None:
    web, address = turning
    haenyeo("records", "goods", shop, *AT_ONCE)
    address.log.clear()
    haenyeo("records", "goods", shop, "--pages", "3", *AT_ONCE)
    pages = [shop, f"{shop}&page=2", f"{shop}&page=3"]
    assert {row["title"] for row in records(haenyeo)} == listed(web, *pages) > listed(web, shop)
    assert address.log.by_status()[304] >= 1, "the first page was not sent again"


def test_lists_come_first_and_no_item_is_fetched_twice(turning: Web, shop: str, haenyeo: Command) -> None:
    web, address = turning
    haenyeo("records", "goods", shop, "--pages", "2", "--items", "5", *AT_ONCE)
    asked = [request.target for request in address.log.requests if request.target != "/robots.txt"]
    assert asked[:2] == ["/goods?cat=divers", "/goods?cat=divers&page=2"]
    assert len(asked) == 7
    haenyeo("watch", "goods", shop, "--items", "100", *AT_ONCE)
    haenyeo("watch", "goods", "--now", *AT_ONCE)
    items = Counter(request.target for request in address.log.requests if "/goods?" not in request.target)
    del items["/robots.txt"]
    links = {row["link"] for row in records(haenyeo)}
    assert {web.url("harbourshop", target) for target in items} == links
    assert set(items.values()) == {1}


def test_a_result_list_is_watched_for_each_query(turning: Web, shop: str, haenyeo: Command) -> None:
    web, _ = turning
    results = web.url("harbourshop", "/search?q={query}")
    done = haenyeo("watch", "goods", results, "--query", "mask", "--query", "net bag", *AT_ONCE)
    [watched] = json.loads(done.stdout)["watched"]
    assert [standing["status"] for standing in watched["standings"]] == [200, 200]
    titles = {row["title"] for row in records(haenyeo)}
    assert any("mask" in title for title in titles), "records are found without labels"
    assert any("net bag" in title for title in titles)

    web.clock.now = 5.5 * DAY
    haenyeo("watch", "goods", "--now", *AT_ONCE)
    assert len(changes(haenyeo, "repair")) == 1, "one query's page confirms the other's"
    assert shop.startswith("http")


def test_the_patterns_of_watched_pages_are_kept_and_shown(
    turning: Web, shop: str, haenyeo: Command, tmp_path: Path
) -> None:
    web, _ = turning
    settings = tmp_path / "goods" / "haenyeo.toml"
    text = settings.read_text(encoding="utf-8").replace("[strategy]", '[strategy]\nwatcher = "vilo"')
    settings.write_text(f"{text}\n[parts.vilo]\ntimes = 4\n", encoding="utf-8")
    haenyeo("watch", "goods", shop, *AT_ONCE)
    web.clock.now = 5.5 * DAY
    haenyeo("watch", "goods", "--now", *AT_ONCE)
    [kept] = json.loads(haenyeo("watch", "goods", "--look", "--patterns", "--json").stdout)["patterns"]
    assert (kept["verdict"], kept["times"], kept["url"]) == ("changed", 4, shop)
    assert "TEXT" in haenyeo("watch", "goods", "--look", "--patterns").stdout


def test_an_outage_is_told_as_such_and_not_as_a_change(turning: Web, shop: str, haenyeo: Command) -> None:
    web, _ = turning
    front = web.url("branchline", "/all/")
    haenyeo("watch", "goods", front, *AT_ONCE)
    web.clock.now = 10.5 * DAY
    looked = haenyeo("watch", "goods", "--now", "--delay", "0", code=1)
    assert "503" in looked.stdout
    web.clock.now = 11.5 * DAY
    haenyeo("watch", "goods", "--now", *AT_ONCE)
    told = changes(haenyeo)
    assert [change["kind"] for change in told if change["kind"] != "content"] == ["trouble", "back"]
    assert [change["status"] for change in told if change["kind"] == "trouble"] == [503]
    assert "+" in haenyeo("changes", "goods", "--diff", front).stdout, "stored versions can be compared"
    haenyeo("watch", "goods", front, "--remove")
    assert json.loads(haenyeo("watch", "goods", "--look", "--json").stdout)["watched"] == []
    assert shop.startswith("http")


def test_hooks_are_told_of_alarms_and_repairs(turning: Web, shop: str, haenyeo: Command, tmp_path: Path) -> None:
    posted: list[dict[str, Any]] = []

    class Hook(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            posted.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204 if len(posted) > 1 else 500)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", 0), Hook)
    Thread(target=server.serve_forever, daemon=True).start()
    settings = tmp_path / "goods" / "haenyeo.toml"
    hooks = f'webhook = "http://127.0.0.1:{server.server_port}/"\ncommand = "tee {tmp_path}/told.json"\n'
    settings.write_text(settings.read_text(encoding="utf-8").replace("[notify]\n", f"[notify]\n{hooks}"))
    try:
        haenyeo("records", "goods", shop, "--pages", "2", *AT_ONCE)
        haenyeo("watch", "goods", shop, *AT_ONCE)
        assert posted == [], "nothing happened yet"
        turning[0].clock.now = 5.5 * DAY
        haenyeo("watch", "goods", "--now", *AT_ONCE)
        haenyeo("watch", "goods", "--now", *AT_ONCE)
    finally:
        server.shutdown()
        server.server_close()
    kinds = [[change["kind"] for change in told["changes"]] for told in posted]
    assert kinds == [["layout", "repair"]] * 2, "a hook that failed is told again"
    told = json.loads((tmp_path / "told.json").read_text(encoding="utf-8"))
    assert told["collection"] == "goods"
    assert [change["kind"] for change in told["changes"]] == ["layout", "repair"]


def test_a_redesigned_site_is_read_anew(turning: Web, shop: str, haenyeo: Command, tmp_path: Path) -> None:
    web, _ = turning
    posts = [page.url for page in web.pages("seawomen") if page.kind == "article"][:14]
    assert len(posts) == 14
    haenyeo("watch", "goods", *posts, *AT_ONCE)
    web.clock.now = 9.5 * DAY
    haenyeo("watch", "goods", "--now", *AT_ONCE)
    assert [change["site"] for change in changes(haenyeo, "relearn")] == ["seawomen.localhost"]
    assert changes(haenyeo, "content") == [], "the same words in another layout are no other content"
    assert "learned anew" in haenyeo("changes", "goods").stdout
    with Collection.open(tmp_path / "goods", writing=False) as goods:
        texts = {url: page.text for url in posts if (page := goods.store.page(url))}
    for url in posts:
        truth = web.page(url)
        assert truth is not None
        missed = Counter(truth.text.split()) - Counter(texts[url].split())
        assert missed.total() <= 0.02 * len(truth.text.split()), url
        assert len(texts[url]) <= 1.3 * len(truth.text) + 200, url
    assert shop.startswith("http")
