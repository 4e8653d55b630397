"""What a topic makes of links that wait for another, or were fetched for it."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from haenyeo.collect.adapters.finding.parts import finding_of
from haenyeo.collect.adapters.finding.shared_crawl import SharedCrawl, TurnCount, turns_of
from haenyeo.collect.links.jobs import named_job
from haenyeo.find.traps import Traps
from haenyeo.model.config import Settings, Topic
from haenyeo.model.pages import Url
from haenyeo.model.parts import LinkedPage
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


@pytest.mark.parametrize(
    ("url", "told", "met"),
    [
        ("https://a.example/divers", (), [(True, 0), (False, 1)]),
        ("https://a.example/divers", ("trains",), [(True, 0), (False, 0)]),
        ("https://a.example/both", (), [(True, 0), (True, 0)]),
        ("https://a.example/added", (), [(True, 0), (True, 0)]),
        ("https://a.example/example", ("trains",), [(False, 1), (False, 0)]),
    ],
)
def test_where_others_start_and_what_they_were_told_of_are_pages_like_any(
    tmp_path: Path, url: str, told: tuple[str, ...], met: list[tuple[bool, int]]
) -> None:
    starts = {Url("https://a.example/divers"): {0}, Url("https://a.example/both"): {0, 1}}
    page = LinkedPage(key=1, url=Url(url), depth=0, start=not url.endswith("example"))
    with Store.create(tmp_path / "both") as store:
        shared = SharedCrawl(["divers", "trains"], store, starts)
        seen = [shared.met_by(number, page, told) for number in range(2)]
    assert [(one.start, one.depth) for one in seen] == met


def test_pages_that_were_not_there_are_no_turns_to_go_on_from(tmp_path: Path) -> None:
    with Store.create(tmp_path / "both") as store:
        shared = SharedCrawl(["divers", "trains"], store, {})
        job = msgspec.structs.replace(named_job(Url("https://a.example/")), topic=1)
        for _ in range(3):
            shared.miss(job)
        for state in shared.end_turn(job, ["trains"]):
            store.put_state(state.part, state.key, state.value)
        assert turns_of(store, "trains") == TurnCount(asked=4, found=1, missed=3)
        assert SharedCrawl(["divers", "trains"], store, {}).read == [0, 1]
