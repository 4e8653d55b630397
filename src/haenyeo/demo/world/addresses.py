"""How the addresses of a site look, and what an address means."""

from __future__ import annotations

import re
from urllib.parse import quote

from haenyeo.demo.clock import moment
from haenyeo.demo.world.items import Item
from haenyeo.demo.world.spec import SiteSpec

EVERYTHING = "all"
"""The name of the list that has the items of every topic."""

_PAGE_IN_PATH = re.compile(r"(.*/)page/([1-9]\d{0,3})/")
_PAGE_IN_NAME = re.compile(r"(.*)-([1-9]\d{0,3})(\.htm)")
_ITEMS = {
    "dated": "/{date}/{tail}/",
    "section": "/{folder}/{tail}.html",
    "board": "/board/view.php?id={topic}&no={number}",
    "docs": "/docs/{topic}/{tail}/",
    "shop": "/p/{number}{slug}",
    "tilde": "/~harold/page{number}.htm",
}
_LISTS = {
    "dated": ("/{topic}/", "/{topic}/page/{page}/"),
    "section": ("/{topic}/", "/{topic}/?page={page}"),
    "board": ("/board/list.php?id={topic}", "/board/list.php?id={topic}&page={page}"),
    "wiki": ("/category/{topic}", "/category/{topic}?page={page}"),
    "docs": ("/docs/{topic}/", "/docs/{topic}/?page={page}"),
    "shop": ("/goods?cat={topic}", "/goods?cat={topic}&page={page}"),
    "tilde": ("/~harold/{topic}.htm", "/~harold/{topic}-{page}.htm"),
}


class Addresses:
    """The paths of one site."""

    def __init__(self, spec: SiteSpec) -> None:
        self._style = spec.addresses
        self._topics = (EVERYTHING, *spec.topics)
        self._folders = {self.listing(topic, 1): topic for topic in self._topics}

    def item(self, item: Item) -> str:
        """The path of an item's page."""
        if self._style == "wiki":
            return "/wiki/" + quote(f"{item.title}_{item.number}".replace(" ", "_").replace("?", ""), safe=",:")
        slug, number = item.slug, item.number
        return _ITEMS[self._style].format(
            date=f"{moment(item.born):%Y/%m/%d}",
            folder="members" if item.members else item.topic,
            tail=f"{slug}-{number}" if slug else number,
            topic=item.topic,
            number=number,
            slug=f"/{slug}" if slug else "",
        )

    def moved(self, item: Item) -> str:
        """The path an item's page has after it moved."""
        return f"/archive/{item.number}/{item.slug}".rstrip("/")

    def listing(self, topic: str, page: int) -> str:
        """The path of a page of a list, of one topic or of everything."""
        first, other = _LISTS[self._style]
        return (first if page == 1 else other).format(topic=topic, page=page)

    def read_listing(self, path: str, query: dict[str, str]) -> tuple[str, int] | None:
        """The topic and page of a list's address."""
        page = query.get("page", "1")
        for pattern in (_PAGE_IN_PATH, _PAGE_IN_NAME):
            if found := pattern.fullmatch(path):
                path, page = found[1] + "".join(found.groups()[2:]), found[2]
        asked = {"/goods": f"/goods?cat={query.get('cat')}", "/board/list.php": f"/board/list.php?id={query.get('id')}"}
        topic = self._folders.get(asked.get(path, path))
        if topic is None or not re.fullmatch(r"[1-9]\d{0,3}", page):
            return None
        return topic, int(page)
