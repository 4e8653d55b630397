from __future__ import annotations

import pytest

from haenyeo.model.pages import Url
from haenyeo.read.extract import extract_site
from haenyeo.read.paper.frequency import FrequencyMethod, frequency_limit
from haenyeo.read.paper.nodes import plain_nodes


@pytest.mark.parametrize(
    ("frequencies", "limit"), [({1, 15, 100}, 1), ({1, 2, 15, 100}, 2), ({1, 2}, 0), ({1}, 0), (set(), 0)]
)
def test_blocks_of_rank_k_minus_2_and_below_are_text(frequencies: set[int], limit: int) -> None:
    assert frequency_limit(frequencies) == limit


def test_the_papers_tags_are_dropped_with_what_they_hold() -> None:
    html = "<head><title>t</title></head><header>h</header><p>one <a>link</a> two <em>three</em></p><footer>f</footer>"
    assert plain_nodes(html) == ["one", "two"]


def test_what_is_rare_in_a_site_is_text() -> None:
    pages = []
    for number in range(6):
        section = "<div>About this section</div>" if number < 3 else ""
        pages.append((f"https://b.example/{number}", f"<p>Menu</p>{section}<p>Text number {number} says this.</p>"))
    texts = [document.text for document in extract_site(pages, method="frequency")]
    assert texts == [f"Text number {number} says this." for number in range(6)]


def test_written_counts_are_gone_on_with() -> None:
    method = FrequencyMethod()
    for number in range(3):
        method.learn(Url(f"https://b.example/{number}"), f"<p>Menu</p><p>Text {number}</p>")
    assert FrequencyMethod.from_bytes(method.to_bytes()).limit == method.limit
