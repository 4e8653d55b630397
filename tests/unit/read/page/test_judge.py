from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.html.parse import parse_html
from haenyeo.model.pages import KINDS, Block, Url
from haenyeo.read.page.features import TEXT_FEATURES, first_features, second_features
from haenyeo.read.page.judge import forests, in_forum, judge, mixed
from haenyeo.read.page.kinds import kind_features
from haenyeo.read.page.outline import PageOutline
from haenyeo.read.page.places import PLACE_FEATURES

PATHS = st.lists(st.sampled_from(["div", "p", "ul.menu", "li", "article.post", "div.comments"]), max_size=5)
BLOCKS = st.lists(st.builds(Block, st.text(min_size=1), PATHS.map(">".join), st.integers(0, 50)), max_size=12)


def test_an_article_is_likelier_text_than_the_menu_and_the_footer(make_site: Callable[..., Any]) -> None:
    _, html, text = make_site(3).article(1)
    markup = parse_html(html, Url("https://reef.example/1"))
    likely = judge(PageOutline(markup.blocks), markup.title).likely
    is_text = np.array([block.text in text for block in markup.blocks])
    assert likely[is_text].min() > likely[~is_text & ~is_heading(markup.blocks)].max()


def is_heading(blocks: tuple[Block, ...]) -> Any:
    return np.array([block.path.endswith("h1") for block in blocks])


@given(BLOCKS, st.text())
def test_any_page_can_be_judged(blocks: list[Block], title: str) -> None:
    likely, kind, _ = judge(PageOutline(blocks), title, "https://reef.example/t/1?a", ["product"])
    assert kind in {*KINDS, ""}
    assert likely.shape == (len(blocks),)
    assert ((likely >= 0) & (likely <= 1)).all()


def test_the_forests_ask_for_features_that_there_are() -> None:
    outline = PageOutline([Block("A sentence of the page.", "div>p"), Block("Home", "ul>li", 4)])
    blocks, page = first_features(outline, "A title")
    first = np.concatenate([blocks, np.ones((len(KINDS), 2), np.float32)])
    second = second_features(outline, first, np.array([0.9, 0.1], np.float32))
    assert len(first) > len(PLACE_FEATURES) + len(TEXT_FEATURES)
    found = forests()
    of_page = kind_features(outline, page, "", ())
    for rows, forest in ((first, found.first), (second, found.second), *((of_page, kind) for kind in found.kinds)):
        assert np.isfinite(rows).all()
        assert forest.features.max() < len(rows)


POST = (
    "<div class=post><div class=author>{0}</div><div class=date>{0} May 2024</div><div class=postbody>{1}</div></div>"
)
SAID = "I think that the tide will be low in the morning, and the reef will be dry. What do you all think?"


def test_a_thread_is_told_from_an_article_and_all_its_posts_are_text() -> None:
    posts = "".join(POST.format(number, f"{SAID} Number {number}.") for number in range(1, 13))
    url = Url("https://forum.reef.example/forum/thread/1234")
    markup = parse_html(f"<title>Low tide? - Reef Forum</title><div class=topic><h1>Low tide?</h1>{posts}</div>", url)
    likely, kind, _ = judge(PageOutline(markup.blocks), markup.title, url)
    assert kind == "thread"
    bodies = [block.path.endswith("postbody") for block in markup.blocks]
    assert likely[bodies].min() > 0.5


def test_a_page_with_a_price_that_says_it_is_a_product_is_one() -> None:
    html = (
        "<title>Mask - Reef Shop</title><div class=product><h1>Mask</h1><p class=price>$20.00</p>"
        "<button>Add to cart</button><p class=description>A mask for divers who know the tides. It keeps dry.</p></div>"
        "<p class=related>Fins $30.00<p class=related>Snorkel $10.00"
    )
    markup = parse_html(html, Url("https://shop.reef.example/products/mask"))
    types = {"product", "offer"}
    assert (
        judge(PageOutline(markup.blocks), markup.title, "https://shop.reef.example/products/mask", types)[1]
        == "product"
    )


def test_the_second_forest_alone_judges_what_stands_together() -> None:
    first, second = np.array([0.2], np.float32), np.array([0.8], np.float32)
    for kind, likely in (("article", 0.8), ("documentation", 0.8), ("product", 0.5)):
        shares = np.array([float(name == kind) for name in KINDS], np.float32)
        found = mixed(first, second, shares)
        assert found.tolist() == pytest.approx([likely])
        assert found.dtype == np.float32


def test_of_kinds_that_differ_more_the_forests_are_believed_less() -> None:
    sure = np.array([0.0, 0.1, 0.9, 1.0], np.float32)
    article, product = (
        mixed(sure, sure, np.array([float(name == kind) for name in KINDS])) for kind in ("article", "product")
    )
    assert article.tolist() == pytest.approx(sure.tolist())
    assert product[[0, 3]].tolist() == [0.0, 1.0]
    assert 0.1 < product[1] < 0.2
    assert 0.8 < product[2] < 0.9


def test_a_page_in_a_forum_is_likelier_a_thread_but_a_list_stays_one() -> None:
    alike = np.full(len(KINDS), 1 / len(KINDS), np.float32)
    told = dict(zip(KINDS, in_forum(alike).tolist(), strict=True))
    assert told["thread"] == pytest.approx(3 / 6)
    assert told["list"] == pytest.approx(1 / 6)
    assert told["article"] == pytest.approx(1 / 12)
    assert sum(told.values()) == pytest.approx(1)


def test_a_page_that_says_it_stands_in_a_forum_is_likelier_a_thread() -> None:
    page = "<div class={0}>Domů » Témata fóra » Moduly</div><h2>Jak zamknout pole?</h2><p>{1}</p><h3>Tak</h3><p>{1}</p>"
    said = "Zdravím, přestal mi fungovat web, a proto se ptám, jestli to někdo už řešil. Děkuji za každou radu."
    alone, told = (
        judge(PageOutline(parse_html(page.format(name, said), Url("https://r.example/n/1")).blocks), "Jak?")
        for name in ("wrapper", "breadcrumb")
    )
    assert told.thread > max(0.5, alone.thread)
