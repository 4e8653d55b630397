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
    """Pages that were fetched, those of them that show a product, all requests, and the bytes that came."""

    fetched: int
    products: int
    requests: int
    size: int

    def shown(self) -> list[str]:
        """Time, data, pages with products and accuracy by formula 1, as table 4.1 has them."""
        return [
            f"{self.requests} s, one request each",
            f"{self.size / 1e6:.2f} MB",
            f"{self.products} of {self.fetched}",
            f"{100 * self.products / max(1, self.fetched):.2f} %",
        ]


def wrapper_table() -> Table:
    """Both crawlers beside what is printed."""
    web = DemoWeb()
    products = frozenset(web.urls("product"))
    any_links, by_lists = _breadth_first(web, products).shown(), _by_lists(web, products).shown()
    rows: list[list[Cell]] = [
        [what, open_source, any_links[place], own, by_lists[place]]
        for place, (what, (open_source, own)) in enumerate(CRAWLERS.items())
    ]
    columns = ["", "open source, printed", "any links, here", "own crawler, printed", "lists and items, here"]
    return Table(title="Table 4.1: any links, or lists and their items", columns=columns, rows=rows)


def _breadth_first(web: DemoWeb, products: frozenset[str]) -> Crawled:
    """Every link is followed, as far as the budget goes."""
    waiting = deque([Url(web.url(SHOP))])
    seen, fetched, requests, size = set(waiting), list[Url](), 0, 0
    while waiting and len(fetched) < MOST:
        url = waiting.popleft()
        page = _page(web, url)
        requests += 1
        if page is None:
            continue
        fetched.append(url)
        size += len(page[0].encode())
        for link in page[1].links:
            address = canonical(link.url)
            if address and address not in seen:
                seen.add(address)
                waiting.append(address)
    return Crawled(len(fetched), sum(url in products for url in fetched), requests, size)


def _by_lists(web: DemoWeb, products: frozenset[str]) -> Crawled:
    """Lists first, then what they name; lists are no pages here, as the printed figures leave no room for them."""
    lists: list[Markup] = []
    items = list(_listed(web, lists))
    pages = {url: page for url in items if (page := _page(web, url)) is not None}
    size = sum(len(html.encode()) for html, _ in pages.values()) + sum(len(markup.utf8) for markup in lists)
    return Crawled(len(pages), sum(url in products for url in pages), len(items) + len(lists), size)


def _listed(web: DemoWeb, lists: list[Markup]) -> Iterator[Url]:
    """The items of a list, page by page; the pages of the list are added to `lists`."""
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
        lists.append(page[1])
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
