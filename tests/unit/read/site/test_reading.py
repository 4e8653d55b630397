from __future__ import annotations

import numpy as np
import pytest

from haenyeo.html.parse import parse_text
from haenyeo.model.pages import Url
from haenyeo.read.page.judge import JudgedPage
from haenyeo.read.site.lessons import Lessons
from haenyeo.read.site.reading import REASONS, TEXT, SiteReading, needs_judge, read_alone, read_outline

PAGE = (
    "<ul class=menu><li><a href=/a>Home</a><li><a href=/b>News</a></ul><div class=post><h1>Tides</h1>"
    "<p>The divers of the island went out before the sun was up, and they came back at noon with full nets.</p>"
    "<p>At the market they told of a reef that nobody had seen before, and of the shells that lay on it.</p></div>"
    "<div class=footer>All rights reserved</div>"
)


def judged(html: str = PAGE) -> JudgedPage:
    return JudgedPage.of(parse_text(html, Url("https://a.example/")))


def test_a_page_read_alone_keeps_what_was_judged_likely() -> None:
    page = judged()
    reading = read_alone(page.outline, page.likely)
    texts = [block.text for block in page.outline.blocks]
    assert not reading.kept[texts.index("All rights reserved")]
    assert sum(reading.kept) >= 2
    assert 0 < reading.expected <= 1


def test_every_block_has_a_reason_and_kept_ones_are_text() -> None:
    page = judged()
    reading = read_outline(page.outline, page.likely, Lessons(), np.zeros(len(page.outline), np.float32))
    assert set(reading.reasons) <= set(REASONS)
    assert [reason == TEXT for reason in reading.reasons] == list(reading.kept)


def test_a_site_of_which_nothing_is_known_needs_the_judge() -> None:
    page = judged()
    assert needs_judge(page.outline, Lessons(), np.zeros(len(page.outline), np.float32))


@pytest.mark.parametrize("html", ["", PAGE, "<p>x" * 300])
def test_a_reading_survives_being_written(html: str) -> None:
    page = judged(html)
    reading = read_alone(page.outline, page.likely)
    again = SiteReading.from_bytes(reading.to_bytes())
    assert list(again.kept) == list(reading.kept)
    assert again.expected == pytest.approx(reading.expected)
    assert list(again.reasons) == list(reading.reasons)
