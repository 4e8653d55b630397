"""Lists as sentinels: when a list says that one of its items changed, that item is visited sooner.

Any page that links to several known pages of its site may be such a list. Its claims are believed as far as earlier
ones turned out right (`signals`), and a list that has proved its worth is visited on a cycle of its own.
"""

from __future__ import annotations

from haenyeo.collect.adapters.archive import archived_html
from haenyeo.collect.service.memory import Memory
from haenyeo.html.mime import ContentKind, kind_of
from haenyeo.html.parse import parse_html, parse_page
from haenyeo.html.urls import site_of
from haenyeo.model.errors import MarkupError
from haenyeo.model.pages import Markup
from haenyeo.model.visits import Answer, Outcome
from haenyeo.refresh.announcements import announced, entries_of
from haenyeo.store import Store, StoredPage

FEWEST_ITEMS = 4


class Sentinels:
    """Compares the versions of lists and tells the planner what they announce."""

    def __init__(self, store: Store, memory: Memory) -> None:
        self._store, self._memory = store, memory

    def look(self, answer: Answer, before: StoredPage, now: float) -> list[str]:
        """The pages that a new version of a page, stored already, announces to have changed since their last visit.

        Nobody knows when between the two versions that was; a page visited in the later half of the time is left out.
        """
        if answer.outcome is not Outcome.PAGE or before.fetched_at is None:
            return []
        if kind_of(answer.content_type, answer.body) is not ContentKind.HTML:
            return []
        try:
            new = parse_page(answer.body, answer.final_url, answer.content_type)
            items = self._items(new, answer.final_url)
            html = archived_html(self._store, before.url, before.fetched_at) if len(items) >= FEWEST_ITEMS else None
            old = parse_html(html, before.url) if html else None
        except MarkupError:
            return []
        if old is None:
            return []
        middle = (before.fetched_at.timestamp() + now) / 2
        told = announced(entries_of(old, items), entries_of(new, items))
        found = [item for item in told if items[item] <= middle]
        self._memory.heed_list(answer.final_url, found)
        return found

    def _items(self, page: Markup, url: str) -> dict[str, float]:
        """The known pages of the same site that a page links to, itself left out, and when they were last visited."""
        site = site_of(url)
        linked = [each for each in dict.fromkeys(link.url for link in page.links) if each != url]
        linked = [each for each in linked if site_of(each) == site]
        visits = self._memory.planner.last_visits(linked)
        return {address: visit for address, visit in zip(linked, visits, strict=True) if visit is not None}
