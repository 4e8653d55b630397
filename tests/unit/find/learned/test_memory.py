"""What is known of pages and links."""

import numpy as np

from haenyeo.find.learned.memory import NOBODY, LinkMemory
from haenyeo.model.pages import Link, Url


def _url(ref: int) -> Url:
    return Url(f"http://a.example/{ref}")


def _linked(memory: LinkMemory, source: int, *targets: int) -> None:
    number = memory.numbers([source], [_url(source)])[0]
    links = [Link(url=_url(ref), anchor=f"page {ref}", path="ul>li" if ref % 2 else "p") for ref in targets]
    memory.add_links(number, "http://a.example/", targets, links)


def test_a_page_keeps_its_number_and_its_finder() -> None:
    memory = LinkMemory()
    _linked(memory, 10, 11, 12)
    _linked(memory, 11, 12, 12, 13)
    assert memory.pages == 4
    assert memory.links == 5
    assert memory.found_by.tolist() == [NOBODY, 0, 0, 1]
    assert memory.number_of(13) == 3
    assert memory.number_of(99) is None


def test_links_at_one_place_of_a_page_are_a_group() -> None:
    memory = LinkMemory()
    _linked(memory, 10, 11, 12, 13)
    _linked(memory, 11, 13)
    assert memory.group.tolist() == [0, 1, 0, 2]


def test_what_is_kept_hangs_together() -> None:
    memory = LinkMemory()
    _linked(memory, 10, 11, 12)
    _linked(memory, 12, 13, 14)
    kept = np.zeros(memory.pages, np.bool_)
    kept[memory.number_of(14)] = True
    number = memory.keep(kept, 10)
    assert memory.ref.tolist() == [12, 14]
    assert memory.source.tolist() == [0]
    assert memory.target.tolist() == [1]
    assert memory.found_by.tolist() == [NOBODY, 0]
    assert number.tolist() == [NOBODY, NOBODY, 0, NOBODY, 1]
    assert len(memory.on_pages) == 1
    assert len(memory.addresses) == 2


def test_of_too_many_links_those_to_waiting_pages_are_kept_first_then_the_newest() -> None:
    memory = LinkMemory()
    _linked(memory, 10, 11, 12)
    for source in (20, 21, 22):
        _linked(memory, source, 12)
    memory.relevance[memory.number_of(12)] = 0.5
    memory.keep(np.ones(memory.pages, np.bool_), 2)
    assert memory.ref[memory.target].tolist() == [11, 12]
    assert memory.ref[memory.source].tolist() == [10, 22]


def test_the_more_links_lead_to_a_page_the_fewer_are_described() -> None:
    memory = LinkMemory()
    for source in range(100, 164):
        _linked(memory, source, 1)
    assert memory.described[:8].all()
    assert [memory.described[start : 2 * start].sum() for start in (8, 16, 32)] == [4, 4, 4]
    lengths = memory.on_pages.ends[:, -1] - memory.on_pages.bounds(0)[0]
    assert (lengths > 0).tolist() == memory.described.tolist()


def test_where_links_abound_those_to_fetched_pages_are_described_more_rarely() -> None:
    memory = LinkMemory()
    _linked(memory, 10, 1, 2)
    memory.relevance[memory.number_of(1)] = 0.5
    for source in range(1000, 21_000, 1000):
        _linked(memory, 11, *range(source, source + 1000))
    known = memory.links
    for source in range(20, 24):
        _linked(memory, source, 1, 2)
    assert memory.described[known::2].tolist() == [False, False, False, True]
    assert memory.described[known + 1 :: 2].all()


def test_a_page_whose_links_were_forgotten_is_described_again() -> None:
    memory = LinkMemory()
    for source in range(100, 164):
        _linked(memory, source, 1)
    memory.keep(np.ones(memory.pages, np.bool_), 1)
    _linked(memory, 200, 1)
    assert memory.described[-1]


def test_a_restored_memory_goes_on() -> None:
    memory, again = LinkMemory(), LinkMemory()
    _linked(memory, 10, 11, 12)
    again.restore(memory.state())
    for one in (memory, again):
        _linked(one, 12, 11, 15)
    assert again.target.tolist() == memory.target.tolist()
    assert again.group.tolist() == memory.group.tolist()
