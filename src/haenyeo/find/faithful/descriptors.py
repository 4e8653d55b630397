"""What is said about a link where it stands: its hyperlink descriptor.

Cho et al. (2005, sections 3 and 5): the words of the link and n words on each side, counted off in running text. The
paper rejects tags as borders, because authors use them in too many ways; n is 10 and "may vary". With
`within_paragraph`, which is not the paper's, a window ends with the paragraph that holds the link: what stands in the
next cell or entry of a menu is said of another link.
"""

from __future__ import annotations

import functools

from haenyeo.find.faithful.cosine import said
from haenyeo.model.pages import Link

WORDS_AROUND = 10
"""n of the paper."""
_LONGEST_PARAGRAPH = 2_000  # characters; in a longer one nearly every window is inside


def hyperlink_descriptor(
    link: Link, words_around: int = WORDS_AROUND, *, within_paragraph: bool = False
) -> frozenset[str]:
    """The words of a link and of the windows before and after it."""
    before, after = link.before.split()[-words_around:] if words_around else [], link.after.split()[:words_around]
    if within_paragraph and link.paragraph and len(link.paragraph) <= _LONGEST_PARAGRAPH:
        before, after = _inside(link, before, after)
    return frozenset(said(" ".join([*before, link.anchor, *after])))


def _inside(link: Link, before: list[str], after: list[str]) -> tuple[list[str], list[str]]:
    """The words of both windows that stand in the link's paragraph."""
    paragraph, run = _unspaced(link.paragraph), _unspaced(link.anchor)
    first, last = len(before), 0
    while first and before[first - 1] + run in paragraph:
        first -= 1
        run = before[first] + run
    while last < len(after) and run + after[last] in paragraph:
        run += after[last]
        last += 1
    return before[first:], after[:last]


@functools.lru_cache(maxsize=64)
def _unspaced(text: str) -> str:
    """The text without blanks: none may stand between a word and the link next to it."""
    return "".join(text.split())
