"""How the blocks of a page repeat each other's places: posts of a thread, items of a list, cells of a table."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from haenyeo.read.page.composition import Composition
from haenyeo.read.page.outline import PageOutline
from haenyeo.read.page.texts import Bools, Floats

_LEVELS = (1, 2, 3)


class Repeats(NamedTuple):
    """Per path: how many blocks stand there, in how many runs, and how much of the page's text."""

    blocks: Floats
    runs: Floats
    core: Floats


def repeats_of(outline: PageOutline, core: Floats) -> Repeats:
    """The repeats of a page whose blocks have so much text in whole sentences."""
    where = outline.where
    begins = np.ones(len(where), np.float32)
    begins[1:] = where[1:] != where[:-1]
    return Repeats(*outline.by_paths([np.ones(len(where), np.float32), begins, core]))


def place_rows(outline: PageOutline, repeats: Repeats) -> Floats:
    """Of each block, what the blocks at its place have in common."""
    count = repeats.blocks
    logs = np.log1p(outline.characters)
    linked, told = outline.characters * outline.link_share, (outline.measures.sentences > 0).astype(np.float32)
    sums = outline.by_paths([logs, logs * logs, outline.characters, linked, told, outline.measures.closed])
    mean, square, characters = sums[0] / count, sums[1] / count, sums[2]
    rows = [
        np.log1p(count),
        np.log1p(repeats.runs),
        count / repeats.runs,
        mean,
        np.sqrt(np.maximum(square - mean * mean, 0)),
        sums[3] / characters,
        sums[4] / count,
        sums[5] / count,
        _distinct(outline) / count,
        repeats.core / (repeats.core.sum() + 1),
        characters / (characters.sum() + 1),
    ]
    return np.stack(rows).astype(np.float32).take(outline.where, axis=1)


def around_rows(outline: PageOutline, repeats: Repeats, parts: Composition, headings: Bools) -> list[Floats]:
    """Of each block, what stands in the elements around it: how many blocks, runs, dates, prices and headings."""
    tree = outline.tree
    own = (parts.date, parts.price, *[marks.astype(np.float32) for marks in (headings, outline.measures.sentences > 0)])
    by_path = [repeats.blocks, repeats.runs, np.ones(len(repeats.blocks), np.float32), *outline.by_paths(own)]
    blocks, runs, paths, dates, prices, heads, sentences = tree.sums(by_path)
    table = np.stack(
        [np.log1p(blocks), runs / paths, np.log1p(dates), np.log1p(prices), heads / blocks, sentences / blocks]
    )
    return [row for level in _LEVELS for row in table.take(tree.up[level].take(outline.where), axis=1)]


def _distinct(outline: PageOutline) -> Floats:
    """Per path, how many different texts stand there."""
    order = np.lexsort((outline.keys, outline.where))
    where, keys = outline.where[order], outline.keys[order]
    is_new = np.ones(len(order), np.float32)
    is_new[1:] = (where[1:] != where[:-1]) | (keys[1:] != keys[:-1])
    return np.bincount(where, is_new, len(outline.paths)).astype(np.float32)
