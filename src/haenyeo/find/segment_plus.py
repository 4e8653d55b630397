"""`segment-plus`: the words around a link and the page it stands on, learnt from what links led to.

Beside `segment-backlinks` (Cho et al. 2005), whose idea it is: every link is judged by itself, by Naive Bayes over its
hyperlink descriptor. Four things differ. Links that led to pages off the topic are learnt as such, not only those that
led to it. A descriptor ends with the link's paragraph: in menus twenty words of neighbours drown the link's own. Its
log-odds count by the square root of its number of words, since words that stand together are not independent. And the
relevance of the page is added, as the classic crawler would have it: half of the truth, not all or nothing.

Pages are judged by example (see `rocchio`): Naive Bayes is too sure of whole pages to teach itself by them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from haenyeo.find.faithful.descriptors import WORDS_AROUND
from haenyeo.find.faithful.naive_bayes import NaiveBayes
from haenyeo.find.faithful.paper_scorer import RELEVANT, PaperScorer
from haenyeo.find.faithful.segment import SegmentedBacklinks, Segments, Window, spread
from haenyeo.model.parts import Backlinks, LinkedPage, Reason

PAGE_WEIGHT = 4.0
"""Log-odds between the links of a relevant page and those of another; chosen on Korean help and on computer science
departments, checked on Wikipedia for Schools, developers' blogs and manuals."""


class SegmentsOfPages(Segments):
    """Rates links by their descriptors and by the pages they stand on."""

    page_weight = PAGE_WEIGHT

    @property
    def can_judge(self) -> bool:
        """Never: pages are judged by example."""
        return False

    def rate(self, page: LinkedPage, relevance: float) -> Sequence[float]:
        """What a descriptor says, by the square root of its length, and the relevance of the page."""
        of_page = self.page_weight * (relevance - 0.5)
        return [spread(self._evidence(self.window.of(link)) + of_page) for link in page.links]

    def _evidence(self, descriptor: frozenset[str]) -> float:
        return self.links.log_odds(descriptor) / math.sqrt(max(1, len(descriptor)))


class SegmentPlus(SegmentedBacklinks):
    """Follows the best link there is; learns from links that led to the topic and from those that did not.

    `page_weight` is how much the page counts on which a link stands; the other options are those of `segment`.
    """

    def __init__(
        self,
        *,
        words: str = "",
        features: int = 20_000,
        words_around: int = WORDS_AROUND,
        within_paragraph: bool = True,
        page_weight: float = PAGE_WEIGHT,
        backlinks: Backlinks | None = None,
    ) -> None:
        self.page_weight = page_weight
        super().__init__(
            words=words,
            features=features,
            words_around=words_around,
            within_paragraph=within_paragraph,
            backlinks=backlinks,
        )

    def why_page(self, title: str, text: str) -> Sequence[Reason]:
        """How well the page matches the examples."""
        return PaperScorer.why_page(self, title, text)

    def _segments_of(self, links: NaiveBayes, pages: NaiveBayes, window: Window) -> Segments:
        segments = SegmentsOfPages(self.words, links, pages, threshold=0.0, window=window)
        segments.page_weight = self.page_weight
        return segments

    def _learn_from(self, led_there: Sequence[frozenset[str]], relevance: float) -> None:
        self._learn(led_there, relevant=relevance >= RELEVANT)
