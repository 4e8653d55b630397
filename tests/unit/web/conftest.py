"""A small collection and its dashboard, served on loopback."""

from __future__ import annotations

import http.client
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

import pytest

from haenyeo.collect.collection import create_collection
from haenyeo.html.urls import url_hash
from haenyeo.model.config import Topic
from haenyeo.model.pages import Document, Url
from haenyeo.model.visits import Answer, Hop, Outcome
from haenyeo.store import NewLink, PageRecord, Store
from haenyeo.web.serving import Served, listen, serving_in_thread

BEGIN = datetime.now(UTC) - timedelta(hours=2)
INJECTION = "<script>document.title = 'taken'</script><img src=x onerror=alert(1)>"
TEXTS = {
    0: ("Women divers", "The haenyeo dive for abalone without tanks."),
    1: ("제주해녀", "해녀가 물질을 하러 바다로 간다."),
    2: (INJECTION, f"{INJECTION} says the page."),
    3: ("Bread", "Sourdough needs time, water and flour."),
}


class Reply(NamedTuple):
    """What the dashboard answered."""

    status: int
    headers: dict[str, str]
    text: str


Ask = Callable[..., Reply]


def record(number: int, text: str, title: str, after: int = 0) -> PageRecord:
    """A visit to page `number`."""
    url = Url(f"https://a.example/{number}")
    paragraphs = "".join(f"<p>{line}</p>" for line in text.splitlines())
    body = f"<html><title>{title}</title><nav>Home News</nav><main>{paragraphs}</main></html>".encode()
    at = BEGIN + timedelta(minutes=number + after)
    hop = Hop(url=url, status=200, headers=(("Content-Type", "text/html; charset=utf-8"),), body=body, at=at)
    links = [NewLink(Url(f"https://b.example/{number}"), "b.example", number / 10, "a reef", "see", "near Jeju")]
    return PageRecord(
        answer=Answer(
            url=url, final_url=url, outcome=Outcome.PAGE, status=200, content_type="text/html", hops=(hop,), seconds=0.2
        ),
        site="a.example",
        at=at,
        ref=0,
        document=Document(url=url, title=title, text=text, language="ko" if number == 1 else "en"),
        relevance={"divers": 0.9 - number / 10},
        kept=number != 3,
        links=links if not after else (),
        targets=[url_hash(link.url) for link in links],
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A collection of four pages, one of them seen in two versions; a crawl of it has nowhere to go."""
    place = tmp_path / "divers"
    create_collection(place, Topic(words="divers", seeds=("http://127.0.0.1:9/",)), hosts=("127.0.0.1",))
    with Store.open(place, writing=True) as store:
        store.add_seeds([NewLink(Url("https://a.example/0"), "a.example", 1.0)])
        for number, (title, text) in TEXTS.items():
            store.save(record(number, text, title))
        store.save(record(0, "The haenyeo dive for abalone.\nThey sing.", "Women divers", after=60))
    return place


@pytest.fixture
def served(folder: Path) -> Iterator[Served]:
    """The dashboard, served until the test ends."""
    opened = listen(folder)
    with serving_in_thread(opened):
        opened.app.state.desk.count()
        yield opened


@pytest.fixture
def ask(served: Served) -> Ask:
    """Asks the dashboard, with its token unless other headers are given."""

    def asking(
        path: str, form: dict[str, str] | None = None, headers: dict[str, str] | None = None, method: str = ""
    ) -> Reply:
        connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
        try:
            given = {"Authorization": f"Bearer {served.app.state.keys.token}"} if headers is None else headers
            if form is not None:
                given = {"Content-Type": "application/x-www-form-urlencoded", **given}
            body = None if form is None else urlencode(form)
            connection.request(method or ("GET" if form is None else "POST"), path, body, given)
            answer = connection.getresponse()
            names = {name.lower(): value for name, value in answer.getheaders()}
            return Reply(answer.status, names, answer.read().decode())
        finally:
            connection.close()

    return asking
