"""Seeds out of the feeds the collection has come across: what is new in them, the newest feed first."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from haenyeo.html.sitemaps import entries
from haenyeo.model.config import SeedSettings
from haenyeo.model.pages import Url
from haenyeo.model.parts import Ask, SeedsWanted
from haenyeo.model.visits import Outcome

_MOST_ENTRIES = 1_000  # looked at in one feed


class OwnFeeds:
    """Asks the feeds again that the collection has read."""

    def __init__(self, *, settings: SeedSettings) -> None:
        self.settings = settings

    async def seeds(self, wanted: SeedsWanted, ask: Ask) -> Sequence[Url]:
        """The pages the feeds name that were never visited, evenly from all feeds."""
        found: list[list[Url]] = []
        for feed in wanted.feeds:
            answer = await ask(feed)
            if answer.outcome is Outcome.PAGE:
                listed = islice(entries(answer.body, answer.final_url), _MOST_ENTRIES)
                found.append([entry.url for entry in listed if not entry.is_sitemap and wanted.is_new(entry.url)])
        longest = max(map(len, found), default=0)
        turns = (urls[place] for place in range(longest) for urls in found if place < len(urls))
        return list(dict.fromkeys(turns))[: wanted.most]
