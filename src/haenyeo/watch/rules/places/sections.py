"""Under which heading do a rule's records stand, when a page puts several lists under headings of one kind?

A redesign may gather lists that had pages of their own: published and unpublished decisions, men's and women's shoes.
What told them apart is often still said: a word that each record of the old page had, or the heading above them, is now
in the heading of one section. If it is in that of one section only, and that heading says nothing that the old page did
not, the records are those under it.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from haenyeo.watch.rules.places.tree import Element, Tree

_WORD = re.compile(r"[^\W\d_]{2,}")
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_NEARLY_ALL = 0.9
_FEWEST = 3  # records of which it can be said what they have in common
_LOOKED_AT = 200
_RECORDS_A_SECTION = 2  # on average; fewer, and the headings are the records' own
_LONGEST = 120  # characters of a heading


class Heading(msgspec.Struct, frozen=True):
    """The last element of this tag before a record says this."""

    tag: str
    text: str

    def stands_above(self, tree: Tree, roots: Sequence[Element]) -> list[Element]:
        """Those of the elements, which are in document order, that stand under this heading."""
        above = _above(tree, roots, self.tag)
        return [root for root in roots if above.get(root.number) == self.text]

    def condition(self) -> str:
        """The condition as XPath, to be put behind a record's path."""
        quote = "'" if '"' in self.text else '"'
        return f"[preceding::{self.tag}[1][normalize-space()={quote}{self.text}{quote}]]"


def words_around(tree: Tree, roots: Sequence[Element]) -> tuple[str, ...]:
    """The words that nearly all of these records have, and those of the headings above the first of them."""
    if len(roots) < _FEWEST:
        return ()
    looked_at = roots[:_LOOKED_AT]
    times = Counter(word for root in looked_at for word in _words(" ".join(tree.pieces(root))))
    common = {word for word, count in times.items() if count >= _NEARLY_ALL * len(looked_at)}
    for tag in HEADINGS:
        common |= _words(_above(tree, roots[:1], tag).get(roots[0].number, ""))
    return tuple(sorted(common))


def section_of(tree: Tree, roots: Sequence[Element], known: Sequence[str]) -> Heading | None:
    """The heading of the one section in which the records of a page must be of which these words are known."""
    for tag in HEADINGS if known else ():
        sizes = Counter(_above(tree, roots, tag).values())
        heading = _only_one_known(list(sizes), frozenset(known))
        if heading and sizes[heading] > 1 and sizes.total() >= _RECORDS_A_SECTION * len(sizes):
            return Heading(tag, heading)
    return None


def _only_one_known(headings: Sequence[str], known: frozenset[str]) -> str:
    """The one heading whose words that not all headings have are all known; empty if there are none, or several."""
    words = {heading: _words(heading) for heading in headings}
    everywhere = frozenset.intersection(*words.values()) if words else frozenset()
    telling: Mapping[str, frozenset[str]] = {heading: each - everywhere for heading, each in words.items()}
    fitting = [heading for heading, each in telling.items() if each and each <= known]
    return fitting[0] if len(fitting) == 1 and len(headings) > 1 else ""


@functools.lru_cache(maxsize=1 << 10)
def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower()))


def _above(tree: Tree, roots: Sequence[Element], tag: str) -> dict[int, str]:
    """What the last element of this tag before each of these elements says, by the elements' numbers."""
    inside = {number for root in roots for number in range(root.number, root.end)}
    headings = [element for element in tree.elements if element.tag == tag and element.number not in inside]
    found, place = dict[int, str](), -1
    for root in roots:
        while place + 1 < len(headings) and headings[place + 1].end <= root.number:
            place += 1
        text = tree.text(headings[place])[:_LONGEST] if place >= 0 else ""
        if text:
            found[root.number] = text
    return found
