"""Which links name the topic."""

from collections.abc import Sequence

from haenyeo.find.learned.memory import LinkMemory, urls_of
from haenyeo.find.learned.naming import Naming
from haenyeo.model.pages import Link, Url


def _named(
    naming: Naming, memory: LinkMemory, source: int, links: Sequence[Link], *, start: bool = False
) -> dict[str, list[float]]:
    """What is counted for the pages these links of a page lead to, by their addresses."""
    known = memory.pages
    refs = [abs(hash(link.url)) for link in links]
    page = memory.numbers([source], [f"http://a.example/{source}"])[0]
    first = memory.add_links(page, f"http://a.example/{source}", refs, links)
    naming.best.grow(memory.pages - len(naming.best))
    naming.note(memory, first, urls_of(links), known, start=start)
    counted = naming.best.values[memory.numbers_of(refs)].tolist()
    return dict(zip((link.url for link in links), counted, strict=True))


def test_words_are_counted_in_the_link_beside_it_and_in_its_address() -> None:
    links = [
        Link(url=Url("http://a.example/next"), anchor="next"),
        Link(url=Url("http://a.example/b"), anchor="Whales and boats", after="of the whale hunt"),
        Link(url=Url("http://a.example/whaling/boats.html"), anchor="more"),
    ]
    found = _named(Naming(words="whale boat"), LinkMemory(), 1, links)
    assert found["http://a.example/next"] == [0, 0, 0, 0]
    assert found["http://a.example/b"] == [2, 1, 0, 0]
    assert found["http://a.example/whaling/boats.html"] == [0, 0, 1, 0]


def test_the_best_link_to_a_page_counts() -> None:
    naming, memory = Naming(words="whale"), LinkMemory()
    page = Url("http://a.example/b")
    assert _named(naming, memory, 1, [Link(url=page, anchor="whales")])[page] == [1, 0, 0, 0]
    assert _named(naming, memory, 2, [Link(url=page, anchor="next", after="after whales")])[page] == [1, 1, 0, 0]
    assert _named(naming, memory, 3, [Link(url=page, anchor="top")])[page] == [1, 1, 0, 0]


def test_korean_words_are_found_in_escaped_addresses() -> None:
    page = Url("http://a.example/tags/%EB%8D%B0%EC%9D%B4%ED%84%B0")
    found = _named(Naming(words="데이터를"), LinkMemory(), 1, [Link(url=page, anchor="1")])
    assert found[page] == [0, 0, 1, 0]


def test_a_host_is_not_part_of_what_an_address_names() -> None:
    page = Url("http://whale.example/trains")
    assert _named(Naming(words="whale"), LinkMemory(), 1, [Link(url=page)])[page] == [0, 0, 0, 0]


def test_short_latin_words_are_not_looked_for_inside_others() -> None:
    page = Url("http://a.example/categories/goods")
    assert _named(Naming(words="go"), LinkMemory(), 1, [Link(url=page)])[page] == [0, 0, 0, 0]


def test_without_words_nothing_is_named() -> None:
    page = Url("http://a.example/b")
    assert _named(Naming(), LinkMemory(), 1, [Link(url=page, anchor="whales")])[page] == [0, 0, 0, 0]


def test_what_a_start_links_to_is_noted() -> None:
    naming, memory = Naming(words="whale"), LinkMemory()
    page = Url("http://a.example/b")
    assert _named(naming, memory, 1, [Link(url=page)], start=True)[page] == [0, 0, 0, 1]
    assert _named(naming, memory, 2, [Link(url=page)])[page] == [0, 0, 0, 1]
