"""Park, Oh & Lee 2002: the patterns that repeat in a page's source are its layout; any difference is a change.

Section 4's pseudocode of the modified Vilo search deletes nodes while it adds them and leaves open which of two equal
ones stays. It is read here as its text says: a pattern is a sequence of tags and TEXT that occurs at least K times, has
at least three different tokens, and is not part of a longer such sequence (section 3, conditions 1 to 4; section 4.2,
longest patterns). Tokens rarer than K cannot be in a pattern, so replacing them by `$` changes nothing and is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from haenyeo.watch.layout import Layout, LayoutChange, PageLayout
from haenyeo.watch.repeats import maximal_repeats
from haenyeo.watch.tokens import TEXT_MARK

Pattern = tuple[str, ...]
"""Tokens as the paper writes them: `<H1>`, `TEXT`, `</H1>`."""

FORMATTING = frozenset(["tt", "i", "b", "big", "small", "strike", "s", "u"])
"""Tags that count as text (section 4.2; the paper's garbled D is I)."""
TIMES = 10
"""K of the paper's experiment."""
_MOST_TOKENS = 100_000
_LEAST_DIFFERENT = 3


def paper_tokens(tokens: Iterable[str]) -> list[str]:
    """Section 4.1: tags without attributes and TEXT.

    Formatting tags and the text next to them are one TEXT; where one formatted piece ends and the next begins without
    text between them, there are two.
    """
    found: list[str] = []
    before = ""
    for token in tokens:
        if token[0] == TEXT_MARK or token.removeprefix("/") in FORMATTING:
            begins = token in FORMATTING and before.removeprefix("/") in FORMATTING and before[0] == "/"
            if begins or not found or found[-1] != "TEXT":
                found.append("TEXT")
        else:
            found.append(f"<{token.upper()}>")
        before = token
    return found


def find_patterns(tokens: Sequence[str], times: int = TIMES) -> frozenset[Pattern]:
    """Section 4.2: the longest patterns of a page, given as the paper's tokens."""
    kept = tokens[:_MOST_TOKENS]
    numbers: dict[str, int] = {}
    sequence = [numbers.setdefault(token, len(numbers)) for token in kept]
    found = (tuple(kept[start : start + length]) for start, length in maximal_repeats(sequence, times))
    return frozenset(pattern for pattern in found if len(set(pattern)) >= _LEAST_DIFFERENT)


class Vilo:
    """The paper's watcher: every pattern must be the same, exactly; `times` is its K."""

    def __init__(self, *, times: int = TIMES) -> None:
        self.times = times

    def compare(self, old: Layout, new: Layout) -> LayoutChange:
        """An alarm unless a new page has exactly the patterns of an old one; the paper compares one page with one."""
        before = [self._patterns(page) for page in old.pages]
        after = [self._patterns(page) for page in new.pages]
        if not before or not after or any(patterns in before for patterns in after):
            return LayoutChange()
        gone, new_ones = before[0] - after[0], after[0] - before[0]
        score = len(gone | new_ones) / len(before[0] | after[0])
        return LayoutChange(
            alarm=True, score=round(score, 4), why=(f"{len(gone)} patterns are gone, {len(new_ones)} are new",)
        )

    def _patterns(self, page: PageLayout) -> frozenset[Pattern]:
        return find_patterns(paper_tokens(page.tokens), self.times)
