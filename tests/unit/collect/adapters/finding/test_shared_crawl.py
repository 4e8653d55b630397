"""What a topic makes of links that wait for another, or were fetched for it."""

from __future__ import annotations

from pathlib import Path

from haenyeo.collect.adapters.finding.parts import finding_of
from haenyeo.collect.adapters.finding.shared_crawl import SharedCrawl
from haenyeo.find.traps import Traps
from haenyeo.model.config import Settings, Topic
from haenyeo.model.pages import Url
from haenyeo.store import NewLink, Store


def test_of_several_links_of_a_page_to_one_that_waits_for_another_topic_the_best_counts(tmp_path: Path) -> None:
    topics = {name: Topic(words=name) for name in ("divers", "trains")}
    with Store.create(tmp_path / "both") as store:
        queue, _ = finding_of(store, Settings(topic=topics), Traps())
        new = [NewLink(url=Url(f"https://a.example/{name}"), site="a.example", score=0.1) for name in ("reef", "kelp")]
        first = store.add_seeds(new)
        queue.enqueue(first, new, [(-1.0, 0.1), (-1.0, 0.1)])
        places = {key: (first + key, "a.example") for key in range(2)}
        links = [(0, 0.9), (1, 0.5), (0, 0.2), (0, -1.0)]
        SharedCrawl(list(topics), store, {}).join(queue, 0, places, links)
        taken = queue.take(1.0)
        assert taken is not None
        assert (taken.url, taken.topic) == (new[0].url, 0)
