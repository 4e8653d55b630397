"""How many new pages a page should open up."""

import numpy as np

from haenyeo.find.learned.evidence import ANCHOR, ASKED, KINDS
from haenyeo.find.learned.memory import LinkMemory
from haenyeo.find.learned.prospects import Prospects

_PAGES = 60
_LISTED = 25.0


def _known(pages: int = _PAGES) -> LinkMemory:
    """Pages with even numbers are on one site, the others each on one of its own."""
    memory = LinkMemory()
    hosts = ("one.example" if page % 2 == 0 else f"site{page}.example" for page in range(pages))
    memory.numbers(range(pages), [f"http://{host}/x/{page}" for page, host in enumerate(hosts)])
    return memory


def _evidence(kind: int, value: float) -> np.ndarray:
    evidence = np.zeros(KINDS)
    evidence[kind] = value
    return evidence


def _taught(memory: LinkMemory, *, chosen: int = 40) -> Prospects:
    """Where one page in ten opens up very many, and these are the ones with words the topic has."""
    prospects = Prospects()
    opened_up = np.zeros(memory.pages)
    for page in range(chosen):
        is_list = page % 10 == 0
        prospects.note(page, page, _evidence(ANCHOR, 4.0 * is_list), memory)
        opened_up[page] = _LISTED * is_list
    prospects.learn(memory, opened_up)
    return prospects


def _expected(prospects: Prospects, memory: LinkMemory, kind: int, value: float, page: int = 50) -> float:
    return float(prospects.gains(_evidence(kind, value)[None], np.array([page]), memory)[0])


def test_rare_large_gains_are_expected_where_the_evidence_is_the_same() -> None:
    memory = _known()
    prospects = _taught(memory)
    assert prospects.known
    assert _expected(prospects, memory, ANCHOR, 4.0) > 3 * _expected(prospects, memory, ANCHOR, 0.0)


def test_the_mean_of_what_is_expected_is_the_mean_of_what_was_opened_up() -> None:
    memory = _known()
    prospects = _taught(memory)
    expected = np.mean([_expected(prospects, memory, ANCHOR, 4.0 * (page % 10 == 0), page) for page in range(40)])
    assert 0.5 < expected / (_LISTED / 10) < 2


def test_a_link_that_names_the_topic_is_expected_to_lead_to_a_list() -> None:
    memory = _known()
    prospects = Prospects()
    assert _expected(prospects, memory, ASKED, 3.0) > 2 * _expected(prospects, memory, ASKED, 0.0)


def test_where_new_sites_open_up_more_they_are_preferred() -> None:
    memory = _known()
    prospects = Prospects()
    opened_up = np.array([8.0 * (page % 2) for page in range(_PAGES)])
    for page in range(40):
        prospects.note(page, page, np.zeros(KINDS), memory)
    prospects.learn(memory, opened_up)
    assert _expected(prospects, memory, ANCHOR, 0.0, page=51) > 1.5 * _expected(prospects, memory, ANCHOR, 0.0, page=50)


def test_with_few_outcomes_nothing_is_known() -> None:
    assert not _taught(_known(), chosen=10).known


def test_only_what_was_fetched_and_not_given_counts_as_read() -> None:
    memory = _known()
    memory.relevance[:10] = 0.5
    memory.given[:5] = True
    prospects = _taught(memory)
    prospects.count(memory)
    before = _expected(prospects, memory, ANCHOR, 0.0)
    memory.given[:5] = False
    prospects.count(memory)
    assert _expected(prospects, memory, ANCHOR, 0.0) != before


def test_restored_prospects_are_the_same() -> None:
    memory = _known()
    prospects = _taught(memory)
    again = Prospects()
    again.restore(prospects.state())
    prospects.count(memory)
    again.count(memory)
    assert again.known
    assert _expected(again, memory, ANCHOR, 1.0) == _expected(prospects, memory, ANCHOR, 1.0)
