"""Files written in Markdown as the pages they mean."""

from __future__ import annotations

import pytest

from haenyeo.html.parse import parse_html
from haenyeo.model.pages import Url
from haenyeo.read.markdown.pages import LONGEST, as_html, is_markdown

URL = Url("https://a.example/docs/llms.txt")


@pytest.mark.parametrize(
    ("content_type", "path", "expected"),
    [
        ("text/markdown; charset=utf-8", "/kelp", True),
        ("text/plain", "/docs/llms.txt", True),
        ("", "/kelp.MD?raw=1", True),
        ("text/plain", "/kelp.txt", False),
        ("text/html", "/kelp.md", False),
    ],
)
def test_what_counts_as_markdown(content_type: str, path: str, expected: bool) -> None:
    assert is_markdown(content_type, Url(f"https://a.example{path}")) is expected


def test_headings_links_and_a_title() -> None:
    markup = parse_html(as_html("# Reef *library*\n\n- [Kelp](kelp.md): how it grows\n\n<b>raw</b> text"), URL)
    assert markup.title == "Reef library"
    assert [block.text for block in markup.blocks] == ["Reef library", "Kelp: how it grows", "raw text"]
    assert [link.url for link in markup.links] == ["https://a.example/docs/kelp.md"]


def test_front_matter_is_no_text_and_names_the_title() -> None:
    markup = parse_html(as_html("---\nlayout: x\ntitle: 'On <kelp>'\n---\n# Kelp\n\nKelp grows."), URL)
    assert markup.title == "On <kelp>"
    assert [block.text for block in markup.blocks] == ["Kelp", "Kelp grows."]


def test_a_line_alone_is_not_taken_for_front_matter() -> None:
    assert "Kelp grows" in as_html("---\n\nKelp grows.")


def test_what_is_too_long_for_markdown_is_kept_as_text() -> None:
    page = as_html("word " * 20 + "\n\n" + "*a* b\n\n" * (LONGEST // 6) + "the <end> of it")
    assert "<em>a</em>" in page
    assert "<p>the &lt;end&gt; of it</p>" in page
