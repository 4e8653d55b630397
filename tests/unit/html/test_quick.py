from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from haenyeo.html.charset import decode
from haenyeo.html.parse import MAX_LINKS, parse_html, parse_page, scanned_in_python
from haenyeo.html.quick import COMPILED, characters, noscript_links, scanned
from haenyeo.model.pages import Url

PAGE = Url("http://reef.test/shore/page.html?tide=low")
_WORDS = """a a a area b base body br button caption center col colgroup dd dialog div div dl dt em fieldset font
form h1 h2 head hr html i iframe image img input label legend li li link listing meta nobr noscript object ol optgroup
option p p pre reef-map rt script section select span span style svg table tbody td template textarea th thead title tr
ul video xmp math math mi mrow mtext annotation annotation-xml mspace small time"""
_ELEMENTS = _WORDS.split()
_NAMES = ["class", "href", "rel", "title", "alt", "id", "src", "type", "lang", "content", "name", "CLASS", "Href"]
_NAMES += ["role", "itemprop", "style", "hidden", "ID"]
_VALUES = ["x", "b a", "/p?q=1&amp;r=2", "#f", "hidden", "nofollow NEXT", "&lt;&copy=1", "é 漢", "", "  z ", "robots"]
_VALUES += [
    "display:none",
    "color:red; VISIBILITY : hidden",
    "main\tpart",
    "m" * 299,
    "n" * 301,
    "c b a c",
    "S:1f",
    "S:",
    "description",
]
_TEXTS = ["word", "two words", " ", "\n", "  lead", "trail  ", "&nbsp;", "a&amp;b", "x\u3000y", "\r\n", "해녀", "1 < 2"]
_TEXTS += ["Two", "7", "€3"]
_ODD = [
    "&notit;",
    "<!-- c -->",
    "<!-->",
    "<?pi?>",
    "</>",
    "<![CDATA[x]]>",
    "&",
    "\x01",
    "\u2003",
    "<",
    "&#0;",
    "&#x80;",
]

_DOCTYPES = [
    "",
    "<!DOCTYPE html>",
    '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">',
    '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd">',
    '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.0 Transitional//EN">',
    '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">',
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">',
]

_attribute = st.tuples(st.sampled_from(_NAMES), st.sampled_from(_VALUES)).map(lambda pair: f' {pair[0]}="{pair[1]}"')
_start = st.builds(
    lambda name, attributes, slash: f"<{name}{''.join(attributes)}{slash}>",
    st.sampled_from(_ELEMENTS),
    st.lists(_attribute, max_size=3),
    st.sampled_from(["", "", "", "/"]),
)
_end = st.sampled_from(_ELEMENTS).map(lambda name: f"</{name}>")
_text = st.sampled_from(_TEXTS * 3 + _ODD)
_pages = st.lists(st.one_of(_text, _start, _end), max_size=25).map("".join)


@settings(max_examples=4 * settings().max_examples)
@given(st.sampled_from(_DOCTYPES), _pages)
def test_what_the_scanner_reads_is_what_the_tree_holds(doctype: str, page: str) -> None:
    found = scanned(doctype + page, PAGE)
    assert found is None or found == scanned_in_python(doctype + page, PAGE)


_in_script = st.lists(
    st.sampled_from(
        ["<!--", "-->", "<script>", "</script>", "<script ", "-", ">", "<", "</scripty>", "--!>", "x", "<!-->"]
    ),
    max_size=12,
).map("".join)


@given(_in_script, _pages)
def test_scripts_end_where_they_end_for_the_tree(script: str, page: str) -> None:
    html = f"<p>a<script>{script}</script>b{page}"
    found = scanned(html, PAGE)
    assert found is None or found == scanned_in_python(html, PAGE)


_steps = [
    "a",
    "B.html",
    "..",
    ".",
    "%2E",
    "%2e%2e",
    "",
    "x:y",
    "~z",
    "c;d=(e)",
    "?",
    "q=1&r=/2/../3",
    "#",
    "f",
    " ",
    "é",
]
_hrefs = st.builds(
    lambda start, steps, joint: start + joint.join(steps),
    st.sampled_from(
        ["", "/", "//", "../", "./", "http://a.test/", "https://a1.b2.test/", "http://10.1/", "HTTP://a.test"]
    ),
    st.lists(st.sampled_from(_steps), max_size=5),
    st.sampled_from(["/", "/", ""]),
)
_bases = st.sampled_from(
    ["http://reef.test/", "http://reef.test/a/b//c?d/e", "http://reef.test:81/a/b.html", "http://r.test/a/"]
)


@settings(max_examples=6 * settings().max_examples)
@given(_hrefs, _bases.map(Url))
def test_addresses_are_resolved_as_the_standard_says(href: str, base: Url) -> None:
    page = f'<p><a href="{href}">x</a> <a href=" {href} ">y</a>'
    found = scanned(page, base)
    assert found is None or found.links == scanned_in_python(page, base).links


_pieces = st.sampled_from(
    [b"plain words in a row, ", b"  ", b"\t", b"\xc2\xa0", b"\xe3\x80\x80", "해녀 ".encode(), "물질—".encode()]
)


@given(st.lists(_pieces, max_size=30).map(b"".join))
def test_white_space_is_squeezed_alike_wherever_it_stands(text: bytes) -> None:
    page = b"<p>" + text + b"<a href=x>" + text + b"</a>"
    assert scanned(page, PAGE) == (scanned_in_python(page.decode(), PAGE) if COMPILED else None)


@given(st.one_of(st.binary(max_size=60), st.text(max_size=40).map(str.encode)))
def test_characters_are_counted_only_in_utf_8(data: bytes) -> None:
    try:
        expected = len(data.decode())
    except UnicodeDecodeError:
        expected = -1
    assert characters(data) == (expected if COMPILED else -1)


@given(
    _pages, st.sampled_from(["", "text/html; charset=utf-8", "text/html; charset=euc-kr", "text/html; charset=utf-16"])
)
def test_bytes_are_read_as_the_text_they_are(page: str, content_type: str) -> None:
    body = page.encode()
    assert parse_page(body, PAGE, content_type) == parse_html(decode(body, content_type), PAGE)


@given(st.text(st.characters(codec=None), max_size=200))
def test_any_text_can_be_scanned(text: str) -> None:
    found = scanned(text, PAGE)
    assert found is None or found == scanned_in_python(text, PAGE)


# Pages that were once read differently.
@pytest.mark.parametrize(
    "page",
    [
        "<i><form><div>x</form></i>trail",
        "<form><i></form>trail",
        "<form><span>x<li></form></li>y",
        "<dd><i></dd><form>x</form>trail",
        "<font><button><legend></font>x",
        "<nobr><legend><li>x<nobr>",
        "<listing></>\n x",
        "<pre> </caption>x",
        "x<textarea>&nbsp;</textarea>y",
        "x<svg>&nbsp;</svg>y",
        "<table><form><tr><td>x</form></table>y",
        "<p>x<table><tr><td>y",
        "<!DOCTYPE html><p>x<table><td>y<td><a href=/z>z</table>w",
        "<ul><li>one<li>two<ul><li>three</ul>four</ul>five",
        "<pre>\n a\r\n  b <a href=x> c </a></pre> d",
        "<a href=x>one<p>two</a>three",
        "<p><a href=x><a href=y>one</a></a>two",
        "<p>one<a href=x>two <a href=y> three<b><a href=z>four</a></b> five",
        "<a href=x><i>one</i><a href=y><p>two<a href=z>three</p></a>four",
        "<p><i><h1>one<h2>two",
        "<pre><a href=x>one <a>two</a> </a>three</pre>",
        "<a href=x>one<source></source>two<img></img></a>three",
        "<pre>one </source>two</pre>",
        "one<svg><desc>a drawing</desc><path/></svg>two",
        "one<svg><desc><p>a drawing</desc></svg>two",
        "one<svg><title><mi></svg>two",
        "<reef>one<svg></reef>two</svg>three",
        "one<template><p>two<template>three</template><script>'</template>'</script></template>four",
        "<a href=x>one<template>two</template>three</a></template>four",
        "<template>one",
        "one<math><mrow><mi>x</mi><mspace/><mo>=</mo></mrow><annotation>x=</annotation></math>two",
        "one<math><mtext>x<p>y</mtext></math>two",
        "<span>one<math><mi>x</span>y</math>two",
        "<a href=x>one<math><mi>x</mi></math>two</a>",
        "one<math><![CDATA[x]]></math>two",
        "one<math/>two<math><foo></math>three",
        "<pre>one<template>two</template>three</pre>",
        "<script><!-- <script>x</script> y --></script>z",
        "<script><!-- <script>x</script></script>z",
        "<script><!--><script>x</script>z",
        "<script><!-- -- > <scriptx></script>z",
        "<script>a<!--b<SCRIPT/>--></script>z",
    ],
)
def test_unusual_nesting_is_read_alike_or_left_to_the_tree(page: str) -> None:
    found = scanned(page, PAGE)
    assert found is None or found == scanned_in_python(page, PAGE)
    assert parse_html(page, PAGE) == scanned_in_python(page, PAGE)


def test_plain_pages_need_no_tree() -> None:
    page = "<!DOCTYPE html><html lang=ko><title>해녀</title><div class=text><p>One <a href=/two>two</a><p>three</div>"
    assert scanned(page, PAGE) == (scanned_in_python(page, PAGE) if COMPILED else None)


def test_links_in_links_and_tags_of_many_attributes_need_no_tree() -> None:
    page = (
        f"<div {' '.join(f'data-{number}=x' for number in range(90))} class=a><a href=x><a href=y>one</a></a>two</div>"
    )
    assert scanned(page, PAGE) == (scanned_in_python(page, PAGE) if COMPILED else None)
    assert parse_html(page, PAGE).blocks[0].path == "div.a"


def test_a_page_of_very_many_links_needs_no_tree() -> None:
    page = "<p>" + "".join(f"<a href=/{number}>x</a> " for number in range(200_000))
    markup = scanned(page, PAGE)
    assert COMPILED is None or (markup is not None and len(markup.links) == MAX_LINKS)


def test_a_page_nested_too_deeply_is_left_to_the_guarded_tree() -> None:
    assert scanned("<div>" * 300 + "text", PAGE) is None


def test_links_in_noscript_are_found() -> None:
    assert noscript_links('<a href="/x" rel=next>y</a><a>z</a>') == [("/x", "next", "y")]


@pytest.mark.parametrize("blanks", ["", " ", "  ", " \n \n"])
def test_a_link_ends_where_its_block_does(blanks: str) -> None:
    page = f"<pre>a <a href=/x>해녀{blanks}</a></pre><p>b"
    for markup in (parse_html(page, PAGE), scanned_in_python(page, PAGE)):
        (link,) = markup.links
        assert markup.blocks[0].text[link.start : link.end] == "해녀"
        assert link.end == len(markup.blocks[0].text)
