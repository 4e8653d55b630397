"""Does a page only say that it is gone? Some sites answer 200 where they should answer 404.

A page that has lost most of its words, or a new one that resembles others and speaks of what is not found, is compared
with what its server says at an address that cannot exist. If it says the same, the page is gone. One such address is
asked of a server, and only once a page gives cause for suspicion.
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
THE_SAME = 0.9  # of a page that is new and may have a little text of its own between what all pages of its site have
SITES_REMEMBERED = 10_000

Ask = Callable[[Url], Awaitable[Answer]]
_WORD = re.compile(r"\w+")


class SoftGone:
    """Knows what each site says where there is nothing; `ask` fetches an address outside the store's view."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._apologies: dict[str, Counter[str] | None] = {}

    async def seen_through(self, answer: Answer, before: StoredPage) -> tuple[Answer, int]:
        """The answer, as one of a page that is gone if that is what it says, and the requests it took to find out."""
        words = _words(answer)
        if words is None or not before.text or _kept(Counter(_WORD.findall(before.text)), words) > STILL_THERE:
            return answer, 0
        asked = 0 if origin_of(answer.final_url) in self._apologies else await self.learn(answer)
        gone = self._is_apology(answer.final_url, words, ALIKE)
        return (msgspec.structs.replace(answer, outcome=Outcome.GONE, reason=REASON) if gone else answer), asked

    def is_gone(self, answer: Answer) -> bool:
        """Whether a page that is new only says that there is none; no if it is not known what its server says then.

        The page at the root of a server is one, even if the same is shown for all that is not there.
        """
        words = None if _is_root(answer.final_url) else _words(answer)
        return words is not None and self._is_apology(answer.final_url, words, THE_SAME)

    def knows(self, answer: Answer) -> bool:
        """Whether `is_gone` need not ask the answer's server before."""
        return _is_root(answer.final_url) or origin_of(answer.final_url) in self._apologies

    async def learn(self, answer: Answer) -> int:
        """Ask the answer's server for an address that cannot exist; returns how many requests that took.

        What it says is remembered, or that it answers 404 as it should; not that it gave no answer at all.
        """
        apology = await self._ask(nowhere(origin_of(answer.final_url)))
        self.take(apology)
        return len(apology.hops)

    def _is_apology(self, url: Url, words: Counter[str], alike: float) -> bool:
        apology = self._apologies.get(origin_of(url))
        return apology is not None and _alike(apology, words) >= alike

    def take(self, answer: Answer) -> None:
        """Remember what was answered to an address that cannot exist."""
        if len(self._apologies) >= SITES_REMEMBERED:
            self._apologies.clear()
        if answer.status:
            self._apologies[origin_of(answer.url)] = _words(answer)


def _is_root(url: Url) -> bool:
    return url == origin_of(url) + "/"


def nowhere(origin: str) -> Url:
    """An address of an origin that cannot exist, always the same."""
    return Url(f"{origin}/haenyeo-{xxhash.xxh3_64_hexdigest(origin.encode())}.html")


def _words(answer: Answer) -> Counter[str] | None:
    """The words of a page, if the answer is one."""
    if answer.outcome is not Outcome.PAGE or kind_of(answer.content_type, answer.body) is not ContentKind.HTML:
        return None
    try:
        markup = parse_page(answer.body, answer.final_url, answer.content_type)
    except MarkupError:
        return None
    words = Counter(_WORD.findall(markup.text))
    for word in _WORD.findall(answer.final_url):  # what the server repeats of the address tells nothing
        words.pop(word, None)
    return words


def _kept(old: Counter[str], new: Counter[str]) -> float:
    return (old & new).total() / max(1, old.total())


def _alike(one: Counter[str], other: Counter[str]) -> float:
    return 2 * (one & other).total() / max(1, one.total() + other.total())
