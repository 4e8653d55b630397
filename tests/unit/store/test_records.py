from __future__ import annotations

import numpy as np

from haenyeo.model.pages import Url
from haenyeo.store import LinkBatch, StoredLink


def test_only_the_links_that_wait_are_left_of_a_batch() -> None:
    batch = LinkBatch(
        refs=np.array([1, 2, 3]),
        hashes=np.array([10, 20, 30], np.uint64),
        sites=np.array([7, 8, 9], np.uint32),
        scores=np.array([0.1, 0.2, 0.3], np.float32),
        depths=np.array([0, 1, 2], np.int32),
        finished=np.array([False, True, False]),
    )
    left = batch.waiting()
    assert (len(batch), len(left)) == (3, 2)
    assert left.refs.tolist() == [1, 3]
    assert left.hashes.tolist() == [10, 30]
    assert left.sites.tolist() == [7, 9]
    assert left.depths.tolist() == [0, 2]
    assert not left.finished.any()


def test_a_stored_link_is_what_a_scorer_sees() -> None:
    stored = StoredLink(
        ref=5,
        url=Url("https://b.example/"),
        site="b.example",
        score=0.5,
        depth=2,
        source=Url("https://a.example/"),
        anchor="a reef",
        before="see",
        after="near Jeju",
        path="ul>li",
    )
    link = stored.as_link()
    assert (link.url, link.source, link.anchor) == (stored.url, stored.source, "a reef")
    assert (link.before, link.after, link.path) == ("see", "near Jeju", "ul>li")
