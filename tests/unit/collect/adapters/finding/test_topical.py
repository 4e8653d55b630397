"""The finder of topics remembers where pages wait, and no longer than they do."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from haenyeo.collect.adapters.finding import waiting_pages
from haenyeo.collect.adapters.finding.finder import Sight
from haenyeo.collect.adapters.finding.parts import finding_of
from haenyeo.collect.adapters.finding.shared_crawl import SEEN_BY
from haenyeo.collect.adapters.finding.topical import TopicFinder
from haenyeo.collect.links.jobs import named_job
from haenyeo.find.faithful.segment import SegmentedContext
from haenyeo.find.traps import Traps
from haenyeo.html.parse import parse_page
from haenyeo.model.config import Settings, StrategySettings, Topic
from haenyeo.model.pages import Document, Url
from haenyeo.model.visits import Answer, Outcome
from haenyeo.store import PageRecord, Store

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.create(tmp_path / "divers") as made:
        yield made


def finder_over(store: Store) -> TopicFinder:
    _, finder = finding_of(store, Settings(topic={"divers": Topic(words="divers in the sea")}), Traps())
    assert isinstance(finder, TopicFinder)
    return finder


def visit(finder: TopicFinder, store: Store, number: int) -> None:
    """Read page `number`, which links to ten pages nobody else links to, and to the page after it."""
    url = Url(f"https://a.example/{number}")
    links = "".join(f"<li><a href=/{number}/{at}>divers in the sea {number} {at}</a>" for at in range(10))
    body = f"<title>Sea {number}</title><p>Divers in the sea.<ul>{links}</ul><a href=/{number + 1}>more</a>".encode()
    markup = parse_page(body, url, "text/html")
    document = Document(url=url, title=markup.title, text=markup.text)
    found = finder.find(Sight(job=named_job(url, 0), document=document, markup=markup))
    answer = Answer(url=url, final_url=url, outcome=Outcome.PAGE, status=200, content_type="text/html", body=body)
    saved = store.save(PageRecord(answer=answer, site="a.example", at=NOW, document=document, links=found.offer.new))
    finder.settle(saved, found.offer.new)


def test_where_a_page_waits_is_forgotten_when_it_was_read(store: Store) -> None:
    finder = finder_over(store)
    visit(finder, store, 0)
    key = finder.key(Url("https://a.example/1"))
    assert key in finder._waiting.places
    visit(finder, store, 1)
    assert key not in finder._waiting.places
    assert key not in finder.topics["divers"].worth
    assert len(finder._waiting.places) == 21


def test_of_too_many_places_the_newest_and_those_worth_most_are_kept(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting_pages, "MOST", 60)
    monkeypatch.setattr(waiting_pages, "KEPT", 20)
    finder = finder_over(store)
    visit(finder, store, 0)
    best = finder.key(Url("https://a.example/0/3"))
    finder.topics["divers"].worth[best] = 0.99
    for number in range(1, 5):
        visit(finder, store, number)
    finder.topics["divers"].worth[best] = 0.99
    for number in range(5, 7):
        visit(finder, store, number)
    finder._waiting.reorder(set())
    assert len(finder._waiting.places) <= 60
    assert best in finder._waiting.places
    assert finder.key(Url("https://a.example/6/9")) in finder._waiting.places


def takers(store: Store, topics: dict[str, Topic], *seeds: Url) -> dict[str, set[int]]:
    """The numbers of the topics that take each address at the beginning of a crawl, whoever has it fetched."""
    queue, finder = finding_of(store, Settings(topic=topics), Traps())
    finder.begin(seeds)
    taken: dict[str, set[int]] = {}
    while (job := queue.take(1.0)) or queue.shared:
        if job:
            taken.setdefault(job.url, set()).add(job.topic)
            queue.release(job, 0.0)
            finder.tried(job)
        for number, url in queue.shared:
            taken.setdefault(url, set()).add(number)
        queue.shared.clear()
    return taken


def test_an_example_waits_for_its_own_topics_alone(store: Store) -> None:
    """What one topic is taught with is no page that another would have asked for: it must not learn from it."""
    both, divers, trains = (f"https://a.example/{name}" for name in ("both", "divers", "trains"))
    topics = {
        "divers": Topic(words="divers in the sea", like=(divers, both), seeds=("https://a.example/",)),
        "trains": Topic(words="trains on rails", like=(trains,), unlike=(both,), seeds=("https://b.example/",)),
    }
    assert takers(store, topics) == {divers: {0}, trains: {1}, both: {0, 1}}


def test_a_seed_that_another_topic_has_as_an_example_is_read_after_all_examples_by_its_own(store: Store) -> None:
    """Where a topic starts must not be lost to it because the user has told another topic of the page."""
    start, divers, trains = (Url(f"https://a.example/{name}") for name in ("start", "divers", "trains"))
    topics = {
        "divers": Topic(words="divers in the sea", like=(divers,), unlike=(start,)),
        "trains": Topic(words="trains on rails", like=(trains,), seeds=(start,)),
    }
    taken = takers(store, topics, start)
    assert taken == {divers: {0}, trains: {1}, start: {1}}
    assert list(taken)[-1] == start


def test_an_example_that_is_also_where_its_topic_starts_is_an_example_first(store: Store) -> None:
    divers, trains, start = (Url(f"https://a.example/{name}") for name in ("divers", "trains", "start"))
    topics = {
        "divers": Topic(words="divers in the sea", like=(divers,)),
        "trains": Topic(words="trains on rails", like=(trains,), seeds=(start,)),
    }
    assert list(takers(store, topics, divers, start)) == [divers, trains, start]


def test_a_page_that_is_told_to_one_topic_is_learnt_from_by_the_one_that_asked_for_it(store: Store) -> None:
    url = Url("https://a.example/0")
    topics = {
        "divers": Topic(words="divers in the sea", unlike=(url,)),
        "trains": Topic(words="trains on rails", seeds=(url,)),
    }
    _, finder = finding_of(store, Settings(topic=topics, strategy=StrategySettings(scorer="segment")), Traps())
    assert isinstance(finder, TopicFinder)
    trains = finder.topics["trains"].scorer
    assert isinstance(trains, SegmentedContext)
    key, job = finder.key(url), msgspec.structs.replace(named_job(url, 0), topic=1)
    found = finder.find(Sight(job=job, document=Document(url=url, title="Rails", text="Trains on rails.")))
    assert trains.relevance(key) is not None
    (seen_by,) = (msgspec.msgpack.decode(state.value) for state in found.states if state.part == SEEN_BY)
    assert seen_by == ["divers", "trains"]


@pytest.mark.parametrize(("unlike", "counted"), [((), 1), (("https://c.example/",), 0)])
def test_examples_of_another_topic_count_where_the_user_gave_no_counter_examples(
    store: Store, unlike: tuple[str, ...], counted: int
) -> None:
    topics = {
        "divers": Topic(words="divers in the sea", like=("https://a.example/0",)),
        "trains": Topic(words="trains on rails", unlike=unlike),
    }
    settings = Settings(topic=topics, strategy=StrategySettings(scorer="segment"))
    _, finder = finding_of(store, settings, Traps())
    assert isinstance(finder, TopicFinder)
    visit(finder, store, 0)
    trains = finder.topics["trains"].scorer
    assert isinstance(trains, SegmentedContext)
    assert trains.bayes.others == counted


@pytest.mark.parametrize("strategy", ["default", "pfc", "spfc", "fc", "segment", "segment-backlinks"])
def test_dead_links_of_a_page_do_not_change_what_its_other_links_are_worth(store: Store, strategy: str) -> None:
    """Papers rate a link by what is said of it; so what one topic finds dead takes nothing from another."""
    topics = {"divers": Topic(words="divers in the sea")}
    queue, _ = finding_of(store, Settings(topic=topics, strategy=StrategySettings(scorer=strategy)), Traps())
    assert queue.credit.lists_only


def test_buttons_and_pictures_are_no_links(store: Store) -> None:
    url = Url("https://a.example/reef")
    body = (
        b"<title>Reef</title><p>Divers in the sea. <a href=/tide>tide</a> <a href=/crab.png>crab</a>"
        b"<a href='https://chat.example/share?url=https%3A%2F%2Fa.example%2Freef'>share</a>"
    )
    markup = parse_page(body, url, "text/html")
    document = Document(url=url, title=markup.title, text=markup.text)
    found = finder_over(store).find(Sight(job=named_job(url, 0), document=document, markup=markup))
    assert [link.url for link in found.offer.new] == ["https://a.example/tide"]


def test_a_picture_that_the_user_names_is_asked_for(store: Store) -> None:
    queue, _ = finding_of(store, Settings(topic={"divers": Topic(words="divers in the sea")}), Traps())
    queue.add([Url("https://a.example/crab.png")], 0)
    job = queue.take(0.0)
    assert job is not None
    assert job.url == "https://a.example/crab.png"
