from __future__ import annotations

import re
from html import escape, unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from haenyeo.html.parse import parse_html
from haenyeo.model.pages import Document, Url
from haenyeo.read.markdown import with_markdown

ADDRESS = Url("https://reef.example/a/")


def markdown(html: str) -> str:
    return written(html).markdown


def written(html: str) -> Document:
    """The whole page as a document with Markdown."""
    return with_markdown(Document(url=ADDRESS, blocks=parse_html(html, ADDRESS).blocks), html)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<h2>Tides</h2><p>One.</p>", "## Tides\n\nOne."),
        ("<ul><li>one<li>two</ul>", "- one\n- two"),
        ("<ol><li>one<li>two</ol>", "1. one\n1. two"),
        ("<ul><li>one<ul><li>inner</ul></ul>", "- one\n    - inner"),
        ("<blockquote><p>Said.</p></blockquote>", "> Said."),
        ("<p>a <a href='b?c'>link</a>.</p>", "a [link](https://reef.example/a/b?c)."),
        ("<p>very <strong>bold</strong> and <em>soft</em> <code>x</code></p>", "very **bold** and *soft* `x`"),
        ("<p>한국어 <b>굵게</b></p>", "한국어 **굵게**"),
        ("<p>one<br>two</p>", "one two"),
        ("<blockquote><p>One.</p><p>Two.</p></blockquote>", "> One.\n>\n> Two."),
        ("<p><code>a `b` c</code></p>", "``a `b` c``"),
        ("<p># 1 of *all*</p>", "\\# 1 of \\*all\\*"),
        ("<p>snake_case, 2 * 3 and [1]</p>", "snake_case, 2 * 3 and [1]"),
        ("<p><a href='/a_(b)'>reef</a></p>", "[reef](<https://reef.example/a_(b)>)"),
    ],
)
def test_the_form_of_a_text_is_kept(html: str, expected: str) -> None:
    assert markdown(html) == expected


def test_code_keeps_its_lines() -> None:
    assert markdown("<pre>if x:\n    y()</pre>") == "```\nif x:\n    y()\n```"


def test_a_table_keeps_rows_and_cells() -> None:
    html = "<table><tr><th>a<th>b<tr><td>1<td>2|3<tr><td>4</table>"
    assert markdown(html) == "| a | b |\n| --- | --- |\n| 1 | 2\\|3 |\n| 4 |  |"


def test_an_image_in_a_table_does_not_part_it() -> None:
    html = "<table><tr><td>a<td>b<tr><td><img src=/p.png alt=reef>1<td>2</table>"
    assert markdown(html) == "| a | b |\n| --- | --- |\n| 1 | 2 |\n\n![reef](https://reef.example/p.png)"


def test_images_between_kept_blocks_are_the_documents() -> None:
    html = "<img src=/logo.png><p>One.</p><img src=/p.png alt='a reef'><p>Two.</p><img src=/end.png>"
    document = written(html)
    assert document.markdown == "One.\n\n![a reef](https://reef.example/p.png)\n\nTwo."
    assert document.images == ("https://reef.example/p.png",)


def test_only_the_documents_blocks_are_written() -> None:
    html = "<nav><p>Home</p></nav><div><p>Home</p></div>"
    blocks = tuple(block for block in parse_html(html, ADDRESS).blocks if block.path.startswith("div"))
    assert with_markdown(Document(url=ADDRESS, blocks=blocks), html).markdown == "Home"


PIECES = [*"<>/ ab&\n", "<p>", "<table>", "<td>", "<li>", "<pre>", "<a href=x>", "<ul>", "<img src=x>"]


@given(st.lists(st.text(alphabet=list("ab1 *_`[]()<>#-+.!&;:~=\\\\|\n"), max_size=14), min_size=1, max_size=3))
def test_a_parser_of_markdown_finds_the_words_of_the_page(texts: list[str]) -> None:
    html = "".join(f"<p>{escape(text)}</p>" for text in texts)
    rendered = MarkdownIt("commonmark").render(markdown(html))
    shown = "".join(unescape(re.sub("<[^>]*>", "", rendered)).split())
    assert shown == "".join("".join(texts).split())


@given(st.lists(st.sampled_from(PIECES)).map("".join))
def test_any_page_can_be_written(html: str) -> None:
    written(html)
