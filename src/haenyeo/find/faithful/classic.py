"""`fc`, the classic focused crawler: every link of a relevant page is followed, none of any other.

S. Chakrabarti et al., 1999, as Cho et al. (2005, sections 3 and 6) compare against it. What Kang & Kim (2020, section
4) call FC is breadth first, the strategy `bfs`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from haenyeo.find.faithful.paper_scorer import REFUSED, PaperScorer
from haenyeo.model.pages import Link
from haenyeo.model.parts import LinkedPage


class WholePages:
    """Rates a link by the page it stands on."""

    def __init__(self, threshold: float) -> None:
        self.threshold = threshold

    def teach(self, page: LinkedPage, *, relevant: bool) -> None:
        """Learn nothing: only the relevance of pages counts here."""

    def see(self, page: LinkedPage) -> None:
        """Learn nothing: only the relevance of pages counts here."""

    def rate(self, page: LinkedPage, relevance: float) -> Sequence[float]:
        """The page's relevance for all its links; seeds are followed whatever they say."""
        followed = relevance >= self.threshold or page.depth == 0
        return [relevance if followed else REFUSED] * len(page.links)

    def weigh(self, link: Link) -> Mapping[str, float]:
        """No words, because they do not count here."""
        del link
        return {}


class ClassicFocused(PaperScorer):
    """Follows the links of pages whose relevance reaches `threshold`."""

    follows_examples = False

    def __init__(self, *, words: str = "", threshold: float = 0.5) -> None:
        self.threshold = threshold
        super().__init__(words, lambda: WholePages(threshold))
