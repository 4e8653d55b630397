from __future__ import annotations

import json
from collections.abc import Callable
from typing import NamedTuple

import pytest

from haenyeo.store.columns import WaitingLinks
from haenyeo.web.serving import Served


class Reply(NamedTuple):
    status: int
    headers: dict[str, str]
    text: str


Ask = Callable[..., Reply]


@pytest.mark.slow
def test_programs_are_given_what_the_views_show(ask: Ask, served: Served) -> None:
    served.app.state.desk.index()
    overview = json.loads(ask("/api/overview").text)
    assert (overview["kept"], overview["fetched"], overview["crawl"]) == (3, 4, "idle")
    assert overview["harvest"][-1] == {"fetched": 4, "kept": 3}
    found = json.loads(ask("/api/pages?q=abalone").text)
    assert [page["title"] for page in found["pages"]] == ["Women divers"]
    page = json.loads(ask("/api/pages/1").text)
    assert [visit["changed"] for visit in page["visits"]] == [None, True]
    assert json.loads(ask("/api/frontier?limit=1").text)["links"][0]["anchor"] == "a reef"
    assert json.loads(ask("/api/frontier?topic=nothing").text) == {"links": [], "total": 0}
    assert json.loads(ask("/api/sites").text)["sites"][0]["kept"] == 3
    freshness = json.loads(ask("/api/freshness").text)
    assert freshness["changes"] == 1
    assert {"by_budget", "due"} <= freshness.keys()
    assert json.loads(ask("/api/rules").text) == {"rules": []}
    assert json.loads(ask("/api/events").text) == {"events": []}


def test_the_frontier_is_given_whole_at_the_first_request(ask: Ask, served: Served) -> None:
    with served.app.state.desk.reading() as store:
        served.app.state.desk.counted, served.app.state.desk.waiting = False, WaitingLinks(store)  # as at the start
    assert json.loads(ask("/api/frontier").text)["total"] == 4


def test_a_part_of_a_list_is_given_with_its_whole_length(ask: Ask) -> None:
    part = json.loads(ask("/api/pages?limit=1&offset=1&kept=all").text)
    assert (len(part["pages"]), part["total"], part["more"]) == (1, 4, False)
    links = json.loads(ask("/api/frontier?limit=2&offset=3").text)
    assert (len(links["links"]), links["total"]) == (1, 4)
    sites = json.loads(ask("/api/sites?limit=1&offset=1").text)
    assert ([site["site"] for site in sites["sites"]], sites["total"]) == (["b.example"], 2)


def test_pages_are_filtered_as_in_the_view(ask: Ask) -> None:
    def titles(query: str) -> list[str]:
        return [page["title"] for page in json.loads(ask(f"/api/pages?{query}").text)["pages"]]

    assert titles("language=ko") == ["제주해녀"]
    assert titles("since=2999-01-01") == []
    assert len(titles("since=2020-01-01&site=a.example")) == 3
    assert "Bread" in titles("kept=all&sort=best")
