"""Does a page only say that it is gone? Some sites answer 200 where they should answer 404.

A page that has lost most of its words is compared with what the site says at an address that cannot exist. If it says
the same, the page is gone. One such address is asked for a site, and only once a page gives cause for suspicion.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Awaitable, Callable

import msgspec
import xxhash

from haenyeo.html.mime import ContentKind, kind_of
from haenyeo.html.parse import parse_page
from haenyeo.html.urls import origin_of
from haenyeo.model.errors import MarkupError
from haenyeo.model.pages import Url
from haenyeo.model.visits import Answer, Outcome
from haenyeo.store import StoredPage

REASON = "soft 404"
STILL_THERE = 0.4  # of a page's words; with more of them left it has changed, not gone
ALIKE = 0.8
SITES_REMEMBERED = 10_000

Ask = Callable[[Url], Awaitable[Answer]]
_WORD = re.compile(r"\w+")


class SoftGone:
    """Knows what each site says where there is nothing; `ask` fetches an address outside the store's view."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._apologies: dict[str, Counter[str] | None] = {}

    async def seen_through(self, answer: Answer, before: StoredPage) -> Answer:
        """The answer, as one of a page that is gone if that is what it says."""
        words = _words(answer)
        if words is None or not before.text or _kept(Counter(_WORD.findall(before.text)), words) > STILL_THERE:
            return answer
        apology = await self._apology(answer.final_url)
        if apology is None or _alike(apology, words) < ALIKE:
            return answer
        return msgspec.structs.replace(answer, outcome=Outcome.GONE, reason=REASON)

    async def _apology(self, url: Url) -> Counter[str] | None:
        """The words of the site's page for addresses that do not exist; None when it answers 404 as it should."""
        origin = origin_of(url)
        if origin not in self._apologies:
            if len(self._apologies) >= SITES_REMEMBERED:
                self._apologies.clear()
            nowhere = Url(f"{origin}/haenyeo-{xxhash.xxh3_64_hexdigest(origin.encode())}.html")
            self._apologies[origin] = _words(await self._ask(nowhere))
        return self._apologies[origin]


def _words(answer: Answer) -> Counter[str] | None:
    """The words of a page, if the answer is one."""
    if answer.outcome is not Outcome.PAGE or kind_of(answer.content_type, answer.body) is not ContentKind.HTML:
        return None
    try:
        markup = parse_page(answer.body, answer.final_url, answer.content_type)
    except MarkupError:
        return None
    return Counter(_WORD.findall(markup.text))


def _kept(old: Counter[str], new: Counter[str]) -> float:
    return (old & new).total() / max(1, old.total())


def _alike(one: Counter[str], other: Counter[str]) -> float:
    return 2 * (one & other).total() / max(1, one.total() + other.total())
