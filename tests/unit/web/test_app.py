from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest

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
