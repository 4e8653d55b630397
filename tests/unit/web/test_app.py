from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import pytest

from haenyeo.collect.adapters.finding.handing import handed
from haenyeo.collect.links.steering import read_course
from haenyeo.store import Store
from haenyeo.web.queries.one_page import said_of
from haenyeo.web.serving import Served


class Reply(NamedTuple):
    status: int
    headers: dict[str, str]
    text: str


Ask = Callable[..., Reply]


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/", ["Women divers", "제주해녀", "Harvest", "resting"]),
        ("/pages", ["Women divers", "제주해녀"]),
        ("/pages?kept=all&sort=best", ["Bread", "not kept"]),
        ("/pages?language=ko", ["제주해녀", "1 page"]),
        ("/pages?site=a.example&since=2020-01-01", ["3 pages"]),
        ("/pages?site=nowhere.example", ["No page"]),
        ("/pages/1", ["They sing.", "Off topic", "links from a seed", "Versions"]),
        ("/pages/1/inlinks", ["1 page links here", "a seed"]),
        ("/frontier", ["4 links wait", "a reef", "near Jeju"]),
        ("/sites", ["a.example", "Sites by pages fetched"]),
        ("/sites/a.example", ["Answers in", "200 ms", "No change of layout"]),
        ("/records", ["No rule yet", "haenyeo records"]),
        pytest.param(
            "/refresh", ["Changes seen by weekday and hour", "Most changes were seen on"], marks=pytest.mark.slow
        ),
    ],
)
def test_views_show_what_the_collection_holds(ask: Ask, path: str, words: list[str]) -> None:
    reply = ask(path)
    assert reply.status == 200
    for word in words:
        assert word in reply.text


@pytest.mark.parametrize(
    "path", ["/pages/999", "/sites/nowhere.example", "/records/none.csv", "/pages/999/original", "/x"]
)
def test_what_is_not_there_is_said_in_words(ask: Ask, path: str) -> None:
    reply = ask(path)
    assert reply.status == 404
    assert "Overview" in reply.text


def test_pages_are_found_by_their_words(ask: Ask, served: Served) -> None:
    served.app.state.desk.index()
    found = ask("/pages?q=" + quote("해녀")).text
    assert "<mark>해녀</mark>" in found
    assert "Women divers" not in found
    assert "No page has these words" in ask("/pages?q=octopus").text


def test_only_the_changing_part_is_sent_to_htmx(ask: Ask, served: Served) -> None:
    headers = {"Authorization": f"Bearer {served.app.state.keys.token}", "HX-Request": "true"}
    for path in ("/", "/pages", "/frontier"):
        assert "<html" not in ask(path, headers=headers).text


def test_a_page_that_is_a_script_is_shown_harmlessly(ask: Ask) -> None:
    for path in ("/", "/pages", "/pages/3", "/pages?q=says"):
        shown = ask(path).text
        assert "<script>document" not in shown
        assert "<img src=x" not in shown
    original = ask("/pages/3/original")
    assert original.headers["content-security-policy"].startswith("sandbox;")
    assert "<script" not in original.text


def test_two_versions_of_a_page_are_compared(ask: Ask) -> None:
    shown = ask("/pages/1").text
    assert '<li class="added">They sing.</li>' in shown
    assert '<li class="removed">The haenyeo dive for abalone without tanks.</li>' in shown


def test_hosts_are_blocked_boosted_and_let_go(ask: Ask, folder: Path) -> None:
    ask("/frontier/steer", {"pattern": "*.shop.example", "action": "block"})
    ask("/frontier/steer", {"pattern": "/news/", "action": "boost"})
    assert read_course(folder).block == ("*.shop.example",)
    assert "/news/" in ask("/frontier").text
    ask("/frontier/steer", {"pattern": "*.shop.example", "action": "forget"})
    assert read_course(folder).block == ()
    assert ask("/frontier/steer", {"pattern": "*", "action": "block"}).status == 400
    assert ask("/frontier/steer", {"pattern": "x", "action": "fly"}).status == 400


def test_a_verdict_is_written_down(ask: Ask, folder: Path) -> None:
    assert ask("/pages/1/judge", {"topic": "divers", "verdict": "no"}).status == 303
    assert ask("/pages/1/judge", {"topic": "other", "verdict": "no"}).status == 400
    with Store.open(folder, writing=False) as store:
        assert said_of(store, "https://a.example/0") == {"divers": False}
        page = store.page("https://a.example/0")
        assert page is not None
        assert not page.kept
    assert 'class="no" aria-pressed="true"' in ask("/pages/1").text


@pytest.mark.slow
def test_verdicts_are_left_for_the_process_that_writes(ask: Ask, folder: Path) -> None:
    with Store.open(folder, writing=True):
        reply = ask("/pages/1/judge", {"topic": "divers", "verdict": "no"})
    assert reply.status == 303
    assert [(verdict.topic, verdict.relevant) for _, verdict in handed(folder)] == [("divers", False)]


def test_odd_numbers_in_forms_are_refused(ask: Ask) -> None:
    assert ask("/crawl", {"action": "start", "pages": "-1"}).status == 400
    assert ask("/crawl", {"action": "start", "pages": "ten"}).status == 400
    assert ask("/crawl", {"action": "nothing"}).status == 303
    assert ask("/crawl", {"action": "x" * 70_000}).status == 413


def test_values_in_csv_are_no_formulas() -> None:
    from haenyeo.web.views.records import _csv

    assert list(csv.reader(io.StringIO(_csv([]).decode("utf-8-sig")))) == [["page", "first_seen", "last_seen"]]
