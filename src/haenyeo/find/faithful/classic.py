"""`fc`, the classic focused crawler: every link of a relevant page is followed, none of any other.

S. Chakrabarti et al., 1999, as Cho et al. (2005, sections 3 and 6) compare against it: pages are judged by the same
Naive Bayes as in `segment`, with the same number of features. What Kang & Kim (2020, section 4) call FC is breadth
first, the strategy `bfs`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from haenyeo.find.faithful.naive_bayes import NaiveBayes
from haenyeo.find.faithful.paper_scorer import REFUSED, RELEVANT
from haenyeo.find.faithful.segment import SegmentedContext, Segments, Window
from haenyeo.model.pages import Link
from haenyeo.model.parts import LinkedPage


class WholePages(Segments):
    """Rates a link by the page it stands on."""

    def see(self, page: LinkedPage) -> None:
        """Learn nothing from links: only the relevance of pages counts here."""

    def rate(self, page: LinkedPage, relevance: float) -> Sequence[float]:
        """The page's relevance for all its links; seeds are followed whatever they say."""
        followed = relevance >= self.threshold or page.depth == 0
        return [relevance if followed else REFUSED] * len(page.links)

    def weigh(self, link: Link) -> Mapping[str, float]:
        """No words, because they do not count here."""
        del link
        return {}


class ClassicFocused(SegmentedContext):
    """Follows the links of pages whose relevance reaches `threshold`; the other options are those of `segment`."""

    follows_lists = True

    def __init__(
        self,
        *,
        words: str = "",
        threshold: float = RELEVANT,
        features: int = 2_000,
        strength: float | None = None,
        weight: float | None = None,
    ) -> None:
        super().__init__(words=words, threshold=threshold, features=features, strength=strength, weight=weight)

    def _segments_of(self, links: NaiveBayes, pages: NaiveBayes, window: Window) -> Segments:
        return WholePages(self.words, links, pages, threshold=self.threshold, window=window)
