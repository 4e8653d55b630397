"""Look-ahead."""

import numpy as np

from haenyeo.find.learned.gains import as_target, from_target, gains
from haenyeo.find.learned.memory import LinkMemory
from haenyeo.model.pages import Link, Url


def _chain() -> LinkMemory:
    """Page 0 leads to 1, 1 to the hub 2, the hub to ten relevant pages."""
    memory = LinkMemory()
    for source, targets in ((0, [1]), (1, [2]), (2, list(range(3, 13)))):
        number = memory.numbers([source], [f"http://a.example/{source}"])[0]
        memory.add_links(
            number, "http://a.example/", targets, [Link(url=Url(f"http://a.example/{ref}")) for ref in targets]
        )
    memory.relevance[:3] = 0.0
    memory.relevance[3:] = 1.0
    return memory


def test_a_hub_gains_what_it_opened_up_and_the_way_to_it_a_part() -> None:
    memory = _chain()
    gain = gains(memory, np.zeros(memory.pages))
    assert gain[2] == 10
    assert gain[1] == 5
    assert gain[0] == 2.5


def test_where_as_good_pages_wait_anyway_nothing_is_gained() -> None:
    memory = _chain()
    number = memory.numbers([50], ["http://b.example/"])[0]
    many = list(range(100, 160))
    memory.add_links(number, "http://a.example/", many, [Link(url=Url(f"http://b.example/{ref}")) for ref in many])
    worth = np.where(memory.fetched, 0.0, 1.0)
    assert gains(memory, worth)[2] == 0


def test_the_scale_of_gains_can_be_undone_up_to_its_end() -> None:
    assert np.allclose(from_target(as_target(np.array([0.0, 1.0, 12.0, 99.0]))), [0, 1, 12, 30])
