"""What the pages of a site teach: where its texts stand.

Blocks that stand on many pages belong to the template. What is left is text to the degree that the judge of single
pages takes it for text, averaged over all blocks at the same place; the more pages the site has shown, the more
being new and not a link counts by itself. The container is the element that gives the greatest F to be expected
(`page.expected`) when all new blocks in it are kept; pages on which it does badly have another template, and get a
container of their own.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections import Counter
from collections.abc import Sequence
from sys import getsizeof
from typing import NamedTuple

import msgspec
import numpy as np

from haenyeo.read.page.doubts import odds_of_replies
from haenyeo.read.page.expected import expected_f
from haenyeo.read.page.places import introduces, is_within, tag_of
from haenyeo.read.page.texts import Bools, Floats, Numbers
from haenyeo.read.page.tree import PathTree
from haenyeo.read.site.known_places import NO_PLACES, KnownPlaces
from haenyeo.read.site.labels import find_labels
from haenyeo.read.site.sample import SampleArrays, plain

MOST_TEMPLATES = 6
IF_COMMENT = 0.02
"""How likely a block is text where readers write below the text, new and well written as it may be."""

MOST_ODDS = 8.0
"""How much likelier standing in a container that many pages agree on makes a block; the judge may still say no."""

_SOME_PAGES = 5.0
_LEAST_SHARE = 0.5  # of the pages: what a rarer template repeats is not told from what texts have in common
_LONG = 12  # words of a text that is not repeated by chance
_NEW_TEXT = 1.2  # in logits: what being new says for a block that is no link, when many pages are known
_PAGES_TO_TRUST = 10  # pages that make it count half as much
_AT_PLACE = 0.7  # of a block's likelihood, what its place decides
_TEMPLATE = 0.02  # likelihood of a block that stands on most pages
_REPEATED = 0.3  # what is left of the likelihood of a block met elsewhere
_PASSABLE = 0.85  # of a page's best F: what says nothing for a container
_FEWEST = 2  # pages that make a template
_NEARLY = 0.05  # of what speaks for a container: a part of it may have less by so much and be preferred
_CLEAR_GAIN = 0.01  # in F: what makes a part of a container a container of its own
_MOSTLY = 0.5  # of the words at a place: what makes it one for comments, or for links
_LIKE_TEXT = 0.6  # likelihood of blocks at a place: what readers wrote there is then the text itself, as in a forum
_PLACE_BYTES, _PATH_BYTES = 24, 300
_MOST_PATHS = 200  # of a site's pages that are remembered
_LEAST_INSIDE = 0.4  # of a block in a container: half the F that a page is read with
_HEADING = "h0"  # as places have it, in whose names every digit is 0
_SURE_HEADING = 0.5  # likelihood of headings at a place that belong to the container beside it
_NEARLY_ALL = 0.9  # of the blocks at a place: what makes it one of the template
_COVERED = 0.5  # of a page's best F: what a container must give to be the page's


class KnownPath(NamedTuple):
    """The number of the place that a path leads to, and for each container whether it holds that, or has it beside."""

    number: int
    within: tuple[bool, ...]


class Lessons(msgspec.Struct, frozen=True, dict=True):
    """What is known of a site.

    `containers` are in the order in which they are tried; `classes` are those that more than one page has; `labels` are
    the openings of lines that say what they are, such as the author's, by number of the place. `thread` is how likely
    its pages are threads of a forum.
    """

    containers: tuple[str, ...] = ()
    places: KnownPlaces = NO_PLACES
    classes: frozenset[str] | None = None
    labels: dict[int, frozenset[int]] = {}
    pages: float = 0.0
    thread: float = 0.0

    @property
    def held(self) -> int:
        """The bytes of memory that they take, nearly."""
        sets = (self.containers, self.classes or (), *self.labels.values())
        members = sum([getsizeof(member) for group in sets for member in group])
        known = _PLACE_BYTES * len(self.places) + _PATH_BYTES * len(self._known)
        return members + sum(map(getsizeof, sets)) + getsizeof(self.labels) + known

    @functools.cached_property
    def _known(self) -> dict[str, KnownPath]:
        """What was said of paths, as the pages of a site have most of them in common."""
        return {}

    def known(self, paths: Sequence[str]) -> list[KnownPath]:
        """What is known of the places that the paths of a page lead to."""
        known = self._known
        found = [known.get(path) or self._found(path) for path in paths]
        if len(known) < _MOST_PATHS:
            known.update(itertools.islice(zip(paths, found, strict=True), _MOST_PATHS - len(known)))
        return found

    def forget(self) -> None:
        """Take no room for paths that were asked for."""
        self._known.clear()

    def _found(self, path: str) -> KnownPath:
        place = self.place_of(plain(path))
        within = tuple([self.is_of(place, container) for container in self.containers])
        return KnownPath(self.places.number(place), within)

    def place_of(self, path: str) -> str:
        """The path without what only single pages have in it."""
        return path if self.classes is None else cleaned(path, self.classes)

    def is_of(self, place: str, container: str) -> bool:
        """Whether a place is in a container, or one of headings beside it that are text: sections have theirs there."""
        if is_within(place, container):
            return True
        parent, _, last = place.rpartition(">")
        if parent != container.rpartition(">")[0] or tag_of(last) != _HEADING:
            return False
        return bool(self.places.every[self.places.number(place)] > _SURE_HEADING)


def is_often(counts: Floats, pages: float, share: Floats) -> Bools:
    """Which texts stand on most pages, or on most of the pages that have their place: a `share` of all."""
    limit = np.minimum(pages / 2, np.maximum(_SOME_PAGES, np.maximum(share, _LEAST_SHARE) * pages / 2))
    often: Bools = counts > (limit if pages > 1 else np.inf)
    return often


def often_limit(share: float, pages: float) -> float:
    """The number of pages above which a text counts as often; see `is_often`."""
    return min(pages / 2, max(_SOME_PAGES, max(share, _LEAST_SHARE) * pages / 2)) if pages > 1 else math.inf


def is_repeated(counts: Floats, words: Floats, pages: float) -> Bools:
    """Which texts stand on more pages than a text would."""
    if pages <= 1:
        return np.zeros(len(counts), np.bool_)
    limit = np.where(words >= _LONG, min(2, pages / 2), max(1, pages / 10))
    repeated: Bools = counts > limit
    return repeated


def likelihood(likely: Floats, link_share: Floats, often: Bools, repeated: Bools, pages: float) -> Floats:
    """How likely blocks are text, given how likely their place and the judge make it, and how new they are."""
    grown = 1 - 1 / (1 + (pages - 1) / _PAGES_TO_TRUST) if pages > 1 else 0.0
    odds = np.exp(grown * _NEW_TEXT * (1 - link_share))
    bounded = np.clip(likely, _TEMPLATE / 10, 1 - _TEMPLATE / 10)
    likely_if_new = bounded * odds / (bounded * odds + 1 - bounded)
    result: Floats = np.where(repeated, _REPEATED * likely, likely_if_new)
    return np.where(often, np.float32(_TEMPLATE), result).astype(np.float32)


def is_text_inside(likely: float, pages: float) -> bool:
    """Whether a new block at a place of this likelihood is likelier text than not if it stands in the container."""
    grown = 1 - 1 / (1 + (pages - 1) / _PAGES_TO_TRUST) if pages > 1 else 0.0
    odds = MOST_ODDS * math.exp(grown * _NEW_TEXT)
    return likely * odds >= _LEAST_INSIDE * (likely * odds + 1 - likely)


def mixed(at_place: Floats, judged: Floats) -> Floats:
    """A block's likelihood by its place and by itself."""
    return _AT_PLACE * at_place + (1 - _AT_PLACE) * judged


def learn_lessons(sample: SampleArrays, counts: Floats, pages: float) -> Lessons:
    """The lessons of a sample whose texts stood on so many of the site's pages."""
    classes = _shared_classes(sample)
    names: dict[str, int] = {}
    cleaned_paths = [path if classes is None else cleaned(path, classes) for path in sample.paths]
    where = np.array([names.setdefault(path, len(names)) for path in cleaned_paths], np.intp)[sample.where]
    shares = _shares(sample, where, len(names))
    often, repeated = is_often(counts, pages, shares[where]), is_repeated(counts, sample.words, pages)
    every = _mean(sample.likely, sample.words, where, len(names))
    new = _mean(sample.likely, np.where(repeated, 0, sample.words), where, len(names), every)
    likely = likelihood(mixed(new[where], sample.likely), sample.link_share, often, repeated, pages)
    for_comments = _mean(sample.comments.astype(np.float32), sample.words, where, len(names)) > _MOSTLY
    for_comments &= (every < _LIKE_TEXT) & (odds_of_replies(sample.thread) < 1)
    likely = np.where(for_comments[where], np.float32(IF_COMMENT), likely)
    tree = PathTree(list(names))
    containers = _containers(_page_f(sample, where, likely, often, tree), tree)
    has_template = np.bincount(where, often, len(names)) > 0
    signs = np.stack([has_template, for_comments, _is_aside(sample, where, new), _is_fixed(where, often, list(names))])
    places = KnownPlaces(list(names), np.stack([new, every, shares]), signs)
    labels = find_labels(sample, where, list(names))
    by_number = {places.number(path): openings for path, openings in labels.items()}
    return Lessons(tuple(containers), places, classes, by_number, pages, sample.thread)


def choose(f: Floats, best: float) -> int:
    """The number of the first container that does well enough on a page, or -1."""
    good = np.flatnonzero((f > 0) & (f >= _COVERED * best))
    return int(good[0]) if len(good) else -1


@functools.lru_cache(maxsize=1 << 14)
def cleaned(path: str, classes: frozenset[str]) -> str:
    """The path with these classes only."""
    return ">".join([_cleaned_step(step, classes) for step in path.split(">")])


@functools.lru_cache(maxsize=1 << 13)
def _cleaned_step(step: str, classes: frozenset[str]) -> str:
    tag, *names = step.split(".")
    return ".".join([tag, *(name for name in names if name in classes)])


def _shared_classes(sample: SampleArrays) -> frozenset[str] | None:
    """The classes that more than one page has; unknown while there are few pages."""
    if sample.pages < 3:  # noqa: PLR2004 - two pages may be of two templates
        return None
    pages = Counter[str]()
    split = [path.split(">") for path in sample.paths]
    for number in range(sample.pages):
        paths = set(sample.where[sample.page == number].tolist())
        steps = set[str]().union(*map(split.__getitem__, paths))
        pages.update({name for step in steps for name in step.split(".")[1:]})
    return frozenset(name for name, count in pages.items() if count > 1)


def _mean(values: Floats, weights: Floats, where: Numbers, size: int, otherwise: Floats | None = None) -> Floats:
    total = np.bincount(where, weights, size)
    means = np.bincount(where, weights * values, size) / np.maximum(total, 1e-6)
    known: Floats = np.where(total > 0, means, 0 if otherwise is None else otherwise).astype(np.float32)
    return known


def _is_aside(sample: SampleArrays, where: Numbers, new: Floats) -> Bools:
    """The places at which links stand that are likelier no text than text, even in the container: to related pages.

    In documentation they are the contents of a chapter, which belong to it.
    """
    linked = _mean(sample.link_share, sample.words, where, len(new)) > _MOSTLY
    return linked & (new < _MOSTLY) & (sample.kind != "documentation")


def _is_fixed(where: Numbers, often: Bools, paths: list[str]) -> Bools:
    """The places at which hardly anything but lines of the template stands: a shop's promises on every product.

    Headings, terms and tables say the same of different things, and belong to these.
    """
    blocks = np.maximum(np.bincount(where, minlength=len(paths)), 1)
    fixed = np.bincount(where, often, len(paths)) > _NEARLY_ALL * blocks
    return fixed & ~np.array([introduces(path) for path in paths], np.bool_)


def _page_f(sample: SampleArrays, where: Numbers, likely: Floats, often: Bools, tree: PathTree) -> Floats:
    """For each page and prefix, the F to be expected of keeping all that is new in it."""
    size = tree.up.shape[1]
    places = sample.page * size + where
    shape = (sample.pages, size)
    text = np.bincount(places, likely * sample.words, sample.pages * size).reshape(shape)
    new_text = np.bincount(places, np.where(often, 0, likely * sample.words), sample.pages * size).reshape(shape)
    words = np.bincount(places, np.where(often, 0, sample.words), sample.pages * size).reshape(shape)
    total = text.sum(axis=1, keepdims=True)
    f = expected_f(tree.sums(new_text), tree.sums(words), total.astype(np.float32))
    return np.where(tree.may_contain, f, 0).astype(np.float32)


def _shares(sample: SampleArrays, where: Numbers, size: int) -> Floats:
    """For each path, the share of the pages that have it."""
    has = np.zeros((sample.pages, size), np.bool_)
    has[sample.page, where] = True
    shares: Floats = has.mean(axis=0, dtype=np.float32)
    return shares


def _containers(f: Floats, tree: PathTree) -> list[str]:
    """The best prefix over all pages, then the best over those it does not serve, and so on; special ones first."""
    containers: list[str] = []
    best = f.max(axis=1, initial=0)
    left = best > 0
    while left.any() and len(containers) < MOST_TEMPLATES:
        totals = np.maximum(f[left] - _PASSABLE * best[left, None], 0).sum(axis=0)
        # Of elements that hold nearly the same text the innermost is the container.
        best_of_all = int(np.where(totals >= totals.max() * (1 - 1e-6), tree.depth, -1).argmax())
        is_as_good = tree.inside_of(best_of_all) & (totals >= totals.max() * (1 - _NEARLY))
        number = int(np.where(is_as_good, tree.depth, -1).argmax()) if is_as_good.any() else best_of_all
        served = left & (f[:, number] >= _COVERED * best)
        if not served.any():
            break
        special = _special(f[served], number, tree)
        containers += [tree.prefixes[number] for number in (*special, number)]
        left &= ~served
    return containers


def _special(f: Floats, container: int, tree: PathTree) -> list[int]:
    """The part of a container that does better on the pages that have it, if it is that of a template among others."""
    has = f > 0
    count = has.sum(axis=0)
    gain = np.where(has, f - f[:, [container]], 0).sum(axis=0)
    is_part = tree.inside_of(container) & (count >= _FEWEST) & (count < len(f)) & (gain > _CLEAR_GAIN * count)
    if not is_part.any():
        return []
    gain = np.where(is_part, gain, -1)
    return [int(np.where(gain >= gain.max() * (1 - 1e-6), tree.depth, -1).argmax())]
