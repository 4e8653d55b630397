"""The sockets: what a replaceable part must be able to do, each named for the question it answers.

Parts are found by entry points (`haenyeo.scorers`, ...) and named in `[strategy]`, built-in ones like plug-ins.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

import msgspec

from haenyeo.model.pages import Link, Url
from haenyeo.model.visits import Answer

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class LinkScorer(Protocol):
    """Which link is worth a visit? Answered from the links of a page alone; a scorer that learns is a `TopicScorer`."""

    def score(self, links: Sequence[Link], depth: int) -> Sequence[float]:
        """The worth of each link of one page, 0 to 1; `depth` is the page's distance from the seeds."""
        ...


SaidHow = Literal["given", "volunteered", "asked"]
"""How the user came to speak of a page: gave it beforehand, judged it on his own, or was asked about it."""


class LinkedPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page as a topic's scorer sees it.

    `key` is the number the page is known by, `targets` are those of the pages its `links` lead to, in the same order;
    `depth` is its distance from the seeds, and `start` says that it is one of them. `text` is all its text, `main` what
    is left of it without menus and the like; `heading` and `subheadings` are the headings of the first level and of all
    others, one a line; `language` is that of its text (ISO 639-1), if it is known. `said` tells how the user came to
    speak of a page that is an example.
    """

    key: int
    url: Url
    title: str = ""
    text: str = ""
    main: str = ""
    heading: str = ""
    subheadings: str = ""
    language: str = ""
    said: SaidHow = "given"
    depth: int = 0
    start: bool = False
    links: Sequence[Link] = ()
    targets: Sequence[int] = ()

    def without_words(self) -> LinkedPage:
        """The page as one that says nothing, but leads on."""
        return msgspec.structs.replace(self, title="", text="", main="", heading="", subheadings="")


class Judgement(NamedTuple):
    """How relevant a page is, 0 to 1, and what each of its links is worth."""

    relevance: float
    scores: Sequence[float]


class Reason(msgspec.Struct, frozen=True):
    """One reason for a score: `weight` is above 0 if it speaks for the link or page, below 0 if against it.

    Several reasons are given strongest first.
    """

    what: str
    weight: float


Backlinks = Callable[[Url], Iterable[Link]]
"""Gives the links known to lead to a page, with the words around them."""


class TopicScorer(Protocol):
    """Is a page on the topic, and which links lead to more such pages?

    Made with the topic's words, `words=`. One that also takes `backlinks=` (a `Backlinks`) or `ontology=` (a table of
    terms and their broader terms) is given those too. What it was told is remembered in `dump`, so that `restore` can
    go on. One that has `glance(page)` is asked by it for its `Judgement` of pages that another topic of the same crawl
    has asked for, from which it need not learn; without it, such pages are visits like others. `other_example(page)`
    tells one that has it of pages that another topic likes, where the user gave no counter-examples. If its
    `follows_lists` is False, no sitemaps and feeds are read; its `words_around` are the words wanted on each side of a
    link, if these are more than 10.
    """

    def example(self, page: LinkedPage, *, relevant: bool) -> Sequence[float]:
        """Learn from a page that the user gave as an example, good or bad; returns the worth of its links."""
        ...

    def visit(self, page: LinkedPage) -> Judgement:
        """Judge a page that was just fetched, learn from it, and score its links."""
        ...

    def revise(self) -> tuple[Sequence[int], Sequence[float]]:
        """Called after each page: the keys of waiting pages whose worth has changed, and the worth now."""
        ...

    def relevance(self, key: int) -> float | None:
        """How relevant a fetched page is by what is known now, 0 to 1; None if the page is not remembered."""
        ...

    def why_link(self, key: int, links: Sequence[Link]) -> Sequence[Reason]:
        """The reasons for the worth of a page that waits; `links` are the known links to it."""
        ...

    def why_page(self, title: str, text: str) -> Sequence[Reason]:
        """The reasons for the relevance of a page with this title and text."""
        ...

    def dump(self) -> bytes:
        """Everything this scorer has learnt, as bytes for `restore`."""
        ...

    def restore(self, data: bytes) -> None:
        """Take over the state that another scorer of the same kind dumped."""
        ...


Ask = Callable[[Url], Awaitable[Answer]]
"""Asks for an address, within the limits and at the pace of a crawl."""


class SeedsWanted(msgspec.Struct, frozen=True, kw_only=True):
    """What a source of seeds is told: the topic's words, how many addresses are enough, and what the collection knows.

    `folder` is the collection's, `feeds` are those it has read, and `is_new` says whether a page was never visited.
    """

    words: str
    most: int
    folder: Path
    feeds: Sequence[Url] = ()
    is_new: Callable[[Url], bool] = lambda _: True


class SeedSource(Protocol):
    """Finds first addresses for a crawl that was given none. Made with `settings=`, a `SeedSettings`."""

    async def seeds(self, wanted: SeedsWanted, ask: Ask) -> Sequence[Url]:
        """Addresses to begin with, the best first; none if there is nothing to ask. Raises `SeedError`."""
        ...


Goal = Literal["fresh", "capture"]
"""What revisits are spent on: copies that are fresh most of the time, or as many versions as possible."""


class RevisitPlanner(Protocol):
    """When is a page worth another look? Times are unix seconds; the state goes through `dump` and `load`."""

    def add(self, urls: Sequence[str], sites: Sequence[str], now: float) -> None:
        """Take in pages that have just been read for the first time."""
        ...

    def due(self, now: float, limit: int) -> list[str]:
        """At most `limit` different pages to visit now, the most urgent first."""
        ...

    def observe(self, urls: Sequence[str], now: float, changed: Sequence[bool]) -> None:
        """Learn from visits made now; `changed` says of each page whether it differs from the last visit."""
        ...

    def rest(self, urls: Sequence[str], until: float) -> None:
        """Leave these pages alone until `until`, because they cannot be visited now."""
        ...

    def hint(self, urls: Sequence[str], chance: float) -> None:
        """Take in a claim that these pages have changed since their last visit; it is right with this chance."""
        ...

    def last_visits(self, urls: Sequence[str]) -> list[float | None]:
        """When each page was last visited; None for pages this planner does not know."""
        ...

    def touch(self, urls: Sequence[str], now: float) -> None:
        """Count these pages as visited without learning anything; used to forecast what will be due."""
        ...

    def planned(self) -> int:
        """How many pages are planned for, without retired ones."""
        ...

    def chances(self, now: float) -> npt.NDArray[np.floating] | None:
        """The chance that each copy is still fresh; None if this kind of planner does not estimate it."""
        ...

    def retire(self, urls: Sequence[str]) -> None:
        """Never plan these pages again, because they are gone; `add` brings them back."""
        ...

    def dump(self) -> bytes:
        """Everything the planner knows, as bytes for `load`."""
        ...

    def load(self, data: bytes) -> None:
        """Take over what `dump` gave; raises `StoreError` for damaged bytes and for those of another planner."""
        ...


Permit = Callable[[Url], Awaitable[str]]
"""Asked before a redirect is followed; waits for the target's turn and returns "" to go on, or the reason not to."""
