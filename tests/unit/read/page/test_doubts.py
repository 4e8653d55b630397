from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haenyeo.html.parse import parse_text
from haenyeo.model.pages import KINDS, Block, Url
from haenyeo.read.page.doubts import doubted, reconsidered
from haenyeo.read.page.outline import PageOutline
from haenyeo.read.page.texts import Floats

TEXT = "Divers know the tides, and they know every reef by its name."


def outline(html: str) -> PageOutline:
    return PageOutline(parse_text(html, Url("https://reef.test/")).blocks)


def of_kind(kind: str) -> Floats:
    return np.array([0.9 if name == kind else 0.02 for name in KINDS], np.float32)


def left(html: str, kind: str = "article", likely: float = 0.8) -> list[float]:
    page = outline(html)
    judged = np.full(len(page), likely, np.float32)
    found: list[float] = doubted(page, judged, of_kind(kind), "Low tide | Reef News").round(2).tolist()
    return found


@pytest.mark.parametrize(
    "dialog",
    [
        "id=onetrust-consent-sdk",
        "class=cookie-banner",
        "class=CookieConsent",
        "id=CybotCookiebotDialog",
        "class=cky-box",
        "class=wt-cli-cookie-description",
    ],
)
def test_a_dialog_that_asks_for_consent_is_no_text(dialog: str) -> None:
    text, asked = left(f"<div>{TEXT}</div><div {dialog}><p>We value your privacy.</p></div>")
    assert text == pytest.approx(0.8)
    assert asked < 0.2


@pytest.mark.parametrize("part", ["class=sticky-box", "class=trusted", "class=cookie-recipe"])
def test_names_that_only_look_like_those_of_dialogs_mean_nothing(part: str) -> None:
    assert left(f"<div {part}><p>{TEXT}</p></div>") == [pytest.approx(0.8)]


def test_reviews_are_doubted_in_shops_alone() -> None:
    html = f"<p>{TEXT}</p><div class=product-reviews><p>Fits well, I bought two of them.</p></div>"
    assert left(html, "product") == [pytest.approx(0.8), pytest.approx(0.07)]
    assert left(html, "list") == left(html, "product")
    assert left(html, "landing") == [pytest.approx(0.8), pytest.approx(0.8)]


def test_what_is_said_twice_for_two_screens_is_text_once() -> None:
    html = f"<div class=wide><p>{TEXT}</p></div><div class=narrow><p>{TEXT}</p></div><p>Short</p><div>Short</div>"
    assert left(html) == [pytest.approx(value) for value in (0.8, 0.17, 0.8, 0.8)]
    assert left(html, "documentation") == [pytest.approx(0.8)] * 4


def test_short_lines_beside_what_is_said_twice_are_text_once_too() -> None:
    part = f"<p>Stoneware</p><p>{TEXT}</p><p>350 ml</p>"
    once, twice = [pytest.approx(0.8)] * 3, [pytest.approx(0.17)] * 3
    assert left(f"<div class=wide>{part}</div><div class=narrow>{part}</div>") == [*once, *twice]


def test_a_refrain_at_one_place_is_text_each_time() -> None:
    assert left(f"<p>{TEXT}</p><p>{TEXT}</p>") == [pytest.approx(0.8)] * 2


def test_of_two_equal_texts_the_first_stays_if_it_is_likely_at_all() -> None:
    page = outline(f"<div class=wide>{TEXT}</div><div class=narrow>{TEXT}</div>")
    found = doubted(page, np.array([0.4, 0.9], np.float32), of_kind("article"))
    assert found.round(2).tolist() == [pytest.approx(0.4), pytest.approx(0.31)]
    found = doubted(page, np.array([0.2, 0.9], np.float32), of_kind("article"))
    assert found.round(2).tolist() == [pytest.approx(0.01), pytest.approx(0.9)]


def test_comments_are_doubted_unless_the_page_is_a_thread() -> None:
    html = "<div class=comments><p>I was there too, and it was cold.</p></div>"
    assert left(html) == [pytest.approx(0.29)]
    assert left(html, "thread") == [pytest.approx(0.8)]


_blocks = st.builds(
    Block,
    st.sampled_from([TEXT, "Short", "x" * 40]),
    st.sampled_from(["p", "div.reviews>p", "div.cookie-bar>p", "div.comment>p"]),
    st.just(0),
    st.sampled_from(["", "#onetrust"]),
)


@given(st.lists(_blocks, min_size=1, max_size=12), st.sampled_from(KINDS), st.floats(0, 1, width=32))
def test_nothing_becomes_likelier(blocks: list[Block], kind: str, likely: float) -> None:
    page = PageOutline(blocks)
    found = doubted(page, np.full(len(page), likely, np.float32), of_kind(kind))
    assert ((found >= 0) & (found <= np.float32(likely) + 1e-6)).all()


def test_a_page_is_doubted_as_much_as_the_pages_of_its_site_together() -> None:
    likely, replies = np.array([0.9, 0.25], np.float32), np.array([False, True])
    assert reconsidered(likely, replies, 0.1, 0.1).tolist() == pytest.approx([0.9, 0.25])
    assert reconsidered(likely, replies, 0.1, 0.4).tolist() == pytest.approx([0.9, 0.526], abs=1e-3)
    assert reconsidered(likely, replies, 0.5, 0.0).tolist() == pytest.approx([0.9, 0.032], abs=1e-3)


def test_a_dialog_that_is_mostly_about_cookies_is_no_text() -> None:
    asked = "<div role=dialog><p>These cookies remember what you chose.</p><p>Close</p></div>"
    text, *others = left(f"<p>{TEXT}</p>{asked}")
    assert text == pytest.approx(0.8)
    assert max(others) < 0.2
    shown = "<div role=dialog><p>A dry suit of neoprene, lined.</p><p>We use cookies.</p></div>"
    assert left(f"<p>{TEXT}</p>{shown}")[1] == pytest.approx(0.8)


def test_a_tooltip_is_no_text() -> None:
    assert left(f"<p>{TEXT}</p><div role=tooltip>Sellers with many stars answer soon.</div>")[1] < 0.2


def test_a_long_menu_to_choose_from_is_no_text_of_a_shop() -> None:
    def menu(size: int) -> str:
        return "<select>" + "".join(f"<option>Island {number}</option>" for number in range(size)) + "</select>"

    assert max(left(menu(20), "product")) < 0.4
    assert min(left(menu(3), "product")) == pytest.approx(0.8)
    assert min(left(menu(20), "article")) == pytest.approx(0.8)


def test_articles_that_follow_below_headings_that_lead_to_them_are_no_text() -> None:
    own = f"<article><h1>Low tide</h1><p>{TEXT}</p></article>"
    other = (
        "<article><h1><a href=/storm>Storm</a></h1><p>The storm broke the wall.</p><h2>Boats</h2><p>Four.</p></article>"
    )
    assert left(f"<main>{own}{other}</main><footer><p>Reef News, since 1901</p></footer>") == pytest.approx(
        [0.8, 0.8, 0.0, 0.0, 0.0, 0.0, 0.8]
    )
    assert left(other + own) == pytest.approx([0.8] * 6)
    assert min(left(own.replace("Low tide", "Kelp") + other)) == pytest.approx(0.8)


def test_chapters_and_what_a_page_lists_are_text_though_their_headings_lead_elsewhere() -> None:
    said = f"<p>{TEXT} {TEXT}</p>"
    chapters = f"<h1>Low tide</h1><p>Short.</p><h1><a href=#one>One</a></h1>{said}<h1><a href=#two>Two</a></h1>{said}"
    assert min(left(f"<main>{chapters}</main>")) == pytest.approx(0.8)


def test_comments_that_are_hidden_are_no_replies() -> None:
    shown = f"<p>{TEXT}</p><div class=comments><p>I know that reef as well.</p></div>"
    assert left(shown, "thread")[1] == pytest.approx(0.8)
    assert left(shown.replace("class=comments", "class=comments style='display:none'"), "thread")[1] < 0.4


def test_links_beside_the_little_that_a_manual_says_are_its_contents() -> None:
    def judged(said: str, links: float) -> list[float]:
        listed = "".join(f"<li><a href=/{number}>Section {number}</a>" for number in range(4))
        page = outline(f"<main><h1>Tides</h1><p>{said}</p><ul>{listed}</ul></main><footer>Imprint</footer>")
        found: list[float] = doubted(
            page, np.array([0.9, 0.9, *[links] * 4, 0.01], np.float32), of_kind("documentation")
        ).tolist()
        return found[2:6]

    assert judged(TEXT, 0.2) == pytest.approx([0.6] * 4)
    assert judged(TEXT, 0.05) == pytest.approx([0.05] * 4)
    assert judged(20 * TEXT, 0.2) == pytest.approx([0.2] * 4)
    assert judged("Ebb.", 0.2) == pytest.approx([0.2] * 4)


def test_the_comments_of_a_blog_are_no_replies() -> None:
    page = f"<p>{TEXT}</p><ol class=comment-list><li class=comment><p>I know that reef as well.</p></ol>"
    assert left(page, "thread")[1] < 0.4


def test_a_dialog_that_asks_at_once_is_no_text() -> None:
    assert left(f"<p>{TEXT}</p><div role=alertdialog><p>Do you want to leave?</p></div>")[1] < 0.2


def test_questions_and_answers_are_hardly_a_products_own_text() -> None:
    page = f"<p>{TEXT}</p><div class=product-faq><p>Does it float? Yes, it does.</p></div>"
    assert left(page, "product")[1] < 0.4
    assert left(page, "landing")[1] == pytest.approx(0.8)


def test_a_post_within_a_post_is_another_one() -> None:
    post = f"<article id=post-7><p>{TEXT}</p><div><article id=post-8><p>The storm broke the wall.</p></article></div>"
    assert left(post)[0] == pytest.approx(0.8)
    assert left(post)[1] < 0.2
    assert left(post, "thread")[1] == pytest.approx(0.8)


@pytest.mark.parametrize(
    "table",
    [
        "<h2>Specifications</h2><table><tr><th>Colour</th><td>Blue</td></tr></table>",
        "<dl class=product-attributes><dt>Colour</dt><dd>Blue</dd></dl>",
    ],
)
def test_a_table_of_facts_is_text_of_what_is_for_sale(table: str) -> None:
    page = f"<h1>Mask</h1><p>{TEXT}</p>{table}"
    assert left(page, "product", 0.3)[-2:] == pytest.approx([0.6, 0.6])
    assert left(page, "article", 0.3)[-2:] == pytest.approx([0.3, 0.3])
    assert max(left(f"<div class=cookie-consent>{table}</div>", "product", 0.3)) < 0.2


def test_a_listing_between_texts_of_a_manual_is_likely() -> None:
    page = outline(
        f"<pre>a = 0</pre><p>{TEXT}</p><pre>a = 1</pre><button>Run</button>"
        f"<p>{TEXT[::-1]}</p><nav>Next</nav><pre>a = 2</pre>"
    )
    judged = np.array([0.1, 0.9, 0.1, 0.1, 0.9, 0.1, 0.1], np.float32)
    manual = doubted(page, judged, of_kind("documentation"))
    assert manual.tolist() == pytest.approx([0.1, 0.9, 0.6, 0.1, 0.9, 0.1, 0.1])
    assert doubted(page, judged, of_kind("article"))[2] == pytest.approx(0.1)


SAID = "The keel of my dinghy is held by bronze bolts and by two of oak."
ANSWER = "Leave them as they are if they are dry and tight, and look again in spring."
SIGNED = "<div class=signature>Fair winds to all of you, s/y Marigold</div>"
POST = f"<div class=post><div class=content>{SAID}</div></div>"
QUOTED = (
    "<div class=post><div class=content><blockquote><div class=title>oldsalt said:</div>"
    f"<div>{SAID}</div></blockquote>{ANSWER}</div></div>"
)


def test_what_is_quoted_is_text_where_it_was_said_and_not_where_it_is_quoted() -> None:
    page = outline(POST + QUOTED)
    found = doubted(page, np.array([0.1, 0.8, 0.8, 0.8], np.float32), of_kind("thread"))  # the first is not known
    assert [block.text[:4] for block in page.blocks] == ["The ", "olds", "The ", "Leav"]
    assert found[[0, 3]].tolist() == [pytest.approx(0.8)] * 2
    assert found[2] < 0.2


def test_the_line_that_says_who_is_quoted_goes_with_the_quotation() -> None:
    assert left(POST + QUOTED, "thread")[1] < 0.2


def test_a_quotation_that_is_not_on_the_page_stays_with_the_line_that_says_whose_it_is() -> None:
    assert left(QUOTED, "thread") == [pytest.approx(0.8)] * 3


def test_posts_that_stand_in_quotations_themselves_are_none() -> None:
    post = "<li><blockquote class=post><p>{0}</p></blockquote>"
    html = post.format(SAID) + post.format(ANSWER) + f"<li><blockquote>{SAID}</blockquote>"
    assert left(html, "thread") == [pytest.approx(0.8), pytest.approx(0.8), pytest.approx(0.17)]


def test_what_members_put_below_all_their_posts_is_no_text() -> None:
    assert left(POST + SIGNED, "thread") == [pytest.approx(0.8), pytest.approx(0.17)]
    assert left(POST + SIGNED, "documentation") == [pytest.approx(0.8)] * 2
