from __future__ import annotations

import numpy as np
import pytest

from haenyeo.html.parse import parse_html
from haenyeo.model.pages import Block, Url
from haenyeo.read.documents import document_of, language_of, text_of, title_of
from haenyeo.read.facts import Facts
from haenyeo.read.markdown import with_markdown
from haenyeo.read.page.outline import PageOutline
from haenyeo.read.site.reading import COMMENT, OUTSIDE, SiteReading, read_alone

ADDRESS = Url("https://reef.example/")


def test_paragraphs_stand_apart_and_items_together() -> None:
    blocks = (Block("One.", "div>p"), Block("a", "ul>li"), Block("b", "ul>li"), Block("Two.", "div>p"))
    assert text_of(blocks) == "One.\n\na\nb\n\nTwo."


@pytest.mark.parametrize(
    ("said", "text", "language"),
    [
        ("en", "해녀는 바다에서 숨을 참고 일한다", "ko"),
        ("", "海女は海に潜って貝をとります", "ja"),
        ("", "海洋里的女人们在冬天也下水", "zh"),
        ("de-AT", "Das Meer ist kalt", "de"),
        ("", "", ""),
    ],
)
def test_the_script_tells_the_language_before_the_page_does(said: str, text: str, language: str) -> None:
    assert language_of(said, text) == language


def test_the_title_is_the_heading_that_the_title_repeats() -> None:
    markup = parse_html("<title>Tides of Jeju | Reef News</title><h1>Reef</h1><h1>Tides of Jeju</h1>", ADDRESS)
    assert title_of(markup, Facts()) == "Reef"
    markup = parse_html("<title>Tides of Jeju | Reef News</title><h1>Tides of Jeju</h1>", ADDRESS)
    assert title_of(markup, Facts()) == "Tides of Jeju"


def test_the_whole_title_serves_where_no_heading_is_in_it() -> None:
    markup = parse_html("<title>Tides of Jeju</title><h1>Welcome</h1>", ADDRESS)
    assert title_of(markup, Facts()) == "Tides of Jeju"


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
