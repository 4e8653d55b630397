"""Links keep their numbers and their words, and a restart finds those that wait."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.html.urls import url_hash
from haenyeo.model.errors import StoreError
from haenyeo.model.pages import Url
from haenyeo.store import NewLink, PageRecord, Store, links

Make = Callable[..., PageRecord]
WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
LINKS = st.lists(
    st.builds(
        NewLink,
        url=st.integers(0, 10**9).map(lambda number: Url(f"https://c.example/{number}")),
        site=st.sampled_from(["c.example", "바다.example"]),
        score=st.floats(0, 1, width=32),
        anchor=WORDS,
        before=WORDS,
        after=WORDS,
        path=WORDS,
    ),
    max_size=5,
)


@pytest.fixture(scope="module")
def shared_store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return Store.create(tmp_path_factory.mktemp("links"))


@given(st.lists(LINKS, min_size=1, max_size=5))
def test_links_come_back_by_number(shared_store: Store, pages: list[list[NewLink]]) -> None:
    numbered = {}
    for new in pages:
        first = shared_store.add_seeds(new)
        numbered.update({first + index: link for index, link in enumerate(new)})
    shared_store._links.reload()
    stored = shared_store.links(list(numbered))
    columns = [name for name in NewLink.__struct_fields__ if name != "source"]
    assert [NewLink(*[getattr(link, name) for name in columns]) for link in stored] == list(numbered.values())
    assert [link.ref for link in stored] == list(numbered)


def test_a_links_source_and_depth_are_known(store: Store, make_record: Make, make_link: Callable[..., NewLink]) -> None:
    seed = store.add_seeds([make_link(anchor="start", path="ul>li")])
    saved = store.save(make_record(depth=3))
    seed_link, page_link = store.links([seed, saved.first_ref + 1])
    assert (seed_link.source, seed_link.depth, seed_link.anchor) == (None, 0, "start")
    assert (page_link.source, page_link.depth) == ("https://a.example/0", 4)
    assert seed_link.as_link().path == "ul>li"


def test_a_number_never_given_is_refused(store: Store, make_link: Callable[..., NewLink]) -> None:
    first = store.add_seeds([make_link()])
    for ref in (first - 1, first + 1, 10**9):
        with pytest.raises(StoreError, match=f"no link number {ref}"):
            store.links([ref])


def test_numbers_go_on_after_a_restart(folder: Path, make_link: Callable[..., NewLink], make_record: Make) -> None:
    with Store.create(folder) as store:
        first = store.add_seeds([make_link(), make_link("https://b.example/2")])
        store.save(make_record(links=[], targets=[5]))
    with Store.open(folder, writing=True) as store:
        second = store.add_seeds([make_link("https://b.example/3")])
        assert second > first + 1
        assert store.links([first + 1, second])[1].url == "https://b.example/3"
        assert store.counts().found == 3


def test_rows_are_read_again_when_memory_has_lost_them(
    store: Store, make_link: Callable[..., NewLink], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(links, "LINKS_IN_MEMORY", 2)
    refs = [store.add_seeds([make_link(f"https://b.example/{number}")]) for number in range(6)]
    assert [link.url for link in store.links(refs)] == [f"https://b.example/{number}" for number in range(6)]


def test_a_restart_finds_all_links_in_order_with_their_columns(
    store: Store, make_record: Make, make_link: Callable[..., NewLink], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(links, "ROWS_IN_BATCH", 2)
    store.add_seeds([make_link("https://a.example/0", site="a.example", score=1.0), make_link("https://c.example/")])
    for number in range(3):
        store.save(make_record(number, depth=number))
    store.save(make_record(9, links=[], targets=[1, 2, 3]))
    batches = list(store.link_batches())
    refs = np.concatenate([batch.refs for batch in batches]).tolist()
    stored = store.links(refs)
    names = store.sites()
    assert len(stored) == 8
    assert refs == sorted(refs)
    assert np.concatenate([batch.hashes for batch in batches]).tolist() == [url_hash(link.url) for link in stored]
    assert [names[site] for batch in batches for site in batch.sites.tolist()] == [link.site for link in stored]
    assert [depth for batch in batches for depth in batch.depths.tolist()] == [link.depth for link in stored]
    assert [score for batch in batches for score in batch.scores.tolist()] == [link.score for link in stored]
    finished = [flag for batch in batches for flag in batch.finished.tolist()]
    assert finished == [True, *[False] * 7]
    assert store.waiting_count() == 7
    assert url_hash("https://a.example/0") in store.finished().tolist()


def test_very_many_links_of_a_page_are_spread_over_rows(store: Store, make_record: Make) -> None:
    urls = [f"https://b.example/{number}" for number in range(1001)]
    new = [NewLink(Url(url), "b.example", 0.5) for url in urls]
    saved = store.save(make_record(links=new, targets=[*map(url_hash, urls), 7]))
    store._links.reload()
    refs = range(saved.first_ref, saved.first_ref + len(urls))
    assert [link.url for link in store.links(refs)] == urls
    assert [len(batch) for batch in store.waiting()] == [1001]
    assert store.counts().found == 1001
    [inlink] = store.inlinks(urls[700])
    assert inlink.link is not None
    assert inlink.link.ref == refs[700]
    assert store.add_seeds([NewLink(Url("https://c.example/"), "c.example", 1.0)]) == refs[-1] + 1


def test_an_address_reached_by_redirect_no_longer_waits(
    store: Store, make_link: Callable[..., NewLink], make_record: Make
) -> None:
    store.add_seeds([make_link("https://a.example/0"), make_link("https://a.example/canonical")])
    store.save(make_record(links=[], targets=[], url=Url("https://a.example/canonical")))
    assert store.waiting_count() == 0


def test_an_empty_store_has_nothing_waiting(store: Store) -> None:
    assert list(store.waiting()) == []
    assert store.waiting_count() == 0
    assert store.finished().tolist() == []


def test_every_page_that_links_to_an_address_is_found(store: Store, make_record: Make) -> None:
    store.save(make_record(1))
    store.save(make_record(2, targets=[url_hash("https://b.example/1/0"), 7]))
    first, second = store.inlinks("https://b.example/1/0")
    assert first.source == "https://a.example/1"
    assert first.link is not None
    assert first.link.url == "https://b.example/1/0"
    assert (second.source, second.link) == ("https://a.example/2", None)
    assert store.inlinks("https://nowhere.example/") == []


def test_bytes_across_two_hashes_are_no_link(store: Store, make_record: Make) -> None:
    wanted = url_hash("https://wanted.example/").to_bytes(8, "little")
    halves = [int.from_bytes(part, "little") for part in (b"....." + wanted[:3], wanted[3:] + b"...")]
    store.save(make_record(links=[], targets=halves))
    assert store.inlinks("https://wanted.example/") == []


def test_words_that_repeat_within_a_page_keep_their_own_numbers(
    store: Store, make_link: Callable[..., NewLink]
) -> None:
    first = store.add_seeds([make_link(anchor="one"), make_link(anchor="two")])
    assert [link.anchor for link in store.links([first, first + 1])] == ["one", "two"]
    assert sum(len(batch) for batch in store.link_batches()) == 2
