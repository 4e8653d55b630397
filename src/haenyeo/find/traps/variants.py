"""Do session numbers and the order of parameters mean anything on this site? Learned from pages met twice.

Two addresses that differ in nothing else, and have the same text, show that it means nothing here; from then on all
addresses that differ in this alone have one key. One such pair is enough: that the same parameters in another order, or
another session, give the same page by chance is less likely than that they give it always. But one pair with different
texts shows that it has a meaning, for good: what was learned is taken back, and a few pages are read twice.
"""

from __future__ import annotations

from collections.abc import Iterable

from haenyeo.find.traps.spellings import Content
from haenyeo.html.urls import variant
from haenyeo.model.pages import Url

_MOST_READ = 1024
_MOST_FORMS = 128

SESSIONS, ORDER = "sessions", "order"
HAS_MEANING = "not "
"""Stands before what was seen to have a meaning, in what is kept."""


class Variants:
    """What has no meaning on one site, of `SESSIONS` and `ORDER`; `learned` is what `dump` gave before.

    `pages` are those read last: after a restart they must not be read again under another of their addresses.
    """

    def __init__(self, learned: Iterable[str] = (), pages: Iterable[tuple[str, Content]] = ()) -> None:
        learned = set(learned)
        self._meaningful = {kind for kind in (SESSIONS, ORDER) if HAS_MEANING + kind in learned}
        self.meaningless = {kind for kind in (SESSIONS, ORDER) if kind in learned}
        self._read: dict[str, str] = {}
        self._last: dict[str, tuple[str, Content]] = {}
        pages = list(pages)
        for url, content in pages:
            self._remember(_spelled(url, sessions=True, ordered=True), url, content)
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
        same, different = self._compared(url, content)
        self._meaningful |= different
        before, self.meaningless = self.meaningless, (self.meaningless | same) - self._meaningful
        if self.meaningless != before:
            self._read.clear()
            self._note_all(pages)
        elif self.meaningless:
            self._note(url)
        return self.meaningless != before

    def dump(self) -> list[str]:
        """What was learned, as plain values."""
        return sorted(self.meaningless) + sorted(HAS_MEANING + kind for kind in self._meaningful)

    def _compared(self, url: str, content: Content) -> tuple[set[str], set[str]]:
        """In what alone an address differs from the last one with the same text, or from one with a different text."""
        form = _spelled(url, sessions=True, ordered=True)
        other, text = self._last.pop(form, (url, content))
        self._remember(form, url, content)
        if other == url:
            return set(), set()
        kinds = {
            kind
            for kind, is_order in ((ORDER, True), (SESSIONS, False))
            if _spelled(url, sessions=is_order, ordered=not is_order)
            != _spelled(other, sessions=is_order, ordered=not is_order)
        }
        if text[0] == content[0] or text[1] == content[1]:
            return kinds, set()
        return set(), kinds if len(kinds) == 1 else set()  # of two differences one may still mean nothing

    def _remember(self, form: str, url: str, content: Content) -> None:
        if len(self._last) >= _MOST_FORMS:
            del self._last[next(iter(self._last))]
        self._last[form] = url, content

    def _note_all(self, pages: Iterable[tuple[str, Content]]) -> None:
        for url, _ in pages:
            self._note(url)

    def _note(self, url: str) -> None:
        if len(self._read) >= _MOST_READ:
            del self._read[next(iter(self._read))]
        self._read.setdefault(self.key(url), url)


def _spelled(url: str, *, sessions: bool, ordered: bool) -> str:
    """The address without sessions, with its parameters in order, or both."""
    return variant(Url(url), sessions=sessions, ordered=ordered)
