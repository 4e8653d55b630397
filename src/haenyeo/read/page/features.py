"""What the judge looks at in a block: its text, its place, its neighbours, and its share in the page."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from haenyeo.model.pages import Block
from haenyeo.read.page.outline import Bools, Floats, Numbers, Outline, PathTree
from haenyeo.read.page.places import PLACE_FEATURES, place_features

# Escaped: the closing marks of sentences and quotations that look like other signs.
# One set of signs comes first, for that is what the search is quick at.
_SENTENCE_END = re.compile("[.!?\u2026\u3002\uff01\uff1f](?:(?<=[\u3002\uff01\uff1f])|[\"\u201d\u2019')\\]]?(?:\\s|$))")
_CLOSING = frozenset('.!?":\u2026\u201d\u2019\u3002\uff01\uff1f')
_OUTER_TAGS = [PLACE_FEATURES.index(f"in {tag}") for tag in ("nav", "footer", "aside", "form", "option")]
_IN_H1 = PLACE_FEATURES.index("in h1")
_CORE_SHARES = (0.35, 0.6, 0.85)
_MOST = 20  # sentences that make a difference
_FAR = 50.0
_SHORT, _LONG = 8, 400  # characters of a text that may be the title

TEXT_FEATURES = ("sentences", "closed", "capitals", "title")


def text_features(texts: Sequence[str], title: str) -> Floats:
    """What the blocks' texts say by themselves; see `TEXT_FEATURES`."""
    shape = [
        (text[-1:] in _CLOSING, text.istitle() or text.isupper(), _SHORT < len(text) < _LONG and text in title)
        for text in texts
    ]
    features = np.zeros((len(texts), len(TEXT_FEATURES)), np.float32)
    features[:, 0] = np.minimum(_MOST, _sentences(texts))
    features[:, 1:] = shape
    return features


def _sentences(texts: Sequence[str]) -> Numbers:
    """How many sentences end in each text; looked for in all of them at once."""
    bounds = np.cumsum([len(text) + 1 for text in texts])
    ends = [found.start() for found in _SENTENCE_END.finditer("\n".join(texts))]
    return np.bincount(np.searchsorted(bounds, ends, side="right"), minlength=len(texts))


def first_features(outline: Outline, title: str) -> Floats:
    """All that can be said of each block before any has been judged, one row a block."""
    texts = text_features([block.text for block in outline.blocks], title)
    places = _places(outline.blocks)
    core = _core(outline, texts[:, 0], places)
    columns = [
        np.log1p(outline.characters)[:, None],
        outline.link_share[:, None],
        texts,
        places,
        _shares(outline, core)[outline.where],
        _neighbours(outline, core),
        _page(outline, core, places[:, _IN_H1]),
    ]
    return np.concatenate(columns, axis=1, dtype=np.float32)


def second_features(outline: Outline, first: Floats, judged: Floats) -> Floats:
    """The same once each block has been judged by itself: what its surroundings were taken for."""
    weight = np.maximum(outline.characters, 1)
    columns = [judged]
    columns += [_window(judged * weight, reach) / _window(weight, reach) for reach in (1, 2, 4, 10)]
    columns += [_shifted(judged, steps) for steps in (1, -1, 2, -2)]
    likely = judged > 0.7  # noqa: PLR2004 - surely text
    columns += [*_distances(likely), *_around(outline, judged * weight)]
    return np.concatenate([np.stack(columns, axis=1), first], axis=1, dtype=np.float32)


def _places(blocks: Sequence[Block]) -> Floats:
    numbers: dict[tuple[str, str], int] = {}
    where = [numbers.setdefault((block.path, block.signs), len(numbers)) for block in blocks]
    features: Floats = np.array([place_features(*place) for place in numbers], np.float32)[where]
    return features


def _core(outline: Outline, sentences: Floats, places: Floats) -> Floats:
    """The characters of whole sentences that are not linked: what a text is made of."""
    plain = outline.characters * (1 - outline.link_share)
    is_core = (sentences > 0) & (plain > 60) & (outline.link_share < 0.5) & ~outline.silent  # noqa: PLR2004
    outer = places[:, _OUTER_TAGS].any(axis=1)
    core: Floats = np.where(is_core, plain, 0) * np.where(outer, 0.2, 1)
    return core.astype(np.float32)


def _shares(outline: Outline, core: Floats) -> Floats:
    """Per path: how much of the page's text, and of links, is in it and in what is around it."""
    tree = outline.tree
    cores = outline.by_path(core) @ tree.inside
    characters = outline.by_path(outline.characters) @ tree.inside
    links = outline.by_path(outline.characters * outline.link_share) @ tree.inside
    total, size = core.sum() + 1, outline.characters.sum() + 1
    up = tree.up
    columns = [
        cores[up] / total,
        (links / (characters + 1))[up[:, :3]],
        (cores / (characters + 1))[up[:, 1:3]],
        characters[up[:, :2]] / size,
        np.log1p(cores[up[:, 1]])[:, None],
    ]
    columns += [_distance_to(tree, _deepest(tree, cores >= share * total)) for share in _CORE_SHARES]
    return np.concatenate(columns, axis=1, dtype=np.float32)


def _deepest(tree: PathTree, candidates: Bools) -> int:
    return int(np.where(candidates, tree.depth, -1).argmax()) if candidates.any() else 0


def _distance_to(tree: PathTree, prefix: int) -> Floats:
    """Per path: the steps up from a prefix and down again to the path."""
    shared = tree.shared_depth(prefix)
    return np.stack([tree.depth[prefix] - shared, tree.depth[tree.up[:, 0]] - shared], axis=1)


def _neighbours(outline: Outline, core: Floats) -> Floats:
    linked = outline.characters * outline.link_share
    columns = []
    for reach in (1, 3, 8):
        characters = _window(outline.characters, reach)
        columns += [np.log1p(_window(core, reach)), _window(linked, reach) / (characters + 1)]
    for steps in (1, -1, 2, -2):
        columns += [_shifted(outline.link_share, steps), np.log1p(_shifted(core, steps))]
    columns += _distances(core > 200)  # noqa: PLR2004 - a paragraph
    return np.stack(columns, axis=1)


def _page(outline: Outline, core: Floats, in_h1: Floats) -> Floats:
    size = len(outline)
    places = np.arange(size, dtype=np.float32)
    ones = np.ones(size, np.float32)
    total, characters = core.sum(), outline.characters.sum() + 1
    last_h1 = np.maximum.accumulate(np.where(in_h1 > 0, places, -_FAR))
    columns = [
        places / max(1, size),
        np.cumsum(core) / (total + 1),
        np.minimum(places - last_h1, _FAR),
        ones * min(5, in_h1.sum()),
        ones * np.log1p(total),
        ones * np.log1p(size),
        ones * (outline.characters * outline.link_share).sum() / characters,
        ones * total / characters,
    ]
    return np.stack(columns, axis=1)


def _around(outline: Outline, judged: Floats) -> list[Floats]:
    """How much of what is around a block was taken for text, at each level, and of the whole page."""
    tree = outline.tree
    text = outline.by_path(judged) @ tree.inside
    characters = outline.by_path(np.maximum(outline.characters, 1)) @ tree.inside
    share, amount = text / characters, np.log1p(text)
    up = tree.up[outline.where]
    columns = [share[up[:, level]] for level in range(PathTree.LEVELS)]
    columns += [amount[up[:, level]] for level in range(2)]
    best = _best_container(tree, text, characters)
    columns += list(_distance_to(tree, best)[outline.where].T)
    ones = np.ones(len(outline), np.float32)
    return [*columns, ones * amount[0], ones * share[0], ones * share[best]]


def _best_container(tree: PathTree, text: Floats, characters: Floats) -> int:
    expected = np.where(tree.may_contain, 2 * text / (characters + text[0] + 1), -1)
    return int(expected.argmax())


def _distances(marked: Bools) -> list[Floats]:
    """Blocks since the last marked one, and until the next."""
    places = np.arange(len(marked), dtype=np.float32)
    last = np.maximum.accumulate(np.where(marked, places, -_FAR))
    following = np.minimum.accumulate(np.where(marked, places, places[-1] + _FAR)[::-1])[::-1]
    return [np.minimum(places - last, _FAR), np.minimum(following - places, _FAR)]


def _window(values: Floats, reach: int) -> Floats:
    """For each block, the sum over it and `reach` blocks on either side."""
    sums = np.concatenate([np.zeros(1), np.cumsum(values, dtype=np.float64)])
    places = np.arange(len(values))
    window: npt.NDArray[np.float64] = (
        sums[np.minimum(len(values), places + reach + 1)] - sums[np.maximum(0, places - reach)]
    )
    return window.astype(np.float32)


def _shifted(values: Floats, steps: int) -> Floats:
    """The value of the block `steps` before each, or behind it if negative; 0 outside the page."""
    shifted = np.zeros_like(values)
    if abs(steps) < len(values):
        if steps > 0:
            shifted[steps:] = values[:-steps]
        else:
            shifted[:steps] = values[-steps:]
    return shifted
