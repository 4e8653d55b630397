"""What the judge looks at in a block: its text, its place, its neighbours, and its share in the page.

All of it is in tables that have a row for each feature and a column for each block.
"""

from __future__ import annotations

import numpy as np

from haenyeo import native
from haenyeo.read.page.composition import Composition, compose, composition_features, composition_of
from haenyeo.read.page.outline import PageOutline
from haenyeo.read.page.places import PLACE_FEATURES
from haenyeo.read.page.repeats import Repeats, around_rows, place_rows, repeats_of
from haenyeo.read.page.sections import heading_levels, label_rows, overlaps, section_rows, title_rows
from haenyeo.read.page.texts import Bools, Floats
from haenyeo.read.page.tree import FAR, PathTree, distances, table, windows

COMPILED = native.load("reading")

_OUTER_TAGS = [PLACE_FEATURES.index(f"in {tag}") for tag in ("nav", "footer", "aside", "form", "option")]
_WHOLE_TAGS = [PLACE_FEATURES.index(f"in {tag}") for tag in ("pre", "table", "li")]
_IN_H1, _LEAF = PLACE_FEATURES.index("in h1"), PLACE_FEATURES.index("leaf")
_SOME_RUNS = 3
_LINKED = 0.8
_CORE_SHARES = (0.35, 0.6, 0.85)
_MOST = 20  # sentences that make a difference
_SHORT, _LONG = 8, 400  # characters of a text that may be the title
_SURE = 0.7  # how likely what is surely text is
_PARAGRAPH = 200  # characters

_PAGE_ROWS, _OTHER_ROWS = 25, 128  # of the table: what holds for the whole page, and all but the places' own
_TOLD = np.array([*_OUTER_TAGS, *_WHOLE_TAGS, _IN_H1, _LEAF], np.intp)

TEXT_FEATURES = ("sentences", "closed", "capitals", "title")


def first_features(outline: PageOutline, title: str) -> tuple[Floats, Floats]:
    """All that can be said of each block before any has been judged, and what holds for all blocks of the page."""
    if COMPILED is None:
        return first_features_in_python(outline, title)
    texts = [block.text for block in outline.blocks]
    measures, places = outline.measures, outline.places
    given = [
        *(outline.characters, outline.link_share, outline.words, measures.sentences, measures.closed),
        *(measures.capitals, _is_title(outline, title), overlaps(texts, title), outline.silent, outline.at_comments),
    ]
    rows = np.empty((len(places) + _OTHER_ROWS, len(outline)), np.float32)
    page = np.empty(_PAGE_ROWS, np.float32)
    labels = label_rows(outline, heading_levels(outline))
    known = (np.concatenate(given, dtype=np.float32), compose(texts), places, labels, outline.where, outline.keys)
    COMPILED.block_features(*known, outline.tree.ways, _TOLD, rows, page)
    return rows, page


def first_features_in_python(outline: PageOutline, title: str) -> tuple[Floats, Floats]:
    """The same as `first_features`, without compiled code."""
    places = outline.places
    sentences = outline.measures.sentences
    core = _core(outline, sentences, places)
    parts = composition_of(outline.blocks, outline.characters)
    levels, repeats = heading_levels(outline), repeats_of(outline, core)
    page = np.concatenate([_page(outline, core, places[_IN_H1]), _whole(outline, core, parts, levels, repeats)])
    rows = [
        np.log1p(outline.characters)[None],
        outline.link_share[None],
        text_features(outline, title),
        places,
        _shares(outline, core).take(outline.where, axis=1),
        _neighbours(outline, core),
        _in_page(outline, core, places[_IN_H1]),
        table(composition_features(parts, outline.characters, outline.words)),
        place_rows(outline, repeats),
        table(around_rows(outline, repeats, parts, levels > 0)),
        table([*section_rows(outline, core, levels), *title_rows(outline, title, levels)]),
        table([*_alike(outline), *distances(parts.date > 0), outline.at_comments.astype(np.float32)]),
        _beside(table([np.log1p(outline.characters), places[_LEAF]]))[:4],
        np.repeat(page[:, None], len(outline), axis=1),
        label_rows(outline, levels),
    ]
    return np.concatenate(rows, dtype=np.float32), page


def text_features(outline: PageOutline, title: str) -> Floats:
    """What the blocks' texts say by themselves; see `TEXT_FEATURES`."""
    measures = outline.measures
    sentences = np.minimum(_MOST, measures.sentences)
    return table([sentences, measures.closed, measures.capitals, _is_title(outline, title)])


def _is_title(outline: PageOutline, title: str) -> Floats:
    """Which blocks are the title or a part of it."""
    characters = outline.characters
    is_title = np.zeros(len(outline), np.float32)
    longest = min(_LONG - 1, len(title))
    for number in np.flatnonzero((characters > _SHORT) & (characters <= longest)).tolist():
        is_title[number] = outline.blocks[number].text in title
    return is_title


def second_features(outline: PageOutline, first: Floats, judged: Floats) -> Floats:
    """The same once each block has been judged by itself: what its surroundings were taken for."""
    weight = np.maximum(outline.characters, 1)
    both = table([judged * weight, weight])
    rows = [judged, *(text / all_text for text, all_text in windows(both, (1, 2, 4, 10)))]
    rows += [*_beside(judged[None]), *distances(judged > _SURE), *_around(outline, both)]
    return np.concatenate([table(rows), first], dtype=np.float32)


def _core(outline: PageOutline, sentences: Floats, places: Floats) -> Floats:
    """The characters of whole sentences that are not linked: what a text is made of."""
    plain = outline.characters * (1 - outline.link_share)
    is_core = (sentences > 0) & (plain > 60) & (outline.link_share < 0.5) & ~outline.silent  # noqa: PLR2004
    outer = places[_OUTER_TAGS].any(axis=0)
    core: Floats = np.where(is_core, plain, 0) * np.where(outer, 0.2, 1)
    return core.astype(np.float32)


def _shares(outline: PageOutline, core: Floats) -> Floats:
    """Per path: how much of the page's text, and of links, is in it and in what is around it."""
    tree = outline.tree
    linked = outline.characters * outline.link_share
    cores, characters, links = tree.sums(outline.by_paths([core, outline.characters, linked]))
    total, size = core.sum() + 1, outline.characters.sum() + 1
    up = tree.up
    rows = [
        cores.take(up) / total,
        (links / (characters + 1)).take(up[:3]),
        (cores / (characters + 1)).take(up[1:3]),
        characters.take(up[:2]) / size,
        np.log1p(cores.take(up[1:2])),
    ]
    rows += [_distance_to(tree, _deepest(tree, cores >= share * total)) for share in _CORE_SHARES]
    return np.concatenate(rows, dtype=np.float32)


def _deepest(tree: PathTree, candidates: Bools) -> int:
    return int(np.where(candidates, tree.depth, -1).argmax()) if candidates.any() else 0


def _distance_to(tree: PathTree, prefix: int) -> Floats:
    """Per path: the steps up from a prefix and down again to the path."""
    shared = tree.shared_depth(prefix)
    return table([tree.depth[prefix] - shared, tree.depth.take(tree.up[0]) - shared])


def _neighbours(outline: PageOutline, core: Floats) -> Floats:
    three = table([core, outline.characters * outline.link_share, outline.characters])
    rows = []
    for own, linked, characters in windows(three, (1, 3, 8)):
        rows += [np.log1p(own), linked / (characters + 1)]
    rows += [*_beside(table([outline.link_share, np.log1p(core)])), *distances(core > _PARAGRAPH)]
    return table(rows)


def _in_page(outline: PageOutline, core: Floats, in_h1: Floats) -> Floats:
    """Where in the page each block stands."""
    places = np.arange(len(outline), dtype=np.float32)
    last_h1 = np.maximum.accumulate(np.where(in_h1 > 0, places, -FAR))
    return table(
        [
            places / np.float32(max(1, len(outline))),
            (np.cumsum(core) / (core.sum() + 1)).astype(np.float32),
            np.minimum(places - last_h1, FAR).astype(np.float32),
        ]
    )


def _page(outline: PageOutline, core: Floats, in_h1: Floats) -> Floats:
    """The page in numbers: its text, its links, and how much of it is text."""
    total, characters = core.sum(), outline.characters.sum() + 1
    linked = (outline.characters * outline.link_share).sum() / characters
    return np.array(
        [min(5, in_h1.sum()), np.log1p(total), np.log1p(len(outline)), linked, total / characters], np.float32
    )


def _whole(outline: PageOutline, core: Floats, parts: Composition, levels: Floats, repeats: Repeats) -> Floats:
    """More of the page as a whole: what its kind shows in."""
    characters, total = outline.characters.sum() + 1, core.sum() + 1
    largest = int(repeats.core.argmax())
    counts = [
        parts.date.sum(),
        parts.price.sum(),
        parts.questions.sum(),
        repeats.runs[largest],
        repeats.blocks[largest],
    ]
    headings = [(levels > 0).sum(), *[(levels == level).sum() for level in (1, 2, 3)]]
    shares = [
        repeats.core[largest] / total,
        repeats.core[repeats.runs >= _SOME_RUNS].sum() / total,
        *[(outline.places[row] * outline.characters).sum() / characters for row in _WHOLE_TAGS],
        (outline.at_comments * core).sum() / total,
        parts.digits.sum() / characters,
        (outline.link_share > _LINKED).mean(),
    ]
    logs = np.log1p([*counts, *headings, len(outline.paths), characters, np.sort(core)[-5:].mean()])
    return np.concatenate([logs, shares]).astype(np.float32)


def _alike(outline: PageOutline) -> list[Floats]:
    """Whether each block stands at the same place as the block before it, and as the one behind."""
    same = np.zeros(len(outline) + 1, np.float32)
    same[1:-1] = outline.where[1:] == outline.where[:-1]
    return [same[:-1], same[1:]]


def _around(outline: PageOutline, both: Floats) -> list[Floats]:
    """How much of what is around a block was taken for text, at each level, and of the whole page.

    `both` has the characters that were taken for text, and all.
    """
    tree = outline.tree
    text, characters = tree.sums(outline.by_paths(both))
    share, amount = text / characters, np.log1p(text)
    up = tree.up.take(outline.where, axis=1)
    best = _best_container(tree, text, characters)
    rows = [*share.take(up), *amount.take(up[:2]), *_distance_to(tree, best).take(outline.where, axis=1)]
    ones = np.ones(len(outline), np.float32)
    return [*rows, ones * amount[0], ones * share[0], ones * share[best]]


def _best_container(tree: PathTree, text: Floats, characters: Floats) -> int:
    expected = np.where(tree.may_contain, 2 * text / (characters + text[0] + 1), -1)
    return int(expected.argmax())


def _beside(values: Floats) -> Floats:
    """Of each row, the values of the block before each, of the one behind it, and of those two steps away.

    Outside the page they are 0.
    """
    size = values.shape[1]
    padded = np.zeros((len(values), size + 4), np.float32)
    padded[:, 2:-2] = values
    return np.concatenate([padded[:, 2 - steps : 2 - steps + size] for steps in (1, -1, 2, -2)])
