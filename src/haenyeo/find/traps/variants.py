"""Do session numbers and the order of parameters mean anything on this site? Learned from pages met twice.

Two addresses that differ in nothing else, and have the same text, show that it means nothing here; from then on all
addresses that differ in this alone have one key. One such pair is enough: that the same parameters in another order, or
another session, give the same page by chance is less likely than that they give it always.
"""

from __future__ import annotations

from collections.abc import Iterable

from haenyeo.find.traps.spellings import Content
from haenyeo.html.urls import variant
from haenyeo.model.pages import Url

_MOST_READ = 1024

SESSIONS, ORDER = "sessions", "order"


class Variants:
    """What has no meaning on one site, of `SESSIONS` and `ORDER`; `meaningless` is what was learned before.

    `pages` are those read last: after a restart they must not be read again under another of their addresses.
    """

    def __init__(self, meaningless: Iterable[str] = (), pages: Iterable[tuple[str, Content]] = ()) -> None:
        self.meaningless = set(meaningless)
        self._read: dict[str, str] = {}
        if self.meaningless:
            self._note_all(pages)

    def key(self, url: str) -> str:
        """The address in one spelling for all that lead to the same page."""
        if not self.meaningless:
            return url
        return variant(Url(url), sessions=SESSIONS in self.meaningless, ordered=ORDER in self.meaningless)

    def repeats(self, url: str) -> bool:
        """Whether the page was read before under another address."""
        return bool(self.meaningless) and self._read.get(self.key(url), url) != url

    def count(self, url: str, content: Content, pages: Iterable[tuple[str, Content]]) -> bool:
        """Note a page that was read; `pages` are those read last. Returns True if addresses have another key now."""
        pages = list(pages)
        learned = self._learned(url, content, pages) - self.meaningless
        if learned:
            self.meaningless |= learned
            self._read.clear()
            self._note_all(pages)
        elif self.meaningless:
            self._note(url)
        return bool(learned)

    def _learned(self, url: str, content: Content, pages: list[tuple[str, Content]]) -> set[str]:
        """In what an address differs from others with the same text, if in nothing else."""
        if len(self.meaningless) == len((SESSIONS, ORDER)):
            return set()
        own = _spellings(url)
        found: set[str] = set()
        for other, text in pages:
            if other != url and (text[0] == content[0] or text[1] == content[1]):
                theirs = _spellings(other)
                if own[2] == theirs[2]:
                    found |= {ORDER} if own[0] != theirs[0] else set()
                    found |= {SESSIONS} if own[1] != theirs[1] else set()
        return found

    def _note_all(self, pages: Iterable[tuple[str, Content]]) -> None:
        for url, _ in pages:
            self._note(url)

    def _note(self, url: str) -> None:
        if len(self._read) >= _MOST_READ:
            del self._read[next(iter(self._read))]
        self._read.setdefault(self.key(url), url)


def _spellings(url: str) -> tuple[Url, Url, Url]:
    """The address without sessions, with its parameters in order, and both."""
    address = Url(url)
    return (
        variant(address, sessions=True, ordered=False),
        variant(address, sessions=False, ordered=True),
        variant(address, sessions=True, ordered=True),
    )
