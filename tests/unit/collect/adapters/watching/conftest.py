"""Shops whose pages can be redesigned, and visits to them."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from haenyeo.collect.adapters.watching.page_watch import PageWatch, Watched
from haenyeo.model.pages import Document, Url
from haenyeo.model.visits import Answer, Hop, Outcome
from haenyeo.store import PageRecord, Store
from haenyeo.watch.content import TwoVersions
from haenyeo.watch.default import DefaultWatcher

BEGIN = datetime(2025, 3, 1, 12, tzinfo=UTC)
Visit = Callable[..., Watched]
Pages = Callable[..., str]


def _shop(goods: Sequence[tuple[str, str]], *, new: bool = False) -> str:
    """A list of goods with names and prices, in the old or in the new design."""
    if new:
        rows = "".join(
            f"<article class='card'><h3 class='head'><a href='/p/{name.lower()}'>{name}</a></h3>"
            f"<b class='cost'>{price}</b></article>"
            for name, price in goods
        )
        return f"<html><body><main class='shop2'><section class='cards'>{rows}</section></main></body></html>"
    rows = "".join(
        f"<tr class='item'><td class='name'><a href='/p/{name.lower()}'>{name}</a></td>"
        f"<td class='price'>{price}</td></tr>"
        for name, price in goods
    )
    return f"<html><body><div id='shop'><table class='goods'>{rows}</table></div></body></html>"


@pytest.fixture
def shop() -> Pages:
    return _shop


@pytest.fixture
def goods() -> list[tuple[str, str]]:
    names = ("Mask", "Fins", "Knife", "Float", "Suit", "Hook", "Gloves", "Lamp", "Rope", "Basket", "Belt", "Soap")
    return [(f"{name} of the harbour", f"€{20 + 7 * place}.50") for place, name in enumerate(names)]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.create(tmp_path / "collection") as opened:
        yield opened


@pytest.fixture
def watch(store: Store) -> PageWatch:
    return PageWatch(store, DefaultWatcher())


@pytest.fixture
def visit(store: Store, watch: PageWatch) -> Visit:
    """Visits a page as a crawl does: looks at it, and stores what that caused."""
    visits = iter(range(10_000))

    def visiting(url: str, html: str, text: str = "", alike: tuple[str, str] | None = None) -> Watched:
        at = BEGIN + timedelta(hours=next(visits))
        packed = gzip.compress(html.encode(), mtime=0)
        headers = (("Content-Type", "text/html; charset=utf-8"), ("Content-Encoding", "gzip"))
        hop = Hop(url=Url(url), status=200, headers=headers, body=packed, at=at)
        answer = Answer(
            url=Url(url),
            final_url=Url(url),
            outcome=Outcome.PAGE,
            status=200,
            content_type="text/html; charset=utf-8",
            body=html.encode(),
            hops=(hop,),
        )
        before = store.page(url)
        old, new = alike or (before.text if before else text, text)
        seen = watch.look(answer, TwoVersions(old=old, new=new), watch.glance(answer, before))
        store.save(
            PageRecord(
                answer=answer,
                site="a.example",
                at=at,
                document=Document(url=Url(url), text=text),
                kept=True,
                events=seen.events,
                states=seen.states,
                rows=seen.rows,
                retracted=seen.retracted,
            )
        )
        return seen

    return visiting
