"""Finding taken up again: with what was learnt, or anew from the stored pages where that is of no use any more."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from haenyeo.collect.collection import Collection, Overrides, create_collection
from haenyeo.collect.finding.parts import finding_of
from haenyeo.collect.finding.resume import restored
from haenyeo.collect.finding.topical import TopicFinder
from haenyeo.find.traps import Traps
from haenyeo.model.config import FetchSettings, TopicSettings
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
    topic = TopicSettings(words="해녀 바다", seeds=(f"{site}/",))
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
