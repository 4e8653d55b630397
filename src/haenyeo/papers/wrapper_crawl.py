"""Table 4.1 of Cho, Lee & Choi 2013 on the demo web's shop: every link, or lists and items.

The first follows links breadth first from the shop's front page. The second learns a rule from the first page of the
shop's list, goes through the list's further pages, and takes the items that they name, each once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import urlsplit

from haenyeo.demo import DemoWeb
from haenyeo.html.charset import decode
from haenyeo.html.parse import parse_html
from haenyeo.html.urls import canonical, resolve
from haenyeo.model.pages import Markup, Url
from haenyeo.papers.printed_cycles import CRAWLERS
from haenyeo.papers.report import Cell, Table
from haenyeo.watch.address_patterns import list_patterns, patterns_of
from haenyeo.watch.item_map import CategoryPatterns, ItemMap
from haenyeo.watch.paging import next_page
from haenyeo.watch.rules.learn import learn_rule

SHOP, LIST = "harbourshop", "/goods?cat=divers"
MOST = 400
"""Pages that the first crawler fetches."""


class Crawled(NamedTuple):
    """Pages that were fetched, and those of them that show a product."""

    fetched: int
    products: int

    @property
    def accuracy(self) -> float:
        """Formula 1, in %."""
        return 100 * self.products / max(1, self.fetched)


def wrapper_table() -> Table:
    """Both crawlers beside what is printed."""
    web = DemoWeb()
    products = frozenset(web.urls("product"))
    ours = {"open source": _breadth_first(web, products), "own wrapper": _by_lists(web, products)}
    rows: list[list[Cell]] = [
        [name, found, fetched, accuracy, ours[name].products, ours[name].fetched, round(ours[name].accuracy, 2)]
        for name, (found, fetched, accuracy) in CRAWLERS.items()
    ]
    columns = ["crawler", "products, printed", "pages, printed", "accuracy, printed %"]
    columns += ["products here", "pages here", "accuracy here %"]
    return Table(title="Table 4.1: any links, or lists and their items", columns=columns, rows=rows)


def _breadth_first(web: DemoWeb, products: frozenset[str]) -> Crawled:
    """Every link is followed, as far as the budget goes."""
    waiting = deque([Url(web.url(SHOP))])
    seen, fetched = set(waiting), list[Url]()
    while waiting and len(fetched) < MOST:
        url = waiting.popleft()
        page = _page(web, url)
        if page is None:
            continue
        fetched.append(url)
        for link in page[1].links:
            address = canonical(link.url)
            if address and address not in seen:
                seen.add(address)
                waiting.append(address)
    return Crawled(len(fetched), sum(url in products for url in fetched))


def _by_lists(web: DemoWeb, products: frozenset[str]) -> Crawled:
    """Lists first, then what they name; lists are not counted, as the printed figures leave no room for them."""
    items = list(_listed(web))
    fetched = [url for url in items if _page(web, url) is not None]
    return Crawled(len(fetched), sum(url in products for url in fetched))


def _listed(web: DemoWeb) -> Iterator[Url]:
    first = Url(web.url(SHOP, LIST))
    page = _page(web, first)
    rule = learn_rule(page[0]) if page else None
    if page is None or rule is None:
        return
    further = next_page(page[1], first)
    links = [name for name, field in rule.fields.items() if field.source == "href"]
    named = [resolve(first, row[name]) for row in rule.extract(page[0]) for name in links if row.get(name)]
    patterns = CategoryPatterns(
        list_patterns(first, [further] if further else []), patterns_of([link for link in named if link])
    )
    items, here = ItemMap({"goods": patterns}), first
    while page is not None:
        found = [resolve(here, row[name]) for row in rule.extract(page[0]) for name in links if row.get(name)]
        yield from items.found(here, [link for link in found if link])
        after = next_page(page[1], here)
        page = _page(web, after) if after else None
        here = after or here


def _page(web: DemoWeb, url: Url) -> tuple[str, Markup] | None:
    parts = urlsplit(url)
    reply = web.answer(parts.netloc, parts.path + (f"?{parts.query}" if parts.query else ""))
    if reply.status != 200:  # noqa: PLR2004 - HTTP's OK
        return None
    types = [value for name, value in reply.headers if name.lower() == "content-type"]
    html = decode(reply.body, types[0] if types else None)
    return html, parse_html(html, url)
