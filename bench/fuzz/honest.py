"""Arguments that entry points of compiled code accept."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
from bench.fuzz import links as known_links
from bench.fuzz import material as some

from haenyeo.model.pages import Block
from haenyeo.read.page import places

Arguments = tuple[Any, ...]


def _meddler(random: Random, answer: Any) -> Callable[..., Any]:
    return lambda *_: answer if random.random() < 0.8 else random.choice((None, 7, "x", b"", [], (), 1.5))


def _links(random: Random) -> Arguments:
    made = [SimpleNamespace(url=some.url(random), anchor=some.text(random), before="a", after="b") for _ in range(3)]
    return some.PAGE, [*made, None], [some.path(random) for _ in range(4)]


def _links_on_page(random: Random) -> Arguments:
    blocks = some.blocks(random)
    outlinks = some.outlinks(random, blocks)
    whole = "\n".join(block.text for block in blocks)
    spans = np.array([random.randrange(-1, 9) for _ in outlinks for _ in range(6)], np.int32)
    return some.PAGE, whole, blocks, list(outlinks), np.arange(len(outlinks)), spans


def _linking(random: Random) -> Arguments:
    blocks = some.blocks(random)
    outlinks = list(some.outlinks(random, blocks))
    return blocks, outlinks, [random.randrange(1 << 63) for _ in outlinks], random.randrange(9)


def _texts(random: Random) -> Arguments:
    given = [some.text(random) for _ in range(3)]
    return given, np.zeros(3, np.uint64), np.zeros(3, np.uint16), np.zeros((6, 3), np.float32)


def _places(random: Random) -> Arguments:
    blocks = some.blocks(random)
    return blocks, np.zeros((len(places.PLACE_FEATURES), len(blocks)), np.float32)


def _labels(random: Random) -> Arguments:
    blocks = some.blocks(random)
    levels = np.array(random.choices((0, 2), k=len(blocks)), np.float32)
    return blocks, levels, np.ones(len(blocks), np.bool_), {"a": 1, "b": 0}, 70, 9, _meddler(random, 1)


def _paths(random: Random) -> Arguments:
    most = random.randrange(1, 9)
    paths = [some.path(random) for _ in range(4)]
    return paths, most, np.zeros(4, np.int32), np.zeros(most, np.int32), np.zeros(most, np.bool_)


def _skimmed(random: Random) -> Arguments:
    blocks = some.blocks(random)
    spot = (
        random.randrange(8),
        random.random(),
        random.choice((5, 0.5, np.inf)),
        True,
        frozenset({1}),
        False,
        random.random() < 0.5,
    )
    spots = {hash(block.path): spot for block in blocks if random.random() < 0.8}
    cells = np.frombuffer(random.randbytes(3 << 15), np.uint8)
    return blocks, spots, _meddler(random, spot), random.randrange(-3, 4), cells, _meddler(random, False)


def _spans(random: Random) -> Arguments:
    blocks = some.blocks(random)
    return "\n".join(block.text for block in blocks), blocks, list(some.outlinks(random, blocks)), 3


def _page() -> Arguments:
    return np.array([1, 8], np.int32), np.ones(2, np.float32), np.ones(9, np.float32)


def _measured(random: Random) -> Arguments:
    rows, most = random.randrange(4), random.randrange(3)
    pool = np.ones((rows, 512), np.float32), np.ones((rows, 2)), most
    return *_page(), np.ones(512), *pool, np.zeros(512, np.float32)


def _named(random: Random) -> Arguments:
    memory = known_links.memory(random)
    asked = np.zeros(len(known_links.tables()[0]), np.bool_)
    return memory.features.arrays, 0, asked, 3, 4, np.zeros((memory.pages, 4), np.float32)


def _weighed(random: Random) -> Arguments:
    memory = known_links.memory(random)
    return memory.features.arrays, *known_links.tables(), 0, memory.links, np.zeros((memory.links, 5))


def _fitted(random: Random) -> Arguments:
    memory = known_links.memory(random)
    weights, count = np.zeros_like(known_links.tables()[0]), memory.links
    numbers = random.choice((0, 3, 8)), 1e-4, 0.4, 0.05
    rows = np.arange(count)
    return memory.features.arrays, rows, np.zeros(3 * count), weights, np.zeros(2 + 2 * count), *numbers


def _evidence(random: Random) -> Arguments:
    memory, held = known_links.memory(random), (*known_links.tables(), np.zeros(3))
    pages = memory.pages
    return memory.features.arrays, memory.columns, held, 0, np.zeros((pages, 8)), np.zeros(pages, np.int64)


def _records(random: Random) -> Arguments:
    headers = ("Content-Type", "text/html"), ("Transfer-Encoding", "chunked")
    body = random.randbytes(random.randrange(40))
    hop = some.url(random), "192.0.2.1", "2026-01-01", 200, "OK", headers, headers, body, random.randbytes(20), False
    return *hop, "urn:1", "urn:2"


def _page_evidence(_: Random) -> Arguments:
    gathered = np.zeros((3, 9)), np.ones(3, np.int64), np.zeros((3, 4), np.float32), np.zeros(3)
    return gathered, np.array([0, 2]), 0.5, np.zeros((2, 13))


def _doors(_: Random) -> Arguments:
    return np.array([0, 2]), np.zeros(3, np.int64), np.zeros(2, np.int64), np.zeros(3, np.bool_)


def _ways() -> Arguments:
    return np.array([0, 1, 2], np.int32), np.array([0, 0, 1], np.int32)


def _blocks_of_page(_: Random) -> Arguments:
    places = np.ones((12, 3), np.float32)
    known = [np.ones((rows, 3), np.float32) for rows in (10, 8)]
    found = np.zeros((128 + 12, 3), np.float32), np.zeros(25, np.float32)
    where, keys, told = np.array([0, 1, 2], np.intp), np.zeros(3, np.uint64), np.arange(10, dtype=np.intp)
    return (*known, places, np.zeros((4, 3), np.float32), where, keys, _ways(), told, *found)


HONEST: dict[str, Callable[[Random], Arguments]] = {
    "features.use_words": lambda _: (["the", "a"], ["는", "을"]),
    "features.word_ids": lambda random: (some.text(random),),
    "features.page_words": lambda random: (some.text(random), some.text(random)),
    "features.mentions": lambda random: (np.array([3, 7], np.int32), (some.text(random),) * 4, np.array([7], np.int32)),
    "features.link_features": _links,
    "features.features_on_page": _links_on_page,
    "features.page_linking": _linking,
    "features.address_features": lambda random: ("a.example", some.text(random).replace(" ", "/")),
    "fingerprint.fingerprint": lambda random: (random.randbytes(random.choice((0, 9, 4096, 4097, 9000))),),
    "fingerprint.mark": lambda random: (bytearray(64), bytearray(1), some.hashes(random)),
    "fingerprint.nearest": lambda random: (array("Q", some.hashes(random).tolist()), 7),
    "reading.measure": _texts,
    "reading.places": _places,
    "reading.path_tree": _paths,
    "reading.tree_rows": lambda _: (*_ways(), np.zeros((2, 3), np.intp), 2, np.zeros(3, np.float32)),
    "reading.tree_sums": lambda _: (*_ways(), np.ones((2, 3), np.float32), 2, np.zeros((2, 3))),
    "reading.tree_shared": lambda _: (*_ways(), 2, np.zeros(3, np.float32)),
    "reading.compose": lambda random: ([some.text(random), some.text(random)], np.zeros((8, 2), np.float32)),
    "reading.overlaps": lambda random: (
        *([some.text(random), some.text(random)], some.text(random), 300, np.zeros(2, np.float32)),
    ),
    "reading.block_features": _blocks_of_page,
    "reading.page_numbers": lambda _: (
        *(np.ones((5, 3), np.float32), (1, 2), 9.0, *(np.ones(3, np.float32),) * 3, np.zeros(8, np.float32)),
    ),
    "reading.sums_by_place": lambda _: (
        *(np.zeros(3, np.intp), np.ones((2, 3), np.float32), 2, 4, np.zeros((2, 4), np.float32)),
    ),
    "reading.windows": lambda _: (
        *(np.ones((2, 3), np.float32), 2, np.array([1, 9], np.intp), np.zeros((2, 2, 3), np.float32)),
    ),
    "reading.distances": lambda _: (np.zeros(3, np.bool_), 50.0, np.zeros((2, 3), np.float32)),
    "reading.add_trees": lambda _: (
        *(np.zeros((4, 3), np.float32), (4, 3), np.zeros((5, 2), np.int32), np.zeros((5, 2), np.float32)),
        *(np.zeros((5, 4), np.float32), (5, 2), np.zeros(3)),
    ),
    "reading.skim": _skimmed,
    "reading.perhaps_ways": lambda random: (
        some.blocks(random),
        frozenset({"Next", some.text(random)}),
        9,
        "[<N",
        ">→",
    ),
    "reading.has_link_run": lambda random: (some.blocks(random), list(range(random.randrange(3))), 2),
    "reading.text_sizes": lambda random: (some.blocks(random), list(range(random.randrange(3)))),
    "reading.joined": lambda random: (list(some.blocks(random)), {}, _meddler(random, True)),
    "reading.tags_named": lambda random: (some.page(random), "meta", 3),
    "reading.tags_with": lambda random: (some.page(random), "name=", 3),
    "reading.named": lambda random: ([some.path(random) for _ in range(4)], {"nav": 1}, _meddler(random, 2)),
    "reading.labels": _labels,
    "reading.attributes": lambda random: (some.page(random) + "<p a=b>", [0, 3], 1, 9),
    "reading.configure_texts": lambda _: (hash, hash),
    "reading.configure_places": lambda _: ({"nav": 0}, 1, {"p": 0}, 1, {"p": 1}, {"li": 1}, 1, lambda *_: [0.0] * 11),
    "scanner.configure": lambda _: (Block, tuple, *(lambda *_: "",) * 2, lambda _: [], str, {"amp;": "&"}),
    "scanner.numbers_at": lambda random: (list(some.blocks(random)), {"p": 1}, _meddler(random, 1)),
    "scanner.count": lambda random: (random.randbytes(random.randrange(40)), b"</p", 1, 3, 30, 9),
    "scanner.behind": lambda random: (some.page(random), b"<", 0, 3, 9),
    "scanner.characters": lambda random: (random.randbytes(random.randrange(40)),),
    "scanner.scan": lambda random: (
        some.page(random),
        lambda _: ("http://a.example", "http://a.example/b/", _meddler(random, None)),
    ),
    "seen.add": lambda random: (np.zeros((4, 8), np.uint64), np.zeros(4, np.uint8), some.hashes(random), set()),
    "surroundings.spans": _spans,
    "surroundings.windows": lambda random: (some.text(random, 60) + "abc", [(0, 1), (1, 3)], 3),
    "weighing.weigh": _weighed,
    "weighing.fit": _fitted,
    "weighing.add_evidence": _evidence,
    "weighing.page_evidence": _page_evidence,
    "weighing.add": lambda _: (np.zeros(9, np.float32), np.array([1, 8], np.int32), 1.0),
    "weighing.add_vector": lambda _: (np.zeros(9, np.float32), *_page(), 1.0),
    "weighing.match": lambda _: (*_page(), np.zeros(9, np.float32)),
    "weighing.sketch": lambda _: (*_page(), np.zeros(512, np.float32)),
    "weighing.measure": _measured,
    "weighing.note_names": _named,
    "weighing.worth_describing": lambda _: (np.array([0, 2]), np.zeros(3, np.int64), np.zeros(3), 8, 4),
    "weighing.mark_doors": _doors,
    "writing.utf8": lambda random: (some.text(random),),
    "writing.records": _records,
}
"""Arguments that each entry point accepts, by its name."""
