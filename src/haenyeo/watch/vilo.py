"""Park, Oh & Lee 2002: the patterns that repeat in a page's source are its layout; any difference is a change.

Section 4's pseudocode of the modified Vilo search deletes nodes while it adds them and leaves open which of two equal
ones stays. It is read here as its text says: a pattern is a sequence of tags and TEXT that occurs at least K times, has
at least three different tokens, and is not part of a longer such sequence (section 3, conditions 1 to 4; section 4.2,
longest patterns). Tokens rarer than K cannot be in a pattern, so replacing them by `$` changes nothing and is left out.
`vilo_printed` follows the pseudocode to the letter, so that the two can be compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from haenyeo.model.errors import UsageError
from haenyeo.watch.layout import Layout, LayoutChange, PageLayout
from haenyeo.watch.repeats import maximal_repeats
from haenyeo.watch.tokens import TEXT_MARK

Pattern = tuple[str, ...]
"""Tokens as the paper writes them: `<H1>`, `TEXT`, `</H1>`."""

FORMATTING = frozenset(["tt", "i", "b", "big", "small", "strike", "s", "u"])
"""Tags that count as text (section 4.2; the paper's garbled D is I)."""
TIMES = 10
"""K of the paper's experiment."""
MOST_TOKENS = 100_000
"""Tokens of a page that are looked at."""
LEAST_DIFFERENT = 3
"""Tokens that a pattern must have that differ (section 3, condition 3)."""


def paper_tokens(tokens: Iterable[str], *, merge: bool = True) -> list[str]:
    """Section 4.1: tags without attributes and TEXT.

    Formatting tags and the text next to them are one TEXT; where one formatted piece ends and the next begins without
    text between them, there are two. Without `merge` each is a TEXT of its own, as the words of section 4.2 can be read
    too; but then formatting here and there hides what repeats, which is why the paper replaces it.
    """
    if not merge:
        return ["TEXT" if _is_text(token) else f"<{token.upper()}>" for token in tokens]
    found: list[str] = []
    before = ""
    for token in tokens:
        if _is_text(token):
            begins = token in FORMATTING and before.removeprefix("/") in FORMATTING and before[0] == "/"
            if begins or not found or found[-1] != "TEXT":
                found.append("TEXT")
        else:
            found.append(f"<{token.upper()}>")
        before = token
    return found


def _is_text(token: str) -> bool:
    return token[0] == TEXT_MARK or token.removeprefix("/") in FORMATTING


def find_patterns(tokens: Sequence[str], times: int = TIMES) -> frozenset[Pattern]:
    """Section 4.2: the longest patterns of a page, given as the paper's tokens."""
    kept = tokens[:MOST_TOKENS]
    numbers: dict[str, int] = {}
    sequence = [numbers.setdefault(token, len(numbers)) for token in kept]
    found = (tuple(kept[start : start + length]) for start, length in maximal_repeats(sequence, times))
    return frozenset(pattern for pattern in found if len(set(pattern)) >= LEAST_DIFFERENT)


class Vilo:
    """The paper's watcher: every pattern must be the same, exactly; `times` is its K.

    `merge_text` makes formatting tags and the text next to them one TEXT.
    """

    def __init__(self, *, times: int = TIMES, merge_text: bool = True) -> None:
        if times < 1:
            raise UsageError(f"times is {times}; a pattern occurs at least once")
        self.times, self.merge_text = times, merge_text

    def compare(self, old: Layout, new: Layout) -> LayoutChange:
        """An alarm unless a new page has exactly the patterns of an old one; the paper compares one page with one."""
        before = [self.patterns(page) for page in old.pages]
        after = [self.patterns(page) for page in new.pages]
        if not before or not after or any(patterns in before for patterns in after):
            return LayoutChange()
        return compared(before[0], after[0])

    def patterns(self, page: PageLayout) -> frozenset[Pattern]:
        """The patterns of a page."""
        return find_patterns(paper_tokens(page.tokens, merge=self.merge_text), self.times)


def compared(before: frozenset[Pattern], after: frozenset[Pattern]) -> LayoutChange:
    """Section 4.3: the number of patterns and each whole pattern must be the same; anything else is a change."""
    if before == after:
        return LayoutChange()
    gone, come = before - after, after - before
    score = len(gone | come) / len(before | after)
    why = f"{len(gone)} patterns are gone, {len(come)} are new"
    return LayoutChange(alarm=True, score=round(score, 4), why=(why,))
