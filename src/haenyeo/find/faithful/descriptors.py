"""What is said about a link where it stands: its hyperlink descriptor.

Cho et al. (2005, section 3): the words of the link and up to 10 words on each side, counted off rather than taken from
tags. A window ends with the paragraph that holds the link: what stands in the next cell or entry of a menu is said of
another link. The paper leaves that open; counted on across paragraphs, every entry of a long list is also described by
its neighbours, and the threshold then lets whole menus pass.
"""

from __future__ import annotations

import functools

from haenyeo.find.faithful.cosine import said
from haenyeo.model.pages import Link

_LONGEST_PARAGRAPH = 2_000  # characters; in a longer one nearly every window is inside


def hyperlink_descriptor(link: Link) -> frozenset[str]:
    """The words of a link and of the windows before and after it, within its paragraph if that is known."""
    if not link.paragraph or len(link.paragraph) > _LONGEST_PARAGRAPH:
        return frozenset(said(f"{link.before} {link.anchor} {link.after}"))
    paragraph, run = _unspaced(link.paragraph), _unspaced(link.anchor)
    inside = [link.anchor]
    for word in reversed(link.before.split()):
        if word + run not in paragraph:
            break
        inside.insert(0, word)
        run = word + run
    for word in link.after.split():
        if run + word not in paragraph:
            break
        inside.append(word)
        run += word
    return frozenset(said(" ".join(inside)))


@functools.lru_cache(maxsize=64)
def _unspaced(text: str) -> str:
    """The text without blanks: none may stand between a word and the link next to it."""
    return "".join(text.split())
