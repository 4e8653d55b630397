from __future__ import annotations

import numpy as np

from haenyeo.html.parse import parse_html
from haenyeo.model.pages import Block, Url
from haenyeo.read.documents import dates_of, document_of, text_of
from haenyeo.read.facts import Facts
from haenyeo.read.markdown import with_markdown
from haenyeo.read.page.outline import PageOutline
from haenyeo.read.site.reading import COMMENT, OUTSIDE, SiteReading, read_alone

ADDRESS = Url("https://reef.example/")


def test_paragraphs_stand_apart_and_items_together() -> None:
    blocks = (Block("One.", "div>p"), Block("a", "ul>li"), Block("b", "ul>li"), Block("Two.", "div>p"))
    assert text_of(blocks) == "One.\n\na\nb\n\nTwo."


def test_a_document_tells_text_comments_and_links_apart() -> None:
    page = "<p>Text <a href=/in>in</a></p><div class=comments>Nice!</div><a href=/out>out</a>"
    markup = parse_html(page, ADDRESS)
    reading = read_alone(PageOutline(markup.blocks), np.array([0.9, 0.1, 0.1], np.float32))
    document = document_of(ADDRESS, markup, reading, Facts(author="Ko"))
    assert document.text == "Text in"
    assert document.comments == "Nice!"
    assert with_markdown(document, page).links == ("https://reef.example/in",)
    assert document.author == "Ko"
    assert [drop.reason for drop in document.dropped] == [COMMENT, OUTSIDE]
    again = SiteReading.from_bytes(reading.to_bytes())
    assert (again.kept, again.reasons, again.expected) == (reading.kept, reading.reasons, reading.expected)


def test_a_list_has_a_date_of_its_own_only_if_it_is_the_only_one() -> None:
    text = Block("Divers know the tides, and they know every reef by its name.", "p")
    own, other = Block("3 March 2025", "span"), Block("4 March 2025", "span")

    def published(kind: str, *blocks: Block) -> str:
        return dates_of(ADDRESS, blocks, [block is text for block in blocks], Facts(), kind).published

    assert published("list", own, text) == "2025-03-03"
    assert not published("list", own, text, other)
    assert not published("product", own, text)
    assert published("article", own, text, other)


def test_the_time_of_a_review_is_not_when_a_product_was_published() -> None:
    facts = Facts(published="2025-06-11", published_by="time")
    assert not dates_of(ADDRESS, (), (), facts, "product").published
    assert dates_of(ADDRESS, (), (), facts, "article").published == "2025-06-11"


def test_paragraphs_of_signs_that_nobody_sees_are_no_text() -> None:
    page = "<p>One.</p><p>\u200d</p><p>Two \U0001f468\u200d\U0001f469.</p><p>\u200b \ufeff</p>"
    markup = parse_html(page, ADDRESS)
    reading = read_alone(PageOutline(markup.blocks), np.full(len(markup.blocks), 0.9, np.float32))
    document = document_of(ADDRESS, markup, reading, Facts())
    assert document.text == "One.\n\nTwo \U0001f468\u200d\U0001f469."
    assert with_markdown(document, page).markdown == document.text


def test_the_posts_of_a_thread_are_no_comments_too() -> None:
    post = "<div id=post-{0}><b class=author>diver{0}</b><p>The tide was low.</p><div class=comments>Like</div></div>"
    markup = parse_html("".join(map(post.format, range(3))), ADDRESS)
    likely = [0.9 if "tide" in block.text else 0.1 for block in markup.blocks]
    reading = read_alone(PageOutline(markup.blocks), np.array(likely, np.float32))
    thread = document_of(ADDRESS, markup, reading, Facts(), kind="thread")
    assert (len(thread.posts), thread.comments) == (3, "")
    assert document_of(ADDRESS, markup, reading, Facts(), kind="article").comments == "Like\n\nLike\n\nLike"
