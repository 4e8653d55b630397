"""Pages for the experiment of Kim & Kim 2021: their blocks, and which of them stand in the page's true text.

The data is a file of JSON lines, plain, gzip or zstandard, each {"site", "url", "html", "gold"}; pages without gold
text, and sites with fewer than ten pages, are left out. Without data the articles of the demo web are taken.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import islice, pairwise, zip_longest
from pathlib import Path
from typing import NamedTuple

from haenyeo.model.errors import UsageError
from haenyeo.model.pages import Url
from haenyeo.read.paper.nodes import TextNode, all_nodes
from haenyeo.store.page_files import opened_for_reading

FEWEST, MOST = 10, 40  # pages of a site
DEMO_KINDS = frozenset({"article", "entry", "doc"})
LONG = 25
"""Letters of a block that is so long that it stands in the true text by no accident."""

Note = Callable[[str], None]


class LabelledPage(NamedTuple):
    """A page, its blocks, and which of them stand in its true text."""

    url: Url
    html: str
    nodes: list[TextNode]
    is_text: list[bool]

    def plain(self) -> LabelledPage:
        """The page with the blocks of the paper alone: those outside of the elements that it removes."""
        both = [(node, text) for node, text in zip(self.nodes, self.is_text, strict=True) if node.is_plain]
        return self._replace(nodes=[node for node, _ in both], is_text=[text for _, text in both])


Sites = dict[str, list[LabelledPage]]
Anchor = tuple[int, int, int]
"""A block's number, its place in the true text, and its length."""


def read_sites(path: Path) -> Sites:
    """The sites in a data file."""
    found: dict[str, list[LabelledPage]] = defaultdict(list)
    with opened_for_reading(path) as file:
        for number, line in enumerate(file, 1):
            try:
                page = json.loads(line)
                if page.get("gold") and page.get("set") != "single":
                    found[page["site"]].append(made(page["url"], page["html"], page["gold"]))
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise UsageError(
                    f"{path}, line {number} is no page: {error!r}",
                    advice='write {"site", "url", "html", "gold"} in each line',
                ) from error
    return _large(found, str(path))


def demo_sites(note: Note) -> Sites:
    """The articles of the demo web."""
    from haenyeo.demo import DemoWeb
    from haenyeo.html.charset import decode

    web = DemoWeb()
    note("making the pages of the demo web")
    found: dict[str, list[LabelledPage]] = defaultdict(list)
    for truth in web.pages():
        if truth.kind in DEMO_KINDS and truth.text:
            host, _, path = truth.url.partition("://")[2].partition("/")
            reply = web.answer(host, f"/{path}")
            html = decode(reply.body, next((v for k, v in reply.headers if k.lower() == "content-type"), None))
            found[truth.site].append(made(truth.url, html, truth.text))
    return _large(found, "the demo web")


def _large(found: dict[str, list[LabelledPage]], where: str) -> Sites:
    sites = {site: pages for site, pages in found.items() if len(pages) >= FEWEST}
    if not sites:
        raise UsageError(f"{where} has no site with {FEWEST} pages", advice="give more pages of each site")
    return sites


def first_pages(sites: Sites, most: int = MOST) -> Sites:
    """The first pages of each site."""
    return {site: pages[:most] for site, pages in sites.items()}


def mixed(sites: Sites, count: int) -> list[LabelledPage]:
    """So many pages of all sites in turn, or as many as there are."""
    turns = zip_longest(*sites.values())
    return list(islice((page for turn in turns for page in turn if page is not None), count))


def made(url: str, html: str, gold: str) -> LabelledPage:
    """A page with its blocks labelled."""
    nodes = all_nodes(html)
    return LabelledPage(Url(url), html, nodes, stand_in([node.text for node in nodes], gold))


def stand_in(blocks: Sequence[str], gold: str) -> list[bool]:
    """Which blocks stand in a text, in its order: a word or a full stop that it has somewhere is not enough.

    Long blocks are found first; a short one must stand in the text between the long ones that are around it.

    >>> stand_in(["tide", "The tide came late on that day", ".", "Home", "."], "The tide came late on that day.")
    [False, True, True, False, False]
    """
    text = " ".join(gold.split())
    found = [False] * len(blocks)
    chain = _chain([(number, _place(block, text, 0), len(block)) for number, block in enumerate(blocks)])
    borders = [(-1, 0, 0), *chain, (len(blocks), len(text), 0)]
    for (before, start, length), (behind, limit, _) in pairwise(borders):
        reached = start + length
        for number in range(before + 1, behind):
            place = _place(blocks[number], text, reached)
            if 0 <= place <= limit - len(blocks[number]):
                found[number], reached = True, place + len(blocks[number])
    for number, _, _ in chain:
        found[number] = True
    return found


def _chain(candidates: Sequence[Anchor]) -> list[Anchor]:
    """Of the long blocks that were found, those in the order of the text that have most letters together."""
    long = [each for each in candidates if each[1] >= 0 and each[2] >= LONG]
    best: list[tuple[int, int]] = []  # letters of the best chain that ends here, and the anchor before
    for here, (_, place, length) in enumerate(long):
        before = [(best[there][0], there) for there in range(here) if long[there][1] + long[there][2] <= place]
        letters, there = max(before, default=(0, -1))
        best.append((letters + length, there))
    chain: list[Anchor] = []
    here = max(range(len(long)), key=lambda each: best[each][0], default=-1)
    while here >= 0:
        chain.append(long[here])
        here = best[here][1]
    return chain[::-1]


def _place(block: str, text: str, start: int) -> int:
    """Where whole words of the block stand in the text; -1 if they do not."""
    place = text.find(block, start)
    while place >= 0:
        end = place + len(block)
        cut_before = block[0].isalnum() and text[place - 1 : place].isalnum()
        cut_behind = block[-1].isalnum() and text[end : end + 1].isalnum()
        if not (cut_before or cut_behind):
            return place
        place = text.find(block, place + 1)
    return -1
