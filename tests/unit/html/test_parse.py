from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from haenyeo.html.parse import parse_html, parse_page, scanned_in_python
from haenyeo.html.urls import resolve
from haenyeo.model.pages import Markup, Outlink, Url

PAGE = Url("http://reef.test/shore/page.html?tide=low")


def texts(html: str) -> list[str]:
    return [block.text for block in parse_html(html, PAGE).blocks]


def paths(html: str) -> list[str]:
    return [block.path for block in parse_html(html, PAGE).blocks]


def links(html: str) -> list[str]:
    return [link.url for link in parse_html(html, PAGE).links]


def anchor(markup: Markup, link: Outlink) -> str:
    return markup.blocks[link.block].text[link.start : link.end] if link.block >= 0 else ""


# A second, slow reading of the same tree: it recurses, and knows where elements end.

BLOCK_NAMES = """address article aside blockquote body caption center dd details dialog dir div dl dt fieldset
figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol optgroup option
p plaintext pre search section summary table tbody td tfoot th thead tr ul"""
BLOCKS = frozenset(BLOCK_NAMES.split())
HIDDEN_NAMES = "script style template svg textarea title iframe noscript noembed noframes xmp"
HIDDEN = frozenset(HIDDEN_NAMES.split())


class Reference:
    def __init__(self, html: str) -> None:
        self.blocks: list[tuple[str, str]] = []
        self.links: list[tuple[str, str]] = []
        self._words: list[str] = []
        self._holder: Any = None
        self._read(LexborHTMLParser(html, scripting=True).root, "", None)
        self._end("")

    def _end(self, path: str) -> None:
        text = " ".join("".join(self._words).split())
        if text:
            self.blocks.append((text, path))
        self._words = []

    def _read(self, node: Any, path: str, link: list[str] | None) -> None:
        for child in children(node):
            if child.is_text_node:
                if self._words and self._is_of_another_link(node, self._words[-1][-1:] + child.text_content[:1]):
                    self._words.append(" ")
                self._holder = node
                self._words.append(child.text_content)
                if link is not None:
                    link.append(child.text_content)
            elif child.is_element_node and child.tag not in HIDDEN:
                self._read_element(child, path, link)

    def _is_of_another_link(self, node: Any, border: str) -> bool:
        are_letters = border.isascii() and border.isalpha() and len(border) == 2
        return are_letters and node.tag == self._holder.tag == "a" and node.mem_id != self._holder.mem_id

    def _read_element(self, node: Any, path: str, link: list[str] | None) -> None:
        if node.tag == "br":
            self._words.append(" ")
            if link is not None:
                link.append(" ")
        elif node.tag in BLOCKS:
            classes = "".join(f".{name}" for name in sorted(set((node.attributes.get("class") or "").split())))
            step = "" if node.tag in {"body", "html"} else node.tag + classes
            self._end(path)
            self._read(node, ">".join(filter(None, [path, step])), link)
            self._end(">".join(filter(None, [path, step])))
        elif node.tag == "a" and node.attributes.get("href") is not None:  # an href without a value leads nowhere
            words: list[str] = []
            number = len(self.links)
            self.links.append(("", ""))
            self._read(node, path, words)
            self.links[number] = (node.attributes["href"], " ".join("".join(words).split()))
        else:
            self._read(node, path, link)


def children(node: Any) -> Iterator[Any]:
    child = node.first_child
    while child is not None:
        yield child
        child = child.next


words = st.text(alphabet="ab  \n\t&;é해녀\xa0\u3000🐚", max_size=8)
NAMES = """div p span a b i em ul ol li table tr td th h1 h2 section article br hr img font center dl dt dd blockquote
option select form nav main script style title textarea svg template noscript iframe"""
names = st.sampled_from(NAMES.split())
attributes = st.lists(
    st.sampled_from(
        ['class="b a"', "class=a", "class='c  a'", "id=x", 'href="/a?b&amp;c"', "href=b.html", "href", "href='#x'"]
    ),
    max_size=3,
    unique_by=lambda attribute: attribute[:2],
)
start_tags = st.builds(lambda name, extra: f"<{' '.join([name, *extra])}>", names, attributes)
end_tags = names.map("</{}>".format)
soups = st.lists(st.one_of(words, start_tags, start_tags, end_tags), max_size=40).map("".join)


@given(soups)
@example("<table>stray<tr><td>cell<a href=x>one<a href=y>two</table>after")
@example("<p>one<div>two</p>three")
@example("<a href=x>one<p>two</a>three</p>four")
@example("<b>a</b> <i>b</i><br>c")
@example("a<svg><article></article></svg>b")
def test_text_and_paths_are_those_of_a_slow_reading(html: str) -> None:
    markup = parse_html(html, PAGE)
    assert [(block.text, block.path) for block in markup.blocks] == Reference(html).blocks


@given(soups)
@example("<a href=x>one<p>two</a>three</p>four")
@example("<a href>nowhere</a>")
@example("<a href=x>one<br>two</a>")
def test_links_are_those_of_a_slow_reading(html: str) -> None:
    markup = parse_html(html.replace("noscript", "u").replace("iframe", "u"), PAGE)
    wanted = [
        (resolve(PAGE, href), text)
        for href, text in Reference(html.replace("noscript", "u").replace("iframe", "u")).links
        if not href.strip().startswith("#")
    ]
    found = [(link.url, anchor(markup, link)) for link in markup.links if link.block >= 0]
    assert [url for url, text in wanted if text] == [url for url, _ in found]
    for (_, whole), (_, part) in zip([link for link in wanted if link[1]], found, strict=True):
        assert part
        assert part in whole


@given(soups)
def test_spans_index_text_without_blanks_at_their_ends(html: str) -> None:
    markup = parse_html(html, PAGE)
    for link in markup.links:
        text = anchor(markup, link)
        assert text == text.strip()
        assert bool(text) == (link.block >= 0)


@given(soups)
def test_no_more_is_linked_than_a_block_has(html: str) -> None:
    for block in parse_html(html, PAGE).blocks:
        assert 0 <= block.linked <= len(block.text)


@given(st.binary(max_size=200), st.sampled_from(["", "text/html", "text/html; charset=euc-kr", "text/plain"]))
def test_no_bytes_raise(body: bytes, content_type: str) -> None:
    parse_page(body, PAGE, content_type)


@given(st.text(max_size=200))
@example("\x00<p>\x00")
@example("<p>\ud800</p>")
@example("<a href='\ud800'>x</a>")
@example("<a href='http://[/'>x</a>")
def test_no_text_raises(html: str) -> None:
    parse_html(html, PAGE)


@given(st.permutations(['class="news item"', 'id="n1"', 'href="/one"', 'title="One"', 'rel="nofollow"']))
def test_the_order_of_attributes_does_not_matter(order: list[str]) -> None:
    html = "<div {0}>a <a {0}>b</a></div>"
    written = 'class="item news" id="n1" href="/one" title="One" rel="nofollow"'
    assert parse_html(html.format(" ".join(order)), PAGE) == parse_html(html.format(written), PAGE)


@given(st.text(alphabet="abc<>!-/ ", max_size=30))
def test_scripts_and_styles_are_never_text(code: str) -> None:
    code = code.replace("</", "< /").replace("<!--", "")
    for name in ("script", "style", "textarea"):
        assert texts(f"<p>before</p><{name}>{code}</{name}><p>after</p>") == ["before", "after"]


def test_blocks_end_where_block_elements_begin_and_end() -> None:
    assert texts("a<div>b<p>c</p>d</div>e<hr>f") == ["a", "b", "c", "d", "e", "f"]


def test_inline_elements_neither_part_nor_join_words() -> None:
    assert texts("<p>di<b>v</b>er <i>and</i> <u>reef</u>\n<s>tide</s></p>") == ["diver and reef tide"]


def test_a_line_break_parts_words() -> None:
    assert texts("<p>one<br>two</p>") == ["one two"]


def test_white_space_of_every_kind_is_one_blank() -> None:
    assert texts("<p>\n one\t\ttwo &nbsp;\xa0three\u3000four \n</p>") == ["one two three four"]


def test_references_are_decoded_once() -> None:
    assert texts("<p>&amp;lt; &lt;b&gt; &#xD574;&#45376;</p>") == ["&lt; <b> 해녀"]


def test_preformatted_text_keeps_its_lines() -> None:
    html = "<p>a  b</p><pre>\n  one\n    two <a href=x>three</a>\n</pre>c  d"
    assert texts(html) == ["a b", "  one\n    two three", "c d"]
    markup = parse_html(html, PAGE)
    assert anchor(markup, markup.links[0]) == "three"


def test_a_path_names_blocks_and_their_classes_in_order() -> None:
    html = "<body class=x><div id=i class='main  content main'><span class=s><ul class=list><li>one</ul></span></div>"
    assert paths(html) == ["div.content.main>ul.list>li"]


def test_text_in_body_alone_has_the_empty_path() -> None:
    assert paths("<html class=a><body class=b>text") == [""]


def test_a_path_stays_short_in_deep_pages_and_with_many_classes() -> None:
    (path,) = paths("<div class=layout>" * 200 + "text")
    assert len(path) <= 1000
    (path,) = paths(f"<p class='{' '.join(f'c{number:03}' for number in range(500))}'>text")
    assert path.startswith("p.c000.c001.")
    assert len(path) < 300


def test_pages_without_end_tags_are_read() -> None:
    html = "<ul><li>one<li><a href=two>two</a><li>three</ul><table><tr><td>a<td>b<tr><td>c</table><p>d<p>e"
    assert texts(html) == ["one", "two", "three", "a", "b", "c", "d", "e"]
    assert paths(html)[:4] == ["ul>li", "ul>li", "ul>li", "table>tbody>tr>td"]


def test_linked_characters_are_counted() -> None:
    (block,) = parse_html("<p>dive <a href=a>here</a> or <a href='javascript:x'>there</a></p>", PAGE).blocks
    assert block.linked == len("here") + len("there")


def test_links_are_resolved_and_stand_in_page_order_with_repeats() -> None:
    html = "<a href=b>1</a><a href=/c>2</a><a href='//other.test/d'>3</a><a href=b>4</a><a href='?e'>5</a>"
    assert links(html) == [
        "http://reef.test/shore/b",
        "http://reef.test/c",
        "http://other.test/d",
        "http://reef.test/shore/b",
        "http://reef.test/shore/page.html?e",
    ]


def test_fragments_are_dropped_and_links_within_the_page_too() -> None:
    assert links("<a href='#top'>1</a><a href=' #x '>2</a><a href='b#c'>3</a>") == ["http://reef.test/shore/b"]


def test_only_http_is_followed() -> None:
    html = "".join(f"<a href='{scheme}:x'>x</a>" for scheme in ("javascript", "mailto", "data", "file", "ftp", "tel"))
    assert links(html + "<a href='HTTPS://Reef.test'>y</a>") == ["https://reef.test/"]


def test_rel_is_in_lower_case() -> None:
    (link,) = parse_html("<a rel=' NoFollow  UGC ' href=x>y</a>", PAGE).links
    assert link.rel == "nofollow ugc"


def test_a_link_around_blocks_stands_in_the_one_that_has_most_of_its_text() -> None:
    markup = parse_html("<a href=x><div>3 min</div><h3>The divers of Jeju</h3></a>", PAGE)
    assert [block.linked for block in markup.blocks] == [5, 18]
    assert anchor(markup, markup.links[0]) == "The divers of Jeju"


def test_a_link_in_pieces_is_one_stretch() -> None:
    markup = parse_html("<p>see <a href=x> the <b>deep</b>\n reef </a> now</p>", PAGE)
    assert markup.blocks[0].text == "see the deep reef now"
    assert anchor(markup, markup.links[0]) == "the deep reef"


def test_a_link_without_text_has_the_label_of_its_image_or_its_title() -> None:
    html = """<a href=a title=t><img alt=' A  map ' src=m></a><a href=b title="Next"></a><a href=c> <img src=n></a>
    <a href=d title=t>text<img alt=i></a>"""
    assert [(link.block, link.label) for link in parse_html(html, PAGE).links] == [
        (-1, "A map"),
        (-1, "Next"),
        (-1, ""),
        (0, ""),
    ]


def test_areas_and_frames_are_links() -> None:
    html = "<map><area href=a alt=East></map><iframe src=b title=Film>c</iframe><svg><a href=d>e</a></svg>"
    assert [(link.url[-1], link.label) for link in parse_html(html, PAGE).links] == [
        ("a", "East"),
        ("b", "Film"),
        ("d", ""),
    ]
    assert links("<frameset><frame src=a><frame src=b></frameset>") == [
        "http://reef.test/shore/a",
        "http://reef.test/shore/b",
    ]


def test_next_and_previous_pages_named_in_the_head_are_links() -> None:
    markup = parse_html("<link rel=next href=2><link rel=PREV href=0><link rel=stylesheet href=s>", PAGE)
    assert [(link.url[-1], link.rel) for link in markup.links] == [("2", "next"), ("0", "prev")]


def test_links_in_noscript_count_but_its_text_does_not() -> None:
    markup = parse_html("<head><noscript>Turn <a href=a>on</a> scripts</noscript></head><p>b", PAGE)
    assert [block.text for block in markup.blocks] == ["b"]
    assert [(link.url[-1], link.label) for link in markup.links] == [("a", "on")]


def test_templates_are_not_part_of_the_page() -> None:
    markup = parse_html("<template><p>row <a href=x>y</a></template>", PAGE)
    assert (markup.blocks, markup.links) == ((), ())


def test_a_page_in_euc_kr_is_read() -> None:
    body = "<title>해녀</title><p>제주 <a href='바다'>바다</a>의 해녀</p>".encode("euc-kr")
    markup = parse_page(body, PAGE, "text/html; charset=euc-kr")
    assert markup.title == "해녀"
    assert markup.blocks[0].text == "제주 바다의 해녀"
    assert anchor(markup, markup.links[0]) == "바다"
    assert markup.links[0].url == "http://reef.test/shore/%EB%B0%94%EB%8B%A4"


def test_characters_beyond_the_basic_plane_do_not_shift_links() -> None:
    markup = parse_html("<p>🐚  🐚 <a href=x>소라 🐚</a></p>", PAGE)
    assert anchor(markup, markup.links[0]) == "소라 🐚"


def test_an_empty_page_is_read() -> None:
    assert parse_html("", PAGE) == Markup(base=PAGE)
    assert parse_page(b"", PAGE) == Markup(base=PAGE)


@pytest.mark.parametrize("read", [parse_html, scanned_in_python], ids=["compiled", "in Python"])
def test_links_of_a_page_in_euc_kr_ask_in_euc_kr(read: Callable[..., Markup]) -> None:
    page = (
        '<meta charset=euc-kr><link rel=canonical href="/c?q=해"><meta http-equiv=refresh content="0; url=/r?q=해">'
        '<a href="/f?q=해녀">찾기</a>'
    )
    markup = read(page, Url("http://reef.test/"), "cp949")
    assert [link.url for link in markup.links] == ["http://reef.test/f?q=%C7%D8%B3%E0"]
    assert (markup.canonical, markup.refresh) == ("http://reef.test/c?q=%C7%D8", "http://reef.test/r?q=%C7%D8")
    assert parse_page(page.encode("cp949"), Url("http://reef.test/")).links == markup.links


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p><span>Book 1</span><span>€13.50</span><time>2026-02-11</time>", "Book 1 €13.50 2026-02-11"),
        ("<p><label>Size</label><small>40%</small><span>Off</span>", "Size 40% Off"),
        ("<p><a href=x>reef</a><a href=y>tide</a>", "reef tide"),
        ("<p><span>Sign in</span><button>Join</button>", "Sign in Join"),
        ("<p><span>T</span><span>he reef</span>", "The reef"),
        ("<p>Java<span>Script</span> <b>Co</b><i>Op</i>", "JavaScript CoOp"),
        ("<p><span>CO<span>2</span></span>", "CO2"),
        ("<pre><span>a</span><span>1</span></pre>", "a1"),
    ],
)
def test_words_in_elements_that_are_shown_apart_stay_two(html: str, text: str) -> None:
    assert texts(html) == [text]
    assert [block.text for block in scanned_in_python(html, PAGE).blocks] == [text]


def test_a_blank_between_elements_does_not_shift_links() -> None:
    markup = parse_html("<p><a href=x>reef</a><a href=y>tide</a>", PAGE)
    assert [anchor(markup, link) for link in markup.links] == ["reef", "tide"]


FORMULA = "<math><semantics><mi>x</mi><annotation encoding='application/x-tex'>x^2</annotation></semantics></math>"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        (f"<p>so {FORMULA}.", "so x."),
        (f"<p>so <span class='katex-mathml'>{FORMULA}</span><span class='katex-html'>x²</span>.", "so x²."),
    ],
)
def test_a_formula_is_said_once(html: str, text: str) -> None:
    assert texts(html) == [text]
    assert [block.text for block in scanned_in_python(html, PAGE).blocks] == [text]
