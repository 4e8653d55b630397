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
        ("<ol><li>one<li>two</ol>", "1. one\n2. two"),
        ("<ol start=3><li>one<li>two</ol>", "3. one\n4. two"),
        ("<ul><li><p>one</p><p>more</p></li><li>two</ul>", "- one\n\n  more\n\n- two"),
        ("<p>not <del>old</del> <s>x</s></p>", "not ~~old~~ ~~x~~"),
        ("<p><code>a<b>b</b>c</code></p>", "`abc`"),
        ("<h2>Tides<a href='#tides'>\u00b6</a></h2><p>x", "## Tides\n\nx"),
        ("<h2>Tides<a href='#tides'>\u200b</a></h2><p>x", "## Tides\n\nx"),
        ("<pre><code class=lang-auto>x</code></pre>", "```\nx\n```"),
        ("<dl><dt>Reef</dt><dd>A rock.</dd></dl>", "**Reef**\n\n- A rock."),
        ("<ul><li>a</ul><ul><li>b</ul>", "- a\n\n<!-- -->\n\n- b"),
        ("<dl><dt>a<dd>1<dd>2<dt>b<dd>3</dl>", "**a**\n\n- 1\n\n- 2\n\n**b**\n\n- 3"),
        ("<blockquote><ul><li>a<li>b</ul></blockquote>", "> - a\n> - b"),
        ("<ul><li>a<pre>x = 1</pre></ul>", "- a\n\n  ```\n  x = 1\n  ```"),
        ("<a href=/r><h2>Reef</h2></a><p>x", "## Reef\n\nx"),
        (
            "<p>so <math><mi>x</mi><annotation encoding='application/x-tex'>x^2</annotation></math>.</p>",
            "so $x^2$.",
        ),
        ("<ul><li>one<ul><li>inner</ul></ul>", "- one\n  - inner"),
        ("<blockquote><p>Said.</p></blockquote>", "> Said."),
        ("<p>a <a href='b?c'>link</a>.</p>", "a [link](https://reef.example/a/b?c)."),
        ("<p>very <strong>bold</strong> and <em>soft</em> <code>x</code></p>", "very **bold** and *soft* `x`"),
        ("<p>한국어 <b>굵게</b></p>", "한국어 **굵게**"),
        ("<p>one<br>two</p>", "one\\\ntwo"),
        ("<p>one<br>- two<br> <br>three <b>four<br><br>five</b>", "one\\\n\\- two\n\nthree **four**\n\n**five**"),
        ("<p><a href=/r>one<br>two</a>", "[one two](https://reef.example/r)"),
        ("<h2><b>Tides</b></h2><h3><b>Low</b> <b>tide</b></h3>", "## Tides\n\n### **Low** **tide**"),
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


@pytest.mark.parametrize(
    "html",
    [
        "<pre class='language-python'>x</pre>",
        "<pre><code class='hljs lang-python'>x</code></pre>",
        "<div class='highlight-python notranslate'><div class=highlight><pre>x</pre></div></div>",
        "<pre data-lang=Python>x</pre>",
    ],
)
def test_code_keeps_its_language(html: str) -> None:
    assert markdown(html) == "```python\nx\n```"


def test_a_paragraph_behind_the_text_of_an_item_is_one_of_its_own() -> None:
    assert markdown("<ol start=3><li>a<p>b</p><li>c</ol>") == "3. a\n\n   b\n\n4. c"
    assert markdown("<ul><li><p>a</p><li>b<ul><li>c</ul></ul>") == "- a\n- b\n  - c"


def test_lines_of_code_that_are_elements_stay_lines() -> None:
    assert markdown("<pre><code><div>a</div><div>b</div></code></pre>") == "```\na\nb\n```"
    assert markdown("<pre>a<br>b\n<span>c</span>d</pre>") == "```\na\nb\ncd\n```"


def test_cells_that_span_rows_and_columns_leave_room() -> None:
    html = "<table><tr><td rowspan=2>a<td>b<td>c<tr><td colspan=2>d<tr><td>e<td>f<td>g</table>"
    assert markdown(html) == "| a | b | c |\n| --- | --- | --- |\n|  | d |  |\n| e | f | g |"


def test_a_table_that_frames_a_page_is_no_table() -> None:
    assert markdown("<table><tr><td><h2>Reef</h2><p>x</p><td>y</table>") == "## Reef\n\nx\n\ny"


def test_text_in_noscript_is_written_too() -> None:
    posts = "".join(f"<p>Post {number} tells of a very low tide." for number in range(20))
    assert markdown(f"<noscript><h1>Reef</h1>{posts}</noscript>").startswith("# Reef\n\nPost 0 tells")


WORDS = st.text(alphabet="abcd12", min_size=1, max_size=5)
LEAVES = WORDS.map(lambda word: f"<p>{word}</p>") | st.tuples(st.integers(1, 6), WORDS).map(
    lambda heading: f"<h{heading[0]}>{heading[1]}</h{heading[0]}>"
)
ITEMS = st.lists(WORDS, min_size=1, max_size=3)
TREES = st.recursive(
    LEAVES | WORDS.map(lambda word: f"<pre>{word}</pre>"),
    lambda inner: (
        st.lists(
            st.tuples(WORDS, inner).map(lambda item: f"<li>{item[0]}{item[1]}</li>"), min_size=1, max_size=3
        ).flatmap(lambda items: st.sampled_from(["ul", "ol"]).map(lambda tag: f"<{tag}>{''.join(items)}</{tag}>"))
        | inner.map(lambda part: f"<blockquote>{part}</blockquote>")
        | st.lists(inner, min_size=1, max_size=3).map("".join).map(lambda parts: f"<div>{parts}</div>")
    ),
    max_leaves=6,
)


@given(TREES, st.lists(st.lists(WORDS, min_size=2, max_size=2), min_size=1, max_size=3))
def test_markdown_shows_the_same_structure_as_the_page(html: str, rows: list[list[str]]) -> None:
    table = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    page = f"{html}<table>{table}</table>"
    rendered = MarkdownIt("commonmark").enable("table").render(markdown(page))
    for tag in ("h1", "h2", "h3", "h4", "h5", "h6", "li", "ul", "ol", "pre", "blockquote", "tr"):
        assert len(re.findall(f"<{tag}[ >]", rendered)) == len(re.findall(f"<{tag}[ >]", page)), tag
    shown, given_text = (re.sub("<[^>]*>", " ", text.replace("<!-- -->", "")).split() for text in (rendered, page))
    assert shown == given_text


def test_a_table_keeps_rows_and_cells() -> None:
    html = "<table><tr><th>a<th>b<tr><td>1<td>2|3<tr><td>4</table>"
    assert markdown(html) == "| a | b |\n| --- | --- |\n| 1 | 2\\|3 |\n| 4 |  |"


def test_an_image_in_a_table_does_not_part_it() -> None:
    html = "<table><tr><td>a<td>b<tr><td><img src=/p.png alt=reef>1<td>2</table>"
    assert markdown(html) == "| a | b |\n| --- | --- |\n| ![reef](https://reef.example/p.png)1 | 2 |"


def test_images_between_kept_blocks_are_the_documents() -> None:
    html = "<img src=/logo.png><p>One.</p><img src=/p.png alt='a reef'><p>Two.</p><img src=/end.png>"
    document = written(html)
    assert document.markdown == "One.\n\n![a reef](https://reef.example/p.png)\n\nTwo."
    assert document.images == ("https://reef.example/p.png",)


def test_the_logo_of_a_menu_between_kept_blocks_is_left_out_with_it() -> None:
    menu = "<nav><div><img src=/logo.png alt=Reef></div><ul><li>Home<li>Tides<li>Crabs</ul></nav>"
    figure = "<figure><img src=/p.png alt=crab><figcaption>By A.</figcaption></figure>"
    html = f"<h1>Low tide</h1>{menu}<p>One.</p>{figure}<p>Two."
    blocks = [block for block in parse_html(html, ADDRESS).blocks if block.path in ("h1", "p")]
    document = with_markdown(Document(url=ADDRESS, blocks=tuple(blocks)), html)
    assert document.images == ("https://reef.example/p.png",)
    assert "![crab](https://reef.example/p.png)" in document.markdown


def test_an_arrow_back_to_the_top_is_left_out_but_no_link_further_down() -> None:
    html = "<div id=top>A.</div><p>One.</p><div><a href='#{}'><img src=/up.gif alt=up></a></div><p>Two.</p><p id=end>C."
    assert markdown(html.format("top")) == "A.\n\nOne.\n\nTwo.\n\nC."
    assert "![up](https://reef.example/up.gif)" in markdown(html.format("end"))


def test_an_image_without_words_beside_text_is_decoration_and_not_written() -> None:
    html = (
        "<ul><li><img alt='' src=/down.gif> <a href=/a>Introduction</a><li><a href=/b><img src=/dot.png>Next</a></ul>"
    )
    assert markdown(html) == "- [Introduction](https://reef.example/a)\n- [Next](https://reef.example/b)"
    assert markdown("<p>One.</p><p><a href=/a><img src=/p.png></a></p><p>Two.</p>") == (
        "One.\n\n[![](https://reef.example/p.png)](https://reef.example/a)\n\nTwo."
    )


def test_an_image_that_the_page_calls_decoration_is_not_written_though_it_stands_alone() -> None:
    html = "<p>One.</p><div><img src=/star.svg {}></div><p>Two.</p>"
    assert markdown(html.format("alt=''")) == "One.\n\nTwo."
    assert markdown(html.format("")) == "One.\n\n![](https://reef.example/star.svg)\n\nTwo."
    told = "<p>One.</p><figure><img src=/p.png alt=''><figcaption>A crab.</figcaption></figure><p>Two.</p>"
    assert "![](https://reef.example/p.png)" in markdown(told)


def test_the_portraits_beside_posts_are_not_written() -> None:
    html = "<p>One.</p><div><a class=avatar href=/u/7><img src=/7.jpg {0} alt=anna></a></div><p>Two.</p>"
    assert markdown(html.format("")) == markdown(html.format("class=avatar-m")) == "One.\n\nTwo."
    assert "![anna]" in markdown(html.replace("class=avatar", "").format(""))


def test_a_star_that_is_marked_itself_stays_a_star() -> None:
    assert markdown("<p><strong>*</strong> From January on.</p><p><b>* note</b>") == (
        "**\\*** From January on.\n\n**\\* note**"
    )


def test_posts_of_one_day_are_written_though_their_dates_stand_twice() -> None:
    post = "<div><ul class=narrow><li>May 4</ul><ul class=wide><li>May 4</ul><p>Post {}.</p></div>"
    html = "".join(post.format(number) for number in range(8))
    blocks = tuple(block for block in parse_html(html, ADDRESS).blocks if "wide" not in block.path)
    found = with_markdown(Document(url=ADDRESS, blocks=blocks), html).markdown
    assert [f"Post {number}." in found for number in range(8)] == [True] * 8


def test_only_the_documents_blocks_are_written() -> None:
    html = "<nav><p>Home</p></nav><div><p>Home</p></div>"
    blocks = tuple(block for block in parse_html(html, ADDRESS).blocks if block.path.startswith("div"))
    assert with_markdown(Document(url=ADDRESS, blocks=blocks), html).markdown == "Home"


def test_a_text_that_is_said_again_does_not_lose_what_stands_between() -> None:
    html = "".join(f"<div><p>May 9</p><p>Post {number} tells of a very low tide.</p></div>" for number in range(30))
    blocks = parse_html(html, ADDRESS).blocks
    chosen = tuple(block for number, block in enumerate(blocks) if block.text != "May 9" or number in {0, 50})
    found = with_markdown(Document(url=ADDRESS, blocks=chosen), html).markdown
    assert found.count("tells of") == 30
    assert found.count("May 9") == 2


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


def test_a_picture_that_holds_the_place_of_an_image_is_written_as_the_image() -> None:
    image = "<img alt=Reef src='data:image/svg+xml,%3Csvg%3E' data-src=/reef.png>"
    document = written(f"<p>Low tide {image} and <img src='data:,x' alt=x>more")
    assert document.markdown == "Low tide ![Reef](https://reef.example/reef.png) and more"
    assert document.images == ("https://reef.example/reef.png",)


@pytest.mark.parametrize(
    "html",
    [
        "<h2 class='[&>code]:break-all'>Tides</h2><p>Low.",
        f"<div class='{'a' * 600}'><div class='{'b' * 600}'><h2>Tides</h2><p>Low.</div></div>",
        "<h2>Ti\x08des</h2><p>Low.",
    ],
)
def test_blocks_whose_place_cannot_be_told_are_found_by_their_text(html: str) -> None:
    assert markdown(html).replace("Ti des", "Tides") == "## Tides\n\nLow."


def test_blocks_in_a_heading_stand_apart() -> None:
    assert markdown("<h2><div>1</div><div>Low tide</div></h2><p>x") == "## 1 Low tide\n\nx"


def test_what_stands_in_a_list_beside_its_items_is_not_lost() -> None:
    html = "<ul><a href=/r><div><h3>Reef</h3><p>Low.</p></div></a><li>one</li><b>two</b></ul>"
    assert markdown(html) == "- ### Reef\n\n  Low.\n\n- one\n\n- **two**"
    assert markdown("<ul>Only <b>indented</b>.<p>Low.</ul>") == "Only **indented**.\n\nLow."


def test_a_bracket_without_another_does_not_end_a_link() -> None:
    text = "<p>See <a href=/r>prices [of reefs</a> and <a href=/s>[1]</a>."
    assert markdown(text) == "See [prices \\[of reefs](https://reef.example/r) and [[1]](https://reef.example/s)."


def test_relative_links_start_at_the_page_or_where_it_says() -> None:
    page = "<link rel=canonical href=/newest/a/><p>See <a href=b>this</a>."
    document = Document(
        url=ADDRESS, canonical=Url("https://reef.example/newest/a/"), blocks=parse_html(page, ADDRESS).blocks
    )
    assert with_markdown(document, page).markdown == "See [this](https://reef.example/a/b)."
    assert markdown("<base href=/c/><p>See <a href=b>this</a>.") == "See [this](https://reef.example/c/b)."
