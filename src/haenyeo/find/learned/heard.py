"""Which pages has another crawl for the topic fetched that this one has learnt from, as if it had fetched them itself?

Where several crawls look for one topic, each learns from the first pages of all. What a crawl later tells the others in
sums must be its own alone, so the words of these pages are kept until sums replace them.
"""

from __future__ import annotations

import numpy as np

from haenyeo.find.learned.columns import Numbers
from haenyeo.find.learned.features import PageWords
from haenyeo.find.learned.memory import NOBODY, LinkMemory
from haenyeo.find.learned.state import of, pages_of, pages_state, under
from haenyeo.find.learned.topic_words import TopicWords, WordCounts


class HeardPages:
    """The words of pages that others have fetched, by the references of the pages."""

    def __init__(self) -> None:
        self.words: dict[int, PageWords] = {}

    def __len__(self) -> int:
        return len(self.words)

    def relevance(self, memory: LinkMemory) -> list[float]:
        """The relevance that each page is counted with, in order."""
        numbers = memory.numbers_of(self.words)
        counted: list[float] = np.where(numbers == NOBODY, 0.0, memory.relevance[numbers]).tolist()
        return counted

    def counted(self, memory: LinkMemory) -> WordCounts:
        """The words of all these pages as they are counted now."""
        counts = TopicWords()
        for words, relevance in zip(self.words.values(), self.relevance(memory), strict=True):
            counts.count(words, relevance)
        return counts.own

    def state(self) -> dict[str, Numbers]:
        """What `restore` needs; nothing if no page was heard of."""
        if not self.words:
            return {}
        return {"refs": np.fromiter(self.words, np.int64), **under("pages", pages_state(self.words.values()))}

    def restore(self, state: dict[str, Numbers]) -> None:
        """Become what another one was when it gave its state."""
        if state:
            self.words = dict(zip(state["refs"].tolist(), pages_of(of("pages", state)), strict=True))
