"""Finding taken up again: with what was learnt, or anew from the stored pages where that is of no use any more."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np
import pytest

from haenyeo.collect.adapters.finding.parts import finding_of
from haenyeo.collect.adapters.finding.resume import restored
from haenyeo.collect.adapters.finding.topical import TopicFinder
from haenyeo.collect.adapters.finding.topics import LEARNT, PART, Checkpoint
from haenyeo.collect.collection import Collection, Overrides, create_collection
from haenyeo.find.learned.state import from_bytes
from haenyeo.find.traps import Traps
from haenyeo.model.config import FetchSettings, Topic
from haenyeo.model.pages import Url
from haenyeo.words import korean

Serve = Callable[[dict[str, tuple[dict[str, str], str]]], str]
HTML = {"Content-Type": "text/html; charset=utf-8"}
PAGES = {
    "/": (HTML, "<title>해녀</title><p>해녀는 바다에서 <a href=/reef>산호초를 불러오려면</a> 물질을 합니다."),
    "/reef": (HTML, "<title>산호초</title><p>산호초에는 물고기가 많이 살고 있습니다."),
}


@pytest.mark.slow
def test_words_read_in_another_way_make_a_topic_learn_anew(tmp_path: Path, serve: Serve) -> None:
    site = serve(PAGES)
    topic = Topic(words="해녀 바다", seeds=(f"{site}/",))
    create_collection(tmp_path / "divers", topic, fetch=FetchSettings(allow_private=("127.0.0.0/8",)))
    with Collection.open(tmp_path / "divers") as collection:
        for _ in collection.crawl(overrides=Overrides(delay=0.0)):
            pass
        settings, store = collection.settings, collection.store
        other = msgspec.structs.replace(settings, strategy=msgspec.structs.replace(settings.strategy, korean="kiwi"))
        try:
            _, finder = finding_of(store, other, Traps())
            assert isinstance(finder, TopicFinder)
            (name,) = finder.topics
            assert restored(finder.topics[name], name, "default", store) == 0, "what was stored is of no use"
            assert finder.topics[name].scorer.relevance(finder.key(Url(f"{site}/reef"))) is not None
            finder.remember()
            assert restored(finder.topics[name], name, "default", store) > 0
        finally:
            korean.choose("particles")
        _, finder = finding_of(store, settings, Traps())
        assert isinstance(finder, TopicFinder)
        assert restored(finder.topics[name], name, "default", store) == 0


def _list(number: int) -> str:
    """A page that leads to pages on the topic, to some that are not, and on."""
    near = [f"<li><a href=/sea/{at}>divers in the sea, part {at}</a>" for at in range(4 * number, 4 * number + 4)]
    far = [f"<li><a href=/bank/{at}>loans at the bank, part {at}</a>" for at in range(4 * number, 4 * number + 4)]
    return f"<title>List {number}</title><ul>{''.join(near + far)}</ul><a href=/list/{number + 1}>more</a>"


@pytest.mark.slow
def test_pages_learnt_again_teach_as_much_as_when_they_were_fetched(tmp_path: Path, serve: Serve) -> None:
    sea, bank = "divers harvest abalone in the cold sea", "loans and accounts and interest at the bank"
    pages = {f"/list/{number}": (HTML, _list(number)) for number in range(10)}
    pages |= {f"/sea/{number}": (HTML, f"<title>Sea</title><p>{sea} {number}") for number in range(40)}
    pages |= {f"/bank/{number}": (HTML, f"<title>Bank</title><p>{bank} {number}") for number in range(40)}
    site = serve(pages)
    topic = Topic(words="divers", seeds=(f"{site}/list/0",), like=(f"{site}/sea/0",), unlike=(f"{site}/bank/0",))
    create_collection(tmp_path / "divers", topic, fetch=FetchSettings(allow_private=("127.0.0.0/8",)))
    with Collection.open(tmp_path / "divers") as collection:
        for _ in collection.crawl(pages=40, overrides=Overrides(delay=0.0)):
            pass
        (name,) = collection.settings.topic
        learnt = collection.store.state(LEARNT, name)
        assert learnt
        collection.store.put_state(PART, name, b"")
        _, finder = finding_of(collection.store, collection.settings, Traps())
    assert isinstance(finder, TopicFinder)
    then, again = from_bytes(learnt)["worth"], from_bytes(finder.topics[name].scorer.dump())["worth"]
    assert np.count_nonzero(then) > 20, "pages wait"
    assert again == pytest.approx(then, abs=0.001)


@pytest.mark.slow
def test_what_an_older_collection_has_learnt_in_one_piece_is_taken_up(tmp_path: Path, serve: Serve) -> None:
    site = serve({"/": (HTML, "<a href=/sea>divers</a>"), "/sea": (HTML, "<p>divers harvest abalone</p>")})
    topic = Topic(words="divers", seeds=(f"{site}/",))
    create_collection(tmp_path / "divers", topic, fetch=FetchSettings(allow_private=("127.0.0.0/8",)))
    with Collection.open(tmp_path / "divers") as collection:
        for _ in collection.crawl(pages=2, overrides=Overrides(delay=0.0)):
            pass
        (name,) = collection.settings.topic
        store = collection.store
        learnt = store.state(LEARNT, name)
        checkpoint = msgspec.msgpack.decode(store.state(PART, name) or b"", type=Checkpoint)
        assert learnt
        store.put_state(PART, name, msgspec.msgpack.encode(msgspec.structs.replace(checkpoint, learnt=learnt)))
        store.forget_states(LEARNT)
        _, finder = finding_of(store, collection.settings, Traps())
        assert isinstance(finder, TopicFinder)
        assert restored(finder.topics[name], name, finder.strategy, store) == checkpoint.page > 0


@pytest.mark.slow
def test_an_example_that_was_refused_at_first_is_learnt_from_once_it_is_read(tmp_path: Path, serve: Serve) -> None:
    site = serve(
        {"/": (HTML, "<a href=/sea>divers</a>"), "/sea": (HTML, "<title>Sea</title><p>divers harvest abalone</p>")}
    )
    topic = Topic(words="divers", seeds=(f"{site}/",), like=(f"{site}/sea",))
    folder = tmp_path / "divers"
    create_collection(folder, topic)
    for allowed in ("[]", '["127.0.0.0/8"]'):
        settings = (folder / "haenyeo.toml").read_text(encoding="utf-8")
        settings = re.sub("allow_private = .*", f"allow_private = {allowed}", settings)
        (folder / "haenyeo.toml").write_text(settings, encoding="utf-8")
        with Collection.open(folder) as collection:
            collection.retry()
            for _ in collection.crawl(overrides=Overrides(delay=0.0)):
                pass
    with Collection.open(folder) as collection:
        _, finder = finding_of(collection.store, collection.settings, Traps())
        assert isinstance(finder, TopicFinder)
        (at_work,) = finder.topics.values()
        judge = at_work.scorer.judge  # type: ignore[attr-defined]
        key = finder.key(Url(f"{site}/sea"))
        assert judge.said_of(key).relevant
        assert judge._pages[judge._row[key]].coverage[0] == 1, "the word of the topic is on the page"
