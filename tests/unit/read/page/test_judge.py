from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.html.parse import parse_html
from haenyeo.model.pages import Block, Url
from haenyeo.read.page.features import TEXT_FEATURES, first_features, second_features
from haenyeo.read.page.judge import forests, judge
from haenyeo.read.page.outline import PageOutline
from haenyeo.read.page.places import PLACE_FEATURES

PATHS = st.lists(st.sampled_from(["div", "p", "ul.menu", "li", "article.post", "div.comments"]), max_size=5)
BLOCKS = st.lists(st.builds(Block, st.text(min_size=1), PATHS.map(">".join), st.integers(0, 50)), max_size=12)


def test_an_article_is_likelier_text_than_the_menu_and_the_footer(make_site: Callable[..., Any]) -> None:
    _, html, text = make_site(3).article(1)
    markup = parse_html(html, Url("https://reef.example/1"))
    likely = judge(PageOutline(markup.blocks), markup.title)
    is_text = np.array([block.text in text for block in markup.blocks])
    assert likely[is_text].min() > likely[~is_text & ~is_heading(markup.blocks)].max()


def is_heading(blocks: tuple[Block, ...]) -> Any:
    return np.array([block.path.endswith("h1") for block in blocks])


@given(BLOCKS, st.text())
def test_any_page_can_be_judged(blocks: list[Block], title: str) -> None:
    likely = judge(PageOutline(blocks), title)
    assert likely.shape == (len(blocks),)
    assert ((likely >= 0) & (likely <= 1)).all()


def test_the_forests_ask_for_features_that_there_are() -> None:
    outline = PageOutline([Block("A sentence of the page.", "div>p"), Block("Home", "ul>li", 4)])
    first = first_features(outline, "A title")
    second = second_features(outline, first, np.array([0.9, 0.1], np.float32))
    assert len(first) > len(PLACE_FEATURES) + len(TEXT_FEATURES)
    for rows, forest in zip((first, second), forests(), strict=True):
        assert np.isfinite(rows).all()
        assert forest.features.max() < len(rows)
