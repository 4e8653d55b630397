from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest

from haenyeo.model.errors import NoCollectionError
from haenyeo.model.pages import Document, Url
from haenyeo.store import PageRecord, Store
from haenyeo.store.search import SearchIndex, SearchQuery
from haenyeo.store.search.index import FILE_NAME

Make = Callable[..., PageRecord]
TEXTS = {
    1: ("Women divers", "The haenyeo dive for abalone without tanks.", "en"),
    2: ("제주해녀", "해녀가 물질을 하러 바다로 간다.", "ko"),
    3: ("Bread", "Sourdough needs time, water and flour. Divers like it.", "en"),
}


@pytest.fixture
def index(store: Store, folder: Path, make_record: Make) -> Iterator[SearchIndex]:
    for number, (title, text, language) in TEXTS.items():
        store.save(written(make_record, number, text, title=title, language=language))
    store.flush()
    with SearchIndex(folder) as opened:
        opened.update()
        yield opened


def written(make_record: Make, number: int, text: str, title: str = "", language: str = "en") -> PageRecord:
    document = Document(url=Url(f"https://a.example/{number}"), title=title, text=text, language=language)
    return make_record(number, document=document)


def found(index: SearchIndex, words: str, **filters: object) -> list[str]:
    query = msgspec.convert({"words": words, **filters}, SearchQuery)
    return [hit.url.rpartition("/")[2] for hit in index.find(query).hits]


def test_english_and_korean_words_are_found(index: SearchIndex) -> None:
    assert found(index, "abalone") == ["1"]
    assert found(index, "해녀") == ["2"]
    assert found(index, "물질") == ["2"]
    assert found(index, "제주해녀") == ["2"]
    assert found(index, "해물") == []
    assert found(index, "녀") == ["2"]
    assert found(index, "nothing here") == []


def test_a_word_in_the_title_counts_more(index: SearchIndex) -> None:
    assert found(index, "divers") == ["1", "3"]
    assert found(index, "divers -bread") == ["1"]


def test_hits_are_filtered_by_the_kind_of_page(index: SearchIndex, store: Store, make_record: Make) -> None:
    record = written(make_record, 7, "Divers ask where the tide table is.")
    assert record.document is not None
    store.save(msgspec.structs.replace(record, document=msgspec.structs.replace(record.document, kind="thread")))
    store.flush()
    index.update()
    assert found(index, "divers", kind="thread") == ["7"]
    assert found(index, "divers", kind="product") == []
    assert {hit.kind for hit in index.find(SearchQuery(words="divers")).hits} == {"", "thread"}


def test_a_collection_of_before_there_were_kinds_is_searched_as_it_is(
    store: Store, folder: Path, make_record: Make
) -> None:
    store.save(written(make_record, 1, "The haenyeo dive for abalone."))
    store.close()
    with closing(sqlite3.connect(folder / "haenyeo.db")) as database:
        database.execute("ALTER TABLE page DROP COLUMN kind")
        database.commit()
    with SearchIndex(folder) as index:
        index.update()
        assert found(index, "abalone") == ["1"]
        assert found(index, "abalone", kind="thread") == []


def test_hits_are_filtered(index: SearchIndex, make_record: Make) -> None:
    at = make_record(3).answer.hops[0].at
    assert found(index, "divers", language="en-GB") == ["1", "3"]
    assert found(index, "divers", language="ko") == []
    assert found(index, "divers", site="a.example") == ["1", "3"]
    assert found(index, "divers", site="b.example") == []
    assert found(index, "divers", topic="divers") == ["1", "3"]
    assert found(index, "divers", topic="bread") == []
    assert found(index, "divers", since=at) == ["3"]
    assert found(index, "divers", until=at) == ["1"]
    assert found(index, "divers", limit=1, offset=1) == ["3"]


def test_pages_that_came_later_are_taken_in(index: SearchIndex, store: Store, make_record: Make) -> None:
    store.save(written(make_record, 4, "An octopus."))
    store.flush()
    assert index.behind() == 1
    assert found(index, "octopus") == []
    index.update()
    assert index.behind() == 0
    assert found(index, "octopus") == ["4"]


def test_a_changed_page_is_found_by_its_new_words_only(index: SearchIndex, store: Store, make_record: Make) -> None:
    store.save(written(make_record, 1, "Now about whales."))
    store.flush()
    index.update()
    assert found(index, "whales") == ["1"]
    assert found(index, "abalone") == []


def test_a_page_taken_out_of_the_collection_is_not_found(index: SearchIndex, store: Store) -> None:
    store.rejudge("https://a.example/1", {"divers": 0.0}, kept=False)
    store.flush()
    assert found(index, "abalone") == []
    assert found(index, "abalone", kept_only=False) == ["1"]


def test_an_update_can_be_taken_in_steps(store: Store, folder: Path, make_record: Make) -> None:
    for number in range(300):
        store.save(written(make_record, number, f"word{number}"))
    store.flush()
    with SearchIndex(folder) as index:
        assert not index.update(steps=1)
        assert found(index, "word5") == ["5"]
        assert found(index, "word299") == []
        assert index.update(steps=5)
        assert found(index, "word299") == ["299"]


def test_two_indexes_may_be_updated_at_once(index: SearchIndex, store: Store, folder: Path, make_record: Make) -> None:
    store.save(written(make_record, 9, "An octopus."))
    store.flush()
    with SearchIndex(folder) as other:
        other.update()
        index.update()
        assert found(index, "octopus") == found(other, "octopus") == ["9"]


def test_an_index_of_another_version_is_made_anew(index: SearchIndex, folder: Path) -> None:
    index.close()
    with sqlite3.connect(folder / FILE_NAME) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with SearchIndex(folder) as again:
        again.update()
        assert found(again, "해녀") == ["2"]


@pytest.mark.parametrize("query", ['"', "a AND OR NOT", "title:x", "(((", "* ^ + -", "NEAR(a b)", "'; DROP", "\x00a"])
def test_no_query_breaks_the_index(index: SearchIndex, query: str) -> None:
    assert found(index, query) == []


def test_there_is_nothing_to_search_without_a_collection(tmp_path: Path) -> None:
    with pytest.raises(NoCollectionError, match="no collection"):
        SearchIndex(tmp_path)


def test_hits_tell_when_their_page_changed(index: SearchIndex, make_record: Make) -> None:
    [hit] = index.find(SearchQuery(words="abalone")).hits
    assert hit.changed_at is not None
    assert hit.changed_at - make_record(1).answer.hops[0].at == timedelta(0)
    assert hit.relevance == {"divers": 0.75}


def test_an_answer_says_how_many_pages_are_not_indexed(index: SearchIndex, store: Store, make_record: Make) -> None:
    assert index.find(SearchQuery(words="octopus")).unindexed == 0
    store.save(written(make_record, 4, "An octopus."))
    store.save(written(make_record, 5, "Another octopus."))
    store.flush()
    answer = index.find(SearchQuery(words="octopus"))
    assert (answer.total, answer.unindexed) == (0, 2)


def test_an_update_ends_when_its_time_is_up(index: SearchIndex, store: Store, make_record: Make) -> None:
    store.save(written(make_record, 4, "An octopus."))
    store.flush()
    assert not index.update(seconds=0.0)
    assert index.unindexed() == 1
    assert index.update(seconds=60.0)
    assert found(index, "octopus") == ["4"]


def test_a_text_that_was_read_better_later_takes_the_place_of_the_first(
    index: SearchIndex, store: Store, make_record: Make
) -> None:
    store.save(written(make_record, 4, "Home Contact Imprint. An octopus."))
    store.flush()
    index.update()
    store.put_text("https://a.example/4", "An octopus and a squid.")
    store.flush()
    index.update()
    assert found(index, "imprint") == []
    assert found(index, "squid") == ["4"]
    index.update()
    assert found(index, "octopus") == ["4"]


def test_ascii_texts_have_the_same_terms_as_if_they_were_cut_up(
    index: SearchIndex, store: Store, make_record: Make
) -> None:
    store.save(written(make_record, 4, 'He said: "snake_case, CAMELCase; a/b\\c" (don\'t) e-mail'))
    store.flush()
    index.update()
    for words in ("snake", '"snake case"', "camelcase", '"a b c"', '"don t"', '"e mail"', "said"):
        assert found(index, words) == ["4"], words
