"""What speaks for links, and for the pages they lead to."""

import numpy as np
import pytest

from haenyeo.find.learned.evidence import (
    GROUP,
    HUB,
    SOURCE,
    SUMS,
    PageColumns,
    Standards,
    add_evidence,
    add_evidence_in_python,
    page_evidence,
    page_evidence_in_python,
)
from haenyeo.find.learned.features import TABLE
from haenyeo.find.learned.memory import LinkMemory
from haenyeo.find.learned.regression import Regression
from haenyeo.model.pages import Link, Url

_PAGES = 12


def _url(ref: int) -> Url:
    return Url(f"http://a.example/{'whales' if ref % 3 else 'trains'}/{ref}.html")


def _memory(seed: int) -> LinkMemory:
    """Pages with links among each other, some fetched, one not followed; some links are not described."""
    random = np.random.default_rng(seed)
    memory = LinkMemory()
    for source in range(_PAGES):
        refs = random.integers(0, _PAGES, 30).tolist()
        links = [Link(url=_url(ref), anchor=f"whale {ref}", after="in boats", path="p" * (ref % 3)) for ref in refs]
        memory.add_links(memory.numbers([source], [_url(source)])[0], _url(source), refs, links)
    fetched = random.random(memory.pages) < 0.5
    memory.rate(np.flatnonzero(fetched), random.random(int(fetched.sum())))
    memory.followed[3] = False
    assert not memory.described.all()
    return memory


def _standards(seed: int) -> Standards:
    random = np.random.default_rng(seed)
    regression = Regression()
    regression.weights[:] = random.normal(size=(TABLE, 2))
    regression.offsets[:] = 0.3, -0.7
    return Standards.of(random.normal(size=(TABLE, 2)).astype(np.float32), regression, 0.2)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("first", [0, 330])
def test_compiled_code_adds_the_same(seed: int, first: int) -> None:
    memory, standards = _memory(seed), _standards(seed)
    quick, plain = np.zeros((2, memory.pages, SUMS))
    quick_links, plain_links = np.zeros((2, memory.pages), np.int64)
    add_evidence(memory, standards, quick, quick_links, first)
    add_evidence_in_python(memory, standards, plain, plain_links, first)
    assert quick_links.tolist() == plain_links.tolist()
    assert np.allclose(quick, plain, atol=1e-4)


def test_compiled_code_finds_the_same_of_pages() -> None:
    random = np.random.default_rng(1)
    sums, links = random.normal(size=(20, SUMS)), random.integers(0, 4, 20)
    pages = random.integers(0, 20, 7)
    gathered = PageColumns(sums, links, random.random((20, 4), np.float32), random.normal(size=20))
    plain = page_evidence_in_python(gathered, pages, 0.2)
    assert np.allclose(page_evidence(gathered, pages, 0.2), plain)
    assert plain[:, -5:-1].tolist() == gathered.named[pages].tolist()
    assert plain[:, -1].tolist() == gathered.beside[pages].tolist()


def test_a_page_with_relevant_links_speaks_for_its_others() -> None:
    memory, standards = LinkMemory(), _standards(0)
    for source, relevance in ((0, 0.9), (1, 0.0)):
        refs = [10 * (source + 1) + at for at in range(5)]
        links = [Link(url=_url(ref)) for ref in refs]
        memory.add_links(memory.numbers([source], [_url(source)])[0], _url(source), refs, links)
        for ref in refs[:4]:
            memory.rate(memory.numbers_of([ref]), relevance)
    sums, count = np.zeros((memory.pages, SUMS)), np.zeros(memory.pages, np.int64)
    add_evidence(memory, standards, sums, count)
    good, bad = sums[memory.numbers_of([14, 24])]
    assert good[HUB] > 0 > bad[HUB]
    assert not sums[memory.numbers_of([10]), SOURCE].any()


def test_a_list_that_pays_says_more_than_many_arrows() -> None:
    memory, standards = LinkMemory(), _standards(0)
    listed, waiting = [*range(10, 20)], 19
    memory.add_links(memory.numbers([0], [_url(0)])[0], _url(0), listed, [Link(url=_url(ref)) for ref in listed])
    memory.rate(memory.numbers_of(listed[:-1]), 0.9)
    for page in range(1, 7):
        arrow = Link(url=_url(waiting), anchor="next", path="nav>a")
        memory.add_links(memory.numbers([page], [_url(page)])[0], _url(page), [waiting], [arrow])
    sums, count = np.zeros((memory.pages, SUMS)), np.zeros(memory.pages, np.int64)
    add_evidence(memory, standards, sums, count)
    gathered = PageColumns(sums, count, np.zeros((memory.pages, 4), np.float32), np.zeros(memory.pages))
    evidence = page_evidence(gathered, memory.numbers_of([waiting]), standards.mean)[0]
    assert evidence[GROUP] > 1  # the mean over its links would be below 0


def test_no_links_add_nothing() -> None:
    memory = LinkMemory()
    memory.numbers([0], [_url(0)])
    sums, count = np.zeros((1, SUMS)), np.zeros(1, np.int64)
    add_evidence(memory, _standards(0), sums, count)
    assert not sums.any()
